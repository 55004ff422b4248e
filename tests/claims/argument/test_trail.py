"""What a walk remembers: one open move is enough, and a theorem is listed once."""

from dpaudit.claims.argument.trail import Trail
from dpaudit.records.verdict import Outcome


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
