"""Remarks on the parallel results: Section 1.1 and Table 1."""

from dpaudit.claims.writing import *

from .symbols import *

TWELFTHS = Substitute(
    (real("u", "[1, oo)"), real("w", "(0, 1]")), where("d=u**12 eps=w**3"), where("u=d**(1/12) w=eps**(1/3)")
)

DEPTH, SMOOTHED, LOW = "d**(1/3)*eps**(-2/3)", "d**(1/4)/eps", "eps <= d**(-1/4)"
RMK_4 = Claim(
    id="resque/RMK-4",
    title="the regime of the parallel algorithms",
    words="For eps <= d^(-1/4) the depth d^(1/3) eps^(-2/3) is at most the d^(1/4)/eps of DBW12; and only then. The "
    "same holds for the "
    "eps^-2 of gradient descent (queries, queries-converse), and cutting planes, d, are deeper for eps >= 1/d.",
    place=PLACE_PARALLEL,
    kind=ClaimKind.IMPLICATION,
    statement=Statement(f"{DEPTH} <= {SMOOTHED}", (D, OPT), (LOW,)),
    argument=(TWELFTHS, Solve()),
    mutants=(
        Mutant("regime", "eps <= 2 d^(-1/4)", conditions=("eps <= 2*d**(-1/4)",), candidates=(point("d=16 eps=3/4"),)),
    ),
    steps=(
        direction(
            "converse",
            "only then",
            LOW,
            (D, OPT),
            f"{DEPTH} <= {SMOOTHED}",
            (TWELFTHS, Solve()),
            ("eps <= d^(-1/4)/2", "eps <= d**(-1/4)/2"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "queries",
            "d^(1/3) eps^(-2/3) <= eps^-2 in the same regime",
            f"{DEPTH} <= eps**(-2)",
            (D, OPT),
            LOW,
            (TWELFTHS, Solve()),
            ("eps^-1 in place of eps^-2", f"{DEPTH} <= eps**(-1)"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "queries-converse",
            "only then",
            LOW,
            (D, OPT),
            f"{DEPTH} <= eps**(-2)",
            (TWELFTHS, Solve()),
            ("eps <= d^(-1/4)/2", "eps <= d**(-1/4)/2"),
            (point("d=16 eps=2/5"),),
        ),
        direction(
            "cutting-planes",
            "d^(1/3) eps^(-2/3) <= d for eps >= 1/d",
            f"{DEPTH} <= d",
            (D, OPT),
            "1/d <= eps",
            (TWELFTHS, Solve()),
            ("half of d", f"{DEPTH} <= d/2"),
            (point("d=16 eps=1/16"),),
        ),
        direction(
            "cutting-planes-converse",
            "only then",
            "1/d <= eps",
            (D, OPT),
            f"{DEPTH} <= d",
            (TWELFTHS, Solve()),
            ("2/d <= eps", "2/d <= eps"),
            (point("d=16 eps=1/10"),),
        ),
        step(
            "regime",
            "the regime [1/d, d^(-1/4)] is not empty",
            "1/d <= d**(-1/4)",
            (D,),
            argument=(Substitute((real("u", "[1, oo)"),), where("d=u**4"), where("u=d**(1/4)")), Solve()),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("half", "2/d", "2/d <= d**(-1/4)"),),
        ),
    ),
)

RMK_5 = Claim(
    id="resque/RMK-5",
    title="budget of the private algorithm (3)",
    words="n/sqrt(K) gradients for each of K subproblems are n sqrt(K).",
    place=PLACE_APPROACH,
    kind=ClaimKind.IDENTITY,
    statement=Statement("n/sqrt(K)*K == n*sqrt(K)", (N, SHARE)),
    argument=(Identical(),),
    mutants=(Mutant("share", "n/K gradients for each", "n/K*K == n*sqrt(K)"),),
    steps=(
        step(
            "privacy",
            "a budget of eps, amplified by 1/sqrt(K) and composed to sqrt(K) of it, is eps",
            "eps*(1/sqrt(K))*sqrt(K) == eps",
            (DP, SHARE),
        ),
    ),
)
