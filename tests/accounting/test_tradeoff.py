"""Trade-off curves against 60-digit arithmetic, against each other and against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.accounting import tradeoff
from dpaudit.accounting.tradeoff import describe, gaussian_tradeoff, largest_true_positive_rate
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, RenyiDP

GUARANTEES = (GaussianDP(0.0), GaussianDP(1.3), ApproximateDP(0.0, 1e-5), ApproximateDP(2.0, 1e-3), RenyiDP(4.0, 0.7))
rates = st.floats(0.0, 1.0)


@given(rate=rates, mu=st.floats(0.0, 6.0))
def test_tradeoff_and_largest_rate_are_the_same_curve(rate: float, mu: float) -> None:
    miss = float(gaussian_tradeoff(rate, mu))
    assert float(largest_true_positive_rate(rate, GaussianDP(mu))) == pytest.approx(1 - miss, abs=1e-12)


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=describe)
def test_curves_rise_and_bend_down_and_never_fall_below_chance(guarantee: object) -> None:
    grid = np.linspace(0, 1, 2001)
    curve = largest_true_positive_rate(grid, guarantee)  # type: ignore[arg-type]
    assert np.all(curve >= grid - 1e-12)
    assert np.all(np.diff(curve) >= -1e-12)
    assert np.all(np.diff(curve, 2) <= 1e-9)
    assert curve[-1] == 1.0


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=describe)
def test_curves_are_symmetric_in_the_two_data_sets(guarantee: object) -> None:
    # Swapping D and D' maps (f, t) to (1 - t, 1 - f); a symmetric curve maps to itself.
    grid = np.linspace(0.01, 0.9, 90)
    curve = largest_true_positive_rate(grid, guarantee)  # type: ignore[arg-type]
    inside = curve < 1 - 1e-9
    back = largest_true_positive_rate(1 - curve[inside], guarantee)  # type: ignore[arg-type]
    assert np.allclose(back, 1 - grid[inside], atol=1e-9)


@given(false=rates, true=rates, epsilon=st.floats(0.0, 8.0), delta=st.floats(0.0, 0.2))
def test_polygon_is_the_definition_of_approximate_dp(false: float, true: float, epsilon: float, delta: float) -> None:
    grown = math.exp(epsilon)
    allowed = float(largest_true_positive_rate(false, ApproximateDP(epsilon, delta)))
    holds = true <= grown * false + delta and 1 - false <= grown * (1 - true) + delta
    if abs(true - allowed) > 1e-9:
        assert holds == (true < allowed)


@pytest.mark.parametrize(("mu", "order"), [(0.5, 2.0), (1.0, 4.0), (1.0, 20.0), (2.0, 1.5)])
def test_renyi_curve_contains_the_gaussian_that_has_it(mu: float, order: float) -> None:
    # N(mu, 1) against N(0, 1) has Renyi divergence order * mu^2 / 2 (Mironov 2017, proposition 7).
    grid = np.concatenate([np.geomspace(1e-12, 0.5, 60), 1 - np.geomspace(1e-9, 0.5, 60)])
    renyi = largest_true_positive_rate(grid, RenyiDP(order, order * mu * mu / 2))
    gauss = largest_true_positive_rate(grid, GaussianDP(mu))
    assert np.all(renyi >= gauss - 1e-12)
    tight = largest_true_positive_rate(grid, RenyiDP(order, order * mu * mu / 8))
    assert np.any(tight < gauss)


@pytest.mark.parametrize("order", [1e300, 1e308, math.inf])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 5.0])
def test_renyi_curve_of_a_vast_order_is_that_of_pure_privacy(order: float, epsilon: float) -> None:
    """Mironov (2017), section 3: the divergence of infinite order is the largest loss."""
    grid = np.concatenate([[0.0], np.geomspace(1e-12, 0.5, 60), 1 - np.geomspace(1e-9, 0.5, 60), [1.0]])
    renyi = largest_true_positive_rate(grid, RenyiDP(order, epsilon))
    assert renyi == pytest.approx(largest_true_positive_rate(grid, ApproximateDP(epsilon, 0.0)), rel=1e-12)


def test_renyi_curve_meets_its_definition_at_the_boundary() -> None:
    false, order, epsilon = 0.01, 3.0, 0.8
    true = float(largest_true_positive_rate(false, RenyiDP(order, epsilon)))

    def divergence(p: float, q: float) -> float:
        return math.log(p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)) / (order - 1)

    assert max(divergence(true, false), divergence(false, true)) == pytest.approx(epsilon, rel=1e-9)


def test_a_search_that_ends_early_rounds_the_renyi_curve_up(monkeypatch: pytest.MonkeyPatch) -> None:
    grid, guarantee = np.linspace(0.01, 0.99, 50), RenyiDP(3.0, 0.8)
    exact = largest_true_positive_rate(grid, guarantee)
    monkeypatch.setattr(tradeoff, "_BISECTIONS", 8)
    coarse = largest_true_positive_rate(grid, guarantee)
    assert np.all(coarse >= exact)
    assert np.any(coarse > exact + 1e-3)


def test_infinite_epsilon_allows_everything() -> None:
    assert np.all(largest_true_positive_rate([0.0, 0.3], ApproximateDP(math.inf, 0.0)) == 1.0)


@pytest.mark.parametrize("rate", [-0.1, 1.1, math.nan])
def test_rates_outside_the_unit_interval_are_refused(rate: float) -> None:
    with pytest.raises(ContentError, match="rates must be in"):
        largest_true_positive_rate(rate, GaussianDP(1.0))


def test_labels() -> None:
    assert [describe(g) for g in GUARANTEES[1::2]] == ["1.3-GDP", "(2, 0.001)-DP"]
    assert describe(RenyiDP(4.0, 0.7)) == "(4, 0.7)-RDP"
