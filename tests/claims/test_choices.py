"""The best value of a parameter is a statement that is proved, and refuted where another value is better."""

from __future__ import annotations

import pytest

from dpaudit.claims.choices import best_choice
from dpaudit.claims.judge import judge
from dpaudit.claims.source import Source
from dpaudit.claims.writing import Statement, Step, positive
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Outcome

A, B, X = positive("a"), positive("b"), positive("x", "step size")


def outcome(text: str) -> Outcome:
    one = Step("s1", "words", Statement(text, (A, B, X)))
    return judge("toy/LEM-1/s1", one, Source(), Context(20261127, Level.SMOKE, 1e-6)).outcome


def test_it_reads_as_a_comparison_with_every_other_value() -> None:
    assert best_choice("x", "b/a", "a*x + 1/x") == "a * (b / a) + 1 / (b / a) <= a*x + 1/x"


def test_the_root_balances_two_terms() -> None:
    assert outcome(best_choice("x", "sqrt(b/a)", "a*x + b/x")) is Outcome.PROVED
    assert outcome(best_choice("x", "b/a", "a*x + b/x")) is Outcome.REFUTED
    assert outcome(best_choice("x", "a", "-(b - (x - a)**2)")) is Outcome.PROVED
    assert outcome(best_choice("x", "a", "b - (x - a)**2")) is Outcome.REFUTED


@pytest.mark.parametrize(
    ("parameter", "value", "cost", "words"),
    [
        ("x", "1", "a + b", "costs the same"),
        ("x", "2*x", "a*x", "in the other symbols"),
        ("x", "1", "sum(x, 1, 3, x)", "costs the same"),
        ("exp", "1", "a", "no symbol can have that name"),
    ],
)
def test_what_is_no_choice_is_said(parameter: str, value: str, cost: str, words: str) -> None:
    with pytest.raises(ContentError, match=words):
        best_choice(parameter, value, cost)


def test_a_bound_variable_does_not_catch_the_value() -> None:
    """`k` of the value is the symbol, and not the variable of the sum."""
    assert best_choice("x", "k", "sum(k, 1, 3, x - k)").startswith("sum(k_1, 1, 3, k - k_1) <= ")
