"""Nonnegative coefficients after counting from the ends of the ranges: what that proves, and what it must not."""

import pytest

from dpaudit.claims.engines.positivity import positive
from dpaudit.records.claim import Statement, integer, real, vector

X, Y, S = real("x", "[1, oo)"), real("y", "[0, oo)"), real("s", "[0, 1]")


@pytest.mark.parametrize(
    "statement",
    [
        Statement("x <= x**2", (X,)),
        Statement("x < x**2 + 1", (X,)),
        Statement("2*x/(1 + x) <= x", (X,)),
        Statement("s**2 <= s", (S,)),
        Statement("s*y <= y", (S, Y)),
        Statement("0 < 1 - s", (real("s", "[0, 1)"),)),
        Statement("0 <= x**2", (real("x"),)),
        Statement("x <= x**2", (real("x", "(-oo, 0]"),)),
        Statement("n <= n**2", (integer("n", "[1, oo)"),)),
        Statement("sqrt(2)*s <= 3/2", (S,)),
        Statement("y/x <= y", (X, Y)),
    ],
    ids=str,
)
def test_what_is_proved(statement):
    assert positive(statement)[0]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        (Statement("x**2 <= x", (X,)), "negative"),
        (Statement("0 <= x", (real("x"),)), "negative"),
        (Statement("x <= x**2", (Y, real("x", "[0, oo)"))), "negative"),
        (Statement("x < x**2", (X,)), "only <="),
        (Statement("0 < 1 - s", (S,)), "far end"),
        (Statement("1 <= 1/(y - 1)", (Y,)), "denominator"),
        (Statement("1 <= exp(y)", (Y,)), "not a quotient"),
        (Statement("0 <= floor(y/2)", (Y,)), "not a quotient"),
        (Statement("x == x", (X,)), "identity"),
        (Statement("0 <= dot(v, v)", (vector("v"),)), "no range"),
        (Statement("sqrt(2)*s <= 7/5", (S,)), "negative"),
    ],
    ids=str,
)
def test_what_is_not_proved(statement, reason):
    proved, said = positive(statement)
    assert not proved
    assert reason in said


def test_a_symbol_with_the_name_of_an_offset_is_another_symbol():
    """t_x once stood for both, so that t_x <= x was proved."""
    symbols = (real("x", "[0, oo)"), real("t_x", "[0, oo)"))
    assert not positive(Statement("t_x <= x", symbols))[0]
    assert positive(Statement("t_x <= x + t_x", symbols))[0]
