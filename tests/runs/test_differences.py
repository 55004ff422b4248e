"""What differs between two verdicts of one id."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from dpaudit.records.reading import Reads
from dpaudit.records.verdict import Basis, Evidence, Kind, Outcome, Verdict
from dpaudit.runs.differences import Difference, differences

FOUND = Evidence("game", Outcome.CONSISTENT, "fine", (("p", float("nan")), ("n", 1)))
ONE = Verdict("x", Kind.AUDIT, Outcome.CONSISTENT, Outcome.CONSISTENT, "title", (FOUND, FOUND), "s", 1)
IGNORED = {"id": "y", "seed": 2, "duration_s": 3.0, "replay": "dpaudit", "accepted": "until",
           "schema": 2, "alone": Outcome.PROVED, "alone_basis": Basis.SEARCH, "digests": ("d",)}  # fmt: skip
COMPARED = {
    "outcome": Outcome.ERROR, "expected": Outcome.PROVED, "basis": Basis.SEARCH, "assuming": ("t",), "statement": "s",
    "effect": "e", "repair": "r", "title": "other", "source": "o", "witness": (("a", 1),), "numbers": (("b", 2),),
    "evidence": (FOUND,), "kind": Kind.CONTROL, "attachments": ("a",),
    "reads": Reads.GAP, "given": ("g",), "origins": (("x <= 1", "ours"),), "formula": "x", "rests_on": ("r",),
}  # fmt: skip


def test_every_field_is_compared_or_ignored_on_purpose() -> None:
    assert {field.name for field in fields(Verdict)} == {*IGNORED, *COMPARED}
    assert not {*IGNORED} & {*COMPARED}


@pytest.mark.parametrize("name", IGNORED)
def test_times_places_and_acceptance_never_count(name: str) -> None:
    assert differences(ONE, replace(ONE, **{name: IGNORED[name]})) == ()


@pytest.mark.parametrize("name", COMPARED)
def test_every_other_field_counts(name: str) -> None:
    assert differences(ONE, replace(ONE, **{name: COMPARED[name]})) != ()


def test_each_value_has_a_name_and_its_type_counts() -> None:
    second = replace(FOUND, numbers=(("p", 0.5), ("n", 1.0)))
    found = differences(ONE, replace(ONE, evidence=(FOUND, second), witness=(("x", "1"),), basis=Basis.SAMPLING))
    assert [row.what for row in found] == ["basis", "game 2 p", "game 2 n", "witness x"]
    assert found[0] == Difference("basis", "", "sampling")
    assert found[3] == Difference("witness x", "", "1")


def test_evidence_that_is_gone_is_named() -> None:
    found = differences(ONE, replace(ONE, evidence=(FOUND,)))
    assert [row.what for row in found] == ["game 2 outcome", "game 2 detail", "game 2 p", "game 2 n"]
    assert {row.after for row in found} == {""}
