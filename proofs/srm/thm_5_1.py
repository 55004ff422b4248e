"""Theorem 5.1 of DP-SRM: the sensitivity of one recursive gradient estimate, steps s7 to s11.

Records i of S and i' of S' differ; a = grad f_i(theta^t) - (1-gamma) grad f_i(theta^(t-1)) and
likewise a'. Here g, p are the gradients of record i at theta^t and theta^(t-1), h, q those of
record i', x = theta^t - theta^(t-1). The privacy statement itself, which needs the
subsampling lemma, is not encoded yet.
"""

from dpaudit.algorithms.srm.dp_srm import coupled
from dpaudit.claims.writing import *

GAMMA = real("gamma", "(0, 1]", "momentum")
SMOOTH, LIPSCHITZ = positive("L", "smoothness"), positive("G", "Lipschitz constant")
BATCH = integer("b", "[1, oo)", "batch size")
ZETA, DIVISOR = positive("zeta", "target accuracy"), positive("n0", "step-size divisor")
G, P, H, Q, X = vector("g"), vector("p"), vector("h"), vector("q"), vector("x", "theta^t - theta^(t-1)")
A, A2 = "((1 - gamma)*(g - p) + gamma*g)", "((1 - gamma)*(h - q) + gamma*h)"
GRADIENTS = ("norm(g - p) <= L*norm(x)", "norm(h - q) <= L*norm(x)", "norm(g) <= G", "norm(h) <= G")
SPLIT = (
    ("1/b", f"norm({A} - {A2}) <= norm({A}) + norm({A2})"),
    ("1/b", f"norm({A}) <= norm((1 - gamma)*(g - p)) + norm(gamma*g)"),
    ("1/b", f"norm({A2}) <= norm((1 - gamma)*(h - q)) + norm(gamma*h)"),
    ("(1 - gamma)/b", "norm(g - p) <= L*norm(x)"),
    ("(1 - gamma)/b", "norm(h - q) <= L*norm(x)"),
    ("gamma/b", "norm(g) <= G"),
    ("gamma/b", "norm(h) <= G"),
)
BOUND = "2*((1 - gamma)*zeta/n0 + gamma*G)/b"
WORST = point("gamma=1/2 L=1 G=1 b=1 zeta=1 n0=1 g=(1,) p=(0,) h=(-1,) q=(0,) x=(1,)")


def _only(names):
    return (tuple(pair for pair in WORST if pair[0] in names),)


def coupled_runs(stream, trials):
    """Neighbouring runs of the shipped DP-SRM on the same released estimates and batches: the change
    of the pre-noise query against 2((1-gamma) zeta/n0 + gamma G)/b."""

    return coupled.coupled_sensitivity(stream, trials)


