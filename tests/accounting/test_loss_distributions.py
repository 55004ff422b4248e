"""Enclosures of the epsilon of compositions: directed, narrow, and beside independent values."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binom

from dpaudit.accounting.loss_distributions import (
    FORWARD,
    REVERSE,
    SYMMETRIC,
    Part,
    _shares,
    composed_deltas,
    composed_epsilon,
)
from dpaudit.accounting.loss_laws import (
    CountedLoss,
    GaussianLoss,
    LaplaceLoss,
    Law,
    ResponseLoss,
    SampledLoss,
    TriangleLoss,
    interval_masses,
)
from dpaudit.accounting.subsampling import counts, triangle
from dpaudit.records.errors import ConfigurationError

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "srm_accounting.json").read_text(encoding="utf-8"))
LAWS = [
    GaussianLoss(0.7),
    SampledLoss(0.1, GaussianLoss(1.3)),
    SampledLoss(1e-4, GaussianLoss(2.0)),
    SampledLoss(0.3, LaplaceLoss(0.5)),
    LaplaceLoss(1.0),
    ResponseLoss(0.8),
    CountedLoss(tuple(counts(5, 20)), 0.9),
    TriangleLoss(0.1, 1.0),
]


def sampled(rate: float, multiplier: float, order: str, count: int) -> list[Part]:
    return [Part((SampledLoss(rate, GaussianLoss(1 / multiplier)),), order, count, anchor=-math.log1p(-rate))]


def enclosure(parts: list[Part], delta: float) -> tuple[float, float]:
    return composed_epsilon(parts, delta, upper=False), composed_epsilon(parts, delta, upper=True)


def exact_gaussian(delta: float) -> float:
    """The epsilon of 1-GDP in 50 digits."""
    with mpmath.workdps(50):

        def excess(e: mpmath.mpf) -> mpmath.mpf:
            return mpmath.log((mpmath.ncdf(0.5 - e) - mpmath.exp(e) * mpmath.ncdf(-0.5 - e)) / mpmath.mpf(delta))

        return float(mpmath.findroot(excess, (0.1, 14), solver="anderson", tol=1e-30))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_masses_are_those_of_a_loss(law: Law) -> None:
    """In every interval of the loss P has between e^low and e^high times the mass of Q; all masses make up 1."""
    edges = np.concatenate([[-np.inf], np.linspace(-6, 9, 151), [np.inf]])
    p, q = law.masses(edges)
    low, high = q[1:-1] * np.exp(edges[1:-2]), q[1:-1] * np.exp(edges[2:-1])
    assert np.all(p[1:-1] >= low * (1 - 1e-9) - 1e-300)
    assert np.all(p[1:-1] <= high * (1 + 1e-9) + 1e-300)
    for column, masses in enumerate((p, q)):
        whole = masses.sum() + sum(atom[1 + column] for atom in law.atoms)
        assert whole == pytest.approx(1, abs=1e-12)
    for loss, more, less in law.atoms:
        assert more / less == pytest.approx(math.exp(loss), rel=1e-12)
    below, above = law.reach(1e-9)
    outside = law.masses(np.array([-np.inf, below, above, np.inf]))
    assert max(mass[place] for mass in outside for place in (0, 2)) <= 1.01e-9


def test_upwards_both_masses_stay_and_downwards_merged_losses_are_above_their_point() -> None:
    """Buckets of uneven width with random masses, some of them empty."""
    rng = np.random.default_rng(5)
    losses = np.cumsum(rng.uniform(1e-3, 0.2, 400)) - 20.0
    p = rng.exponential(size=399) * (rng.random(399) < 0.9)
    q = p * np.exp(-(losses[:-1] + np.diff(losses) * rng.random(399)))
    low, high, rising = _shares(losses, p, q)
    assert low + high == pytest.approx(p, rel=1e-12)
    assert low * np.exp(-losses[:-1]) + high * np.exp(-losses[1:]) == pytest.approx(q, rel=1e-9)
    up = np.divide(rising, p, out=np.zeros_like(p), where=p > 0)
    assert np.all((up >= 0) & (up <= 1))
    merged = [up[:-1] * mass[:-1] + (1 - up[1:]) * mass[1:] for mass in (p, q)]
    assert np.all(merged[0] >= np.exp(losses[1:-1]) * merged[1] * (1 - 1e-9))
    assert up.mean() > 0.1, "something rises"


def test_tails_keep_their_digits() -> None:
    found = interval_masses(np.array([-31.0, -30.0, 30.0, 31.0]))
    assert found[0] == pytest.approx(float(mpmath.ncdf(-30) - mpmath.ncdf(-31)), rel=1e-12)
    assert found[2] == found[0]


@pytest.mark.parametrize("count", [1, 100, 10_000])
@pytest.mark.parametrize("delta", [1e-3, 1e-12, 1e-30])
def test_gaussian_compositions_are_enclosed_down_to_tiny_deltas(count: int, delta: float) -> None:
    lower, upper = enclosure([Part((GaussianLoss(1 / math.sqrt(count)),), FORWARD, count)], delta)
    exact = exact_gaussian(delta)
    assert lower <= exact <= upper
    assert upper - lower < 2e-4 * exact


@pytest.mark.parametrize("case", VECTORS["one_release_epsilon"], ids=str)
def test_one_sampled_release_has_the_epsilon_of_forty_digits(case: dict[str, float]) -> None:
    multiplier, delta = math.sqrt(case["variance"]), case["delta"]
    for order, name in ((FORWARD, "line"), (REVERSE, "line_reversed")):
        lower, upper = enclosure(sampled(case["rate"], multiplier, order, 1), delta)
        assert lower <= case[name] <= upper
        assert upper - lower < 2e-3 * case[name]
    above = composed_epsilon(sampled(case["rate"], multiplier, SYMMETRIC, 1), delta, upper=True)
    assert case["line"] <= above < case["line"] * 1.001, "one release is as bad in the worse order"


@pytest.mark.deep
@pytest.mark.parametrize(("rate", "multiplier", "count", "delta"), [(0.2, 1.5, 30, 1e-5), (0.01, 0.9, 1000, 1e-5)])
def test_sampled_compositions_lie_within_those_of_dp_accounting(
    rate: float, multiplier: float, count: int, delta: float
) -> None:
    from dp_accounting.pld import privacy_loss_distribution as library

    for order, name in ((FORWARD, "_pmf_remove"), (REVERSE, "_pmf_add")):
        lower, upper = enclosure(sampled(rate, multiplier, order, count), delta)
        theirs = []
        for pessimistic in (False, True):
            one = library.from_gaussian_mechanism(
                multiplier, sampling_prob=rate, pessimistic_estimate=pessimistic, use_connect_dots=pessimistic
            )
            theirs.append(getattr(one.self_compose(count), name).get_epsilon_for_delta(delta))
        assert theirs[0] <= lower * (1 + 1e-6), "ours is the narrower from below"
        assert upper == pytest.approx(theirs[1], rel=2e-4)
        assert lower <= upper < lower * 1.002
        assert theirs[0] < upper
        assert lower < theirs[1]


def test_the_symmetric_curve_is_above_both_orders() -> None:
    above = composed_epsilon(sampled(0.01, 0.9, SYMMETRIC, 1000), 1e-5, upper=True)
    for order in (FORWARD, REVERSE):
        assert composed_epsilon(sampled(0.01, 0.9, order, 1000), 1e-5, upper=True) < above
    realised = composed_epsilon([Part((TriangleLoss(0.01, 1 / 0.9),), FORWARD, 1000)], 1e-5, upper=False)
    line = composed_epsilon(sampled(0.01, 0.9, FORWARD, 1000), 1e-5, upper=True)
    assert line < realised < above, "three different laws are worse than two"
    with pytest.raises(ConfigurationError, match="from above only"):
        composed_epsilon(sampled(0.01, 0.9, SYMMETRIC, 10), 1e-5, upper=False)


def test_the_cells_of_the_triangle_keep_its_divergence() -> None:
    edges = np.linspace(-8, 8, 400_001)
    p, q = TriangleLoss(0.1, 1.0).masses(edges)
    kept = q > 0
    found = math.log(float(np.sum(p[kept] ** 2 / q[kept])))
    exact = float(triangle(2, 0.1, 1.0))
    assert exact * 0.998 < found < exact


@pytest.mark.parametrize(("epsilon", "count", "delta"), [(0.5, 1, 1e-3), (0.1, 100, 1e-6), (0.03, 2000, 1e-9)])
def test_randomised_response_composes_as_the_binomial_law_says(epsilon: float, count: int, delta: float) -> None:
    """The total loss is epsilon (2 K - count), K ~ Bin(count, e^epsilon/(1 + e^epsilon)): Kairouz, Oh, Viswanath."""
    k = np.arange(count + 1)
    losses, masses = (2 * k - count) * epsilon, binom.pmf(k, count, 1 / (1 + math.exp(-epsilon)))
    low, high = 0.0, count * epsilon
    for _ in range(80):
        middle = (low + high) / 2
        spent = float(np.sum(masses * -np.expm1(np.minimum(middle - losses, 0.0))))
        low, high = (middle, high) if spent > delta else (low, middle)
    lower, upper = enclosure([Part((ResponseLoss(epsilon),), FORWARD, count, anchor=epsilon)], delta)
    assert lower <= high * (1 + 1e-9)
    assert upper >= low * (1 - 1e-9)
    assert upper - lower < 1e-6 * high


def test_one_release_with_a_hidden_count() -> None:
    """delta(epsilon) from normal tails beyond the place where the loss, which grows, is epsilon; both orders."""
    weights, mu, delta = counts(5, 20), 1 / 1.2, 1e-4
    k = np.arange(len(weights))

    def loss(x: float) -> float:
        return math.log(float(np.sum(weights * np.exp(k * mu * x - (k * mu) ** 2 / 2))))

    def spent(epsilon: float, order: str) -> float:
        if order == FORWARD:
            x = brentq(lambda x: loss(x) - epsilon, -40, 40)
            return float(weights @ ndtr(k * mu - x)) - math.exp(epsilon) * float(ndtr(-x))
        if -epsilon <= math.log(weights[0]):
            return 0.0
        x = brentq(lambda x: loss(x) + epsilon, -40, 40)
        return float(ndtr(x)) - math.exp(epsilon) * float(weights @ ndtr(x - k * mu))

    for order in (FORWARD, REVERSE):
        exact = brentq(lambda epsilon, order=order: spent(epsilon, order) - delta, 1e-6, 8)
        parts = [Part((CountedLoss(tuple(weights), mu),), order, 1, anchor=-math.log(weights[0]))]
        lower, upper = enclosure(parts, delta)
        assert lower <= exact <= upper < lower * 1.001


def test_a_symmetric_law_is_the_same_in_both_orders() -> None:
    for law, anchor in ((LaplaceLoss(0.5), 0.5), (ResponseLoss(0.3), 0.3), (GaussianLoss(0.4), 0.0)):
        first, other = (enclosure([Part((law,), order, 4, anchor=anchor)], 1e-4) for order in (FORWARD, REVERSE))
        assert other == pytest.approx(first, rel=2e-3)
        assert max(first[0], other[0]) <= min(first[1], other[1])


def test_atoms_on_the_grid_in_both_orders() -> None:
    """A sampled response has two atoms (P, Q): delta(epsilon) = sum (P - e^epsilon Q)_+, or the other way round."""
    law, delta = SampledLoss(0.3, ResponseLoss(1.0)), 1e-3
    for order, sign in ((FORWARD, 1), (REVERSE, -1)):
        (loss, p, q) = max((sign * loss, *((p, q) if sign > 0 else (q, p))) for loss, p, q in law.atoms)
        exact = math.log((p - delta) / q)
        lower, upper = enclosure([Part((law,), order, 1, anchor=loss)], delta)
        assert lower <= exact * (1 + 1e-9)
        assert exact * (1 - 1e-9) <= upper < exact * 1.001


def test_atoms_on_the_grid_of_another_part() -> None:
    """The reversed atom lies on the grid that the more frequent part sets; all eight outcomes are enumerated."""
    law, delta = SampledLoss(0.3, ResponseLoss(1.0)), 1e-3
    reversed_atoms = [(-loss, q) for loss, p, q in law.atoms]
    anchor = max(loss for loss, _ in reversed_atoms)
    other = ResponseLoss(anchor)
    parts = [Part((other,), FORWARD, 2, anchor=anchor), Part((law,), REVERSE, 1)]
    masses = [(loss, p) for loss, p, _ in other.atoms]
    outcomes = [
        (sum(loss for loss, _ in chosen), math.prod(mass for _, mass in chosen))
        for chosen in itertools.product(masses, masses, reversed_atoms)
    ]

    def spent(epsilon: float) -> float:
        return sum(mass * -math.expm1(epsilon - loss) for loss, mass in outcomes if loss > epsilon)

    exact = brentq(lambda epsilon: spent(epsilon) - delta, 0.0, 3.0)
    lower, upper = enclosure(parts, delta)
    assert lower <= exact * (1 + 1e-9)
    assert exact * (1 - 1e-9) <= upper
    assert upper - lower < 2e-3 * exact


def test_large_deltas_and_losses() -> None:
    assert enclosure(sampled(0.01, 2.0, FORWARD, 10), 0.3) == (0.0, 0.0)
    lower, upper = enclosure(sampled(0.01, 0.02, FORWARD, 1000), 1e-5)
    assert lower == 600
    assert upper == math.inf
    with_mass = Part((LaplaceLoss(0.1),), FORWARD, 1, infinite=1e-3)
    assert composed_epsilon([with_mass], 1e-4, upper=True) == math.inf


def test_mixed_compositions_are_additive_where_they_are_gaussian() -> None:
    parts = [Part((GaussianLoss(0.6),), FORWARD), Part((GaussianLoss(0.4),), FORWARD, 4)]
    lower, upper = enclosure(parts, 1e-6)
    assert lower <= exact_gaussian(1e-6) <= upper < lower * 1.0005


def test_one_convolution_gives_every_delta_that_single_ones_give() -> None:
    """Read back as epsilon, within 1e-4, and never below."""
    parts = [Part((SampledLoss(0.2, GaussianLoss(1 / 1.5)),), FORWARD, 30, anchor=-math.log1p(-0.2))]
    epsilons = np.array([0.1, 1.0, 3.0])
    for order in (FORWARD, REVERSE):
        ordered = [replace(part, order=order) for part in parts]
        deltas = composed_deltas(ordered, epsilons)
        for epsilon, delta in zip(epsilons, deltas, strict=True):
            assert composed_epsilon(ordered, float(delta), upper=False) <= epsilon + 1e-9
            assert composed_epsilon(ordered, float(delta), upper=True) > epsilon - 1e-4


def test_a_loss_that_is_infinite_counts_in_every_delta() -> None:
    parts = [Part((GaussianLoss(0.5),), FORWARD, 2, infinite=0.01)]
    told = 1 - 0.99**2
    assert composed_deltas(parts, np.array([20.0]))[0] == pytest.approx(told, rel=1e-6)
