"""The epsilon of what is known by its divergences: concentrated and Renyi privacy, events that fail, mixed kinds."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.accounting.epsilon import EpsilonBounds, claimed_epsilon, epsilon_bounds, gaussian_epsilon
from dpaudit.accounting.subsampling import symmetrised
from dpaudit.algorithms.resque.accounting.printed import Bound, epsilon_at
from dpaudit.records.mechanism import (
    ApproximateRenyi,
    Composed,
    Concentrated,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    PoissonSampled,
    PureDP,
    SelfComposed,
)
from dpaudit.records.privacy import Neighbours, RenyiDP

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "srm_accounting.json").read_text(encoding="utf-8"))
ADD, REPLACE = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
SAMPLED = SelfComposed(PoissonSampled(0.2, Gaussian(1.5)), 30)


@pytest.mark.parametrize("case", VECTORS["concentrated_epsilon"], ids=str)
def test_concentrated_privacy_is_converted_at_the_best_order(case: dict[str, float]) -> None:
    bounds = epsilon_bounds(Concentrated(case["rho"]), case["delta"], ADD)
    assert case["upper"] * (1 - 1e-12) <= bounds.upper <= case["upper"] * (1 + 1e-8)
    assert bounds.lower == gaussian_epsilon(case["delta"], math.sqrt(2 * case["rho"]))
    parts = (
        Concentrated(case["rho"] / 4),
        SelfComposed(Concentrated(case["rho"] / 4), 2),
        Gaussian((2 / case["rho"]) ** 0.5),
    )
    whole = epsilon_bounds(Composed(parts), case["delta"], ADD)
    assert whole.upper == pytest.approx(bounds.upper, rel=1e-7)
    assert whole.lower == pytest.approx(bounds.lower, rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(rho=st.floats(1e-4, 20.0), log=st.floats(-12, -1), failure=st.floats(0, 0.9))
def test_concentrated_enclosures_are_directed(rho: float, log: float, failure: float) -> None:
    delta = 10**log
    bounds = epsilon_bounds(Concentrated(rho, failure * delta), delta, ADD)
    plain = epsilon_bounds(Concentrated(rho), delta, ADD)
    assert 0 <= bounds.lower <= bounds.upper < math.inf
    assert bounds.upper >= plain.upper * (1 - 1e-9)
    assert bounds.lower >= plain.lower * (1 - 1e-9)


def test_an_event_costs_its_probability() -> None:
    failure, delta = 4e-6, 1e-5
    bounds = epsilon_bounds(Concentrated(0.5, failure), delta, ADD)
    without = epsilon_bounds(Concentrated(0.5), delta - failure, ADD)
    assert bounds.upper == pytest.approx(without.upper - math.log1p(-failure), rel=1e-9)
    assert bounds.lower == pytest.approx(gaussian_epsilon((delta - failure) / (1 - failure), 1.0), rel=1e-9)
    twice = epsilon_bounds(SelfComposed(Concentrated(0.25, failure / 2), 2), delta, ADD)
    assert twice.upper == pytest.approx(bounds.upper, rel=1e-6)


def test_a_delta_that_the_failures_use_up_gives_infinity_and_says_so() -> None:
    for mechanism in (
        Concentrated(0.5, 1e-5),
        SelfComposed(Concentrated(0.1, 1e-6), 20),
        ApproximateRenyi(8, 0.1, 5e-6),
    ):
        bounds = epsilon_bounds(mechanism, 1e-5, REPLACE)
        assert bounds.upper == math.inf
        assert "not above the failures" in bounds.reason
    for failure in (1e-5, 3e-7, 7.7e-9, 1.3e-3):
        assert epsilon_bounds(Concentrated(0.5, failure), failure, ADD).upper == math.inf
        assert epsilon_bounds(Concentrated(0.5, 2 * failure), failure, ADD).lower == math.inf
    unbounded = epsilon_bounds(Composed((Gaussian(1.0), PureDP(math.inf))), 1e-5, ADD)
    assert unbounded == EpsilonBounds(math.inf, math.inf, "PureDP promises nothing: its budget is infinite")


@pytest.mark.parametrize("failure", [0.0, 1e-9, 1e-8])
def test_approximate_renyi_privacy_is_no_worse_than_the_papers_conversion(failure: float) -> None:
    """Corollary 1 of the ReSQue paper with the larger log(1/delta') in place of the sharper conversion."""
    order, epsilon, delta = 12.0, 0.5, 1e-6
    bounds = epsilon_bounds(ApproximateRenyi(order, epsilon, failure), delta, REPLACE)
    stated = epsilon_at([Bound(order, failure, epsilon)], delta)
    assert 0 < bounds.lower < bounds.upper < stated
    left = delta - (1 + math.exp(bounds.upper)) * failure
    assert bounds.upper >= claimed_epsilon(RenyiDP(order, epsilon), left) * (1 - 1e-12)


def test_smaller_orders_of_a_promise_at_one_order_are_used() -> None:
    parts = Composed((ApproximateRenyi(4.0, 0.5, 0.0), ApproximateRenyi(30.0, 0.5, 0.0)))
    assert epsilon_bounds(parts, 1e-5, ADD).upper == pytest.approx(claimed_epsilon(RenyiDP(4.0, 1.0), 1e-5), rel=1e-8)


def test_mixed_kinds_add_up_as_divergences() -> None:
    sampled = SelfComposed(FixedSizeSampled(10, 1000, Gaussian(1.2)), 50)
    mixed = Composed((sampled, Concentrated(0.05), Laplace(6.0), PureDP(0.1), Gaussian(5.0)))
    bounds = epsilon_bounds(mixed, 1e-5, REPLACE)

    def total(order: float) -> float:
        laplace = math.log(
            order / (2 * order - 1) * math.exp((order - 1) / 6) + (order - 1) / (2 * order - 1) * math.exp(-order / 6)
        )
        more = math.exp(0.1) / (1 + math.exp(0.1))
        response = math.log(more**order * (1 - more) ** (1 - order) + (1 - more) ** order * more ** (1 - order))
        return 50 * float(symmetrised(order, 0.01, 1.44)) + order * (0.05 + 1 / 50) + (laplace + response) / (order - 1)

    best = min(claimed_epsilon(RenyiDP(order, total(order)), 1e-5) for order in [2 + 0.25 * i for i in range(100)])
    assert best * 0.999 < bounds.upper <= best * (1 + 1e-8)
    assert 0.5 * bounds.upper < bounds.lower < bounds.upper
    poisson = Composed((SAMPLED, Concentrated(1e-12)))
    assert epsilon_bounds(poisson, 1e-5, ADD).upper > epsilon_bounds(SAMPLED, 1e-5, ADD).upper
