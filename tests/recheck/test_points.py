"""Statements at a point: exact where they can be, and no value where the written term has none."""

from __future__ import annotations

import pytest
from domains import goal

from dpaudit.recheck.points import Point
from dpaudit.recheck.terms import Refused

ROWS = ("s real [-1, 1]", "n integer [0, 9]", "u vector", "v vector", "xi gaussian s")


def holds(text: str, **given: str) -> bool | None:
    at = {"s": "1/2", "n": "3", "u": "(3/5, 4/5)", "v": "(0, 1)"} | given
    one = goal(text, *ROWS)
    return Point(one.context, at).holds(one.relation)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("norm(u) <= 1", True),
        ("norm(u) < 1", False),
        ("norm(u) == 1", True),
        ("dot(u, v) == 4/5", True),
        ("sqrt(8) == 2*sqrt(2)", True),
        ("norm(u - v)**2 == 2/5", True),
        ("exp(s) <= 1.6487", False),
        ("exp(s) <= 1.6488", True),
        ("n == 3", True),
        ("2**n < 8", False),
        ("E(exp(dot(xi, u))) == exp(s**2/2)", True),
        ("E(dot(xi, v)**2) == 1/4", True),
        ("sum(k, 1, n, k) == 6", True),
        ("E(exp(-dot(v - xi, v - xi)/2 + dot(xi, xi)/2)) <= 1", True),
        ("norm(u/s) == 2", True),
    ],
)
def test_relations_at_a_point(text: str, expected: bool) -> None:
    assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("dot(u, u)**2/dot(u, u) <= 0", {"u": "(0, 0)"}),
        ("1/(s - 1/2) <= 9", {}),
        ("log(s - 1/2) <= 9", {}),
        ("sqrt(s) <= 9", {"s": "-1"}),
        ("0*log(-s) <= 0", {}),
        ("s**(1/3) <= 1", {"s": "-1"}),
        ("0**(-s) <= 1", {}),
        ("E(norm(xi)) <= 9", {}),
        ("E(exp(norm(xi)**2)) <= 9", {}),
        ("x_missing <= 1", {}),
    ],
)
def test_where_a_side_has_no_value_nothing_holds(text: str, given: dict[str, str]) -> None:
    if "missing" in text:
        with pytest.raises(Refused):
            holds(text, **given)
    else:
        assert holds(text, **given) is None


def test_the_product_of_a_zero_vector_has_a_value_where_it_is_written() -> None:
    """sqrt(dot(u, u)*s) is 0 at u = 0 whatever s is; taken apart it would be nothing."""
    assert holds("sqrt(dot(u, u)*s) <= 0", u="(0, 0)", s="-1") is True


@pytest.mark.parametrize(
    ("given", "inside"),
    [
        ({}, True),
        ({"s": "-1/2"}, False),
        ({"s": "2"}, False),
        ({"n": "1/2"}, False),
        ({"n": "10"}, False),
        ({"s": "0"}, True),
    ],
)
def test_a_point_lies_in_the_ranges_and_gives_a_spread(given: dict[str, str], inside: bool) -> None:
    """xi has the standard deviation s, which may not be negative."""
    at = {"s": "1/2", "n": "3", "u": "(1,)", "v": "(1,)"} | given
    assert Point(goal("0 <= 1", *ROWS).context, at).inside() is inside


@pytest.mark.parametrize(
    "given",
    [{"w": "1"}, {"u": "(1, 2)"}, {"u": "1"}, {"s": "a"}, {"s": "1/0"}, {"u": "(a, 1)"}, {"xi": "1"}],
    ids=str,
)
def test_what_is_no_point_is_refused(given: dict[str, str]) -> None:
    at = {"s": "1/2", "n": "3", "u": "(1,)", "v": "(1,)"} | given
    with pytest.raises(Refused):
        Point(goal("0 <= 1", *ROWS).context, at)


def test_every_symbol_has_a_value() -> None:
    with pytest.raises(Refused, match="gives a value to each"):
        Point(goal("0 <= 1", *ROWS).context, {"s": "1"})
