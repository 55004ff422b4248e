"""Finite sums: what is split off, what is named alike, and what may not be."""

from __future__ import annotations

import pytest
from domains import domain

from dpaudit.recheck.terms import Refused, term

ROWS = ("x real (-oo, oo)", "n integer [1, oo)", "m integer (-oo, oo)", "j integer [3, oo)")


def equal(a: str, b: str, *conditions: str) -> bool:
    return domain(*ROWS, conditions=conditions).equal(term(a), term(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sum(k, 1, n + 2, x**k)", "sum(i, 1, n, x**i) + x**(n + 1) + x**(n + 2)"),
        ("sum(k, 1, j - 1, k)", "sum(k, 1, j, k) - j"),
        ("sum(k, 2, j, k - x)", "sum(k, 2, j, k) - x*(j - 1)"),
        ("sum(k, 0, 2, sum(i, 0, k, i*k))", "7"),
        ("sum(k, 1, n, sum(i, 1, n, i*k))", "sum(k, 1, n, k)**2"),
        ("sum(k, n, m, 0)", "0"),
        ("sum(k, 1, n, k) + sum(k, 1, m, k)", "sum(i, 1, m, i) + sum(i, 1, n, i)"),
    ],
)
def test_equal_sums(a: str, b: str) -> None:
    assert equal(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("sum(k, 1, m + 1, k)", "sum(k, 1, m, k) + m + 1"),  # empty for m < 0, and then no term is added
        ("sum(k, 1, m, 1)", "m"),
        ("sum(k, 1, n - 2, k)", "sum(k, 1, n, k) - n - (n - 1)"),  # at n = 1 the left is empty
        ("sum(k, 1, j - 1, 1/(j - k))", "sum(k, 1, j, 1/(j - k)) - 1/(j - j)"),
        ("sum(k, 1, n, k)", "sum(k, 1, m, k)"),
        ("sum(k, 1, n, k)", "sum(k, 0, n, k + 1)"),
        ("sum(k, 1, n, k*x)", "x + sum(k, 1, n, k)"),
        ("sum(k, 1, n, sum(i, 1, k, 1))", "n**2"),
        ("sum(k, 1, n, sum(i, 1, n, i*k))", "sum(k, 1, n, k**2)"),  # two variables between the same ends
        ("sum(k, 1, n, sum(i, 1, n, i - k))", "sum(k, 1, n, k)"),
    ],
)
def test_other_sums(a: str, b: str) -> None:
    assert not equal(a, b)


NESTED = "sum(i, 0, n, sum(j, 0, i, sum(k, 0, n, {})))"


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (NESTED.format("abs(k - j)"), NESTED.format("k - j")),
        (NESTED.format("max(k, j)"), NESTED.format("k")),
        (
            "sum(h, 0, n, sum(i, 0, h, sum(j, 0, i, sum(k, 0, n, min(j, k)))))",
            "sum(h, 0, n, sum(i, 0, h, sum(j, 0, i, sum(k, 0, n, j))))",
        ),
        (
            "integral(a, 0, 1, integral(b, 0, a, integral(c, 0, 1, abs(c - b))))",
            "integral(a, 0, 1, integral(b, 0, a, integral(c, 0, 1, c - b)))",
        ),
    ],
)
def test_what_is_known_of_one_variable_is_not_said_of_another(a: str, b: str) -> None:
    """j <= i says nothing of j and k, though i and k lie between the same ends and the innermost body has no i."""
    assert not equal(a, b)


def test_nested_sums_have_a_value_where_every_term_has() -> None:
    context = domain(*ROWS)
    assert context.sign(term(NESTED.format("k - j"))) is None
    assert not context.defined(term(NESTED.format("sqrt(k - j)")))
    assert context.defined(term(NESTED.format("sqrt(k + j)")))
    assert context.defined(term("sum(i, 0, n, sum(j, 0, i, sum(k, 0, j, sqrt(j - k))))"))


def test_the_variable_of_a_sum_lies_between_its_ends() -> None:
    context = domain(*ROWS)
    assert context.sign(term("sum(k, 1, n, n - k)")) == 0
    assert context.sign(term("sum(k, 1, n, n - 1 - k)")) is None
    assert context.defined(term("sum(k, 1, n, 1/(n + 1 - k))"))
    assert not context.defined(term("sum(k, 1, n, 1/(n - k))"))


def test_ends_are_whole_numbers() -> None:
    context = domain(*ROWS)
    assert not context.defined(term("sum(k, 1, x, k)"))
    with pytest.raises(Refused, match="no whole numbers"):
        context.forms.form(term("sum(k, 1/2, 3, k)"))


def test_a_sum_of_nothing_is_0_whatever_has_no_value_in_it() -> None:
    context = domain(*ROWS)
    kept = context.forms.form(term("sum(k, 1, m, k/x)"))
    assert all(context.forms.atoms[a].head == "sum" for mono in kept for a, _ in mono)
    assert context.equal(term("sum(k, 1, n, k/x)"), term("sum(k, 1, n, k)/x"))
