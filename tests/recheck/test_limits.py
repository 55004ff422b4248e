"""Limits at infinity: continuous functions of known limits, and nothing where a rule would guess."""

from __future__ import annotations

import re

import pytest
from domains import domain

from dpaudit.recheck.limits import limit
from dpaudit.recheck.terms import Refused, term

OTHERS = domain("y real (-oo, oo)", "a real (0, oo)", "c real [0, 1]")


def found(text: str, end: int = 1) -> str:
    """The limit in x, where it is equal to a simple term."""
    made = limit(term(text), "x", end, OTHERS)
    return next((one for one in ("0", "1", "2", "y", "a", "log(a)", "y/a") if OTHERS.equal(made, term(one))), "another")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1/x", "0"),
        ("y + 1/x", "y"),
        ("(y + 1/x)/(a + exp(-x))", "y/a"),
        ("exp(-x)", "0"),
        ("exp(-a*x)", "0"),
        ("Phi(x)", "1"),
        ("Phi(-x)", "0"),
        ("1 - Phi(-x**2)", "1"),
        ("log(a + 1/x)", "log(a)"),
        ("x**(-1/2)", "0"),
        ("1/sqrt(x)", "0"),
        ("1/log(x)", "0"),
        ("1/(1 - x)", "0"),
        ("1/(x - x**(-2))", "0"),
        ("2*x**0", "2"),
        ("exp(-x**2/2)*exp(-x)", "0"),
    ],
)
def test_limits_at_infinity(text: str, value: str) -> None:
    assert found(text) == value


@pytest.mark.parametrize(("text", "value"), [("exp(x)", "0"), ("Phi(x)", "0"), ("1/x**3", "0"), ("exp(-x**2)", "0")])
def test_limits_at_minus_infinity(text: str, value: str) -> None:
    assert found(text, -1) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # infinite, or of a kind that has no value of its own
        ("x", "no finite limit"),
        ("-x**3", "no finite limit"),
        ("x - x", "oo - oo"),
        ("x - x**2", "oo - oo"),
        ("x*exp(-x)", "oo times 0"),
        ("x/x", "oo times 0"),
        ("(1 + x)/x", "oo times 0"),
        # a sign that is not sure
        ("exp(-y*x)", "oo times (-y)"),
        ("exp(-c*x)", "oo times (-c)"),
        ("1/(x*y)", "oo times y"),
        ("log(c + 1/x)", "limit of its logarithm is not known"),
        ("log(1/x)", "limit of its logarithm is not known"),
        ("1/(1/x)", "is not shown"),
        ("(1/x)**(-1/2)", "is not shown"),
        ("(y + 1/x)**(1/2)", "is not shown"),
        ("(y + 1/x)**(-2)", "is not shown"),
        # no rule
        ("floor(1/x)", "no rule gives the limit"),
        ("abs(x)", "no rule gives the limit"),
        ("x**y", "no rule gives the limit"),
        ("a**x", "no rule gives the limit"),
        ("sum(k, 1, x, 1/2**k)", "no rule gives the limit"),
        ("max(x, 1)", "no rule gives the limit"),
    ],
)
def test_what_no_rule_gives_has_no_limit(text: str, reason: str) -> None:
    with pytest.raises(Refused, match=re.escape(reason)):
        limit(term(text), "x", 1, OTHERS)


@pytest.mark.parametrize("text", ["log(x)", "sqrt(x)", "x**(1/3)"])
def test_roots_and_logarithms_have_no_value_at_minus_infinity(text: str) -> None:
    with pytest.raises(Refused, match="no value at -oo"):
        limit(term(text), "x", -1, OTHERS)
