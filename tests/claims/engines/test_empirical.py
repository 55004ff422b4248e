"""Candidate points stay in range, and the guaranteed error of a mean is honest."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.claims.engines import empirical
from dpaudit.claims.engines.empirical import counts, frequency, miscounted, search, slope
from dpaudit.claims.engines.rigorous.at_point import coordinates
from dpaudit.estimators.clopper_pearson import rate_lower
from dpaudit.records.claim import Chance, Count, Sampling, Search, Slope, Statement, integer, real, vector

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


# The guarantees of the bounds, by exact sums over all outcomes instead of by luck. -----------------


@pytest.mark.parametrize("trials", [1, 7, 40])
@pytest.mark.parametrize("alpha", [0.2, 0.05, 1e-3])
def test_the_lower_bound_on_a_probability_fails_with_probability_at_most_alpha(trials, alpha):
    least = [float(rate_lower(hits, trials, alpha)) for hits in range(trials + 1)]
    largest = 0.0
    # Only just above a possible bound does one more outcome begin to exceed: the worst cases lie just below it.
    for p in (*np.linspace(0, 1, 101), *(x - 1e-9 for x in least if x > 0)):
        largest = max(largest, sum(binom.pmf(h, trials, p) for h in range(trials + 1) if least[h] > p))
    assert largest <= alpha * (1 + 1e-6)
    assert largest > alpha / 3 or trials == 1  # and the bound is no weaker than it must be


@pytest.mark.parametrize("trials", [30, 75, 200])
@pytest.mark.parametrize("alpha", [0.05, 1e-3, 1e-7])
def test_the_order_statistic_exceeds_the_median_with_probability_at_most_alpha(trials, alpha):
    """The k-th smallest of n slopes exceeds their median if fewer than k fall at or below it: Bin(n, 1/2) at least."""
    draws = lambda stream, count: (np.array([1.0, np.e]), np.exp(np.outer(np.arange(count), [0.0, 1.0])))  # noqa: E731
    k = slope(Slope("draw", 1.0, 0.0, 0.5, trials), draws, 0, "x", alpha)
    assert k.least == pytest.approx(k.hits - 1)  # slopes 0, 1, 2, ...: the bound is the k-th smallest
    fewer = [sum(Fraction(math.comb(trials, i), 2**trials) for i in range(k.hits + more)) for more in (0, 1)]
    assert fewer[0] <= alpha < fewer[1]


def test_too_few_trials_bound_no_median():
    draws = lambda stream, count: (np.array([1.0, 2.0]), np.ones((count, 2)))  # noqa: E731
    with pytest.raises(ValueError, match="raise `trials`"):
        slope(Slope("draw", 1.0, 0.0, 0.5, 10), draws, 0, "x", 1e-4)


@pytest.mark.parametrize(
    ("sizes", "shape"), [([1.0, 1.0], (50, 2)), ([1.0], (50, 1)), ([1.0, 2.0], (49, 2)), ([0.0, 1.0], (50, 2))]
)
def test_a_slope_needs_two_sizes_and_every_trial(sizes, shape):
    with pytest.raises(ValueError, match="must return"):
        slope(Slope("draw", 1.0, 0.0, 0.5, 50), lambda stream, count: (np.array(sizes), np.ones(shape)), 0, "x", 0.01)


@pytest.mark.parametrize("events", [np.zeros(99, bool), np.zeros(100), np.zeros((100, 1), bool), np.zeros(0, bool)])
def test_a_chance_needs_one_truth_value_for_every_trial(events):
    with pytest.raises(ValueError, match="one truth value a trial"):
        frequency(Chance("draw", 0.5, 0.1, 100), lambda stream, count: events, 0, "x", 0.01)


def test_a_frequency_is_bounded_from_below_and_not_taken_for_the_probability():
    found = frequency(Chance("draw", 0.5, 0.1, 100), lambda stream, count: np.arange(count) < 10, 0, "x", 0.01)
    assert (found.hits, found.trials) == (10, 100)
    assert found.least == pytest.approx(float(rate_lower(10, 100, 0.01)))
    assert found.least < 0.05


def test_counts_are_compared_as_whole_numbers():
    large = np.array([2**53 + 1])
    check = Count("draw", "<=")
    assert miscounted(check, large, large - 1, 1.0).all()
    with pytest.raises(ValueError, match="two integer arrays"):
        counts(check, lambda stream, cases: (large, large.astype(float)), 0, "x")


def test_a_search_with_ranges_looks_at_the_boundary():
    corner = lambda points: np.where((points == 0).all(axis=1), 2.0, 0.0)  # noqa: E731
    found, at = search(Search("draw", 0.5, trials=200, ranges=((0.0, 1.0), (0.0, 3.0))), corner, 1, "x")
    assert (found, at) == (2.0, "(0, 0)")
