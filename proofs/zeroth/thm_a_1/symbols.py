"""The symbols of Theorem A.1, with a and b for its alpha and beta, and t_0 for the deviation that it calls epsilon."""

from dpaudit.claims.writing import positive, real

HERE = "zeroth/THM-A.1"
A, B = positive("a", "alpha, the first parameter"), positive("b", "beta, the second parameter")
DEVIATION = real("eps", "[0, oo)", "the deviation from the mean")
ORDER = "a <= b"
S, MEAN = "(a + b)", "(a/(a + b))"
V, C = "(a*b/((a + b)**2*(a + b + 1)))", "(2*(b - a)/((a + b)*(a + b + 2)))"
BOUND = f"exp(-eps**2/(2*({V} + {C}/3*eps)))"
UPPER, LOWER = f"beta_tail(a, b, {MEAN} + eps)", f"(1 - beta_tail(a, b, {MEAN} - eps))"
SKEW = "((b - a)/(a + b))"
"""1 - 2 E X."""
THETA = "((b - a)/((a + b)*(a + b + 2)))"
"""c/2, the scale of the bound on the cumulant generating function."""
