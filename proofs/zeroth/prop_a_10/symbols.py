"""The symbols of Appendix A.10: the paper's name for each.

`G` is the mean of |grad lbar(w_t)|^2, `P` is P(Q_t) in one step and P(Q) in the sum; `now` and `next` are the means of
lbar(w_t) and lbar(w_(t+1)) given Q_t. `s_1` and `s_2` are sigma_(1,t)^2 and sigma_(2,t)^2, which have eta^2 in them.
`Tr` is Tr(H).
"""

from dpaudit.claims.writing import *

HERE = "zeroth/PROP-A.10"
DIMENSION, DIRECTIONS = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "directions")
RECORDS, STEPS = integer("n", "[1, oo)", "records"), integer("T", "[1, oo)", "steps")
SMOOTH, XI, ETA = positive("M", "smoothness"), positive("xi", "perturbation"), positive("eta", "step size")
LIPSCHITZ, RANK = positive("L", "Lipschitz constant"), real("r", "[0, oo)", "effective rank")
TRACE, SQUARE = real("Tr", "[0, oo)", "Tr(H)"), real("G", "[0, oo)", "E|grad lbar(w_t)|^2")
P, BOUND = real("P", "(0, 1]", "probability that nothing is clipped"), positive("B", "bound on |lbar|")
S_1, S_2 = real("s_1", "[0, oo)", "sigma_1^2"), real("s_2", "[0, oo)", "sigma_2^2")
NOW, NEXT = real("now", meaning="E[lbar(w_t) | Q_t]"), real("next", meaning="E[lbar(w_(t+1)) | Q_t]")
LOW_RANK = "Tr <= r*M"
STEP = "4*(2 + r)*M*eta <= d"
"""eta <= d/(4 (2 + r) M)."""
