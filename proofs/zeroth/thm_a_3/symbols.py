"""The symbols of Theorem A.3, by the names of the paper, and what its parts share.

`beta` is the beta_t of the theorem, the share of the variance along the directions. q = b/n is the chance of a record
to be in a batch; sequences of a window count its N = T - tau steps from 0.
"""

from dpaudit.claims.writing import integer, positive, real, sequence

HERE = "zeroth/THM-A.3"

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
ETA, CLIP = positive("eta", "step size"), positive("Delta", "clipping threshold and Lipschitz constant")
RECORDS, BATCH = integer("n", "[1, oo)", "number of records"), integer("b", "[1, oo)", "batch size")
DIRECTIONS, DIMENSION = integer("K", "[1, oo)", "number of directions"), integer("d", "[2, oo)", "dimension")
SHARE, SLACK = real("beta", "(0, 1)", "beta_t"), real("e", "[0, oo)", "slack of Lemma 3.8")
SMOOTH, REACH = positive("M", "smoothness"), real("xi", "[0, oo)", "perturbation scale")
WINDOW = integer("N", "[1, oo)", "T - tau")
SHIFTS = sequence("a", "[0, oo)", "a_t")
SHARES, RESTS = sequence("beta", "(0, 1)", "beta_t"), sequence("rest", "(0, 1)", "1 - beta_t")
RATE, SCALE = real("q", "(0, 1)", "b/n"), positive("s", "noise scale over the move of one direction")

SLOPES = (real("s", meaning="the slope of the record"), real("s_new", meaning="of what replaces it"))
CLIPPED = ("abs(s) <= Delta", "abs(s_new) <= Delta")
MOVED = "2*eta*Delta/(b*K)"
VISIBLE = (
    real("y", "(0, 1)", "threshold of the event"),
    real("slack", "[0, 1]", ("outside of the event of the theorem")),
)
EVENT = "b/n*1/2*beta_tail(K/2, (d - K)/2, y) - slack"
"""How often a record of a batch, whose gradient of norm Delta points along -v, moves w_1 along v by y or more, over
eta Delta/(b K), less the slack."""
BESIDE = "Phi(-y*Delta/(b*K*sigma*sqrt(beta/K + (1 - beta)/d))) + slack"
"""How often noise alone does at most, more the slack."""
RARE = "2*exp(-3*e**2*d*K/(12*(d - K) + 8*e*(d - 2*K))) <= slack"
LAST = "alpha*(eta*M*xi)**2*d/(2*eta**2*(1 - beta)*sigma**2)"
"""The second summand of one step, for a_0 = c_2 = eta M xi."""