CLAIM = Claim(
    id="srm/THM-5.1",
    title="DP-SRM is (eps, delta)-DP",
    words=(
        "Under A1, A2, A4, A5, the calibration (2.3), (2.5) and the two side conditions, Algorithm 1 is (eps, "
        "delta)-DP."
    ),
    place="Theorem 5.1",
    kind=ClaimKind.PRIVACY,
    statement=None,
    expects=Outcome.NOT_RUN,
    steps=(
        step(
            "s7",
            "the query changes by (1/b)(a_i - a_i'), r being the sum over the other records",
            "norm((r + a)/b - (r + c)/b - (a - c)/b) == 0",
            (BATCH, vector("r"), vector("a"), vector("c")),
            mutants=(
                mutant(
                    "lost-b", "without 1/b", "norm((r + a)/b - (r + c)/b - (a - c)) == 0", "b=2 r=(1,) a=(1,) c=(0,)"
                ),
            ),
        ),
        step(
            "s8",
            "a_i = (1-gamma)(grad f_i(theta^t) - grad f_i(theta^(t-1))) + gamma grad f_i(theta^t)",
            f"norm(g - (1 - gamma)*p - {A}) == 0",
            (GAMMA, G, P),
            mutants=(
                mutant(
                    "weight",
                    "weight 1 on the last gradient",
                    "norm(g - (1 - gamma)*p - ((1 - gamma)*(g - p) + g)) == 0",
                    "gamma=1/2 g=(1,) p=(1,)",
                ),
            ),
        ),
        step(
            "s9",
            "the sensitivity is at most (2 L (1-gamma)/b)|theta^t - theta^(t-1)| + 2 gamma G/b",
            f"norm({A} - {A2})/b <= 2*L*(1 - gamma)*norm(x)/b + 2*gamma*G/b",
            (GAMMA, SMOOTH, LIPSCHITZ, BATCH, G, P, H, Q, X),
            GRADIENTS,
            kind=ClaimKind.SENSITIVITY,
            argument=(Combine(terms=SPLIT),),
            mutants=(
                Mutant(
                    "factor",
                    "one gradient term only: gamma G/b",
                    f"norm({A} - {A2})/b <= 2*L*(1 - gamma)*norm(x)/b + gamma*G/b",
                    candidates=_only(("gamma", "L", "G", "b", "g", "p", "h", "q", "x")),
                ),
                Mutant(
                    "no-smoothness",
                    "A2 dropped for the first record",
                    conditions=GRADIENTS[1:],
                    candidates=(point("gamma=1/2 L=1 G=1 b=1 g=(1,) p=(-9,) h=(-1,) q=(0,) x=(1,)"),),
                ),
            ),
        ),
        step(
            "s10",
            "|theta^t - theta^(t-1)| = eta |v| <= zeta/(n0 L), with eta = min(zeta/(n0 L |v|), 1/(2 n0 L))",
            "min(zeta/(n0*L*s), 1/(2*n0*L))*s <= zeta/(n0*L)",
            (SMOOTH, ZETA, DIVISOR, positive("s", "|v_p^(t-1)|")),
            argument=(Combine(terms=(("s", "min(zeta/(n0*L*s), 1/(2*n0*L)) <= zeta/(n0*L*s)"),)),),
            mutants=(
                mutant(
                    "maximum",
                    "max in place of min",
                    "max(zeta/(n0*L*s), 1/(2*n0*L))*s <= zeta/(n0*L)",
                    "L=1 zeta=1 n0=1 s=8",
                ),
                mutant(
                    "half", "half the bound", "min(zeta/(n0*L*s), 1/(2*n0*L))*s <= zeta/(2*n0*L)", "L=1 zeta=1 n0=1 s=8"
                ),
            ),
        ),
        step(
            "s11",
            "(2.4): the sensitivity is at most 2((1-gamma) zeta/n0 + gamma G)/b",
            f"norm({A} - {A2})/b <= {BOUND}",
            (GAMMA, SMOOTH, LIPSCHITZ, BATCH, ZETA, DIVISOR, G, P, H, Q, X),
            (*GRADIENTS, "norm(x) <= zeta/(n0*L)"),
            kind=ClaimKind.SENSITIVITY,
            rests_on=("srm/THM-5.1/s10",),
            argument=(Combine(terms=(*SPLIT, ("2*(1 - gamma)*L/b", "norm(x) <= zeta/(n0*L)"))),),
            empirical=(Search("coupled_runs", near_miss=0.9, trials=2_000),),
            mutants=(
                Mutant(
                    "factor",
                    "1.9 in place of 2",
                    f"norm({A} - {A2})/b <= 1.9*((1 - gamma)*zeta/n0 + gamma*G)/b",
                    candidates=(WORST,),
                ),
                mutant(
                    "weights",
                    "gamma and 1 - gamma exchanged",
                    f"norm({A} - {A2})/b <= 2*(gamma*zeta/n0 + (1 - gamma)*G)/b",
                    "gamma=9/10 L=1 G=1 b=1 zeta=1/10 n0=1 g=(1,) p=(19/20,) h=(-1,) q=(-1,) x=(1/10,)",
                    own_sentence=True,
                ),
            ),
        ),
    ),
)
