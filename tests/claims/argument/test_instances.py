"""A statement carries what is an instance of it, and nothing else."""

import pytest

from dpaudit.claims.argument.instances import missing
from dpaudit.claims.language.expression import parse_relation
from dpaudit.records.claim import Statement, gaussian, integer, real, vector
from dpaudit.records.errors import ContentError, UnknownNameError

X, Y = real("x", "[0, 1]"), real("y", "[0, oo)")
N, M = integer("n", "[2, oo)"), integer("m", "[1, oo)")
U, V = vector("u"), vector("v")
GROUND = Statement("(1 - x)**m <= 1 - x", (X, M), ("x <= m",))
GOAL = Statement("0 <= 1", (X, Y, N, U, V), ("y <= 1",))


def reason(used, ground=GROUND, at=(), goal=GOAL):
    return missing(parse_relation(used), goal, ground, at)


def test_an_instance_lacks_nothing():
    assert reason("(1 - x)**n <= 1 - x", at=(("m", "n"),)) == ""
    assert reason("(1 - y)**(n + 1) <= 1 - y", at=(("m", "n + 1"), ("x", "y"))) == ""
    assert reason("(1 - y/2)**2 <= -y/2 + 1", at=(("m", "2"), ("x", "y/2"))) == ""
    assert (
        reason("x**2 + 1 == 2*x + (x - 1)**2", Statement("(a - 1)**2 + 2*a == a**2 + 1", (real("a"),)), (("a", "x"),))
        == ""
    )
    assert reason("dot(u, v) <= norm(u)*norm(v)", Statement("dot(u, v) <= norm(u)*norm(v)", (U, V))) == ""


@pytest.mark.parametrize(
    ("used", "at", "why"),
    [
        ("x <= 1/2", (("m", "n"),), "it says (1 - x)**n <= 1 - x there"),  # something else
        ("1 - x <= (1 - x)**n", (("m", "n"),), "it says"),  # the other direction
        ("(1 - x)**n < 1 - x", (("m", "n"),), "it says"),  # strict
        ("(1 - x)**n == 1 - x", (("m", "n"),), "it says"),
        ("(1 - x)**n <= 1 - x", (), "its symbol m has no value"),
        ("(1 - x)**(n - 2) <= 1 - x", (("m", "n - 2"),), "1 <= n - 2 is not shown"),  # 0 is out of its range
        ("(1 - x)**(n/2) <= 1 - x", (("m", "n/2"),), "is not shown to be an integer"),
        ("(1 - 2*y)**n <= 1 - 2*y", (("m", "n"), ("x", "2*y")), "2 * y <= 1 is not shown"),
        ("(1 - 1/y)**n <= 1 - 1/y", (("m", "n"), ("x", "1/y")), "1 / y is not shown to be defined"),
        ("(1 - x)**n <= 1 - x", (("m", "u"),), "stands for a vector"),
    ],
)
def test_what_is_none_is_named(used, at, why):
    assert why in reason(used, at=at)


def test_conditions_kinds_and_existence_are_asked_too():
    narrow = Statement("x <= 1", (X,), ("x <= 1/2",))
    assert reason("x <= 1", narrow) == "its condition x <= 1 / 2 is not shown"
    assert reason("x <= 1", narrow, goal=Statement("0 <= 1", (X,), ("x <= 1/2",))) == ""
    assert "no value" in reason("dot(u, u) <= 1", Statement("dot(w, w) <= 1", (vector("w"),)))
    assert "another kind" in reason("dot(u, u) <= 1", Statement("dot(w, w) <= 1", (vector("w"),)), (("w", "x"),))
    scaled = Statement("E(dot(xi, v)) <= 1", (V, gaussian("xi", "2")))
    assert "another kind" in reason("E(dot(xi, v)) <= 1", scaled, goal=Statement("0 <= 1", (V, gaussian("xi"))))
    assert "not that all are" in reason("x <= 1", Statement("x <= 1", (X,), exists=True))


def test_a_side_without_a_value_there_is_no_ground():
    """sqrt(a)*sqrt(a) has no value at a < 0, where it says nothing of a."""
    ground = Statement("0 <= sqrt(a)*sqrt(a)", (real("a"),))
    assert "it says" in reason("0 <= y - 1", ground, (("a", "y - 1"),))
    assert reason("0 <= y", ground, (("a", "y"),)) == ""


def test_names_that_are_none_are_named():
    with pytest.raises(UnknownNameError, match="symbol of the ground"):
        reason("x <= 1", at=(("q", "1"),))
    with pytest.raises(UnknownNameError, match="unknown symbol"):
        reason("x <= 1", at=(("m", "k"),))
    with pytest.raises(ContentError, match="two values"):
        reason("x <= 1", at=(("m", "1"), ("m", "2")))
