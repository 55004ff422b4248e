"""The condition on alpha, and what the text leaves out. Steps s6 to s8."""

from dpaudit.claims.writing import *

from .symbols import *

ORDER_STEPS = (
    step(
        "s6",
        "so log(1/(tau alpha (1 + sigma'^2))) >= 1, for every positive value y of tau alpha (1 + sigma'^2)",
        "1 <= log(1/y)",
        (positive("y", "tau alpha (1 + sigma'^2)"),),
        given={f"{COR}/s4": "y <= 1/3", f"{COR}/s5": ""},
        place="Section 2.2, third last line",
        printed=r"\log(1/\tau\alpha(1+\sigma'^2)) \ge 1",
        argument=(
            Bound(right="log(3)", argument=(Combine(terms=(("1", "log(3*y) <= 3*y - 1"), ("3", "y <= 1/3"))),)),
            Boxes(),
        ),
        mutants=(Mutant("half", "y <= 1/2", conditions=("y <= 1/2",), candidates=(point("y=1/2"),)),),
    ),
    step(
        "s7",
        "with sigma'^2 = 14 alpha: 2 sigma'^2 log(..)/3 >= 28 alpha/3",
        f"28*alpha/3 <= 2*(14*alpha*log(1/({crowding('14*alpha')})))/3",
        (ALPHA, TAU),
        given={f"{COR}/s1": "", f"{COR}/s6": LOG_AT_LEAST_ONE},
        expects=Outcome.CONSISTENT,
        place="Section 2.2, last line, first inequality",
        printed=r"2(\sigma'^2\log(1/\tau\alpha(1+\sigma'^2)))/3 \ge 28\alpha/3 > \alpha-1",
        argument=(Combine(terms=(("28*alpha/3", LOG_AT_LEAST_ONE),)),),
        mutants=(
            mutant(
                "factor",
                "30 in place of 28",
                f"30*alpha/3 <= 2*(14*alpha*log(1/({crowding('14*alpha')})))/3",
                "alpha=2 tau=3/500",
            ),
        ),
    ),
    step(
        "s7-last",
        "28 alpha/3 > alpha - 1",
        "alpha - 1 < 28*alpha/3",
        (ALPHA,),
        place="Section 2.2, last line, second inequality",
        printed=r"28\alpha/3 > \alpha-1",
        argument=(Combine(terms=(("25/3", "1 < alpha"),)),),
        mutants=(mutant("factor", "alpha/3", "alpha - 1 < alpha/3", "alpha=3"),),
    ),
    step(
        "s7~repaired",
        "with sigma'^2 = 7 alpha: 2 sigma'^2 log(..)/3 >= 14 alpha/3 > alpha - 1",
        condition("7*alpha"),
        (ALPHA, TAU),
        given={f"{COR}/s6": f"1 <= log(1/({crowding('7*alpha')}))"},
        argument=(
            Combine(
                terms=(("14*alpha/3", f"1 <= log(1/({crowding('7*alpha')}))"), ("11/3", "1 < alpha")),
            ),
        ),
        mutants=(
            Mutant(
                "no-log", "without the bound on the logarithm", conditions=(), candidates=(point("alpha=2 tau=1/2"),)
            ),
        ),
    ),
    step(
        "s8",
        "the other condition: sigma'^2 = 7 alpha >= 0.7. The text does not mention it",
        "7/10 <= 7*alpha",
        (ALPHA,),
        reads=Reads.GAP,
        argument=(Combine(terms=(("7", "1 < alpha"),)),),
        mutants=(mutant("constant", "7 in place of 0.7 alpha", "7/10 <= alpha/2", "alpha=11/10"),),
    ),
    step(
        "s8-rate",
        "and b <= n, that is T >= eps: both bounds on T imply it. Encoded: the first, by log(1/delta) >= eps/2; the "
        "second is 180^2 eps <= T. The text does not mention it, nor that b >= 1 needs T <= n^2 eps",
        "eps <= T",
        (EPS, LOG, STEPS),
        (SMALL_EPS,),
        enough=(FIRST_T,),
        reads=Reads.GAP,
        candidates=(point("eps=1 Lam=1 T=1000000"),),
        argument=(
            Bound(
                right="720**2*Lam**4/eps**3",
                argument=(Combine(terms=(("1", FIRST_T),)),),
            ),
            Scale("eps**3"),
            Have("eps**4 <= (2*Lam)**4", (Power("1/4"), Combine(terms=(("1", SMALL_EPS),)))),
            Combine(terms=(("1", "eps**4 <= (2*Lam)**4"), ("720**2 - 16", "0 <= Lam**4"))),
        ),
        mutants=(
            Mutant(
                "no-bound",
                "T >= log^4(1/delta)/eps^3 only",
                conditions=(SMALL_EPS, "Lam**4/eps**3 <= T"),
                candidates=(point("eps=2 Lam=1 T=1/8"),),
            ),
        ),
    ),
)
