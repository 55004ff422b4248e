"""A node says what it proves and what it needs, and both are compared."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from domains import goal, stated, why_not, written

from dpaudit.recheck.check import check, digest
from dpaudit.recheck.proof import Proof, in_range
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ONE, Refused, relation

ASKED = stated("x*y <= y", "x real [0, 1]", "y real (0, oo)")
PROOF = {
    "by": "scale",
    "factor": "1/y",
    "then": {"by": "rewrite", "left": "x", "right": "1", "then": {"by": "positive"}},
}


@pytest.mark.parametrize(
    "change",
    [
        lambda node: node.update(needs=[]),
        lambda node: node.update(needs=[*node["needs"], "0 <= 1"]),
        lambda node: node.pop("needs"),
        lambda node: node["then"].update(goal="x <= 2"),
        lambda node: node["then"].pop("goal"),
        lambda node: node["then"].pop("then"),
        lambda node: node.update(by="scaled"),
        lambda node: node.update(by=None),
        lambda node: node.update(factor="1/x"),
        lambda node: node.update(factor="y"),
        lambda node: node["then"]["then"].update(goal="y <= 1"),
    ],
)
def test_a_changed_node_is_refused(change: object) -> None:
    data = written(ASKED, copy.deepcopy(PROOF))
    check(data)
    change(data["proof"])  # type: ignore[operator]
    with pytest.raises((Refused, TypeError)):
        check(data | {"digest": digest(data)})


def test_needs_are_listed_as_they_come() -> None:
    node = written(ASKED, copy.deepcopy(PROOF))["proof"]
    assert node["needs"] == ["0 < (1 / y)"]
    assert "x has a value" in node["then"]["needs"]
    assert relation(node["then"]["goal"]) == relation("(1/y)*(x*y) <= (1/y)*y")


def test_what_is_no_node_is_refused() -> None:
    for node in (None, [], "identical", {}, {"by": []}):
        with pytest.raises((Refused, TypeError)):
            Proof({}).check(goal("x <= x", "x real [0, 1]"), node)


def test_the_facts_of_a_range() -> None:
    assert in_range(Symbol("x", "real", ONE, None, True), "y") == [relation("1 < y")]
    assert in_range(Symbol("x", "real", None, ONE, True, False), "y") == [relation("y <= 1")]
    assert in_range(Symbol("x", "real"), "y") == []


@pytest.mark.parametrize(
    ("text", "rows", "conditions", "node"),
    [
        ("0 <= x", ("x real [0, 1]",), ("x >= 2",), {"by": "positive"}),
        ("0 <= sqrt(x)", ("x real [-2, -1]",), (), {"by": "positive"}),
        (
            "x + 1 <= 0",
            ("x real [0, 1]",),
            (),
            {
                "by": "bound",
                "left": "2*x",
                "inner": {"by": "exhibit", "point": [["x", "1"]]},
                "then": {"by": "exhibit", "point": [["x", "0"]]},
            },
        ),
    ],
)
def test_that_there_is_a_point_is_shown_by_one_point(
    text: str, rows: tuple[str, ...], conditions: tuple[str, ...], node: dict[str, Any]
) -> None:
    assert "by a point alone" in why_not(stated(text, *rows, conditions=conditions, exists=True), node)
