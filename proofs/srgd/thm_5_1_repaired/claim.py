r"""Theorem 5.1, repaired: eta_{0:T-1} in the place of eta_{0:T}, and steps, potential and condition that go together.

With kappa = 1 it is a theorem about Algorithm 1 as printed, for eta_t^2 <= eta_{0:t}, such as eta_t = (t + 1)/2;
with kappa = 2 and eta_t = t + 1 the step of z is halved, with its noise, and the last term is beta
|C|_2^2/eta_{0:T-1}.
"""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/THM-5.1~repaired"
KAPPA = positive("kappa", "ratio of the steps of z and y, as in Lemma 5.2, repaired")
PHI, ERRORS = (
    sequence("potential", meaning="the potential"),
    sequence("R", "[0, oo)", "eta_{0:t} times the printed errors"),
)
GROWS = "all(t, 0, T - 1, potential[t + 1] - potential[t] <= R[t])"
SUMMED = "potential[T] <= potential[0] + sum(t, 0, T - 1, R[t])"
END, START = "eta_before*gap + kappa*beta/2*far_T == potential[T]", "potential[0] == kappa*beta/2*far_0"
NEAR = "far_0 <= norm_C**2"
AT = "T=1 kappa=1 beta=1 norm_C=1 eta_before=1 far_0=1 far_T=0 gap=1 potential=[1/2,1] R=[1/2,0]"
T_ANY = integer("t", "[0, oo)")

CLAIM = Claim(
    id=HERE,
    title="excess population risk, repaired",
    words=(
        "With z_(t+1) the projection of z_t - (eta_t nabla_t - beta b_t)/(kappa beta), eta_t^2 <= kappa "
        "eta_{0:t} and beta >= M: with probability 1 - gamma F(y_T) - F(x*) is at most 1/eta_{0:T-1} times "
        "(the sum over t < T of eta_{0:t} times the printed errors, plus (kappa beta/2) |C|_2^2)."
    ),
    place="Theorem 5.1",
    reads=Reads.OURS,
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        "gap <= (sum(t, 0, T - 1, R[t]) + kappa*beta/2*norm_C**2)/eta_before",
        (
            *(STEPS, KAPPA, BETA, SIZE, PHI, ERRORS, positive("eta_before", "eta_{0:T-1}")),
            *(real("far_0", "[0, oo)", "|x_0 - x*|^2"), real("far_T", "[0, oo)", "|z_T - x*|^2")),
            real("gap", "[0, oo)", "F(y_T) - F(x*)"),
        ),
        (SUMMED, END, START, NEAR),
    ),
    origins=(Condition(SUMMED, Origin.GIVEN, f"{HERE}/summed"),),
    rests_on=("srgd/THM-5.1/s3-union",),
    argument=(
        Combine(
            (
                ("1/eta_before", SUMMED),
                ("1/eta_before", END),
                ("1/eta_before", START),
                ("kappa*beta/(2*eta_before)", NEAR),
                ("kappa*beta/(2*eta_before)", "0 <= far_T"),
            )
        ),
    ),
    candidates=(point(AT),),
    mutants=(
        mutant("third", "kappa beta/3", "gap <= (sum(t, 0, T - 1, R[t]) + kappa*beta/3*norm_C**2)/eta_before", AT),
    ),
    steps=(
        step(
            "summed",
            "the growths of the potential add up",
            SUMMED,
            (STEPS, PHI, ERRORS),
            given={"srgd/LEM-5.2~repaired": GROWS},
            kind=ClaimKind.INDUCTION,
            argument=(Induct("T"),),
            candidates=(point("T=2 potential=[0,1,3] R=[1,2,0]"),),
            mutants=(
                mutant(
                    "last", "without the last step", SUMMED.replace("T - 1", "T - 2"), "T=2 potential=[0,1,3] R=[1,2,0]"
                ),
            ),
        ),
        step(
            "algorithm",
            "kappa = 1: eta_t = (t + 1)/2, with eta_{0:t} = (t + 1)(t + 2)/4, meets eta_t^2 <= eta_{0:t}",
            "((t + 1)/2)**2 <= (t + 1)*(t + 2)/4",
            (T_ANY,),
            mutants=(mutant("whole", "eta_t = t + 1", "(t + 1)**2 <= (t + 1)*(t + 2)/2", "t=1", own_sentence=True),),
        ),
        step(
            "halved",
            "kappa = 2: eta_t = t + 1 meets eta_t^2 <= 2 eta_{0:t}",
            "(t + 1)**2 <= 2*((t + 1)*(t + 2)/2)",
            (T_ANY,),
            mutants=(mutant("one", "kappa = 1", "(t + 1)**2 <= 1*((t + 1)*(t + 2)/2)", "t=1"),),
        ),
    ),
)
