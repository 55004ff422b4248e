"""What a condition allows one symbol, and the order in which symbols are chosen."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dpaudit.claims.language import limits
from dpaudit.claims.language.expression import parse, parse_relation, rational
from dpaudit.records.claim import integer, real

SYMBOLS = tuple(real(name, "[0, oo)") for name in ("x", "y", "z"))


@pytest.mark.parametrize(
    ("text", "slope", "rest"),
    [
        ("x", "1", "0"),
        ("3*y - 2", "0", "3*y - 2"),
        ("y - x", "-1", "y"),
        ("x*y + z", "1*y", "z"),
        ("(x + z)/y - x", "1/y - 1", "z/y"),
        ("-(2*x)", "-(2*1)", "0"),
    ],
)
def test_a_term_is_a_slope_times_a_symbol_and_a_rest(text, slope, rest):
    found = limits.linear(parse(text), "x")
    assert found == (parse(slope), parse(rest))


@pytest.mark.parametrize("text", ["x*x", "y/x", "exp(x)", "sqrt(x) + y", "x**2", "abs(x)"])
def test_what_is_not_linear_has_no_slope(text):
    assert limits.linear(parse(text), "x") is None


def shown(text: str) -> list[tuple[str, int, bool]]:
    """The sign, where both sides are equal at y = 4 and z = 2, and whether it is an upper limit of x."""
    values = {"y": Fraction(4), "z": Fraction(2)}
    found = (one for one in limits.of(parse_relation(text), SYMBOLS) if one.name == "x")
    return [(one.sign, rational(one.value, values), rational(one.slope, values) > 0) for one in found]


def test_absolute_values_squares_maxima_and_minima_are_taken_apart():
    assert shown("abs(x - y) < z") == [("<", 6, True), ("<", 2, False)]
    assert shown("abs(x - y) == 0") == [("==", 4, True)]
    assert shown("x**2 <= y") == shown("x*x <= y") == [("<=", 2, True), ("<=", -2, False)]
    assert shown("max(x, 2*x) <= min(y, z)") == [("<=", 4, True), ("<=", 2, True), ("<=", 2, True), ("<=", 1, True)]
    assert shown("abs(x) == y") == []


def test_symbols_stand_behind_what_limits_them():
    given = tuple(map(parse_relation, ("x == y + z", "y == 2*z", "z <= 3")))
    order = limits.order(SYMBOLS, given)
    assert [s.name for s in order.symbols] == ["z", "y", "x"]
    assert set(order.values) == {"x", "y"}
    assert [one.sign for one in order.limits["z"]] == ["<="]


def test_no_symbol_hangs_on_itself_by_way_of_others():
    given = tuple(map(parse_relation, ("x == y + 1", "y == x*z", "z <= x")))
    order = limits.order(SYMBOLS, given)
    place = {s.name: i for i, s in enumerate(order.symbols)}
    for name, of_one in order.limits.items():
        for one in of_one:
            assert all(place[other] < place[name] for other in limits.names(one.slope) | limits.names(one.rest))
    assert len(order.values) == 2


def test_a_symbol_has_one_value_and_numbers_come_before_integers():
    n = integer("n", "[1, oo)")
    given = tuple(map(parse_relation, ("x == 2*n", "x == y")))
    order = limits.order((*SYMBOLS, n), given)
    assert set(order.values) == {"x", "y"}
    twice = limits.order(SYMBOLS, tuple(map(parse_relation, ("x == z + 1", "x == y + 1"))))
    assert {name: str(one.condition) for name, one in twice.values.items()} == {"x": "x == z + 1", "y": "x == y + 1"}
