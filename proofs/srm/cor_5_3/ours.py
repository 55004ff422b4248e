"""The exact least T, and batches of a whole number of records. All of this is ours."""

from dpaudit.claims.writing import *

from .rounded import ROUNDED_STEPS
from .symbols import *

LEAST_T = "(eps*(alpha*(1 + 7*alpha))**2*exp(3*(alpha - 1)/(7*alpha)))"
"""The root in T of the condition on alpha, with sigma'^2 = 7 alpha and tau = sqrt(eps/T)."""
AT_T = condition("7*alpha", tau="sqrt(eps/T)")

OUR_STEPS = (
    step(
        "exact",
        "the condition on alpha holds from T = eps alpha^2 (1 + 7 alpha)^2 e^(3 (alpha - 1)/(7 alpha)) on, about 1203 "
        "log^4(1/delta)/eps^3 for small eps, where s4 asks for 518400",
        AT_T,
        (ALPHA, EPS, STEPS),
        (f"{LEAST_T} <= T",),
        argument=(
            Combine(
                terms=(
                    ("7*alpha/3", f"log({LEAST_T}/T) <= {LEAST_T}/T - 1"),
                    ("7*alpha/(3*T)", f"{LEAST_T} <= T"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "share",
                "0.99 of it",
                conditions=(f"99/100*{LEAST_T} <= T",),
                candidates=(point("alpha=2 eps=1 T=1104"),),
            ),
        ),
    ),
    step(
        "passes",
        "a run reads 2 T b/n times its data, which is 2 sqrt(eps T): at eps = 1, delta = 1e-5 and the least T about "
        "9983",
        "2*T*sqrt(eps/T) == 2*sqrt(eps*T)",
        (EPS, STEPS),
    ),
    step(
        "exact-converse",
        "and for no smaller T",
        AT_T.replace("alpha - 1 <= ", "").join(("", " < alpha - 1")),
        (ALPHA, EPS, STEPS),
        (f"T < {LEAST_T}",),
        argument=(
            Combine(
                terms=(
                    ("7*alpha/3", f"log(T/{LEAST_T}) <= T/{LEAST_T} - 1"),
                    (f"7*alpha/(3*{LEAST_T})", f"T < {LEAST_T}"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "more",
                "1.01 times it",
                conditions=(f"T < 101/100*{LEAST_T}",),
                candidates=(point("alpha=2 eps=1 T=1116"),),
            ),
        ),
    ),
    *ROUNDED_STEPS,
)
