"""Estimators at the ends of float64, with every warning an error: an answer in range, or a refusal by name."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from depth import repeats
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dpaudit.estimators import hockey_stick, joint_binomial, one_run, one_run_fdp, power, rank_test, shapes
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.curves import curve_of
from dpaudit.estimators.held_out_threshold import split
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile

LARGEST, SMALLEST = 1.7e308, 5e-324
BOUNDS = (
    "bayesian", "betting", "conditional_gaussian", "held_out_threshold", "hockey_stick", "joint_binomial",
    "nested_guesses", "pooled_guesses", "rank_test", "renyi_lower", "simultaneous_band",
)  # fmt: skip
SLOW = ("betting", "joint_binomial", "rank_test", "bayesian")
SIZES = (0, 1, 2, 9, 40)

scores = st.sampled_from(
    [-math.inf, -LARGEST, -1.5e308, -1.0, -SMALLEST, 0.0, 1e-308, 0.3, 1.0, 1e16, 1.5e308, math.inf]
)
sides = st.sampled_from(SIZES).flatmap(lambda size: st.lists(scores, min_size=size, max_size=size))
deltas = st.sampled_from([0.0, SMALLEST, 1e-300, 1e-12, 1e-5, 0.1, 1 - 2.0**-53])
levels = st.sampled_from([1e-300, 1e-12, 0.05, 0.5, 1 - 1e-9])
epsilons = st.sampled_from([0.0, SMALLEST, 1e-12, 1.0, 30.0, 699.0, 705.0, 745.0, 1e6, math.inf])
guarantees = st.one_of(
    st.builds(ApproximateDP, epsilons, deltas),
    st.builds(GaussianDP, st.sampled_from([0.0, SMALLEST, 1e-8, 1.0, 25.0, 40.0, 1e3])),
    st.just(PrivacyProfile(((705.0, 1e-300), (30.0, 1e-12), (0.0, 0.5)), "extreme")),
)  # fmt: skip


def often(examples: int, deep: int) -> Callable[[Any], Any]:
    return settings(
        max_examples=repeats(examples, deep), deadline=None, derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_are_in_range(name: str) -> None:
    module = importlib.import_module(f"dpaudit.estimators.{name}")

    @often(*((6, 60) if name in SLOW else (25, 300)))
    @given(sides, sides, deltas, levels)
    @example([1.5e308] * 40, [-1.5e308] * 40, 1e-5, 0.05)
    @example([0.0, 1.5e308, -1.5e308, 1.0] * 10, [-LARGEST, LARGEST, 0.0, 1.0] * 10, 1e-5, 0.05)
    @example([math.inf] * 40, [-math.inf] * 40, 1e-300, 1e-12)
    def bounded(positive: list[float], negative: list[float], delta: float, alpha: float) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            asked = (positive, negative, delta, alpha, np.random.default_rng(1))
            if delta == 0 and name in ("conditional_gaussian", "renyi_lower"):
                with pytest.raises(ContentError, match="pure DP"):
                    module.lower_bound(*asked)
                return
            found = module.lower_bound(*asked)
        assert found.epsilon_lower >= 0
        assert found.mu_lower >= 0
        assert all(0 <= f <= 1 and 0 <= t <= 1 for f, t in found.region)

    bounded()


@often(8, 100)
@given(sides, sides, guarantees)
@example([1.0] * 40, [0.0] * 40, ApproximateDP(705.0, 1e-5))
@example([0.0, 1.0] * 20, [0.0, 1.0] * 20, GaussianDP(25.0))
@example([1.5e308, -1.5e308] * 20, [-1.5e308, 1.5e308] * 20, ApproximateDP(1.0, 0.0))
def test_tests_of_a_claim_are_in_range(positive: list[float], negative: list[float], claim: Guarantee) -> None:
    rng, pairs = np.random.default_rng(1), min(len(positive), len(negative))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        p_values = [test.p_value(positive, negative, claim, rng) for test in (rank_test, joint_binomial)]
        bets = BettingTest([claim], 0.05)
        bets.update(positive[:pairs], negative[:pairs])
        divergence = hockey_stick.divergence_lower(positive, negative, 600.0, 0.05)
    assert all(0 < p <= 1 for p in p_values)
    assert bets.log_capital[0] < math.inf
    assert 0 <= divergence <= 1


@often(20, 200)
@given(guarantees, levels, deltas)
@example(ApproximateDP(705.0, 1e-5), 0.05, 1e-5)
def test_what_is_computed_of_a_claim_alone(claim: Guarantee, alpha: float, delta: float) -> None:
    rates = np.array([0.0, SMALLEST, 1e-300, 1e-12, 0.5, 1 - 2.0**-53, 1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curve, limit = curve_of(claim), power.limit_of_detection(100, alpha, delta)
        value, slope = curve.value(rates), curve.slope(rates[1:-1])
        drawn = [shapes.laplace_shape(epsilon).value(rates[2:-1]) for epsilon in (0.0, 699.0, 705.0, 760.0, 1e6)]
    assert np.all((value >= 0) & (value <= 1))
    assert np.all(slope >= 0)
    assert np.all((np.array(drawn) >= 0) & (np.array(drawn) <= 1))
    assert limit >= 0


@often(10, 100)
@given(st.lists(st.tuples(scores, st.booleans()), max_size=60), deltas, levels)
def test_one_run_bounds_are_in_range(canaries: list[tuple[float, bool]], delta: float, alpha: float) -> None:
    values, included = np.array([c[0] for c in canaries]), np.array([c[1] for c in canaries], dtype=np.bool_)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [module.one_run_bound(values, included, delta, alpha) for module in (one_run, one_run_fdp)]
    assert all(bound.epsilon_lower >= 0 and bound.mu_lower >= 0 for bound in found)


def test_a_chosen_threshold_that_is_infinite_is_found_among_the_thresholds() -> None:
    """The weight of the joint test is that of the rate at its threshold, also where only infinite scores say D."""
    found = split(np.repeat([0.0, math.inf], [20, 180]), np.repeat([0.0, 1.0], [150, 50]))
    choice = found.choose(lambda f, t: t - f, 0.05)
    thresholds, false_rate, _ = found.predicted()
    assert thresholds[np.searchsorted(thresholds, choice.threshold)] == choice.threshold
    assert len(false_rate) == len(thresholds)
