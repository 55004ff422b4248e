"""The symbols of Appendix A.10.1: the paper's name for each.

`B` is the bound on |lbar|, `X` is (4 L^2 d + 8 B d/eta) 2 sqrt(2 pi) n K T, the number whose logarithm the chosen
clipping threshold has, `log_delta` is log(2/delta), and `rho` is what (29) bounds, divided by the order alpha.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/TRADE-OFF"
RANK = real("r", "[1, oo)", "effective rank")
RADIUS, DELTA, SMOOTH = positive("R", "radius of the ball"), positive("Delta", "clipping"), positive("M", "smoothness")
DIMENSION, RECORDS = integer("d", "[2, oo)", "dimension"), integer("n", "[1, oo)", "records")
STEPS, DIRECTIONS = integer("T", "[1, oo)", "steps"), integer("K", "[1, oo)", "directions")
EPS, ETA, SIGMA = positive("eps"), positive("eta", "step size"), positive("sigma", "noise")
LOG_DELTA = positive("log_delta", "log(2/delta)")
LIPSCHITZ, BOUND = positive("L", "Lipschitz constant"), positive("B", "bound on |lbar|")
CONTRAST = real("x", "(0, 1]", "m/M")
FAILURE = real("delta", "(0, 1)")
INSIDE = "((4*L**2*d + 8*B*d/eta)*2*sqrt(2*pi)*n*K*T)"
THIRD = "64*r*M*R*sqrt(d)*Delta*log_delta/(n*eps**2)"
SPENT = "rho + 2*sqrt(rho*log_delta)"
"""epsilon at delta/2, from a Renyi divergence of alpha rho."""
