"""What Theorem 4.1 gives exactly, on the printed route and beyond it, and how an adversary tests it."""

from dpaudit.claims.writing import *

from .noise import MU, SYMBOLS, hockey_stick, told_apart, variance
from .notation import DELTA, EPOCHS, EPS, INNER, LOG, SIGMA

HERE = "rbcd/THM-4.1"
P, Q = real("P", "(0, 1]", "probability of an event of the transcript on D"), real("Q", "(0, 1]", "and on D'")
BEST = f"(1 + sqrt(6)*{LOG}/eps)"
RHO = f"(K*T*(2*L/n)**2/(2*{variance()}))"
ON_EVENT = f"({BEST}*log(P) - ({BEST} - 1)*log(Q))/({BEST} - 1) <= {RHO}*{BEST}"
PLAIN = (*point("eps=1 K=1 T=1 n=1 L=1"), ("delta", f"1/{10**44}"))
V, XI = vector("v", "grad_D - grad_D' on S"), gaussian("xi", "sigma", "the noise")
RATIO = "(2*dot(v, xi) + dot(v, v))/(2*sigma**2)"
MU_SQUARED = "(K*T*dot(v, v)/sigma**2)"
WEIGHTS, SQUARES = "sum(i, 1, K, i)", "sum(i, 1, K, i**2)"
UNITS = {"L": (1, -1), "sigma": (1, -1)}
SHORT_MU = f"eps/sqrt(3*{LOG})"
GOLDEN_MU = "1/sqrt(3*log(100000))"
OF_THE_RUN = ("rbcd/LEM-3.9", "rbcd/CLM-SENS", "gaussian-dp-composition", "released-index", "post-processing")
"""Why the run is no easier to tell apart than N(0, 1) and N(mu, 1)."""


def through_tail(mu, half, left, right, lowest="109/100"):
    """That the hockey-stick divergence is at most delta, by the tail of a normal law at x = eps/mu - mu/2, where eps/mu
    is sqrt(half l), and left <= right is what is left."""
    x = f"(sqrt({half}*l) - eps/(2*sqrt({half}*l)))"
    return (
        Bound(
            left=f"Phi(-eps/({mu}) + ({mu})/2)",
            argument=(Combine(terms=(("exp(eps)", f"0 <= Phi(-eps/({mu}) - ({mu})/2)"),)),),
        ),
        Substitute((real("l", f"[{lowest}, oo)", "log(1/delta)"),), where("delta=exp(-l)"), where("l=log(1/delta)")),
        Rewrite(left=f"Phi(-{x})"),
        Bound(left=f"exp(-{x}**2/2)/2", by="normal-tail", because="x is not negative, see the step `tail`"),
        Logarithm(),
        Rewrite(left=f"-log(2) - ({half}*l - eps + eps**2/({half}*4*l))/2", right="-l"),
        Shift(f"log(2) + {half}*l/2"),
        Rewrite(left=left, right=right),
        Boxes(),
    )


