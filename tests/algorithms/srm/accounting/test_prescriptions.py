"""The parameters that DP-SRM's paper prescribes, and how long its privacy conditions hold for them."""

from __future__ import annotations

import dataclasses
import math

import pytest

from dpaudit.algorithms.srm.accounting.calibration import calibrate, order_of
from dpaudit.algorithms.srm.accounting.prescriptions import (
    EXPONENTS,
    Task,
    corollary_5_3,
    corollary_5_3_least_steps,
    theorem_5_4,
    theorem_5_4_feasibility,
    window_of_records,
)
from dpaudit.records.errors import ConfigurationError

DELTA = 1e-5


def test_the_prescription_of_theorem_5_4() -> None:
    task = Task(10**6, 10, 2.0, DELTA, lipschitz=1.5, smoothness=2.0, gap=3.0)
    made = theorem_5_4(task, 5.0)
    zeta = 5 * (math.sqrt(1.5 * 2 * 3 * 10 * math.log(1e5)) / 2e6) ** (2 / 3)
    divisor = 2 * 3 / 1.5**2
    assert made.accuracy == pytest.approx(zeta, rel=1e-12)
    assert made.divisor == pytest.approx(divisor)
    assert made.steps == math.floor(4 * divisor * 6 / zeta**2) + 1
    assert made.momentum == pytest.approx(math.sqrt(2) * zeta / (divisor * 1.5))
    assert made.batch == pytest.approx(1.5 / (divisor * zeta)) == pytest.approx(1.5**3 / (zeta * 6))
    assert made.gradients == pytest.approx(made.batch + 2 * made.batch * (made.steps - 1))
    setting = made.setting()
    assert (setting.batch, setting.first_batch, setting.steps) == (
        math.ceil(made.batch),
        math.ceil(made.batch),
        made.steps,
    )


def test_units_do_not_matter() -> None:
    """F times 7 and theta times 3: G, zeta times 7/3, L times 7/9, D_F times 7; counts stay."""
    one = theorem_5_4(Task(10**6, 10, 1.0, DELTA, 1.0, 1.0, 1.0), 5.0)
    other = theorem_5_4(Task(10**6, 10, 1.0, DELTA, 7 / 3, 7 / 9, 7.0), 5.0)
    assert other.accuracy == pytest.approx(one.accuracy * 7 / 3, rel=1e-12)
    assert (other.steps, other.batch) == (one.steps, pytest.approx(one.batch))
    assert other.crowding(0.3) == pytest.approx(one.crowding(0.3), rel=1e-6)


def test_growth_in_the_number_of_records() -> None:
    sizes = (10**12, 10**13)
    made = [theorem_5_4(Task(n, 10, 1.0, DELTA), 5.0) for n in sizes]
    quantities = {
        "accuracy": [p.accuracy for p in made],
        "steps": [p.steps for p in made],
        "momentum": [p.momentum for p in made],
        "batch": [p.batch for p in made],
        "rate": [p.batch / p.task.records for p in made],
        "variance": [p.variance(0.5) for p in made],
        "rate * order * (1 + variance)": [p.crowding(0.5) for p in made],
        "gradients": [p.gradients for p in made],
    }
    assert set(quantities) == set(EXPONENTS)
    for name, (low, high) in quantities.items():
        assert math.log10(high / low) == pytest.approx(EXPONENTS[name], abs=2e-3), name


def test_the_formulas_before_rounding_are_those_of_the_calibration() -> None:
    made = theorem_5_4(Task(10**7, 10, 1.0, DELTA), 5.0)
    exact = dataclasses.replace(made, batch=float(math.ceil(made.batch)))
    conditions = calibrate(made.setting(), 1.0, DELTA, 0.4).conditions
    assert conditions[0].value == pytest.approx(exact.variance(0.4), rel=1e-12)
    assert conditions[1].value == pytest.approx(-2 / 3 * exact.variance(0.4) * math.log(exact.crowding(0.4)), rel=1e-10)


