"""The symbols of Theorem 3.1; beta_t is that of (3), the share of the isotropic noise."""

from dpaudit.claims.writing import gaussian_renyi, integer, positive, real, sequence

HERE = "zeroth/THM-3.1"
D, K = integer("d", "[1, oo)", "dimension"), integer("K", "[1, oo)", "directions")
N, T = integer("n", "[1, oo)", "records"), integer("T", "[1, oo)", "steps")
CLIP, SIGMA = positive("Delta", "clipping threshold"), positive("sigma", "noise scale")
ETA, ALPHA = positive("eta", "step size"), real("alpha", "(1, oo)", "Renyi order")
LOG = positive("l", "log(1/delta)")
SHARE = real("beta", "[0, 1]", "beta_t of (3), the share of the isotropic noise")
FACTOR = positive("f", "1 where beta_t = 0, d/K where beta_t = 1")
OLD, NEW = real("s", meaning="clipped slope of the old record"), real("q", meaning="of the new record")
OLDS, NEWS = sequence("s", meaning="s[k]: clipped slope of the old record"), sequence("q", meaning="of the new record")
ONE, DIRECTION = real("one", "[0, oo)", "divergence of one step"), real("along", "[0, oo)", "of one direction")
WHOLE, TOLD = real("whole", "[0, oo)", "divergence of the run"), real("told", "[0, 1]", "its delta at eps")
CLIPPED = ("abs(s) <= Delta", "abs(q) <= Delta")
ALL_CLIPPED = ("all(k, 1, K, abs(s[k]) <= Delta)", "all(k, 1, K, abs(q[k]) <= Delta)")
RHO = "(2*f*T*Delta**2/(n**2*sigma**2))"
PRINTED_RHO = "(T*Delta**2/(2*n**2*sigma**2))"
RUN = (N, T, CLIP, SIGMA)


def renyi(divergence, shift, scale):
    """That of one Gaussian mechanism."""
    (only,) = gaussian_renyi(divergence, "alpha", shift, scale)
    return only
