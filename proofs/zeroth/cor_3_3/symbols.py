"""The symbols of Corollary 3.3, by the names of the paper, and what its parts share.

`beta` is the beta_t of Theorem 3.2, the share of the variance along the directions; `delta` and `eps` are those of
(eps, delta)-DP, `e` is the slack of Lemma 3.8. Sequences of a window count its N = T - tau steps from 0.
"""

from dpaudit.claims.writing import integer, positive, real, sequence

HERE = "zeroth/COR-3.3"

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
EPS, PROBABILITY = positive("eps", "epsilon"), real("delta", "(0, 1)")
ETA, CLIP = positive("eta", "step size"), positive("Delta", "clipping threshold and Lipschitz constant")
RECORDS, DIRECTIONS = integer("n", "[1, oo)", "number of records"), integer("K", "[1, oo)", "number of directions")
DIMENSION, STEPS = integer("d", "[2, oo)", "dimension"), integer("T", "[1, oo)", "steps")
SMOOTH, CURVED = positive("M", "smoothness"), positive("m", "strong convexity")
RADIUS, REACH = positive("R", "radius of the ball"), real("xi", "[0, oo)", "perturbation scale")
CONTRACTION = real("c", "[0, 1)", "1 - m/M")
SLACK = real("e", "[0, oo)", "slack of Lemma 3.8")
C_2 = real("c_2", "[0, oo)", "c_2")
WINDOW = integer("N", "[1, oo)", "T - tau")
SHIFTS, DISTANCES = sequence("a", "[0, oo)", "a_t"), sequence("z", "[0, oo)", "z_t")
RESTS = sequence("rest", "(0, 1)", "1 - beta_t")

SCALES = (ALPHA, SIGMA, ETA, CLIP, RECORDS, DIMENSION)
LENGTH = "n*R*sqrt(2*d)/(Delta*eta)"
"""T - tau in (28), before it is rounded up."""
IN_M = "M*R*n*sqrt(2*d)/(K*Delta)"
"""The same for eta = K/M."""
TWO_SEVEN = "(N*(2*alpha/sigma**2)*(2*Delta/n)**2 + 4*alpha*(2*R)**2*d/(N*eta**2*sigma**2))"
"""(27) for N = T - tau."""
SLACK_IS = "e == (1 - c**2)/(1 + c**2)"
