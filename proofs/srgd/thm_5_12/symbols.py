"""Theorem 5.12: its symbols, and the lines of its proof."""

from dpaudit.claims.writing import *

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
