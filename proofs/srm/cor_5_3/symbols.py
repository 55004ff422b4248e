"""Section 2.2: beta = 1/2, b0 = b, tau = b/n = sqrt(eps/T), alpha = 2 log(1/delta)/eps + 1."""

from dpaudit.claims.writing import *

COR = "srm/COR-5.3"
EPS, DELTA = positive("eps"), real("delta", "(0, 1)")
LOG = positive("Lam", "log(1/delta): any positive number")
STEPS = positive("T", "number of estimates")
ALPHA, TAU = real("alpha", "(1, oo)", "order, 2 log(1/delta)/eps + 1"), real("tau", "(0, 1]", "b/n, sqrt(eps/T)")
ORDER = "(2*Lam/eps + 1)"
ABOVE_ONE = f"1 < {ORDER}"
SMALL_EPS, LARGE_EPS = "eps <= 2*Lam", "2*Lam < eps"
FIRST_T, SECOND_T = "720**2*Lam**4/eps**3 <= T", "180**2*eps <= T"
VARIANCE = positive("sigma2", "sigma'^2")
AT_MOST_14 = f"sigma2 <= 14*{ORDER}"
CROWDED = f"sqrt(eps/T)*{ORDER}*(1 + sigma2)"
"""tau alpha (1 + sigma'^2)."""
SIMPLE = f"15*{ORDER}**2*sqrt(eps/T)"


def condition(multiplier, alpha="alpha", tau="tau"):
    """The condition on alpha of Theorem 5.1, at sigma'^2 = multiplier."""
    return f"{alpha} - 1 <= 2/3*({multiplier})*log(1/({tau}*{alpha}*(1 + {multiplier})))"


def crowding(multiplier):
    """tau alpha (1 + sigma'^2)."""
    return f"tau*alpha*(1 + {multiplier})"


LOG_AT_LEAST_ONE = f"1 <= log(1/({crowding('14*alpha')}))"
