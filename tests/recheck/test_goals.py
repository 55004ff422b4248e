"""Statements are read as they are written, and one about nothing is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from domains import goal, stated

from dpaudit.recheck.goals import read_statement, read_symbol
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Refused


def test_ranges_keep_their_brackets() -> None:
    assert read_symbol(["x", "real", "[0, 1/2)"]) == Symbol("x", "real", Fraction(0), Fraction(1, 2), False, True)
    assert read_symbol(["n", "integer", "(-oo, 3]"]) == Symbol("n", "integer", None, Fraction(3), True, False)
    assert read_symbol(["xi", "gaussian", "1/2"]).scale == Fraction(1, 2)


@pytest.mark.parametrize(
    "row",
    [
        ["x", "real", "[1, 0]"],
        ["x", "real", "(1, 1)"],
        ["x", "real", "[-oo, 1)"],
        ["x", "real", "(oo, 1]"],
        ["x", "real", "[0, -oo)"],
        ["x", "real", "0, 1"],
        ["x", "real", "[0, a]"],
        ["x", "complex", "[0, 1]"],
        ["exp", "real", "[0, 1]"],
        ["pi", "real", "[0, 1]"],
        ["dot(u, u)", "real", "[0, 1]"],
        ["\u0445", "real", "[0, 1]"],
        ["", "real", "[0, 1]"],
        ["x", "real"],
        ["x", "real", 1],
        "x",
        ["lambda", "real", "[0, 1]"],
        ["#0", "real", "[0, 1]"],
    ],
    ids=str,
)
def test_what_is_no_symbol_is_refused(row: Any) -> None:
    with pytest.raises(Refused):
        read_symbol(row)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("x <= y", ("x real [0, 1]",)),
        ("sum(x, 0, 1, x) <= x", ("x real [0, 1]",)),
        ("x <= 1", ("x real [0, 1]", "x real [0, 1]")),
        ("x <= 1", ("xi gaussian x", "x real [0, 1]")),
        ("x <= 1", ("x real [0, 1]", "eta gaussian 1", "w vector", "xi gaussian exp(dot(eta, w))")),
        ("x <= 1", ("x real [0, 1]", "w vector", "xi gaussian w")),
        ("x <= 1", ("x real [0, 1]", "xi gaussian sum(x, 0, 1, x)")),
    ],
)
def test_every_name_has_one_meaning(text: str, rows: tuple[str, ...]) -> None:
    with pytest.raises(Refused):
        goal(text, *rows)


@pytest.mark.parametrize("spread", ["E(1)", "E(norm(eta))", "1 + x*E(dot(eta, eta))"])
def test_a_spread_is_no_mean(spread: str) -> None:
    with pytest.raises(Refused, match="the spread of 'xi' is a mean, "):
        goal("x <= 1", "x real [0, 1]", "eta gaussian 1", f"xi gaussian {spread}")


@pytest.mark.parametrize(
    "text",
    [
        "u <= 1",
        "dot(x, u) <= 1",
        "norm(u + x) <= 1",
        "u*u <= 1",
        "dot(u*u, u) <= 1",
        "exp(u) <= 1",
        "norm(exp(u)) <= 1",
        "dot(xi, u) <= 1",
        "E(xi) <= 1",
        "x <= dot(xi, xi)",
        "E(x) + norm(xi) <= 1",
        "norm(u/u) <= 1",
        "sum(k, 1, 3, u) <= 1",
        "norm(2) <= 1",
    ],
)
def test_vectors_numbers_and_what_is_random_stand_in_their_places(text: str) -> None:
    with pytest.raises(Refused, match=r"wanted|is random"):
        goal(text, "x real [0, 1]", "u vector", "xi gaussian 1")


@pytest.mark.parametrize(
    "text", ["norm((x*u - u/2)*x) <= 1", "E(norm(xi - x*u)*sum(k, 1, 3, k*x)) <= 1", "-dot(-u, u*x) <= 1"]
)
def test_what_is_in_its_place_is_read(text: str) -> None:
    goal(text, "x real [0, 1]", "u vector", "xi gaussian 1")


@pytest.mark.parametrize("change", [{"more": 1}, {"exists": 1}, {"symbols": {}}, {"conditions": "x"}], ids=str)
def test_a_statement_has_its_fields_and_no_others(change: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        read_statement(stated("x <= 1", "x real [0, 1]") | change)


def test_goals_share_a_domain_or_get_one_of_their_own() -> None:
    first = goal("x <= 1", "x real [0, 1]")
    assert first.with_relation(first.relation).context is first.context
    assert first.given(first.relation).context.given == (first.relation,)
