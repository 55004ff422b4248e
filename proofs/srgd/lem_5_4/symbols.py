"""Lemma 5.4: the parameters of Section 5.2, equation (19), as functions of c_DP, n, p, eps, L and R.

`m` is max{1, sqrt(p)/(eps sqrt(n))}, `ell` is log(T/gamma), taken to be at least 1. c_DP may be any number from 1 on
where its own formula is not needed.
"""

from dpaudit.claims.writing import *

LEM = "srgd/LEM-5.4"
RECORDS, DIMENSION, EPS = real("n", "[1, oo)"), real("p", "[1, oo)"), positive("eps")
C_DP = real("c_DP", "[1, oo)", "c_DP of Section 5.2")
SIZES = (positive("L", "Lipschitz constant"), positive("R", "diameter of C"), positive("M", "smoothness"))
C_M = positive("c_M", "M R <= c_M L")
WORST, ELL = real("m", "[1, oo)", "max{1, sqrt(p)/(eps sqrt(n))}"), real("ell", "[1, oo)", "log(T/gamma)")
TIME = real("t", "[1, oo)", "step")
SYMBOLS = (RECORDS, DIMENSION, EPS, C_DP, *SIZES, WORST, ELL, TIME)
IS_WORST = "m == max(1, sqrt(p)/(eps*sqrt(n)))"
IN_STEPS = "t <= c_DP*n**(1/4)"
SMOOTH = "M*R <= c_M*L"
BATCH, BETA = "(n**(3/4)/c_DP)", "(c_DP**2*L*m/R)"
NOISE = f"(c_DP**2*L*sqrt(p)/(eps*{BATCH}*{BETA}))"
ENOUGH = ("c_M <= c_DP", "c_M <= ell")

DIMENSION_FITS = (
    Have(
        "sqrt(p) <= eps*sqrt(n)*m",
        (
            Have(
                "sqrt(p)/(eps*sqrt(n)) <= m",
                (Combine((("1", IS_WORST), ("1", "sqrt(p)/(eps*sqrt(n)) <= max(1, sqrt(p)/(eps*sqrt(n)))"))),),
            ),
            Combine((("eps*sqrt(n)", "sqrt(p)/(eps*sqrt(n)) <= m"),)),
        ),
    ),
)

# The four lines of (22), without the common factor 4 c_1/3: their three summands.
LINE_A = (
    f"sqrt(M)*(c_DP*L)**(3/2)*sqrt(R)*ell*t**(1/4)/({BATCH}**(3/4)*{BETA})",
    f"sqrt(M)*c_DP*L*sqrt(ell*{NOISE}*R)/sqrt({BATCH}*{BETA})",
    f"sqrt(M)*c_DP*L*R*sqrt(ell)/sqrt({BATCH}*{BETA}*t)",
)
LINE_B = tuple(
    f"c_DP*sqrt(M)*L*R*ell*{one}"
    for one in (
        f"t**(1/4)/({BATCH}**(3/4)*sqrt(c_DP*{BETA}))",
        f"p**(1/4)*sqrt(c_DP*L*c_DP)/({BATCH}*{BETA}*sqrt(eps*R))",
        f"1/sqrt({BATCH}*{BETA}*t)",
    )
)
LINE_C = tuple(
    f"sqrt(c_DP)*L*R*ell*{one}"
    for one in (
        f"t**(1/4)/({BATCH}**(3/4)*c_DP*m)",
        f"p**(1/4)*sqrt(M)/({BATCH}*max(sqrt(eps), p**(1/4)/n**(1/4))*sqrt({BETA}*c_DP))",
        f"1/sqrt(c_DP*{BATCH}*t)",
    )
)
LINE_D = tuple(
    f"sqrt(c_DP)*L*R*ell*{one}"
    for one in ("(c_DP*n**(1/4))/(n**(3/4)*c_DP)", f"n**(1/4)/({BATCH}*sqrt(c_DP))", f"1/sqrt(c_DP*{BATCH}*t)")
)
LINE_E = ("sqrt(c_DP)*L*R*ell*2*sqrt(c_DP)/sqrt(n)", f"sqrt(c_DP)*L*R*ell*1/sqrt(c_DP*{BATCH}*t)")


def added(line):
    """The sum of the summands of a line."""
    return " + ".join(line)


def by_term(lesser, greater):
    """That the sum of `lesser` is at most that of `greater`, summand by summand; monomials compare by themselves."""
    facts = tuple(f"{a} <= {b}" for a, b in zip(lesser, greater, strict=True))
    return (*map(Have, facts), Combine(tuple(("1", one) for one in facts)))


HALF_E = "sqrt(c_DP)*L*R*ell*sqrt(c_DP)/sqrt(n)"
MAXIMUM = "max(sqrt(eps), p**(1/4)/n**(1/4))"
LATEST = "t**(1/4) <= (c_DP*n**(1/4))**(1/4)"
BY_STEPS = Have(LATEST, (Power("4"), Combine((("1", IN_STEPS),))))
