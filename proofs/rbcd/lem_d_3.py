"""Lemma D.3: Renyi divergence of two Gaussians with the same covariance, in every dimension.

With Q = N(m, sigma^2 I) and x = m + xi the log-ratio of the densities is
-(2<m, xi> + |m|^2)/(2 sigma^2); its exponential moment completes to a square.
"""

from dpaudit.claims.writing import *

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
M, X, XI = vector("m", "shift"), vector("x"), gaussian("xi", "sigma")
RATIO = "alpha*(-2*dot(m, xi) - dot(m, m))/(2*sigma**2)"
EXPONENT = "-alpha/(2*sigma**2)*dot(x, x) - (1 - alpha)/(2*sigma**2)*dot(x - m, x - m)"
EXPANDED = "-(dot(x, x) - 2*(1 - alpha)*dot(x, m) + (1 - alpha)*dot(m, m))/(2*sigma**2)"
COMPLETED = "-(dot(x - (1 - alpha)*m, x - (1 - alpha)*m) + alpha*(1 - alpha)*dot(m, m))/(2*sigma**2)"

CLAIM = Claim(
    id="rbcd/LEM-D.3",
    title="Renyi divergence of Gaussians",
    words="D_alpha(N(0, sigma^2 I) || N(m, sigma^2 I)) = alpha |m|^2/(2 sigma^2) for alpha > 1, sigma > 0.",
    place="Lemma D.3",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"log(E(exp({RATIO})))/(alpha - 1) == alpha*dot(m, m)/(2*sigma**2)", (ALPHA, SIGMA, M, XI)),
    argument=(Identical(),),
    mutants=(
        Mutant("no-half", "alpha |m|^2/sigma^2", f"log(E(exp({RATIO})))/(alpha - 1) == alpha*dot(m, m)/sigma**2"),
        Mutant(
            "order",
            "(alpha - 1) in place of alpha",
            f"log(E(exp({RATIO})))/(alpha - 1) == (alpha - 1)*dot(m, m)/(2*sigma**2)",
        ),
    ),
    steps=(
        step(
            "s1",
            "the log-integrand -alpha|x|^2/(2s^2) - (1-alpha)|x-m|^2/(2s^2) is alpha times one log-density plus "
            "1-alpha times the other",
            f"alpha*(-dot(x, x)/(2*sigma**2)) + (1 - alpha)*(-dot(x - m, x - m)/(2*sigma**2)) == {EXPONENT}",
            (ALPHA, SIGMA, M, X),
        ),
        step("s2", "it expands", f"{EXPONENT} == {EXPANDED}", (ALPHA, SIGMA, M, X)),
        step("s3", "the square is completed", f"{EXPANDED} == {COMPLETED}", (ALPHA, SIGMA, M, X)),
        step(
            "s4",
            "the remaining Gaussian integral is 1: the density shifted by b integrates to 1",
            "E(exp(dot(b, xi)/sigma**2 - dot(b, b)/(2*sigma**2))) == 1",
            (SIGMA, vector("b"), XI),
        ),
        step(
            "s5",
            "(1/(alpha-1)) (-alpha(1-alpha)|m|^2/(2s^2)) = alpha|m|^2/(2s^2)",
            "(-alpha*(1 - alpha)*dot(m, m)/(2*sigma**2))/(alpha - 1) == alpha*dot(m, m)/(2*sigma**2)",
            (ALPHA, SIGMA, M),
        ),
    ),
)
