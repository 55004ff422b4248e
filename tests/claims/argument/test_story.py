"""Every rule has its words, and a row says what was used."""

from __future__ import annotations

from dpaudit.claims.argument.nodes import Search, as_data
from dpaudit.claims.argument.proof import prove
from dpaudit.claims.argument.story import SAID, plain, told
from dpaudit.recheck.goals import read_statement
from dpaudit.recheck.proof import RULES
from dpaudit.records.claim import Boxes, Cases, Identical, Positive, Statement, real
from dpaudit.records.verdict import Outcome

X = real("x", "[0, 1]")


def test_every_rule_of_the_checker_has_its_words() -> None:
    assert set(RULES) <= set(SAID)


def test_every_node_of_an_argument_leaves_a_row_in_its_order() -> None:
    split = Cases((("x <= 1/2", (Positive(),)), ("otherwise", (Boxes(),))))
    rows = prove(Statement("x*(1 - x) <= 0.3", (X,)), (split,), Search("toy/LEM-1")).evidence
    assert [row.engine for row in rows] == ["argument", "symbolic", "rigorous"]
    assert rows[0].detail == "cases x <= 1/2, otherwise"
    assert all(row.outcome is Outcome.PROVED for row in rows)


def test_boxes_say_how_tight_the_statement_is() -> None:
    (row,) = prove(Statement("x*(1 - x) <= 0.5", (X,)), (Boxes(),), Search("toy/LEM-1")).evidence
    numbers = dict(row.numbers)
    assert numbers["largest_ratio"] == 0.5
    assert numbers["at"] == "x = 1/2"
    assert numbers["ratio_at_most"] >= 0.5  # type: ignore[operator]


def test_what_is_left_open_is_no_proof() -> None:
    goal = read_statement(as_data(Statement("x <= 1/2", (X,))))
    row = told(goal, {"by": "open", "because": "printed without proof"})
    assert (row.outcome, row.detail) == (Outcome.CONSISTENT, "left open: printed without proof")


def test_a_named_theorem_is_said_to_be_assumed_and_an_instance_is_not() -> None:
    goal = read_statement(as_data(Statement("x <= 2", (X,))))
    row = told(goal, {"by": "theorem", "theorem": "jensen", "because": "the square is convex"})
    assert row.detail == "x <= 2 by jensen, which is assumed: the square is convex"
    row = told(goal, {"by": "instance", "of": "toy/LEM-2", "at": []})
    assert row.detail == "x <= 2 is an instance of toy/LEM-2"


def test_relations_are_told_without_needless_brackets() -> None:
    assert plain("((x * 2) + 1) <= (3 * (x + 1))") == "x * 2 + 1 <= 3 * (x + 1)"
    row = prove(Statement("(x + 1)**2 == x**2 + 2*x + 1", (X,)), (Identical(),), Search("toy/LEM-1")).evidence[0]
    assert "are the same expression" in row.detail
