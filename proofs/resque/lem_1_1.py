"""Lemma 1, part 1: the reweighted stochastic query estimator is unbiased.

G(x) = w(x, xi) g(xbar + xi) with w(x, xi) = gamma(x - xbar - xi)/gamma(xi), xi ~ N(0, rho^2 I),
and v = x - xbar. Since w(x, xi) gamma(xi) is the density of xi' = xi shifted by v, the mean
of G(x) is the mean of g(x + xi'), a subgradient of the smoothed function (s2), which is differentiable (s3).

The lemma is printed for convex f alone. Then the mean need not exist: f = exp(x^2) smoothed with rho = 1 is
infinite everywhere. What is used, and holds in both problems of the paper, is that f is L-Lipschitz.
"""

import numpy as np

from dpaudit.algorithms.resque import resque_estimate
from dpaudit.claims.writing import *

SYMBOLS = (positive("rho", "smoothing radius"), vector("v", "x - xbar"), vector("xi", "the draw"))
WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
RADIUS, OFFSET, KINK = 0.5, 0.75, 0.25
SMOOTH = (
    positive("L", "Lipschitz constant"), SYMBOLS[0], vector("h", "a step"), vector("g0", "E g(x + xi)"),
    vector("gh", "E g(x + h + xi)"), real("F0", meaning="F(x)"), real("Fh", meaning="F(x + h)"),
)  # fmt: skip


def absolute_value(stream, trials):
    """G(x) for f = |. - KINK|, d = 1, minus its mean 2 Phi((x - KINK)/rho) - 1; the weight is heavy-tailed."""
    from scipy.special import ndtr

    xi = RADIUS * stream.normals(np.arange(trials), 0, 1)
    gradient = np.sign(xi - KINK)
    estimate = resque_estimate.batched(np.array([OFFSET]), np.zeros(1), RADIUS, xi, gradient)
    return estimate[:, 0] - (2 * ndtr((OFFSET - KINK) / RADIUS) - 1)


# |g| = 1, so Var G <= E w^2 = exp(|v|^2/rho^2), proved in LEM-1.2.
UNBIASED = Sampling("absolute_value", "==", 0.0, float(np.exp((OFFSET / RADIUS) ** 2)), 0.15, trials=400_000)

CLAIM = Claim(
    id="resque/LEM-1.1",
    title="the ReSQue estimator is unbiased",
    words=(
        "For all x and xbar, E G(x) is the gradient of f smoothed by N(0, rho^2 I) at x. Encoded: the weight times the "
        "density of xi is the density of xi + v; what the mean under that density is, the steps s2 and s3 say."
    ),
    place="Lemma 1, item 1",
    kind=ClaimKind.MOMENT,
    statement=Statement(f"{WEIGHT} * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - v)/(2*rho**2))", SYMBOLS),
    rests_on=("conditional-mean", "resque/LEM-1.1/s2", "resque/LEM-1.1/s3"),
    argument=(Identical(),),
    empirical=(UNBIASED,),
    mutants=(
        Mutant(
            "no-norm",
            "the weight without |v|^2",
            "exp(2*dot(v, xi)/(2*rho**2)) * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - v)/(2*rho**2))",
        ),
        Mutant(
            "half-scale",
            "rho^2 instead of 2 rho^2",
            "exp((2*dot(v, xi) - dot(v, v))/rho**2) * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - "
            "v)/(2*rho**2))",
        ),
    ),
    steps=(
        step(
            "s1",
            "E G(x) is the integral of gamma(x - xbar - xi) times the subgradient at xbar + xi: the weight times "
            "the density",
            f"{WEIGHT} * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(v - xi, v - xi)/(2*rho**2))",
            SYMBOLS,
            rests_on=("conditional-mean",),
        ),
        step(
            "s2",
            "that integral is a subgradient of the smoothed function: F(x) + <E g(x + xi), h> <= F(x + h), by the mean "
            "of f(z) + <g(z), h> <= f(z + h) over z = x + xi (two draws; any law by the mean)",
            "m*f1 + (1 - m)*f2 + dot(m*g1 + (1 - m)*g2, h) <= m*e1 + (1 - m)*e2",
            (
                real("m", "[0, 1]", "probability of the first draw"),
                *(real(name, meaning="f at x + xi") for name in ("f1", "f2")),
                *(real(name, meaning="f at x + h + xi") for name in ("e1", "e2")),
                *(vector(name, "subgradient at x + xi") for name in ("g1", "g2")),
                SMOOTH[2],
            ),
            ("f1 + dot(g1, h) <= e1", "f2 + dot(g2, h) <= e2"),
            rests_on=("monotone-mean",),
            argument=(Combine(terms=(("m", "f1 + dot(g1, h) <= e1"), ("1 - m", "f2 + dot(g2, h) <= e2"))),),
            empirical=(UNBIASED,),
            mutants=(
                Mutant(
                    "one-gradient",
                    "the gradient at the first draw alone",
                    "m*f1 + (1 - m)*f2 + dot(g1, h) <= m*e1 + (1 - m)*e2",
                    candidates=(
                        tuple(
                            {
                                "m": "0",
                                "f1": "0",
                                "f2": "0",
                                "e1": "1",
                                "e2": "0",
                                "g1": "(1,)",
                                "g2": "(0,)",
                                "h": "(1,)",
                            }.items()
                        ),
                    ),
                ),
            ),
        ),
        step(
            "s3",
            "the smoothed function F is differentiable: F(x + h) - F(x) - <E g(x + xi), h> is at most (L/rho)|h|^2 "
            "(and not negative, by s2), so the subgradient is the gradient",
            "Fh - F0 - dot(g0, h) <= L/rho*dot(h, h)",
            SMOOTH,
            given={
                "resque/LEM-1.1/s2": "Fh - dot(gh, h) <= F0",
                "resque/FACT-5": "norm(gh - g0) <= L/rho*norm(h)",
            },
            rests_on=("resque/FACT-5/mean", "resque/LEM-1.1/s2"),
            argument=(
                Combine(
                    terms=(
                        ("1", "Fh - dot(gh, h) <= F0"),
                        ("1", "dot(gh - g0, h) <= norm(gh - g0)*norm(h)"),
                        ("norm(h)", "norm(gh - g0) <= L/rho*norm(h)"),
                    )
                ),
            ),
            mutants=(
                Mutant(
                    "no-subgradient",
                    "without the subgradient inequality at x + h",
                    conditions=("norm(gh - g0) <= L/rho*norm(h)",),
                    candidates=(
                        tuple(
                            {
                                "L": "1",
                                "rho": "1",
                                "h": "(1,)",
                                "g0": "(0,)",
                                "gh": "(0,)",
                                "F0": "0",
                                "Fh": "9",
                            }.items()
                        ),
                    ),
                ),
                Mutant(
                    "cubic",
                    "a remainder of order |h|^3",
                    "Fh - F0 - dot(g0, h) <= L/rho*norm(h)**3",
                    candidates=(
                        tuple(
                            {
                                "L": "1",
                                "rho": "1",
                                "h": "(1/2,)",
                                "g0": "(0,)",
                                "gh": "(1/2,)",
                                "F0": "0",
                                "Fh": "1/4",
                            }.items()
                        ),
                    ),
                ),
            ),
        ),
    ),
)
