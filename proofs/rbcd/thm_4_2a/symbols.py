"""What the parts of the convex case share."""

from dpaudit.claims.writing import *

STEPS_K, EPOCHS = integer("K", "[1, oo)", "inner steps"), integer("T", "[1, oo)", "epochs")
RECORDS, EPS = integer("n", "[1, oo)", "records"), real("eps", "(0, 1]")
LAM = real("lam", "(1, oo)", "log(1/delta); delta < 1/3")
RADIUS, SPREAD = positive("R", "R_(M P^-1) = |w^0 - w*|_(M P^-1)"), positive("Sigma_S")
ERROR = real("error", "[0, oo)", "E f(w_priv) - f*")
N = real("N", "[0, oo)", "E|C sigma_S 1|^2_(P M^-1)")
RATE = "Sigma_S*R*sqrt(lam)/(n*eps)"
"""The bound of the theorem but for its constant."""
CHOICE = "n*eps*R/(Sigma_S*sqrt(lam))"
"""The K of the theorem."""
BOUND = "R**2/K + 12*K*lam/(n**2*eps**2)*Sigma_S**2"
"""What the proof minimises."""
HERE = "rbcd/THM-4.2a"
SIZES = (RECORDS, EPS, LAM, RADIUS, SPREAD)
