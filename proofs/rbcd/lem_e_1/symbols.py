"""What the parts of Lemma E.1 share. All are means: D[k] of |theta^k - w*|^2 in the norm Gamma^-1 = M P^-1, F[k] of
f(theta^k) - f(w*), N of |C sigma_S 1|^2 in the norm P M^-1; theta^0 = w^t."""

from dpaudit.claims.writing import *

STEPS_K = integer("K", "[1, oo)", "inner steps")
DISTANCE, GAP = sequence("D", "[0, oo)", "E|theta^k - w*|^2"), sequence("F", "[0, oo)", "E f(theta^k) - f(w*)")
N = real("N", "[0, oo)", "E|C sigma_S 1|^2_(P M^-1)")
NEXT = real("F_next", "[0, oo)", "E f(w^(t+1)) - f(w*)")
HERE = "rbcd/LEM-E.1"
SUM, WEIGHTED = "sum(k, 1, K, F[k])", "sum(k, 0, K - 1, F[k + 1] - F[k]/2)"
EACH = "all(k, 0, K - 1, F[k + 1] - F[k]/2 <= (D[k] - D[k + 1])/2 + N)"
"""Lemma E.5 at alpha = 1/2, in the mean."""
ONE_STEP = "all(k, 0, K - 1, F[k + 1] <= (D[k] - D[k + 1])/2 + N)"
AVERAGE = f"F_next <= {SUM}/K"
QUADRATIC = "K=2 F=[1/2,0,0] D=[1,0,0] N=0"
"""f(w) = w^2/2 with M = 1, full sampling, no noise: the first step ends at the minimum."""
