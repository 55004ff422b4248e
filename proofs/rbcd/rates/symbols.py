"""Symbols of the rates of Section 4.2.1.

The corollaries put a choice of S into the bound of Theorem 4.2, convex case: 13 Sigma_S R sqrt(log(1/delta))/(n eps),
with the constant that its proof gives. They are judged as inferences: what the theorem says is a condition, `theorem`.
"""

from dpaudit.claims.writing import constant, integer, positive, real, sequence

GAP = real("gap", "[0, oo)", "E[f(w_priv) - f*]")
BUDGET = (
    integer("n", "[1, oo)", "number of records"),
    real("eps", "(0, 1]"),
    positive("Lam", "log(1/delta): any positive number"),
)
ANY = constant("C", meaning="the constant of O(.)")
SIGMA = positive("Sigma", "Sigma_S")
NORM = positive("norm2", "||L_A||^2 in the norm of M^-1, L_A = L_{A_1,..,A_b}")
COORDINATES = integer("d", "[1, oo)", "number of coordinates")
BLOCKS = integer("b", "[1, oo)", "number of blocks")
M = sequence("M", "(0, oo)", "smoothness of the coordinate j")
W = sequence("w", meaning="w^0 - w*, coordinate by coordinate")
L = sequence("L", "(0, oo)", "Lipschitz constant of the coordinate j")
P = sequence("p", "(0, 1]", "Prob(j in S)")
L_FULL = positive("L_d", "Lipschitz constant L of the set [d]")
TALLEST = sequence("m", "(0, oo)", "m[k]: the largest M_j of the block A_k")
R_WEIGHTED = real("R_MP", "[0, oo)", "R_{MP^-1}")
R_PLAIN = real("R_I", "[0, oo)", "||w^0 - w*||")

LOG_ROOT = "sqrt(Lam)/(n*eps)"
NORM_1D = "sum(j, 1, d, L[j]**2/M[j])"
R_M = "sqrt(sum(j, 1, d, M[j]*w[j]**2))"
R_I = "sqrt(sum(j, 1, d, w[j]**2))"
TRACE, INVERSE_TRACE = "sum(i, 1, d, M[i])", "sum(j, 1, d, 1/M[j])"
TALLEST_SUM = "sum(k, 1, b, m[k])"


def theorem(sigma, radius):
    """The bound of Theorem 4.2, convex case, with the constant 13 of its proof."""
    return f"gap <= 13*{sigma}*{radius}*{LOG_ROOT}"


def rate(term):
    """E[f(w_priv) - f*] = O(term sqrt(log(1/delta))/(n eps))."""
    return f"gap <= C*{term}*{LOG_ROOT}"
