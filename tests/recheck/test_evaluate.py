"""Enclosures of terms hold every value, and all numbers where a term has none for certain."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from dpaudit.recheck.evaluate import enclose
from dpaudit.recheck.interval import REALS
from dpaudit.recheck.terms import Refused, term

VALUES = {"x": (Decimal("0.25"), Decimal("0.25")), "n": (Decimal(3), Decimal(3)), "w": (Decimal(-1), Decimal(1))}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x**n + 1/x", "0.25**3 + 4"),
        ("exp(-x)*log(n)", "exp(-0.25)*log(3)"),
        ("sqrt(n)/2**x", "sqrt(mpf(3))/mpf(2)**0.25"),
        ("sum(k, 1, n, 1/k)", "1 + mpf(1)/2 + mpf(1)/3"),
        ("floor(n/2) + ceil(x) + abs(-x)", "1 + 1 + 0.25"),
        ("pi*log2(n)", "pi*log(3, 2)"),
        ("binomial(n, 2) + factorial(n)", "3 + 6"),
        ("max(x, n) - min(x, n)", "2.75"),
    ],
)
def test_the_value_lies_inside(text: str, value: str) -> None:
    mpmath.mp.dps = 40
    low, high = enclose(term(text), VALUES)
    exact = eval(value, {name: getattr(mpmath, name) for name in ("exp", "log", "sqrt", "pi", "mpf")})
    assert mpmath.mpf(str(low)) - mpmath.mpf(10) ** -30 <= exact <= mpmath.mpf(str(high)) + mpmath.mpf(10) ** -30
    assert high - low < Decimal("1e-30")


@pytest.mark.parametrize("text", ["log(w)", "sqrt(w)", "1/w", "w**(1/2)", "sum(k, 1, w, k)", "integral(z, w, 1, z)"])
def test_what_may_have_no_value_is_not_enclosed(text: str) -> None:
    assert enclose(term(text), VALUES) == REALS


def test_panels_make_an_integral_sharp() -> None:
    widths = [
        high - low for low, high in (enclose(term("integral(z, 0, 1, z)"), {}, panels) for panels in (1, 10, 100))
    ]
    assert widths == sorted(widths, reverse=True)
    low, high = enclose(term("integral(z, 0, 1, z)"), {}, 1000)
    assert Fraction(low) <= Fraction(1, 2) <= Fraction(high)


@pytest.mark.parametrize("text", ["y", "dot(u, u)", "E(x)", "norm(u)"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        enclose(term(text), VALUES)
