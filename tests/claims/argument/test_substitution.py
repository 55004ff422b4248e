"""A change of variables loses no point, and no value at one."""

import pytest

from dpaudit.claims.argument import walk
from dpaudit.records.claim import Boxes, Solve, Statement, Substitute, integer, real, vector
from dpaudit.records.errors import ContentError

W, X, U, S = real("w", "[-1, 1]"), real("x", "[0, oo)"), vector("u"), real("s", "[-1, 1]")


def tried(expression, symbols, move, *rest, conditions=()):
    return walk.walk(Statement(expression, symbols, conditions), (move, *(rest or (Boxes(),))), walk.Trail())


@pytest.mark.parametrize(
    ("new", "values", "inverse"),
    [
        ((real("r", "[0, 1]"),), (("w", "r"),), (("w**2", "r"),)),  # a term for the new symbol: half is lost
        ((real("r", "[0, 1]"),), (("w", "r"),), (("abs(w)", "w"),)),
        ((real("r", "[0, 1]"),), (("w", "r"),), ()),
        ((real("r", "[-1, 1]"),), (("w", "r"),), (("r", "w"), ("r", "-w"))),
        ((real("r", "[-1, 1]"), real("q", "[0, 1]")), (("w", "r"),), (("r", "w"),)),
    ],
)
def test_the_inverse_gives_each_new_symbol_once(new, values, inverse):
    with pytest.raises(ContentError, match="inverse must give each new symbol once"):
        tried("0 <= w", (W,), Substitute(new, values, inverse))


def test_new_symbols_are_scalars_and_old_ones_have_one_value():
    with pytest.raises(ContentError, match="real and integer symbols only"):
        tried("0 <= dot(u, u)", (U,), Substitute((vector("v"),), (("dot(u, u)", "dot(v, v)"),), (("v", "u"),)))
    twice = (("w", "r"), ("w", "r**2"))
    with pytest.raises(ContentError, match="two values"):
        tried("0 <= w", (W,), Substitute((real("r", "[-1, 1]"),), twice, (("r", "w"),)))


SQUARED = Substitute((real("r", "[0, oo)"),), (("dot(u, u)", "r**2"),), (("r", "norm(u)"),))


@pytest.mark.parametrize(
    "expression",
    [
        "-s*dot(u, u) - s <= 4*sqrt(dot(u, u)*s)",
        "0 <= s + sqrt(s*dot(u, u)**2)",
        "0 <= s + (dot(u, u)*s)**(5/2)",
    ],
)
def test_a_side_that_loses_its_value_without_vectors_is_named(expression):
    """All are false at u = 0, s = -1, where the root of a product is 0 and the product of roots nothing."""
    found = walk.tried(Statement(expression, (S, U)), (SQUARED, Solve()))
    assert not found.closed
    assert "without vectors, is not shown to be defined" in found.evidence[0].detail


def test_a_condition_that_loses_its_value_without_vectors_is_dropped():
    """sqrt(dot(u, u)*s) <= 1 holds at u = 0, s = -1; in two roots it would be a condition that is not met there."""
    said = Statement("0 <= s", (S, U), ("sqrt(dot(u, u)*s) <= 1",))
    assert not walk.tried(said, (SQUARED, Solve())).closed
    kept = Statement("r <= 1", (real("r"), U), ("r <= sqrt(dot(u, u))", "norm(u) <= 1"))
    root = Substitute((real("t", "[0, oo)"),), (("dot(u, u)", "t**2"),), (("t", "norm(u)"),))
    assert walk.tried(kept, (root, Solve())).closed


def test_a_change_of_variables_that_loses_nothing_goes_through():
    whole = Substitute((integer("k", "[0, oo)"),), (("n", "k + 1"),), (("k", "n - 1"),))
    assert walk.tried(Statement("1 <= n", (integer("n", "[1, oo)"),)), (whole, Boxes())).closed
    assert walk.tried(Statement("0 <= norm(u)*x", (X, U)), (SQUARED, Solve())).closed
