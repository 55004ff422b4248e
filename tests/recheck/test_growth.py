"""A mean is taken to exist only where its integrand grows slowly enough."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck.growth import EXPONENTIAL, LINEAR, NOT, POWER, growth
from dpaudit.recheck.terms import term

DOMAIN = domain("v vector", "x real [0, 1]", "xi gaussian 1")


@pytest.mark.parametrize(
    ("text", "grown"),
    [
        ("dot(v, v)", NOT),
        ("exp(exp(x))", NOT),
        ("dot(xi, v)", LINEAR),
        ("abs(dot(xi, v)) + floor(norm(xi))", LINEAR),
        ("Phi(dot(xi, xi))", LINEAR),
        ("dot(xi, v)**2 + norm(xi)", POWER),
        ("norm(xi)**x", POWER),
        ("sqrt(norm(xi))", POWER),
        ("exp(dot(xi, v))*norm(xi)", EXPONENTIAL),
        ("exp(norm(xi))**2/3", EXPONENTIAL),
    ],
)
def test_what_has_a_mean(text: str, grown: int) -> None:
    assert growth(DOMAIN, term(text)) == grown


@pytest.mark.parametrize(
    "text",
    [
        "exp(dot(xi, xi))", "1/dot(xi, v)", "log(norm(xi))", "exp(exp(dot(xi, v)))", "exp(norm(xi)**2)", "x/norm(xi)",
        "norm(xi)**(-1)", "2**norm(xi)", "Gamma(norm(xi))", "exp(dot(xi, v)*norm(xi))",
    ],
)  # fmt: skip
def test_what_may_have_none(text: str) -> None:
    assert growth(DOMAIN, term(text)) is None


CONTEXT = domain("a real (0, oo)", "y real (-oo, oo)", "u vector", "v vector", "xi gaussian a", "zeta gaussian 1")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("E(a*norm(xi + u) + norm(xi))", "a*E(norm(xi + u)) + E(norm(xi))"),
        ("E((norm(xi) + 1)**2)", "E(norm(xi)**2) + 2*E(norm(xi)) + 1"),
        ("E(norm(xi) - norm(zeta))", "E(norm(xi)) - E(norm(zeta))"),
        ("E(norm(xi) + exp(dot(xi, xi)))", "E(norm(xi)) + E(exp(dot(xi, xi)))"),
        ("E(dot(xi, u)**2 + exp(dot(xi, xi)))", "a**2*dot(u, u) + E(exp(dot(xi, xi)))"),
    ],
)
def test_means_are_linear_where_all_but_one_exist(text: str, value: str) -> None:
    assert CONTEXT.equal(term(text), term(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        # oo - oo: the left side may have a value where the right side has none
        ("E(exp(dot(xi, xi)) - exp(2*dot(xi, xi)))", "E(exp(dot(xi, xi))) - E(exp(2*dot(xi, xi)))"),
        ("E(1/norm(xi) - 1/dot(xi, xi))", "E(1/norm(xi)) - E(1/dot(xi, xi))"),
        ("E(norm(xi)*norm(zeta))", "E(norm(xi)) + E(norm(zeta))"),
        ("E(norm(xi)**2)", "E(norm(xi))**2"),
        ("E(norm(xi)*norm(xi + u))", "E(norm(xi))*E(norm(xi + u))"),
        ("E(exp(dot(xi, xi)))", "0"),
    ],
)
def test_what_is_no_sum_of_means_is_none(text: str, value: str) -> None:
    assert not CONTEXT.equal(term(text), term(value))


def test_a_term_has_a_mean_where_it_has_a_value_and_every_symbol_a_law() -> None:
    assert CONTEXT.integrable(term("norm(xi)"))
    assert not CONTEXT.integrable(term("norm(xi)/y"))
    assert not CONTEXT.integrable(term("sqrt(dot(xi, u))"))
    assert not domain("s real [-1, 1]", "xi gaussian s").integrable(term("norm(xi)"))
