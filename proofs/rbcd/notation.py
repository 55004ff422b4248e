"""The symbols of the paper: its name for each, the range, and where it is introduced.

The paper writes eps as epsilon and as varepsilon, and its logarithms are natural unless they say log_2.
"""

from dpaudit.claims.writing import integer, positive, real, sequence

# The problem: Sections 2 and 3.
RECORDS = integer("n", "[1, oo)", "number of records")
DIMENSION = integer("d", "[1, oo)", "number of coordinates")
LIPSCHITZ = positive("L", "L_U, Assumption 3.7: the Lipschitz constant of the loss along the coordinates of U")

# Random sets and the sketch: Sections 3.2 and 3.3. Range(S) has m sets, and S is the k-th with probability q[k].
SETS = integer("m", "[1, oo)", "number of sets that S may be")
CHANCE = sequence("q", "(0, 1]", "q[k]: the probability that S is the k-th set")
INCLUSION = real("p", "(0, 1]", "p_j, the probability that S contains the coordinate j")

# Algorithm 1.
INNER, EPOCHS = integer("K", "[1, oo)", "inner steps"), integer("T", "[1, oo)", "epochs")
SIGMA = positive("sigma", "noise scale")

# Privacy: Section 3.5 and Appendix D.
EPS, DELTA = real("eps", "(0, 1]"), real("delta", "(0, 1/3)")
ALPHA = real("alpha", "(1, oo)", "Renyi order")
GAMMA = positive("gamma", "gamma of Lemma D.8")
LOG = "log(1/delta)"
