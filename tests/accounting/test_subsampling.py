"""Divergences of sampled Gaussians: against 40-digit values, against dp-accounting, and against each other.

Largest relative deviations found: 6e-13 from the vectors; 2e-15 from dp-accounting's theorem at orders up to 8, where
it uses no sharper terms; 2e-13 from dp-accounting's Poisson curve at integer orders (at fractional ones that is up to
30 % too large).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpaudit.accounting import subsampling
from dpaudit.accounting.subsampling import (
    collinear,
    counts,
    divergence,
    gaussian_limit,
    line,
    line_reversed,
    symmetrised,
    theorem_9,
    theorem_9_of,
    triangle,
    with_replacement,
)
from dpaudit.records.errors import ConfigurationError

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "srm_accounting.json").read_text(encoding="utf-8"))
CURVES = ("theorem_9", "line", "line_reversed", "collinear", "symmetrised")


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("case", VECTORS["divergences"], ids=lambda c: f"{c['order']}-{c['rate']}-{c['variance']}")
def test_curves_have_the_values_of_forty_digits(name: str, case: dict[str, float]) -> None:
    curve = getattr(subsampling, name)
    assert float(curve(case["order"], case["rate"], case["variance"])) == pytest.approx(case[name], rel=5e-12)


@pytest.mark.parametrize("case", VECTORS["large"], ids=lambda c: f"{c['order']}-{c['rate']}-{c['variance']}")
def test_large_orders_do_not_overflow(case: dict[str, float]) -> None:
    order, rate, variance = case["order"], case["rate"], case["variance"]
    assert float(theorem_9(order, rate, variance)) == pytest.approx(case["theorem_9"], rel=1e-12)
    assert float(line(order, rate, variance)) == pytest.approx(case["line"], rel=1e-12)
    others = [float(curve(order, rate, variance)) for curve in (line_reversed, collinear, triangle, symmetrised)]
    assert all(0 < value <= float(symmetrised(order, rate, variance)) for value in others)


@pytest.mark.parametrize("case", VECTORS["triangle"], ids=str)
def test_the_triangle_has_the_values_of_a_plane_quadrature(case: dict[str, Any]) -> None:
    found = float(triangle(case["order"], case["rate"], case["variance"], tuple(case["sides"])))
    assert found == pytest.approx(case["value"], rel=1e-10)


@pytest.mark.parametrize("case", VECTORS["with_replacement"], ids=str)
def test_draws_with_replacement_have_the_values_of_full_enumeration(case: dict[str, Any]) -> None:
    given_ = case["order"], case["draws"], case["records"], case["variance"]
    assert float(with_replacement(*given_)) == pytest.approx(case["value"], rel=1e-11)
    assert float(with_replacement(*given_, reverse=True)) == pytest.approx(case["reversed"], rel=1e-11)


def test_the_limit() -> None:
    for case in VECTORS["gaussian_limit"]:
        found = gaussian_limit(case["rate"], case["variance"], case["steps"])
        assert found == pytest.approx(case["mu"], rel=1e-14)


@pytest.mark.parametrize(("rate", "multiplier"), [(0.01, 1.0), (0.1, 2.0), (0.001, 0.8)])
def test_theorem_9_beside_dp_accounting(rate: float, multiplier: float) -> None:
    import dp_accounting

    orders = [2, 3, 4, 5.5, 8, 16, 64]
    accountant = dp_accounting.rdp.RdpAccountant(orders, dp_accounting.NeighboringRelation.REPLACE_ONE)
    sampled = dp_accounting.SampledWithoutReplacementDpEvent(
        10_000, int(10_000 * rate), dp_accounting.GaussianDpEvent(multiplier)
    )
    accountant.compose(sampled)
    ours = theorem_9(orders, rate, multiplier**2)
    assert np.all(accountant.rdp <= ours * (1 + 1e-9)), "the package has the sharper theorem 27 for higher terms"
    assert accountant.rdp[0] == pytest.approx(ours[0], rel=1e-12)
    assert np.all(accountant.rdp >= symmetrised(orders, rate, multiplier**2)), "what holds is below both"


@pytest.mark.parametrize(("rate", "multiplier"), [(0.01, 1.0), (0.1, 2.0), (0.001, 0.8)])
def test_line_is_the_poisson_curve_of_dp_accounting(rate: float, multiplier: float) -> None:
    import dp_accounting

    orders = [2, 3, 8, 16, 64, 1.5, 5.5]
    accountant = dp_accounting.rdp.RdpAccountant(orders)
    accountant.compose(dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(multiplier)))
    ours = line(orders, rate, multiplier**2)
    assert ours[:5] == pytest.approx(accountant.rdp[:5], rel=1e-12)
    assert np.all(ours[5:] <= accountant.rdp[5:]), "its series for fractional orders is an upper bound"
    assert np.all(accountant.rdp[5:] < 1.4 * ours[5:])


@settings(max_examples=60, deadline=None)
@given(order=st.integers(2, 24), rate=st.floats(1e-4, 0.5), variance=st.floats(0.3, 20.0))
def test_bounds_lie_above_every_realised_pair(order: int, rate: float, variance: float) -> None:
    least = float(symmetrised(order, rate, variance))
    assert least <= float(theorem_9(order, rate, variance)) * (1 + 1e-9)
    for curve in (line, line_reversed, collinear):
        assert float(curve(order, rate, variance)) <= least * (1 + 1e-9)
    assert float(triangle(order, rate, variance)) <= least * (1 + 1e-9) + 1e-12


def test_three_different_laws_are_worse_than_two() -> None:
    """At small rates the triangle has D = alpha tau^2 (e^{1/s} - e^{1/(2s)}), the line alpha tau^2 (e^{1/s} - 1)/2."""
    for variance in (0.7, 2.0, 8.0):
        expected = 2 * (math.exp(1 / variance) - math.exp(0.5 / variance)) / math.expm1(1 / variance)
        found = float(triangle(2, 1e-3, variance) / line(2, 1e-3, variance))
        assert found == pytest.approx(expected, rel=2e-2)
        assert found > 1.01


def test_a_flat_triangle_is_the_line() -> None:
    orders = [2, 5, 9]
    on_the_line = [float(divergence(a, ((0.9, 0.0), (0.1, 0.5)), ((0.9, 0.0), (0.1, -0.5)), 1.5)) for a in orders]
    assert triangle(orders, 0.1, 1.5, (0.5, 0.5, 1.0)) == pytest.approx(on_the_line, rel=1e-9)


def test_no_sampling_is_the_plain_mechanism() -> None:
    orders = np.array([2.0, 3.5, 10.0])
    for curve in (line, line_reversed, symmetrised):
        assert curve(orders, 1.0, 2.0) == pytest.approx(orders / 4, rel=1e-11)
    assert with_replacement(orders, 1, 50, 2.0) == pytest.approx(line(orders, 0.02, 2.0), rel=1e-11)
    assert counts(3, 1) == pytest.approx([0, 0, 0, 1])
    assert counts(4, 3).sum() == pytest.approx(1, rel=1e-14)


def test_the_general_theorem_with_a_pure_base() -> None:
    # With j >= 2 one term each: 1 + tau^2 C(2,2) min(4 (e^e2 - 1), e^e2 min(2, (e^eps - 1)^2)).
    pure = 0.5
    found = float(theorem_9_of(2, 0.1, lambda order: np.minimum(pure, order * pure**2 / 2), pure))
    second = min(4 * math.expm1(pure**2), math.exp(pure**2) * min(2, math.expm1(pure) ** 2))
    assert found == pytest.approx(math.log1p(0.01 * second), rel=1e-12)
    gaussian = theorem_9_of([2, 3.5, 9], 0.05, lambda order: order / 3)
    assert gaussian == pytest.approx(theorem_9([2, 3.5, 9], 0.05, 1.5), rel=1e-14)


def test_orders_keep_their_shape_and_grow() -> None:
    values = line([[2, 3], [4, 5]], 0.1, 1.0)
    assert values.shape == (2, 2)
    assert np.all(np.diff(values.ravel()) > 0)


@pytest.mark.parametrize("curve", [theorem_9, line, line_reversed, collinear, symmetrised, triangle])
def test_what_describes_nothing_is_refused(curve: Callable[..., Any]) -> None:
    for arguments, name in (((1.0, 0.1, 1.0), "orders"), ((2, 0.0, 1.0), "rate"), ((2, 0.1, 0.0), "variance")):
        with pytest.raises(ConfigurationError, match=name):
            curve(*arguments)


def test_what_takes_too_long_or_has_no_form_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="smaller order"):
        line_reversed(1e4, 0.1, 1e-8)
    with pytest.raises(ConfigurationError, match="must be integers"):
        triangle(2.5, 0.1, 1.0)
    with pytest.raises(ConfigurationError, match="triangle"):
        triangle(2, 0.1, 1.0, (1.0, 1.0, 3.0))
