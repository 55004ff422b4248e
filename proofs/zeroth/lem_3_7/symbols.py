"""The symbols of Lemma 3.7 for one pair of points x, y and one frame; P is the projection onto the span of the
frame."""

from dpaudit.claims.writing import integer, positive, projected_by, real, sequence, vector

HERE, REPAIRED = "zeroth/LEM-3.7", "zeroth/LEM-3.7~repaired"
V, F, G = vector("v", "x - y"), vector("f", "phi(x) - phi(y)"), vector("g", "the difference of the mean gradients")
P, Q, W = vector("p", "P v"), vector("q", "P f"), vector("w", "P g")
E = vector("e", "eta times the difference of the remainders")
ETA, SMOOTH, XI = positive("eta", "step size"), positive("M", "smoothness"), positive("xi", "perturbation scale")
CLIP, RADIUS = positive("Delta", "clipping threshold"), positive("R", "radius of the ball")
D, K = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "directions")
LIPSCHITZ = real("c", "[0, oo)", "Lipschitz constant of phi")
UPSILON, GAMMA = real("ups", "[0, 1]", "sum of upsilon_k"), real("gam", "[0, 1]", "sum of gamma_k")
REMAINDER = sequence(
    "r", meaning="r[k]: what the remainders along u_k and -u_k at x and y add up to, mean over records"
)
IN_SPAN = projected_by(("v", "p"), ("f", "q"))
SHARES = ("norm(p)**2 == ups*norm(v)**2", "norm(q)**2 == gam*norm(f)**2")
SMALL = "all(k, 1, K, abs(r[k]) <= M*xi)"
C1 = "sqrt(1 - ups + c**2*gam)"
