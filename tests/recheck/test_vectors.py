"""Dot products against coordinates, and means of gaussian vectors against their moments."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from depth import repeats
from domains import domain

from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import Refused, term

ROWS = ("a real [0, 9]", "u vector", "v vector", "w vector", "xi gaussian 1/2", "zeta gaussian 2")
CONTEXT = domain(*ROWS)


def combination(rng: random.Random) -> str:
    names = rng.sample("uvw", 2)
    return f"({rng.randint(-3, 3)}*{names[0]} - a*{names[1]})/{rng.randint(1, 4)}"


def test_dot_products_expand_like_coordinates() -> None:
    rng = random.Random(20261124)
    for _ in range(repeats(80, 2_000)):
        node = term(f"dot({combination(rng)}, {combination(rng)}) + norm({combination(rng)})**2")
        back = CONTEXT.forms.node(CONTEXT.forms.form(node))
        at = {name: f"({rng.randint(-4, 4)}, {rng.randint(-4, 4)}/3)" for name in "uvw"} | {"a": str(rng.randint(0, 9))}
        point = Point(CONTEXT, at)
        first, second = point.value(node), point.value(back)
        assert first is not None
        assert second is not None
        assert point.there.equal(first, second)


def hermite(power: int, spread: Fraction) -> Fraction:
    """The moment E X**power of N(0, spread**2)."""
    total = Fraction(power % 2 == 0)
    for odd in range(1, power, 2):
        total *= odd
    return total * spread**power


@pytest.mark.parametrize("power", range(9))
def test_moments_of_one_gaussian(power: int) -> None:
    for name, spread in (("xi", Fraction(1, 2)), ("zeta", Fraction(2))):
        moment = hermite(power, spread)
        wanted = f"{moment}*norm(v)**{power}" if moment else "0"
        assert CONTEXT.equal(term(f"E(dot({name}, v)**{power})"), term(wanted))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("E(dot(xi, v)*dot(zeta, v))", "0"),
        ("E(dot(xi, u)**2*dot(xi, v)**2)", "(dot(u, u)*dot(v, v) + 2*dot(u, v)**2)/16"),
        ("E(dot(xi, v)**2*exp(dot(xi, u)))", "(dot(v, v)/4 + dot(u, v)**2/16)*exp(dot(u, u)/8)"),
        ("E(exp(dot(xi, u))*exp(dot(zeta, v)))", "exp(dot(u, u)/8 + 2*dot(v, v))"),
        ("E(3*a + dot(xi, v))", "3*a"),
        ("E(exp(a*dot(xi, v) - a**2*dot(v, v)/8))", "1"),
    ],
)
def test_means(text: str, value: str) -> None:
    assert CONTEXT.equal(term(text), term(value))


@pytest.mark.parametrize(
    "text",
    [
        "E(norm(xi))",
        "E(exp(dot(xi, xi)))",
        "E(abs(dot(xi, v)))",
        "E(dot(xi, v)**9*dot(xi, u)**9)",
        "E(dot(xi, v)**8*dot(xi, u)**8)",
    ],
)
def test_what_has_no_closed_form_stays_a_mean(text: str) -> None:
    assert any(CONTEXT.forms.atoms[a].head == "E" for mono in CONTEXT.forms.form(term(text)) for a, _ in mono)


@pytest.mark.parametrize("text", ["dot(a, u)", "norm(a)", "u", "u + a", "dot(u*v, w)", "u**2", "exp(u)"])
def test_vectors_and_numbers_are_not_mixed(text: str) -> None:
    with pytest.raises(Refused):
        CONTEXT.forms.form(term(text))


@pytest.mark.parametrize(
    "text",
    [
        "E(dot(xi, v)*exp(dot(zeta, zeta)))",  # 0 over xi; the mean of exp(|zeta|^2) does not exist
        "E(dot(xi, v)*exp(dot(zeta, w)**2) + 1)",
        "E(dot(xi, v)*dot(xi, u)*dot(zeta, w)*exp(dot(xi, xi)))",
        "E(dot(xi, v)*exp(dot(xi, v)*exp(-dot(zeta, zeta)) - dot(v, v)*exp(-2*dot(zeta, zeta))/8)"
        "*exp(dot(zeta, zeta)))",  # |v|^2/4 over xi; that of |<xi, v>| is about exp(|zeta|^2) |v|
    ],
)
def test_a_mean_over_one_symbol_after_another_may_not_exist(text: str) -> None:
    assert not CONTEXT.defined(term(text))


@pytest.mark.parametrize(
    "text",
    [
        "E(dot(xi, v)*exp(dot(zeta, w)))",
        "E(dot(xi, v)**3*dot(zeta, u)*exp(-2*dot(zeta, w)))",
        "E(dot(xi, v)*norm(zeta))",
    ],
)
def test_a_mean_that_is_0_over_one_symbol_and_exists_is_0(text: str) -> None:
    assert CONTEXT.defined(term(text))
    assert CONTEXT.zero(term(text))
