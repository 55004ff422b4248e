"""Lemma 1, part 1: the reweighted stochastic query estimator is unbiased.

G(x) = w(x, xi) g(xbar + xi) with w(x, xi) = gamma(x - xbar - xi)/gamma(xi), xi ~ N(0, rho^2 I),
and v = x - xbar. Since w(x, xi) gamma(xi) is the density of xi' = xi shifted by v, the mean
of G(x) is the mean of g(x + xi'), which is the gradient of the smoothed function.
"""

import numpy as np

from dpaudit.algorithms import resque_estimate
from dpaudit.claim import Claim, ClaimKind, Identical, Mutant, Outcome, Sampling, Statement, Step, real, vector

SYMBOLS = (real("rho", "(0, oo)", "smoothing radius"), vector("v", "x - xbar"), vector("xi", "the draw"))
WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
RADIUS, OFFSET, KINK = 0.5, 0.75, 0.25


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
    words="For all x and xbar, E G(x) is the gradient of f smoothed by N(0, rho^2 I) at x.",
    place="Lemma 1, item 1",
    kind=ClaimKind.MOMENT,
    statement=Statement(
        f"{WEIGHT} * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - v)/(2*rho**2))",
        SYMBOLS,
    ),
    rests_on=("gaussian-smoothing-gradient",),
    argument=(Identical(),),
    empirical=(UNBIASED,),
    mutants=(
        Mutant(
            "no-norm",
            "the weight without |v|^2",
            "exp(dot(v, xi)/rho**2) * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - v)/(2*rho**2))",
        ),
        Mutant(
            "half-scale",
            "rho^2 instead of 2 rho^2",
            "exp((2*dot(v, xi) - dot(v, v))/rho**2) * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(xi - v, xi - "
            "v)/(2*rho**2))",
        ),
    ),
    steps=(
        Step(
            "s1",
            "E G(x) is the integral of gamma(x - xbar - xi) times the subgradient at xbar + xi: the weight times "
            "the density",
            Statement(f"{WEIGHT} * exp(-dot(xi, xi)/(2*rho**2)) == exp(-dot(v - xi, v - xi)/(2*rho**2))", SYMBOLS),
            argument=(Identical(),),
            kind=ClaimKind.IDENTITY,
        ),
        Step(
            "s2",
            "that integral is a subgradient of the smoothed function (checked on f = |. - c|, where it is 2 "
            "Phi((x-c)/rho) - 1)",
            None,
            empirical=(UNBIASED,),
            expects=Outcome.CONSISTENT,
        ),
        Step(
            "s3",
            "the smoothed function is differentiable, so the subgradient is the gradient",
            None,
            expects=Outcome.NOT_RUN,
        ),
    ),
)
