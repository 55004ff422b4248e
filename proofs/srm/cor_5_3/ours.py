"""The exact least T, and batches of a whole number of records. All of this is ours."""

from dpaudit.claims.writing import *

from .notation import RECORDS
from .symbols import *

LEAST_T = "(eps*(alpha*(1 + 7*alpha))**2*exp(3*(alpha - 1)/(7*alpha)))"
"""The root in T of the condition on alpha, with sigma'^2 = 7 alpha and tau = sqrt(eps/T)."""
AT_T = condition("7*alpha", tau="sqrt(eps/T)")
ROUNDED_UP = "ceil(n*sqrt(eps/T))"

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
    step(
        "floor",
        "rounding a number b >= 1 down keeps at least half of it",
        "b/2 <= floor(b)",
        (real("b", "[1, oo)", "batch size, before rounding"),),
        mutants=(mutant("more", "0.6 of it", "6/10*b <= floor(b)", "b=19/10"),),
        argument=(
            Cases(
                (
                    ("b <= 2", (Bound(right="1", argument=(Boxes(),)), Combine(terms=(("1/2", "b <= 2"),)))),
                    ("otherwise", (Combine(terms=(("1", "b <= floor(b) + 1"), ("1/2", "2 <= b"))),)),
                )
            ),
        ),
    ),
    step(
        "rounded-down",
        "a batch of floor(b) = k b records, 1/2 <= k <= 1 as b >= 1: sigma'^2 is 7 alpha k^2, the rate k tau, and the "
        "condition on alpha follows from s6 all the same",
        condition("7*alpha*k**2", tau="k*tau"),
        (ALPHA, TAU, real("k", "[1/2, 1]", "floor(b)/b")),
        given={f"{COR}/s6": f"1 <= log(1/({crowding('7*alpha')}))"},
        argument=(
            Have("k**2 <= 1", (Boxes(),)),
            Have("1/4 <= k**2", (Boxes(),)),
            Have(
                "k*tau*alpha*(1 + 7*alpha*k**2) <= tau*alpha*(1 + 7*alpha)",
                (
                    Combine(
                        terms=(("tau*alpha*(1 + 7*alpha*k**2)", "k <= 1"), ("tau*alpha*7*alpha", "k**2 <= 1")),
                    ),
                ),
            ),
            Have(
                "1 <= log(1/(k*tau*alpha*(1 + 7*alpha*k**2)))",
                (
                    Combine(
                        terms=(
                            ("1", f"1 <= log(1/({crowding('7*alpha')}))"),
                            (
                                "1",
                                "log((k*tau*alpha*(1 + 7*alpha*k**2))/(tau*alpha*(1 + 7*alpha)))"
                                " <= (k*tau*alpha*(1 + 7*alpha*k**2))/(tau*alpha*(1 + 7*alpha)) - 1",
                            ),
                            (
                                "1/(tau*alpha*(1 + 7*alpha))",
                                "k*tau*alpha*(1 + 7*alpha*k**2) <= tau*alpha*(1 + 7*alpha)",
                            ),
                        )
                    ),
                ),
            ),
            Combine(
                terms=(
                    ("14/3*alpha*k**2", "1 <= log(1/(k*tau*alpha*(1 + 7*alpha*k**2)))"),
                    ("14/3*alpha", "1/4 <= k**2"),
                    ("1/6", "1 < alpha"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "tenth",
                "1/10 <= k",
                symbols=(ALPHA, TAU, real("k", "[1/10, 1]")),
                candidates=(point("alpha=1000 tau=1/20000000 k=1/10"),),
            ),
        ),
    ),
    erratum(
        "rounded-up",
        "b = n sqrt(eps/T) has to be a whole number. With b rounded up, T above its bound and b >= 1 before "
        "rounding, the condition on alpha holds",
        condition(f"7/2*{ROUNDED_UP}**2*T*{ORDER}/(1/2*n**2*eps)", alpha=ORDER, tau=f"{ROUNDED_UP}/n"),
        (RECORDS, EPS, LOG, STEPS),
        (SMALL_EPS, FIRST_T, "1 <= n*sqrt(eps/T)"),
        reads=Reads.BOUNDARY,
        place="Section 2.2, first paragraph",
        printed=r"b_0^2 = b^2 = n^2\epsilon/T",
        candidates=(point("n=181 eps=2 Lam=1 T=64800"),),
        finding=(
            "The paper does not say how b becomes an integer. b = 181/180 rounded up to 2 makes sigma'^2 four times "
            "as large, and the logarithm negative. Rounded down, the conditions hold in every case."
        ),
        repair=f"{COR}/rounded-down",
    ),
)
