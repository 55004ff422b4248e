"""Values on complex balls agree with the real functions, and are not finite where that is not shown."""

from __future__ import annotations

import math

import pytest
from flint import acb, arb

from dpaudit.claims.language.complex_balls import complex_value
from dpaudit.claims.language.expression import parse


def value(text: str, x: acb, analytic: bool = True) -> acb:
    return complex_value(parse(text), {"x": x}, analytic)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("exp(x)*x - 1/x", math.exp(0.7) * 0.7 - 1 / 0.7),
        ("log(x) + sqrt(x)", math.log(0.7) + math.sqrt(0.7)),
        ("Phi(x)", 0.5 * math.erfc(-0.7 / math.sqrt(2))),
        ("exprel(x)", math.expm1(0.7) / 0.7),
        ("x**3 + pi", 0.343 + math.pi),
        ("sum(k, 0, 2, x**k)", 1 + 0.7 + 0.49),
        ("abs(x) + max(x, 2)", 2.7),
    ],
)
def test_on_a_real_point_it_is_the_real_function(text: str, expected: float) -> None:
    found = value(text, acb("0.7"))
    assert found.is_finite()
    assert float(found.real.mid()) == pytest.approx(expected, rel=1e-12)
    assert found.imag.contains(0)


@pytest.mark.parametrize(("text", "x"), [("log(x)", "-1"), ("sqrt(x)", "0"), ("x**0.5", "-1"), ("Gamma(x)", "-0.5")])
def test_on_a_cut_nothing_is_shown(text: str, x: str) -> None:
    assert not value(text, acb(x)).is_finite()


def test_across_a_join_a_value_is_not_analytic() -> None:
    around_zero = acb(arb(0, 1))
    assert not value("abs(x)", around_zero).is_finite()
    assert value("abs(x)", around_zero, analytic=False).is_finite()


def test_a_sum_of_too_many_or_unknown_terms_is_not_shown() -> None:
    assert not value("sum(k, 0, 501, x)", acb(1)).is_finite()
    assert not value("sum(k, 0, x, k)", acb(1)).is_finite()
