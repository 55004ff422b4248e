"""Lemma D.3: Renyi divergence of two Gaussians with the same covariance, in every dimension.

With x = m + xi of law Q = N(m, sigma^2 I) the log-ratio of the densities of P = N(0, sigma^2 I) and Q at x is
-(2<m, xi> + |m|^2)/(2 sigma^2); e^((alpha - 1) D_alpha(P || Q)) is the mean of its alpha-th exponential moment. The
printed proof integrates instead: s1 to s3 are its three forms of the exponent, s4 the integral that is left. m is the
paper's mu.
"""

from dpaudit.claims.writing import *

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
M, X, XI = vector("m", "shift"), vector("x"), gaussian("xi", "sigma")
RATIO = "alpha*(-2*dot(m, xi) - dot(m, m))/(2*sigma**2)"
EXPONENT = "-alpha/(2*sigma**2)*dot(x, x) - (1 - alpha)/(2*sigma**2)*dot(x - m, x - m)"
EXPANDED = "-(dot(x, x) - 2*(1 - alpha)*dot(x, m) + (1 - alpha)*dot(m, m))/(2*sigma**2)"
COMPLETED = "-(dot(x - (1 - alpha)*m, x - (1 - alpha)*m) + alpha*(1 - alpha)*dot(m, m))/(2*sigma**2)"
NORMAL = r"\frac{1}{\alpha-1}\log\int_{\mathbb{R}^d}\frac{1}{\left(2\pi\sigma^2\right)^{\frac d2}}"
LOST = r"\exp\left\{-\frac{1}{2\sigma^2}\alpha(1-\alpha)\left\|\mu\right\|^2\right\}"
ONE = "(2*pi*sigma**2)**(-d/2)"

CLAIM = Claim(
    id="rbcd/LEM-D.3",
    title="Renyi divergence of Gaussians",
    words="D_alpha(N(0, sigma^2 I) || N(m, sigma^2 I)) = alpha |m|^2/(2 sigma^2) for alpha > 1, sigma > 0.",
    place="Lemma D.3",
    printed=r"D_\alpha\left(\mathcal{N}\left(0,\sigma^2\mathbf{I}\right)\|\mathcal{N}(\mu,\sigma^2\mathbf{I})\right)="
    r"\frac{\alpha}{2\sigma^2}\left\|\mu\right\|^2",
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
            printed=NORMAL + r"\exp\left\{-\alpha\frac{1}{2\sigma^2}\left\|x\right\|^2\right\}\cdot\exp\left\{-\left(1-"
            r"\alpha\right)\frac{1}{2\sigma^2}\left\|x-\mu\right\|^2\right\}",
        ),
        step(
            "s1-factor",
            "and their factors (2 pi sigma^2)^(-d/2) to the powers alpha and 1 - alpha leave one of them",
            f"({ONE})**alpha*({ONE})**(1 - alpha) == {ONE}",
            (ALPHA, SIGMA, integer("d", "[1, oo)", "number of coordinates")),
        ),
        step(
            "s2",
            "it expands",
            f"{EXPONENT} == {EXPANDED}",
            (ALPHA, SIGMA, M, X),
            printed=NORMAL + r"\exp\left\{-\frac{1}{2\sigma^2}\left(\left\|x\right\|^2-2(1-\alpha)\left\langle x,\mu"
            r"\right\rangle+(1-\alpha)\left\|\mu\right\|^2\right)\right\}",
        ),
        step(
            "s3",
            "the square is completed",
            f"{EXPANDED} == {COMPLETED}",
            (ALPHA, SIGMA, M, X),
            printed=NORMAL + r"\exp\left\{-\frac{1}{2\sigma^2}\left(\left\|x-\left(1-\alpha\right)\mu\right\|^2+\alpha"
            r"(1-\alpha)\left\|\mu\right\|^2\right)\right\}",
        ),
        step(
            "s4",
            "the remaining Gaussian integral is 1: the density shifted by b integrates to 1",
            "E(exp(dot(b, xi)/sigma**2 - dot(b, b)/(2*sigma**2))) == 1",
            (SIGMA, vector("b"), XI),
            printed=r"\frac{1}{\alpha-1}\log\left(" + LOST + r"\right)",
        ),
        step(
            "s5",
            "(1/(alpha-1)) (-alpha(1-alpha)|m|^2/(2s^2)) = alpha|m|^2/(2s^2)",
            "log(exp(-alpha*(1 - alpha)*dot(m, m)/(2*sigma**2)))/(alpha - 1) == alpha*dot(m, m)/(2*sigma**2)",
            (ALPHA, SIGMA, M),
            printed=r"\frac{1}{\alpha-1}\log\left(" + LOST + r"\right)=\frac{\alpha}{2\sigma^2}\left\|\mu\right\|^2",
        ),
    ),
)
