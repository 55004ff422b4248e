"""What the parts of Lemma 5.3 share."""

from dpaudit.claims.writing import *

from .notation import *

HERE = "srgd/LEM-5.3"
V = "((1 - eta/eta_sum)*y + eta/eta_sum*z_next)"
"""v = (1 - tau_t) y_t + tau_t z_(t+1)."""
MOVE, LEAP = f"(y_next - {X})", "(z_next - z)"
FREE_X, FREE_V = vector("x", "x_t"), vector("v", "any point of C")
WEIGHTS = (ETA, ETA_SUM, BETA)
POINTS = (Y, Z, Z_NEXT, Y_NEXT, ESTIMATE, NOISE)
VALUES = (ERROR, F_X, F_NEXT, AT_NEXT)
CLASS = smooth_convex_at("M", (X, "grad - q", "F_x"), ("y_next", "grad_next", "F_next"))
DESCENT = f"F_next <= F_x + dot(grad - q, {MOVE}) + M/2*norm{MOVE}**2"
PROJECTED = projected_at((INNER_STEP, "y_next"), members=(V,))
LEFT = f"eta_sum*(F_next - F_x) + eta*dot(grad, z - z_next) - 2*beta*norm{LEAP}**2"
ERRORS = f"-eta_sum*dot(q, {MOVE})"
B_TERMS = "L*norm(b)*eta_sum/eta + beta*norm(b)**2*eta_sum/eta**2 + beta*norm(b)*norm_C"
"""tau_t = eta_t/eta_{0:t}."""

# The first step of Algorithm 1 with eta_0 = 1 and beta = M = 1, for F = |x - x*|^2/2 with x* one away, without noise:
# y_1 = z_1 = x*, here 0.
FIRST_STEP = (
    "eta=1 eta_sum=1 beta=1 M=1 y=(1) z=(1) z_next=(0) y_next=(0) grad=(1) b=(0) q=(0) F_x=1/2 F_next=0 grad_next=(0)"
)