EXACT = (
    step(
        "tail",
        "the argument of the normal tail is not negative: sqrt(c l) >= eps/(2 sqrt(c l)) where eps <= 2 c l; c is 3 "
        "for the constant 12, and 2 for 8",
        "0 <= sqrt(c*l) - eps/(2*sqrt(c*l))",
        (positive("eps"), positive("c"), positive("l", "log(1/delta)")),
        ("eps <= 2*c*l",),
        argument=(Scale("2*sqrt(c*l)"), Combine(terms=(("1", "eps <= 2*c*l"),))),
        candidates=(point("eps=1 c=1/2 l=1"),),
        mutants=(
            Mutant("twice", "twice the second term", "0 <= sqrt(c*l) - 2*eps/(2*sqrt(c*l))"),
            Mutant(
                "small", "3 c l in place of 2 c l", conditions=("eps <= 3*c*l",), candidates=(point("eps=3 c=1 l=1"),)
            ),
        ),
    ),
    step(
        "rho",
        "the run is (alpha, rho alpha)-RDP for every alpha > 1 with rho = eps^2/(6 log(1/delta)), whatever K, T, n, "
        "L_U",
        f"{RHO} == eps**2/(6*{LOG})",
        SYMBOLS,
        rests_on=(
            "rbcd/LEM-3.9",
            "rbcd/CLM-SENS",
            "rbcd/COR-D.5~repaired",
            f"{HERE}/s4-loops",
            f"{HERE}/s5-more",
            f"{HERE}/s6",
        ),
    ),
    step(
        "mu",
        "mu = sqrt(K T) (2 L_U/n)/sigma_U = eps/sqrt(3 log(1/delta)) for the noise of the theorem",
        f"{MU} == {SHORT_MU}",
        SYMBOLS,
    ),
    step(
        "event",
        "the printed route at every eps <= 1, for one event of the transcript, that is for its indicator, which has "
        "two values: its bound at the order 1 + sqrt(6) log(1/delta)/eps gives P <= e^eps Q + delta",
        "P <= exp(eps)*Q + delta",
        (*SYMBOLS, P, Q),
        given={"rbcd/LEM-D.7/event": ON_EVENT},
        kind=ClaimKind.PRIVACY,
        rests_on=("rbcd/LEM-D.8/event", f"{HERE}/rho", "post-processing"),
        argument=(ByTheorem("rbcd/LEM-D.8/event", at=(("gamma", "1"),)),),
        candidates=(point("eps=1/2 delta=1/1000 K=1 T=1 n=1 L=1 P=1/1000 Q=1/1000"),),
        mutants=(
            mutant(
                "small-delta",
                "a thousandth of delta",
                "P <= exp(eps)*Q + delta/1000",
                "eps=1/2 delta=1/1000 K=1 T=1 n=1 L=1 P=12/10000 Q=6/10000",
            ),
        ),
    ),
    step(
        "wider",
        "the theorem holds for delta up to 4/5",
        f"{hockey_stick(SHORT_MU)} <= delta",
        (EPS, real("delta", "(0, 4/5]")),
        kind=ClaimKind.PRIVACY,
        rests_on=(*OF_THE_RUN, f"{HERE}/mu", f"{HERE}/tail"),
        argument=through_tail(SHORT_MU, "3", "eps/2 - eps**2/(24*l)", "log(2) + l/2", "223/1000"),
        candidates=(point("eps=1 delta=1/100000"), point("eps=1 delta=1/1000")),
        mutants=(Mutant("share", "a ten-thousandth of delta", f"{hockey_stick(SHORT_MU)} <= delta/10000"),),
    ),
    step(
        "longer",
        "and for eps up to 12/5, where delta < 1/3",
        f"{hockey_stick(SHORT_MU)} <= delta",
        (real("eps", "(0, 12/5]"), DELTA),
        kind=ClaimKind.PRIVACY,
        rests_on=(*OF_THE_RUN, f"{HERE}/mu", f"{HERE}/tail"),
        argument=through_tail(SHORT_MU, "3", "eps/2 - eps**2/(24*l)", "log(2) + l/2"),
        candidates=(point("eps=1 delta=1/100000"), point("eps=1 delta=1/1000")),
        mutants=(Mutant("share", "a ten-thousandth of delta", f"{hockey_stick(SHORT_MU)} <= delta/10000"),),
    ),
    step(
        "slack",
        "at eps = 1 and delta = 10^-5 the run is (0.609, delta)-DP (Balle and Wang 2018), as mu = 0.170...",
        hockey_stick(GOLDEN_MU).replace("eps", "0.609") + " <= 1/100000",
        (),
        rests_on=(*OF_THE_RUN, f"{HERE}/mu"),
        argument=(Boxes(),),
        mutants=(
            mutant("less", "9/10 of delta", hockey_stick(GOLDEN_MU).replace("eps", "0.609") + " <= 9/1000000", ""),
        ),
    ),
    Step(
        "met",
        "hypotheses and bound can be met at once: losses <zeta, w> with records (a, b) on two coordinates, linear in w "
        "and with A7 as |a| <= L and |b| <= L, S one of the two with probability p or 1 - p, and the noise of the "
        "theorem",
        Statement(
            f"{told_apart(variance())} <= delta",
            (*SYMBOLS, *(real(name) for name in ("a", "b")), real("p", "(0, 1)")),
            ("abs(a) <= L", "abs(b) <= L", "a*b < 0"),
            exists=True,
        ),
        (Exhibit(point("eps=1 delta=1/100000 K=100 T=10 n=1000 L=1 a=1 b=-1 p=1/3")),),
        kind=ClaimKind.NON_VACUITY,
        mutants=(Mutant("never", "a negative delta", f"{told_apart(variance())} <= -delta - 1"),),
    ),
)
TESTS = (
    Step(
        "units",
        "with sigma_U in the unit of a gradient, that of the loss by length, its square is what the theorem prescribes",
        homogeneous("sigma**2 == 12*L**2*K*T*log(1/delta)/(n**2*eps**2)", (SIGMA, *SYMBOLS), UNITS),
        (Identical(),),
        kind=ClaimKind.HOMOGENEITY,
    ),
    step(
        "noise-values",
        "sigma_U^2 for (L, K, T, n, eps, delta) = (1, 100, 10, 1000, 1, 10^-5) is 0.138155...",
        "abs(12*100*10*log(100000)/1000**2 - 138155/1000000) <= 1/1000000",
        (),
        argument=(Boxes(),),
        mutants=(mutant("digit", "0.138158", "abs(12*100*10*log(100000)/1000**2 - 138158/1000000) <= 1/1000000", ""),),
    ),
    step(
        "ratio",
        "the log-likelihood ratio of one release, (|v + xi|^2 - |xi|^2)/(2 sigma^2), is N(a, 2 a) on D for a = "
        "|v|^2/(2 sigma^2), by its cumulants; those of K T releases that are as far apart add up to N(mu^2/2, mu^2), "
        "mu^2 = K T |v|^2/sigma^2. With |v| = 2 L_U/n, as for opposite linear records, it is the mu of the theorem",
        f"K*T*log(E(exp(t*{RATIO}))) == t*({MU_SQUARED}/2) + t**2*{MU_SQUARED}/2",
        (SIGMA, INNER, EPOCHS, V, XI, real("t", "(-oo, oo)", "argument of the cumulant generating function")),
        kind=ClaimKind.MOMENT,
    ),
    step(
        "weights",
        "the weights i/K of an epoch, times K, add up to K (K + 1)/2",
        f"{WEIGHTS} == K*(K + 1)/2",
        (INNER,),
        argument=(Induct("K", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "weights-squared",
        "and their squares, times K^2, to K (K + 1) (2 K + 1)/6",
        f"{SQUARES} == K*(K + 1)*(2*K + 1)/6",
        (INNER,),
        argument=(Induct("K", base=(Identical(),), step=(Identical(),)),),
    ),
    step(
        "last-point",
        "only w^T released, linear losses, S = [d]: an epoch moves w by weights i/K of gradient plus noise, so that "
        "its mu^2 is 3 K (K + 1)/(2 (2 K + 1)) of one step's",
        f"{WEIGHTS}**2/{SQUARES} == 3*K*(K + 1)/(2*(2*K + 1))",
        (INNER,),
        rests_on=(f"{HERE}/weights", f"{HERE}/weights-squared"),
        argument=(
            Have(f"{WEIGHTS} == K*(K + 1)/2", (ByTheorem(f"{HERE}/weights"),)),
            Have(f"{SQUARES} == K*(K + 1)*(2*K + 1)/6", (ByTheorem(f"{HERE}/weights-squared"),)),
            Name("a", WEIGHTS),
            Name("b", SQUARES),
            Substitute((), (("a", "K*(K + 1)/2"), ("b", "K*(K + 1)*(2*K + 1)/6")), ()),
            Identical(),
        ),
    ),
    step(
        "last-point-share",
        "that is at least 3/4 of the K of the transcript",
        "3/4*K <= 3*K*(K + 1)/(2*(2*K + 1))",
        (INNER,),
        mutants=(mutant("more", "99/100", "99/100*K <= 3*K*(K + 1)/(2*(2*K + 1))", "K=100"),),
    ),
)
