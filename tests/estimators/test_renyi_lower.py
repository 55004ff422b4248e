"""The Renyi bound: two-valued divergences against their definition, coverage, and what refutes an RDP claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.estimators.renyi_lower import divergence_lower, lower_bound, two_valued_divergence
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import RenyiDP


def test_two_valued_divergence_is_its_definition() -> None:
    for f, t, order in ((0.2, 0.7, 2.0), (0.01, 0.3, 8.0), (0.4, 0.9, 1.5)):
        forward = math.log(t**order * f ** (1 - order) + (1 - t) ** order * (1 - f) ** (1 - order)) / (order - 1)
        backward = math.log(f**order * t ** (1 - order) + (1 - f) ** order * (1 - t) ** (1 - order)) / (order - 1)
        assert two_valued_divergence(f, t, order) == pytest.approx(max(forward, backward))
    assert two_valued_divergence(0.0, 0.5, 2.0) == math.inf
    assert two_valued_divergence(0.5, 1.0, 2.0) == math.inf  # of the other order
    np.testing.assert_array_equal(two_valued_divergence([0.0, 0.5, 1.0, 0.7], [0.0, 0.5, 1.0, 0.2], 3.0), 0.0)


def test_it_is_the_inverse_of_the_curve_of_an_rdp_claim() -> None:
    allowed = float(largest_true_positive_rate(0.05, RenyiDP(4.0, 1.0)))
    assert two_valued_divergence(0.05, allowed, 4.0) == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize("order", [1.5, 8.0])
def test_the_divergence_of_randomised_response_is_covered_and_approached(order: float) -> None:
    """There two values carry all of it. False alarm of this test: 1e-7."""
    keep = math.e / (1 + math.e)
    truth, above, found = float(two_valued_divergence(1 - keep, keep, order)), 0, []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        x, y = (rng.random(500) < keep).astype(float), (rng.random(500) > keep).astype(float)
        found.append(divergence_lower(x, y, order, 0.05))
        above += found[-1] > truth
    assert above <= binom.isf(1e-7, 300, 0.05)
    assert np.mean(found) > 0.55 * truth


def test_bounds_and_region_are_of_one_pair_of_rates() -> None:
    rng = np.random.default_rng(0)
    bound = lower_bound(rng.normal(1, 1, 5000), rng.normal(0, 1, 5000), 1e-5, 0.05, rng)
    ((false_rate, true_rate),) = bound.region
    assert bound.epsilon_lower == pytest.approx(
        max(math.log((true_rate - 1e-5) / false_rate), math.log((1 - false_rate - 1e-5) / (1 - true_rate)))
    )
    assert 0.6 < bound.mu_lower < 1.0


def test_empty_sides_and_wrong_orders() -> None:
    assert divergence_lower([], [1.0], 2.0, 0.05) == 0.0
    assert divergence_lower([1.0], [0.0], 2.0, 0.05) == 0.0
    for order in (1.0, math.inf, math.nan):
        with pytest.raises(ContentError, match="order"):
            divergence_lower([1.0], [0.0], order, 0.05)
