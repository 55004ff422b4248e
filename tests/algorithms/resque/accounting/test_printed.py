"""The accountant of the ReSQue solvers: numbers by hand, preconditions, compositions, corollary 1, a lower bound."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.accounting import printed as accounting
from dpaudit.algorithms.resque.accounting.printed import Bound, Setting
from dpaudit.records.errors import ConfigurationError

WIDE = Setting(records=10**6, steps=1000, privacy=1e-3, delta=1e-3, radius=1.0, smoothing=1e9)
ORDERS = (1.5, 2.0, 8.0)


def test_known_indices_by_hand() -> None:
    bounds = accounting.fixed_indices(WIDE, 3, ORDERS)
    assert [b.epsilon for b in bounds] == pytest.approx([1500 * 9e-6 * order for order in ORDERS])
    assert {b.delta for b in bounds} == {1e-3}
    assert accounting.one_phase(WIDE, 3, ORDERS)[0].delta == pytest.approx(1e-3 / math.log2(1000))
    assert accounting.fixed_indices(WIDE, 0, (2.0,)) == [Bound(2.0, 0.0, 0.0)]


def test_the_radius_condition_doubles_with_a_regulariser() -> None:
    least = 1728 * math.log(math.log2(1000) / 1e-3) ** 2
    just = dataclasses.replace(WIDE, smoothing=1.000001 * least)
    assert accounting.fixed_indices(just, 1, (2.0,))[0].violated == ()
    (words,) = accounting.fixed_indices(just, 1, (2.0,), regularised=True)[0].violated
    assert words.startswith("rho/r = ")
    assert accounting.fixed_indices(just, 1, (2.0,), regularised=True)[0].epsilon == math.inf


def test_hidden_indices_with_the_constant_of_the_paper() -> None:
    """alpha C (beta log(1/delta) T/n)^2."""
    for bound, order in zip(accounting.sub_erm(WIDE, ORDERS, constant=5.0), ORDERS, strict=True):
        assert bound.epsilon == pytest.approx(5 * order * (1e-3 * math.log(1000) * 1e-3) ** 2, rel=1e-9)
        assert bound.epsilon >= 5 * order * (1e-3 * math.log(1000) * 1e-3) ** 2


def test_hidden_indices_with_the_constants_of_the_proof() -> None:
    setting = dataclasses.replace(WIDE, privacy=1e-4)
    bound = accounting.sub_erm(setting, (2.0,), "derived")[0]
    assert bound.epsilon == pytest.approx(2 * 112320 * (1e-4 * math.log(2000) * 1e-3) ** 2, rel=1e-9)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"records": 50_000}, "T/n"),
        ({"privacy": 0.01}, "18000"),
        ({"delta": 0.17}, "delta"),
        ({"smoothing": 10.0}, "rho/r"),
    ],
)
def test_a_violated_precondition_is_named_and_nothing_is_promised(change: dict[str, float], word: str) -> None:
    setting = dataclasses.replace(WIDE, **{"privacy": 1e-4} | change)  # type: ignore[arg-type]
    bound = accounting.sub_erm(setting, (2.0,), "derived")[0]
    assert any(words.startswith(word) for words in bound.violated)
    assert bound.epsilon == math.inf
    assert math.isfinite(bound.formula)


def test_orders_outside_the_range_are_refused() -> None:
    most = 1 / (4.0 * (1e-3 * math.log(1000)) ** 2)
    low, inside, above = accounting.sub_erm(WIDE, (1.0, 0.999 * most, 1.001 * most))
    assert low.epsilon == above.epsilon == math.inf
    assert inside.violated == ()


def test_one_step_reads_no_record() -> None:
    setting = dataclasses.replace(WIDE, steps=1, smoothing=1.0)
    assert accounting.sub_erm(setting, (2.0,))[0].epsilon == 0
    assert accounting.strongly_convex(setting, (2.0,))[0].epsilon == 0


def test_composition_adds_up_and_keeps_what_is_violated() -> None:
    first, second = [Bound(2.0, 0.1, 1.0)], [Bound(2.0, 0.2, 3.0, ("x",))]
    (both,) = accounting.compose(first, second, second)
    assert (both.formula, both.delta) == (pytest.approx(7), pytest.approx(0.5))
    assert both.violated == ("x",)
    assert accounting.repeated(first, 4)[0].epsilon == pytest.approx(4)
    with pytest.raises(ConfigurationError, match="common orders"):
        accounting.compose(first, [Bound(3.0, 0.1, 1.0)])


def test_the_strongly_convex_solver_is_the_sum_of_its_calls() -> None:
    """sum_i alpha C (beta_i log(k/delta) T_i/n)^2 = alpha C log^2(k/delta) (beta T/n)^2 (1 - 2^-k), k = 4."""
    bound = accounting.strongly_convex(WIDE, (2.0,))[0]
    expected = 2 * 4 * math.log(4 / 1e-3) ** 2 * (1e-3 * 1e-3) ** 2 * (1 - 2.0**-4)
    assert bound.epsilon == pytest.approx(expected, rel=1e-9)
    assert bound.delta == pytest.approx(1e-3)
    assert bound.epsilon <= accounting.strongly_convex(WIDE, (2.0,), "stated")[0].formula * (1 + 1e-9)


def test_the_first_call_restricts_the_orders_of_all() -> None:
    """beta_0 = 2^(k/2) beta: an order that the outer condition allows is out of range for the first call."""
    order = 0.5 / (4.0 * (1e-3 * math.log(4 / 1e-3)) ** 2)
    bound = accounting.strongly_convex(WIDE, (order,), "stated")[0]
    assert bound.epsilon == math.inf
    assert all(words.startswith("inner call") for words in bound.violated)


def test_a_loop_of_the_bias_reduction() -> None:
    setting = dataclasses.replace(WIDE, steps=256)
    third = dataclasses.replace(setting, delta=setting.delta / 3)
    levels = [accounting.at_level(third, j) for j in (0, 3, 2)]
    parts = [accounting.strongly_convex(level, (2.0,))[0].epsilon for level in levels]
    assert accounting.bias_reduced(setting, 3, 5, (2.0,))[0].epsilon == pytest.approx(sum(parts))
    assert accounting.bias_reduced(setting, 6, 5, (2.0,))[0].epsilon == pytest.approx(parts[0])
    assert levels[1].privacy ** 2 * levels[1].steps ** 2 == pytest.approx(8 * (1e-3 * 256) ** 2)


def test_copies_share_delta() -> None:
    one = dataclasses.replace(WIDE, delta=1e-3 / 47)
    many = accounting.high_probability(WIDE, 0.1, (2.0,))[0]
    assert many.epsilon == pytest.approx(47 * accounting.strongly_convex(one, (2.0,))[0].epsilon)
    assert many.delta == pytest.approx(1e-3)


def test_a_run_of_the_acceleration() -> None:
    bounds = accounting.accelerated(WIDE, (64, 64, 64), 0.01, (10, 5), (1, 1, 2, 9), 4, ORDERS)
    assert all(b.violated == () for b in bounds)
    assert bounds[0].delta == pytest.approx(1e-3 / 6)
    shared = dataclasses.replace(WIDE, delta=1e-3 / 18 / 4)
    loops = [
        accounting.bias_reduced(dataclasses.replace(shared, steps=64), j, 4, ORDERS)[1].epsilon for j in (1, 1, 2, 9)
    ]
    ball = accounting.strongly_convex(dataclasses.replace(WIDE, steps=64, delta=1e-3 / 180), ORDERS)[1].epsilon
    search = accounting.high_probability(dataclasses.replace(WIDE, steps=64, delta=1e-3 / 900), 0.01, ORDERS)[1].epsilon
    assert bounds[1].epsilon == pytest.approx(sum(loops) + 10 * ball + 50 * search)


def test_corollary_one_without_delta_is_the_usual_conversion() -> None:
    bounds = [Bound(order, 0.0, 0.1 * order) for order in (2.0, 5.0, 20.0)]
    expected = min(0.1 * order + math.log(1e5) / (order - 1) for order in (2.0, 5.0, 20.0))
    assert accounting.epsilon_at(bounds, 1e-5) == pytest.approx(expected)
    assert accounting.epsilon_at([Bound(2.0, 0.0, 0.0)], 1e-5) == 0


def test_corollary_one_chooses_the_split_of_delta() -> None:
    bound = Bound(30.0, 1e-7, 0.5)
    found = accounting.epsilon_at([bound], 1e-5)
    free = np.exp(np.linspace(math.log(1e-9), math.log(1e-5), 200_001))
    epsilons = 0.5 + np.log(1 / free) / 29
    feasible = free + (1 + np.exp(epsilons)) * 1e-7 <= 1e-5
    assert found == pytest.approx(epsilons[feasible].min(), rel=1e-5)
    assert accounting.epsilon_at([dataclasses.replace(bound, delta=1e-5)], 1e-5) == math.inf
    assert accounting.epsilon_at([dataclasses.replace(bound, violated=("x",))], 1e-5) == math.inf
    assert accounting.epsilon_at([], 1e-5) == math.inf


def test_the_bound_lies_above_what_the_canary_pair_reveals() -> None:
    """Exact divergence of the canary pair with hidden indices: a lower bound for the accountant to stay above."""
    params = sub_erm.Params(centre=(0.0,), radius=1.0, smoothing=1e9, privacy=2e-4, steps=64, estimator="unweighted")
    setting = Setting(64 * 60, 64, 2e-4, 1e-3, 1.0, 1e9)
    for order in ORDERS:
        lower = sub_erm.canary_divergence(params, 64 * 60, order)
        assert 0 < lower <= accounting.sub_erm(setting, (order,), "derived")[0].epsilon


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="steps must be at least"):
        dataclasses.replace(WIDE, steps=0.5)
    with pytest.raises(ConfigurationError, match="mode must be one of"):
        accounting.strongly_convex(WIDE, (2.0,), "proved")
