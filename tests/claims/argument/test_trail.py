"""What a walk remembers: one open move is enough, and a theorem is listed once."""

import pytest

from dpaudit.claims.argument import walk
from dpaudit.claims.argument.trail import Trail
from dpaudit.records.claim import Bound, Solve, Statement, integer, real
from dpaudit.records.errors import UnknownNameError
from dpaudit.records.verdict import Outcome

X = real("x", "[0, 1]")


def test_one_open_move_leaves_the_argument_open():
    trail = Trail()
    assert trail.note("symbolic", True, "first")
    assert not trail.note("rigorous", False, "second", (("boxes", 3),))
    assert trail.note("symbolic", True, "third")
    assert not trail.closed
    assert [e.outcome for e in trail.evidence] == [Outcome.PROVED, Outcome.INCONCLUSIVE, Outcome.PROVED]
    assert trail.evidence[1].numbers == (("boxes", 3),)


def test_a_theorem_is_listed_once_and_in_order():
    trail = Trail()
    for name in ("b", "a", "b"):
        trail.rest_on(name)
    assert trail.assuming == ["b", "a"]


def test_trails_share_nothing():
    first = Trail()
    first.rest_on("a")
    first.note("symbolic", False, "open")
    assert Trail() == Trail([], [], [], [], True, False, False)


STATED = {"p/A": Statement("x <= 1", (X,)), "p/A/s1": Statement("m <= m + 1", (integer("m", "[0, oo)"),))}


def cited(ground, expression, at=(), **sides):
    trail = Trail(statements=STATED)
    moves = (Bound(**(sides or {"left": "n + 1"}), by=ground, at=at), Solve())
    walk.walk(Statement(expression, (X, integer("n", "[0, oo)"))), moves, trail)
    return trail


def test_an_instance_is_an_argument_and_anything_else_is_assumed():
    for shown in (
        cited("p/A/s1", "n <= n + 2", (("m", "n"),)),
        cited("p/A/s1", "0 <= n + 2", (("m", "n + 1"),), right="n + 1"),
    ):
        assert shown.assuming == ["p/A/s1"]
        assert (shown.evidence[0].engine, shown.evidence[0].numbers) == ("argument", ())
        assert shown.closed
    other = cited("p/A/s1", "0 <= n + 2", (("m", "n"),), right="n + 1").evidence[0]
    assert (other.engine, other.numbers) == ("theorem", (("assumed", "p/A/s1"),))
    assert "it says n <= n + 1 there, not n + 1 <= n + 2" in other.detail


def test_a_statement_of_another_claim_is_assumed():
    trail = cited("q/B/s1", "n <= n + 2")
    assert trail.evidence[0].numbers == (("assumed", "q/B/s1"),)
    assert "it stands in another claim" in trail.evidence[0].detail


def test_a_step_that_is_none_is_named():
    with pytest.raises(UnknownNameError, match="p/A/s2"):
        cited("p/A/s2", "n <= n + 2")


def test_a_named_theorem_is_no_statement():
    trail = cited("lyapunov", "n <= n + 2")
    assert (trail.evidence[0].engine, trail.evidence[0].numbers) == ("theorem", ())
