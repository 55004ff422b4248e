"""The checker's language: exact numbers, one meaning for each text, no name that catches another."""

from __future__ import annotations

from fractions import Fraction

import pytest
from domains import certificate, stated, why_not

from dpaudit.recheck.check import check
from dpaudit.recheck.interval import METER, MOST_WORK
from dpaudit.recheck.terms import Refused, free, number, relation, replaced, show, substitute, term


@pytest.mark.parametrize("text", ["0.1", "1e-3", "1.5e2", "12_000", " 0.7 ", "7"])
def test_numbers_are_exact(text: str) -> None:
    assert term(text) == number(text) == Fraction(text.strip())
    assert number(f"-{text.strip()}/3") == -Fraction(text.strip()) / 3


def test_a_number_is_read_at_its_own_place() -> None:
    assert term("max(0.25,\n   10,  0.5)") == ("max", Fraction(1, 4), Fraction(10), Fraction(1, 2))


@pytest.mark.parametrize("text", ["1/0", "x", "1 + 1", "0x10", "1j", "True", "'1'", "", "1e99999999", "9" * 5000, "--"])
def test_what_is_no_rational_number_is_refused(text: str) -> None:
    with pytest.raises((Refused, ValueError)):
        number(text)


@pytest.mark.parametrize(
    "text",
    [
        "sinh(x)",
        "x.y",
        "x[0:1]",
        "lambda: 1",
        "__import__('os')",
        "f(x)(y)",
        "exp(x=1)",
        "exp(*x)",
        "x if y else z",
        "exp",
        "x @ y",
        "x // y",
        "~x",
        "not x",
        "exp()",
        "max(x)",
        "dot(u)",
        "sum(x + 1, 0, 1, x)",
        "sum(pi, 1, 3, 1)",
        "sum(k, 0, 1, sum(k, 0, 1, k))",
        "x # y",
        "\u0445",
        "x\u00a0",
        "x <= 1",
        "None",
        "'x'",
        "oo",
        "x := 1",
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        term(text)


@pytest.mark.parametrize("text", ["x", "x <= y <= z", "x != y", "x is y", "x <= y, 1", ""])
def test_a_relation_is_one_comparison(text: str) -> None:
    with pytest.raises(Refused):
        relation(text)


def test_a_relation_is_turned_round() -> None:
    assert relation("x >= y") == relation("y <= x")
    assert relation("x > y") == relation("y < x")


class Other(str):
    """A text that is another text to whoever asks it."""

    def split(self, *args: object) -> list[str]:  # type: ignore[override]
        return ["x <= 0"]


def test_a_text_is_a_text_and_nothing_that_looks_like_one() -> None:
    for given in (Other("x <= 1"), b"x <= 1", None, 3):
        with pytest.raises((Refused, TypeError)):
            relation(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["x - (y - z)", "-(x**2)", "(-x)**2", "2**-x", "x/(y*z)", "sum(k, 1, n, k*x)", "-1/3"])
def test_what_is_shown_is_read_as_the_same(text: str) -> None:
    assert term(show(term(text))) == term(text)
    assert relation(show(relation(f"{text} <= pi"))) == relation(f"{text} <= pi")


def test_names_of_sums_are_their_own() -> None:
    total = term("sum(k, 1, n, k*x)")
    assert free(total) == {"n", "x"}
    assert substitute(total, {"x": "y"}) == term("sum(k, 1, n, k*y)")
    assert substitute(total, {"k": "y"}) == total
    caught = substitute(total, {"x": "k"})  # the k outside is not the k of the sum
    assert free(caught) == {"n", "k"}
    assert caught == term("sum(k_1, 1, n, k_1*k)")
    assert replaced(relation("x <= n"), {"x": "n", "n": "x"}) == relation("n <= x")


def test_the_ends_of_a_range_are_short_too() -> None:
    for end in ("1e999999999", "1/" * 3000 + "1"):
        assert why_not(stated("x <= 2", f"x real [0, {end}]"), {"by": "positive"})


def test_the_meter_runs_during_a_check_alone() -> None:
    for goal in ("0 <= x", "2 <= x"):
        data = certificate(stated(goal, "x real [0, 1]"), {"by": "positive"})
        if goal == "2 <= x":
            with pytest.raises(Refused):
                check(data)
        else:
            check(data)
        assert METER.left == float("inf")
    assert MOST_WORK <= 10**8
