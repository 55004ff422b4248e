"""Privacy statements refuse parameters that mean nothing."""

from __future__ import annotations

import math

import pytest

from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, RenyiDP, claim


@pytest.mark.parametrize("epsilon", [-1e-9, math.nan])
def test_epsilon_is_not_negative(epsilon: float) -> None:
    with pytest.raises(ContentError, match="epsilon must be at least 0"):
        ApproximateDP(epsilon, 1e-5)


@pytest.mark.parametrize("delta", [-0.1, 1.0, math.nan])
def test_delta_is_a_probability_below_one(delta: float) -> None:
    with pytest.raises(ContentError, match=r"delta must be in \[0, 1\)"):
        ApproximateDP(1.0, delta)


def test_edges_are_allowed() -> None:
    assert ApproximateDP(math.inf, 0.0).epsilon == math.inf
    assert GaussianDP(0.0).mu == 0.0


@pytest.mark.parametrize("mu", [-1.0, math.inf, math.nan])
def test_mu_is_finite_and_not_negative(mu: float) -> None:
    with pytest.raises(ContentError, match="mu must be finite"):
        GaussianDP(mu)


@pytest.mark.parametrize(("order", "epsilon"), [(1.0, 1.0), (2.0, -1.0), (math.nan, 1.0), (2.0, math.nan)])
def test_renyi_needs_an_order_above_one(order: float, epsilon: float) -> None:
    with pytest.raises(ContentError, match="RDP needs order > 1"):
        RenyiDP(order, epsilon)


def test_a_claim_in_one_line() -> None:
    assert claim(epsilon=1.0).guarantee == ApproximateDP(1.0, 0.0)
    assert claim(epsilon=1.0).delta == 1e-5
    assert claim(epsilon=0.0, delta=1e-6) == claim(0.0, 1e-6, quoted_delta=1e-3)
    assert claim(epsilon=1.0, delta=1e-6).delta == 1e-6
    stated = claim(mu=2.0, neighbours=Neighbours.REPLACE_ONE, quoted_delta=1e-7, source="README")
    assert (stated.guarantee, stated.delta, stated.source) == (GaussianDP(2.0), 1e-7, "README")


@pytest.mark.parametrize("given", [{}, {"epsilon": 1.0, "mu": 1.0}])
def test_a_claim_states_one_number(given: dict[str, float]) -> None:
    with pytest.raises(ContentError, match=r"epsilon or mu.*write claim\(epsilon=1.0, delta=1e-5\)"):
        claim(**given)


def test_a_gaussian_claim_has_no_delta() -> None:
    with pytest.raises(ContentError, match="mu-GDP has no delta"):
        claim(mu=1.0, delta=1e-5)


def test_pure_privacy_is_quoted_at_delta_0_where_asked() -> None:
    stated = claim(epsilon=1.0, quoted_delta=0.0)
    assert (stated.guarantee, stated.delta) == (ApproximateDP(1.0, 0.0), 0.0)
    with pytest.raises(ContentError, match="mu-GDP has no epsilon at delta 0"):
        claim(mu=1.0, quoted_delta=0.0)
