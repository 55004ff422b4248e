"""What the parts of this proof share beside the notation of the paper: points, gradients and means of step t."""

from dpaudit.claims.writing import *

from .notation import DIVISOR, SMOOTH, ZETA

HERE = "srm/THM-5.4"
NOW, NEXT = real("F_now", meaning="F(theta^t)"), real("F_next", meaning="F(theta^(t+1))")
GRADIENT, ESTIMATE = vector("grad_F", "grad F(theta^t)"), vector("v_p", "v_p^t")
ETA = real("eta", "[0, oo)", "eta_t")
RULE = "eta == min(zeta/(n0*L*norm(v_p)), 1/(2*n0*L))"
SQUARED_ERROR = "norm(grad_F - v_p)**2"

# Means, and sums of means over t = 0, ..., T - 1.
SUM_V = real("sum_v", "[0, oo)", "sum of E|v_p^t|")
SUM_E = real("sum_e", "[0, oo)", "sum of E|v_p^t - grad F(theta^t)|^2")
MEAN_V = real("mean_v", "[0, oo)", "(1/T) sum of E|v_p^t|")
MEAN_E = real("mean_e", "[0, oo)", "(1/T) sum of E|grad F(theta^t) - v_p^t|")
MEAN_G = real("mean_g", "[0, oo)", "E|grad F(theta~)| = (1/T) sum of E|grad F(theta^t)|")
BEFORE = real("e_before", "[0, oo)", "E|v_p^(t-1) - grad F(theta^(t-1))|^2")
AFTER = real("e_after", "[0, oo)", "E|v_p^t - grad F(theta^t)|^2")
START = real("e_0", "[0, oo)", "E|v_p^0 - grad F(theta^0)|^2")
ONE_STEP_MORE = (
    integer("T", "[0, oo)", "steps so far"),
    SMOOTH,
    ZETA,
    DIVISOR,
    SUM_V,
    SUM_E,
    real("F_0", meaning="F(theta^0)"),
    real("F_T", meaning="E F(theta^T)"),
    real("F_next", meaning="E F(theta^(T+1))"),
    real("v", "[0, oo)", "E|v_p^T|"),
    real("e", "[0, oo)", "E|grad F(theta^T) - v_p^T|^2"),
)
"""What (2.7) speaks of in its induction over T."""
