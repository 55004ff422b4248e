"""DP-SRM's calibration, its side conditions, what it claims and what is true.

The ratios to lemma 3.7's bound, searched over its domain (s from 0.7, the largest admitted rate and smaller ones):
theorem 9 at most 0.8475 at integer orders (alpha = 3, s = 0.7), 0.926 between 2 and 3, and above 1 below alpha = 1.69
(1.65 near 1); the least bound for both orders of the neighbours at most 0.569; the realised triangle 0.426.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.accounting.subsampling import line_reversed, symmetrised, theorem_9, triangle, with_replacement
from dpaudit.algorithms.srm.accounting.calibration import (
    Setting,
    calibrate,
    feasible_shares,
    largest_order,
    largest_rate,
    least_noise_share,
    lemma_3_7,
    mechanism,
    most_tolerant_variance,
    order_of,
    run_epsilon,
    shortfall,
)
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "srm_accounting.json").read_text(encoding="utf-8"))
DELTA = 1e-5
FEASIBLE = Setting(10**6, 10**4, 2000, 2000, 1.0, 0.1, 0.01, 1.0)


def setting_of(case: dict[str, Any]) -> Setting:
    return Setting(
        case["records"], case["steps"], case["first_batch"], case["batch"], case["lipschitz"], case["momentum"],
        case["accuracy"], case["divisor"],
    )  # fmt: skip


@pytest.mark.parametrize("case", VECTORS["calibration"], ids=lambda case: str(case["epsilon"]))
def test_the_calibration_is_that_of_forty_digits(case: dict[str, Any]) -> None:
    found = calibrate(setting_of(case), case["epsilon"], case["delta"], case["beta"])
    variances = [condition.value for condition in found.conditions if condition.what == "sigma'^2"]
    limits = [condition.value + 1 for condition in found.conditions if condition.what != "sigma'^2"]
    for value, name in (
        (found.order, "order"), (found.first_noise, "first_noise"), (found.noise, "noise"),
        (variances[0], "first_variance"), (variances[1], "variance"), (limits[0], "first_largest_order"),
        (limits[1], "largest_order"),
    ):  # fmt: skip
        assert value == pytest.approx(case[name], rel=1e-12), name


@pytest.mark.parametrize("case", VECTORS["calibration"], ids=lambda case: str(case["epsilon"]))
def test_the_printed_noise_multiplier_is_twice_the_true_one(case: dict[str, Any]) -> None:
    """Steps s5 and s14 print 7 b^2 T alpha/(beta n^2 eps); with (2.3) and (2.2) the factor is 14/4, and s4 holds."""
    found = calibrate(setting_of(case), case["epsilon"], case["delta"], case["beta"])
    unit = case["steps"] * found.order / (case["beta"] * case["records"] ** 2 * case["epsilon"])
    for condition, batch in zip(found.conditions[::2], (case["first_batch"], case["batch"]), strict=True):
        assert condition.value == pytest.approx(3.5 * batch**2 * unit, rel=1e-12)
        per_step = lemma_3_7(found.order, batch / case["records"], condition.value)
        assert per_step == pytest.approx(case["beta"] * case["epsilon"] / case["steps"], rel=1e-12)


def test_helpers_have_the_values_of_forty_digits() -> None:
    for case in VECTORS["most_tolerant_variance"]:
        assert most_tolerant_variance(case["order"]) == pytest.approx(case["variance"], rel=1e-13)
        assert largest_rate(case["order"]) == pytest.approx(case["largest_rate"], rel=1e-12)
        for other in (1.1, 0.9):
            beside = max(0.7, other * case["variance"])
            assert largest_rate(case["order"], beside) <= case["largest_rate"] * (1 + 1e-12)
    for case in VECTORS["least_noise_share"]:
        found = least_noise_share(case["epsilon"], case["delta"])
        assert found == pytest.approx(case["beta"], rel=1e-12)
        noises = [order_of(case["epsilon"], case["delta"], b) / b for b in (found, found * 0.99, found * 1.01)]
        assert noises[0] == min(noises)


@pytest.mark.parametrize(("rate", "variance"), [(1e-3, 5.0), (0.05, 0.9), (1e-6, 50.0)])
def test_the_largest_order_meets_its_condition_exactly(rate: float, variance: float) -> None:
    order = largest_order(rate, variance)
    limit = 1 - 2 / 3 * variance * math.log(rate * order * (1 + variance))
    assert order == pytest.approx(limit, rel=1e-10)
    assert largest_rate(order, variance) == pytest.approx(rate, rel=1e-8)
    assert largest_order(0.9, 5.0) == 1.0


def test_the_feasible_set_is_found_and_its_ends_are_edges() -> None:
    found = feasible_shares(FEASIBLE, 1.5, DELTA)
    assert len(found.intervals) == 1
    low, high = found.intervals[0]
    assert 0 < low < high < 1
    for inside, outside in ((low, low * 0.9999), (high, high * 1.0001)):
        assert calibrate(FEASIBLE, 1.5, DELTA, inside).feasible
        assert not calibrate(FEASIBLE, 1.5, DELTA, outside).feasible
    assert found.best.feasible
    betas = [low + (high - low) * i / 50 for i in range(51)]
    assert found.best.noise <= min(calibrate(FEASIBLE, 1.5, DELTA, beta).noise for beta in betas) * (1 + 1e-9)
    assert "feasible for beta in [" in str(found)


def test_an_infeasible_plan_says_which_condition_fails_and_by_how_much() -> None:
    found = feasible_shares(Setting(10**6, 10**6, 1000, 1000, 1.0, 0.1, 0.01, 1.0), 1.0, DELTA)
    assert found.intervals == ()
    failing = [condition for condition in found.best.conditions if not condition.holds]
    assert [condition.which for condition in failing] == ["first", "later"]
    assert all(condition.margin < 0 for condition in failing)
    assert "infeasible; nearest at beta" in str(found)
    assert "largest admissible order - 1 = -" in str(found)
    tiny = feasible_shares(Setting(10**4, 10, 1, 1, 1.0, 1.0, 0.01, 1.0), 1.0, DELTA)
    for beta in (0.3, 0.9):
        names = [
            c.what
            for c in calibrate(Setting(10**4, 10, 1, 1, 1.0, 1.0, 0.01, 1.0), 1.0, DELTA, beta).conditions
            if not c.holds
        ]
        assert "sigma'^2" in names
    assert all(low < 1e-3 for low, _ in tiny.intervals)


def test_each_estimate_has_its_own_rate_unless_the_largest_is_asked_for() -> None:
    setting = dataclasses.replace(FEASIBLE, first_batch=6000)
    each, largest = (calibrate(setting, 1.5, DELTA, 0.4, rate) for rate in ("each", "largest"))
    assert each.conditions[:2] == largest.conditions[:2]
    assert each.conditions[3].value > largest.conditions[3].value
    with pytest.raises(ConfigurationError, match="rate must be one of"):
        calibrate(setting, 1.5, DELTA, 0.4, "other")


def test_the_mechanism_of_a_run() -> None:
    setting = Setting(100, 5, 20, 10, 2.0, 0.25, 0.2, 2.0)
    made = mechanism(setting, 0.5, 0.3)
    drift = 0.75 * 0.1 + 0.5
    first = FixedSizeSampled(20, 100, Gaussian(0.5 / (4 / 20)))
    later = FixedSizeSampled(10, 100, Gaussian(0.3 / (2 * drift / 10)))
    assert made == Composed((first, SelfComposed(later, 4)))
    assert mechanism(dataclasses.replace(setting, steps=1), 0.5, 0.3) == first
    with pytest.raises(ConfigurationError, match="noise must be above 0"):
        mechanism(setting, 0.5, 0.0)


def test_a_feasible_run_keeps_its_claim_with_room_to_spare() -> None:
    best = feasible_shares(FEASIBLE, 1.5, DELTA).best
    found = run_epsilon(FEASIBLE, best.first_noise, best.noise, DELTA)
    assert found.claimed == pytest.approx(1.5, rel=1e-6)
    assert found.formula <= found.claimed
    assert found.true.lower <= found.true.upper < found.theorem_9 < found.claimed
    assert found.true.upper < 0.5 * found.claimed
    assert found.true == epsilon_bounds(
        mechanism(FEASIBLE, best.first_noise, best.noise), DELTA, Neighbours.REPLACE_ONE
    )


def test_fewer_steps_do_not_cost_in_proportion() -> None:
    """Step s18 prints (T' eps/T, delta) after T' of T steps; epsilon falls like sqrt(T'): refuted at T' = T/1000."""
    best = feasible_shares(FEASIBLE, 1.5, DELTA).best
    short = dataclasses.replace(FEASIBLE, steps=10)
    found = run_epsilon(short, best.first_noise, best.noise, DELTA)
    assert found.true.lower > 2 * 1.5 * 10 / FEASIBLE.steps


@pytest.mark.deep
def test_without_the_conditions_the_claim_is_far_from_true() -> None:
    """b = 1, T = n: sigma'^2 = 0.17 with the printed noise; the claim of 1 stands against a true epsilon above 6."""
    setting = Setting(1000, 1000, 1, 1, 1.0, 1.0, 0.01, 1.0)
    made = calibrate(setting, 1.0, DELTA, 0.5)
    assert not made.feasible
    found = run_epsilon(setting, made.first_noise, made.noise, DELTA)
    assert found.claimed == math.inf
    assert found.formula == pytest.approx(1.0, rel=1e-3)
    assert found.true.lower > 6
    assert found.true.lower <= found.true.upper < found.theorem_9


@pytest.mark.parametrize("order", [1.01, 1.5, 2, 2.5, 3, 8, 32, 128])
@pytest.mark.parametrize("variance", [0.7, 1.0, 2.2, 8.0, 64.0])
def test_lemma_3_7_holds_on_its_domain(order: float, variance: float) -> None:
    rate = largest_rate(order, variance)
    if rate < 1e-9:  # an admitted rate that no data set has
        return
    stated = lemma_3_7(order, rate, variance)
    assert float(symmetrised(order, rate, variance)) <= 0.57 * stated
    assert float(line_reversed(order, rate, variance)) <= 0.33 * stated
    if order == int(order) and stated > 1e-10:  # the triangle has absolute error 1e-13
        assert float(triangle(order, rate, variance)) <= 0.43 * stated
    assert shortfall(order, rate, variance) <= 0.33
    proved = float(theorem_9(order, rate, variance)) / stated
    assert proved <= 0.85 if order == int(order) else proved <= (0.93 if order > 2 else 1.66)


def test_the_method_of_the_proof_does_not_reach_orders_near_one() -> None:
    assert float(theorem_9(1.5, 1e-4, 0.7)) > 1.1 * lemma_3_7(1.5, 1e-4, 0.7)
    assert float(theorem_9(1.75, 1e-5, 0.7)) < lemma_3_7(1.75, 1e-5, 0.7)


@pytest.mark.parametrize(("order", "rate", "variance"), [(8, 0.01, 0.7), (32, 1e-3, 1.0)])
def test_dropping_the_order_condition_breaks_the_lemma(order: float, rate: float, variance: float) -> None:
    assert largest_rate(order, variance) < rate
    assert shortfall(order, rate, variance) > 10


def test_dropping_the_variance_condition_breaks_the_lemma() -> None:
    assert shortfall(2, 1e-3, 0.15) > 1.1


def test_the_lemma_does_not_extend_to_draws_with_replacement() -> None:
    """Twenty draws from 1000 at s = 1: K = 20 has probability 1e-60, and e^400 weighs more."""
    assert largest_rate(2, 1.0) > 0.02
    found = float(with_replacement(2, 20, 1000, 1.0))
    assert found > 1e4 * lemma_3_7(2, 0.02, 1.0)


def test_what_describes_nothing_is_refused() -> None:
    for change, name in (({"batch": 0}, "batch"), ({"momentum": 1.5}, "momentum"), ({"divisor": 0.0}, "divisor")):
        with pytest.raises(ConfigurationError, match=name):
            dataclasses.replace(FEASIBLE, **change)
    for epsilon, delta, beta, name in ((0.0, 0.1, 0.5, "epsilon"), (1.0, 1.0, 0.5, "delta"), (1.0, 0.1, 1.0, "share")):
        with pytest.raises(ConfigurationError, match=name):
            calibrate(FEASIBLE, epsilon, delta, beta)
    with pytest.raises(ConfigurationError, match="order"):
        largest_rate(1.0)
