"""The symbols of Theorem 3.2, by the names of the paper, and what its parts share.

`beta` is the beta_t of Theorem 3.2: the share of the variance along the K directions, sigma_{1,t}^2 = eta^2 beta_t
sigma^2/K and sigma_{2,t}^2 = eta^2 (1 - beta_t) sigma^2/d. `e` is the slack of Lemma 3.8. Sequences of a window count
its N = T - tau steps from 0, so that `a[0]` is a_tau and `z[N]` is z_T.
"""

from dpaudit.claims.writing import integer, positive, real, sequence, vector

HERE = "zeroth/THM-3.2"

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
ETA, CLIP = positive("eta", "step size"), positive("Delta", "clipping threshold and Lipschitz constant")
RECORDS, DIRECTIONS = integer("n", "[1, oo)", "number of records"), integer("K", "[1, oo)", "number of directions")
DIMENSION = integer("d", "[2, oo)", "dimension")
SHARE = real("beta", "(0, 1)", "beta_t")
CONTRACTION = real("c", "[0, oo)", "Lipschitz constant of the first-order map")
SLACK = real("e", "[0, oo)", "slack of Lemma 3.8")
SMOOTH, REACH = positive("M", "smoothness"), real("xi", "[0, oo)", "perturbation scale")
RADIUS = positive("R", "radius of the ball")

WINDOW = integer("N", "[1, oo)", "T - tau")
SHIFTS, DISTANCES = sequence("a", "[0, oo)", "a_t"), sequence("z", "[0, oo)", "z_t")
SHARES, RESTS = sequence("beta", "(0, 1)", "beta_t"), sequence("rest", "(0, 1)", "1 - beta_t")
SPLIT = "all(t, 0, N - 1, beta[t] + rest[t] == 1)"
C_1, C_2 = positive("c_1", "c_1"), real("c_2", "[0, oo)", "c_2")

C_1_IS = "c_1 == sqrt(1 - (1 - c**2)*K/d + e*(1 + c**2)*K/d)"
ALONG, ACROSS = "(eta**2*beta*sigma**2/K)", "(eta**2*(1 - beta)*sigma**2/d)"
"""sigma_{1,t}^2 and sigma_{2,t}^2."""
DATA, MOVE = "alpha*(2*Delta/n)**2/(2*beta*sigma**2)", "alpha*a**2*d/(2*eta**2*(1 - beta)*sigma**2)"
"""The two summands of the bound in one step."""
SUMMANDS = "alpha*(2*Delta/n)**2/(2*beta[t]*sigma**2) + alpha*a[t]**2*d/(2*eta**2*rest[t]*sigma**2)"
BOUND = f"sum(t, 0, N - 1, {SUMMANDS})"
PROOF_RECURSION = "all(t, 0, N - 1, c_1*z[t] == z[t + 1] + a[t] - c_2)"

X, PX = vector("x", "x - y"), vector("Px", "its projection onto the span of the directions")

START = "min(2*R, 2*eta*Delta*tau/sqrt(K))"
SHORTER = "all(t, 0, N - 1, dist[t + 1] <= max(c_1*dist[t] + c_2 - a[t], 0))"
"""What a coupled step does to the distance of two runs."""
