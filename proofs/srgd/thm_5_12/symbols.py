"""Theorem 5.12: its symbols, and the lines of its proof."""

from dpaudit.claims.writing import *

from .notation import RISK_PARTS

THM = "srgd/THM-5.12"
RECORDS, BATCH = real("n", "[1, oo)"), real("B", "[1, oo)", "batch size")
DIMENSION, EPS = real("p", "[1, oo)"), positive("eps")
LIPSCHITZ, RADIUS, SMOOTH = positive("L"), positive("R", "diameter of C"), positive("M")
C_M = real("c_M", "[0, oo)", "M R <= c_M L")
SMALL = "B <= sqrt(n)"
FULL_BETA = "((16*c_M + 8)*L*n**(3/2)/(R*B**2))"
BETA, STEPS = "(L*n**(3/2)/(R*B**2))", "(n/B)"
"""beta but for a constant, and T."""
NOISE = f"(L*sqrt(p)/(eps*B*{BETA}))"
SYMBOLS = (RECORDS, BATCH, DIMENSION, EPS, LIPSCHITZ, RADIUS)
SQUARES = Have("B**2 <= n", (Power("1/2"), Combine((("1", SMALL),))))
RATE = "L*R*(1/sqrt(n) + sqrt(p)/(eps*n))"
TERMS = "L**2*sqrt(T)/(sqrt(B)*beta) + L*b/sqrt(B*T) + L*R/sqrt(B*T) + beta*b*R/T + beta*b**2/T + beta*R**2/T**2"
IN_N = (
    "L*R*B/n + L*R*sqrt(B*p)/(eps*n**(3/2)*sqrt(T)) + L*R/sqrt(n) + L*R*sqrt(p)/(eps*n) + L*R*p/(eps**2*n**(3/2)*T)"
    " + L*R/sqrt(n)"
)


def at_preset(text):
    """A text in T, beta and b with T = n/B, beta = L n^{3/2}/(R B^2) and b = L sqrt(p)/(eps B beta)."""
    return text.replace("beta", BETA).replace("*b", f"*{NOISE}").replace("T", STEPS)


def power_sum(name, power, bound):
    """1/T^2 times the sum of t^power, power >= 0, is at most the power of T in the next line."""
    return step(
        name,
        f"a power sum: 1/T^2 times the sum of t^{power} over t = 1, ..., T is at most {bound}",
        f"1/T**2*sum(t, 1, T, t**({power})) <= {bound}",
        (integer("T", "[1, oo)", "steps"),),
        reads=Reads.PRINTED,
        argument=(
            Scale("T**2"),
            Rewrite(left=f"sum(t, 1, T, t**({power}))"),
            Bound(
                left=f"sum(t, 1, T, T**({power}))",
                argument=(Termwise((Power(f"1/({power})"), Combine((("1", "t <= T"),)))),),
            ),
            Rewrite(left=f"T*T**({power})"),
            Combine((("0", "0 <= 1"),)),
        ),
        mutants=(mutant("third", "a third of it", f"1/T**2*sum(t, 1, T, t**({power})) <= 1/3*{bound}", "T=1"),),
    )


PARTS = tuple(part.replace("N", "L") for part in RISK_PARTS)
PRINTED_PARTS = (
    "L**2/(sqrt(B*t)*beta)",
    "L*b/(sqrt(B)*t**(3/2))",
    "L*R/(sqrt(B)*t**(3/2))",
    "beta*b*R/t**2",
    "beta*b**2/t**2",
)
PLACES = (0, 0, 1, 2, 3, 4)
"""By which part of the printed summand each part of that of Theorem 5.1 is bounded."""
