"""The largest ratio over a box, from above by enclosures and from below by a point."""

from fractions import Fraction

import pytest

from dpaudit.claims.engines.rigorous.extremum import worst_point
from dpaudit.claims.engines.rigorous.witness import certify
from dpaudit.records.claim import Statement, integer, real
from dpaudit.records.errors import ContentError

X, Y = real("x", "[0, 1]"), real("y", "[0, 1]")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (Statement("x*(1 - x) <= 1", (X,)), 0.25),
        (Statement("exp((1 - x/2)*y**2/2) <= 2", (X, Y)), 0.8243606353500641),
        (Statement("n**2*2**(-n) <= 1", (integer("n", "[1, 20]"),)), 1.125),
        (Statement("x*y <= 1 + x", (X, Y), ("x + y <= 1",)), 0.1715728752538099),
        (Statement("exp(-x)*x <= 2", (real("x", "[0, 20]"),)), 0.18393972058572117),
    ],
)
def test_upper_and_lower_bound_meet(statement, expected):
    found = worst_point(statement, 5_000)
    assert float(found.lower) <= expected * (1 + 1e-12)
    assert expected <= float(found.upper) * (1 + 1e-12)
    assert found.upper <= found.lower * Fraction(1001, 1000)


def test_the_lower_bound_refutes_a_smaller_constant():
    found = worst_point(Statement("x*(1 - x) <= 1", (X,)), 500)
    below = found.lower * Fraction(999, 1000)
    assert certify(Statement(f"x*(1 - x) <= {below}", (X,)), found.point) is not None


def test_points_obey_open_ends_and_symbols_that_do_not_occur():
    found = worst_point(Statement("x + y <= 1", (X, real("y", "[0, 1)"), real("z", "(2, 3)"))), 200)
    assert dict(found.point)["z"] == "5/2"
    assert Fraction(dict(found.point)["y"]) < 1
    assert 2 <= found.upper < Fraction(2001, 1000)


def test_no_point_is_named_where_a_condition_on_other_symbols_may_fail():
    z = real("z", "(2, 3)")
    assert worst_point(Statement("x <= 1", (X, z), ("z <= 9/4",)), 50).lower is None
    assert worst_point(Statement("x <= 1", (X, z), ("z <= 5/2",)), 50).lower == 1
    mixed = worst_point(Statement("x <= 1", (X, z), ("x + z <= 3",)), 200)
    assert Fraction(49, 100) < mixed.lower <= Fraction(1, 2)
    assert mixed.upper == 1


def test_no_bound_is_said_where_there_is_none():
    found = worst_point(Statement("x <= y", (X, Y)), 200)
    assert found.upper is None
    assert found.lower > 1
    assert worst_point(Statement("x/(1 + x) <= 1", (real("x", "[0, oo)"),)), 100).upper is None


def test_an_identity_is_refused():
    with pytest.raises(ContentError, match="not an identity"):
        worst_point(Statement("x == 1", (X,)), 10)
