"""Candidate points stay in range, and the guaranteed error of a mean is honest."""

from fractions import Fraction

import numpy as np
import pytest

from dpaudit import empirical
from dpaudit.claim import Sampling, Search, Statement, integer, real, vector
from dpaudit.rigorous.witness import coordinates

STATEMENT = Statement(
    "norm(v) <= x + k",
    (real("x", "(0, 2]"), real("t", "(-oo, 1)"), integer("k", "[3, oo)"), vector("v"), vector("w")),
    ("norm(v) <= x/2",),
)


def test_points_lie_in_the_ranges_and_reach_the_boundary():
    lengths = []
    for point in empirical.candidate_points(STATEMENT, 1, 300):
        at = dict(point)
        x, t, k = (Fraction(at[name]) for name in "xtk")
        assert 0 < x <= 2
        assert t < 1
        assert k >= 3
        assert k.denominator == 1
        squared = sum(c * c for c in coordinates(at["v"]))
        assert squared <= (x / 2) ** 2
        lengths.append(squared == (x / 2) ** 2)
        assert "w" in at
    assert sum(lengths) > 30  # the condition is met with equality, exactly


def test_points_depend_on_the_seed_alone():
    first, again, other = (tuple(empirical.candidate_points(STATEMENT, s, 20)) for s in (1, 1, 2))
    assert first == again
    assert first != other


def check(trials=20_000, variance=5.0):
    return Sampling("draw", "<=", 0.0, variance, -1.0, trials)


def test_the_deviation_covers_a_heavy_tailed_mean():
    """Student t with 3 degrees of freedom (variance 3, fourth moment infinite): 200 estimates at alpha = 0.05 each must
    miss at most 40 times (binomial false alarm at a true rate of 0.05 below 1e-12)."""

    def draw(stream, trials):
        return np.random.default_rng(stream.seeds(np.arange(1))[0]).standard_t(3, trials)

    estimates = [empirical.sample(check(2_000, 3.0), draw, seed, "t", 0.05) for seed in range(200)]
    assert sum(abs(e.value) > e.deviation for e in estimates) <= 40
    assert all(e.trials <= 2_000 for e in estimates)


def test_violations_are_one_sided_or_two_sided():
    estimate = empirical.Estimate(1.0, 0.1, 100, 1e-6)
    assert empirical.violates(estimate, "<=", 0.8)
    assert not empirical.violates(estimate, "<=", 1.2)
    assert empirical.violates(estimate, "==", 1.2)
    assert not empirical.violates(estimate, "==", 1.05)


@pytest.mark.parametrize("values", [[1.0, np.nan], [np.inf, 1.0], []])
def test_values_that_are_not_numbers_are_refused(values):
    with pytest.raises(ValueError, match="draw"):
        empirical.search(Search("draw", 0.5), lambda stream, trials: np.array(values), 1, "p")


def test_too_few_trials_are_refused():
    with pytest.raises(ValueError, match="raise `trials`"):
        empirical.sample(check(10), lambda stream, trials: np.zeros(trials), 1, "p", 1e-6)