def test_the_printed_variance_of_the_utility_proof_is_at_least_four_times_too_small() -> None:
    """(2.19) has log(1/delta)/eps^2 for alpha/(beta eps); their ratio is (c + 1 - beta)/(c beta (1 - beta)) >= 4."""
    for epsilon in (0.5, 1.0, 5.0):
        ratios = [
            order_of(epsilon, DELTA, b / 100) / (b / 100 * epsilon) / (-math.log(DELTA) / epsilon**2)
            for b in range(1, 100)
        ]
        assert min(ratios) >= 4


@pytest.mark.deep
def test_the_conditions_hold_in_a_window_of_records_only() -> None:
    """d = 100, eps = 5, C9 = 2: from about 200 to 1.4 million records, and never again; growing n makes it worse."""
    task = Task(10, 100, 5.0, DELTA)
    window = window_of_records(task, 2.0, largest=10**8)
    assert window is not None
    low, high = window
    assert 150 < low < 300
    assert 1.2e6 < high < 1.6e6
    inside = theorem_5_4_feasibility(dataclasses.replace(task, records=10**5), 2.0)
    assert inside is not None
    assert inside.best.feasible
    for n in (10**7, 10**9, 10**12):
        outside = theorem_5_4_feasibility(dataclasses.replace(task, records=n), 2.0)
        assert outside is not None
        assert outside.intervals == ()
    crowding = [theorem_5_4(dataclasses.replace(task, records=10**k), 2.0).crowding(0.5) for k in (6, 9, 12, 15)]
    assert crowding == sorted(crowding)
    assert crowding[-1] > 1


@pytest.mark.parametrize("dimension", [1, 10])
def test_for_small_constants_there_is_no_window(dimension: int) -> None:
    for records in (10**3, 10**4, 10**5, 10**6, 10**8, 10**10, 10**12):
        found = theorem_5_4_feasibility(Task(records, dimension, 1.0, DELTA), 1.0)
        assert found is None or not found.intervals


def test_a_prescription_that_gives_no_run_says_why() -> None:
    made = theorem_5_4(Task(100, 100, 0.5, DELTA), 10.0)
    assert any("momentum" in words for words in made.refused)
    assert any("below 1" in words for words in made.refused)
    with pytest.raises(ConfigurationError, match=r"theorem 5\.4 gives no run here: momentum"):
        made.setting()
    assert theorem_5_4_feasibility(made.task, 10.0) is None


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 5.0, 50.0])
def test_corollary_5_3_holds_from_its_own_number_of_steps_on(epsilon: float) -> None:
    stated, exact = corollary_5_3_least_steps(epsilon, DELTA)
    assert epsilon <= exact < stated
    records = 10**15
    for steps, holds in (
        (math.ceil(stated), True),
        (math.ceil(exact * 1.001), True),
        (math.floor(exact * 0.999), False),
    ):
        setting, made = corollary_5_3(records, epsilon, DELTA, steps, 1.0, 0.5, 0.01, 1.0)
        assert made.feasible is holds
        assert made.conditions[0].value == pytest.approx(7 * made.order, rel=1e-6), "7 alpha, not 14 alpha"
        assert setting.batch / records == pytest.approx(math.sqrt(epsilon / steps), rel=1e-6)


def test_corollary_5_3_needs_many_passes_over_the_data() -> None:
    """2 T tau = 2 sqrt(eps T): about 10,000 passes at eps = 1, delta = 1e-5."""
    _, exact = corollary_5_3_least_steps(1.0, DELTA)
    assert 2 * math.sqrt(exact) == pytest.approx(9983, rel=1e-3)
    with pytest.raises(ConfigurationError, match="steps must be at least epsilon"):
        corollary_5_3(100, 5.0, DELTA, 4, 1.0, 0.5, 0.01, 1.0)


def test_the_batch_of_corollary_5_3_is_rounded_down() -> None:
    """srm/COR-5.3/rounded-up: with b = 2 in the place of 181/180 the order condition fails."""
    setting, made = corollary_5_3(181, 2.0, math.exp(-1), 64_800, 1.0, 0.5, 0.01, 1.0)
    assert setting.batch == setting.first_batch == 1
    assert made.feasible
