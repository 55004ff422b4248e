"""The attacks with random statements: what is counted was tried, what goes wrong is seen, and no seed comes twice."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import fuzz
import pytest
import random_attacks


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATEMENTS", "PROOFS", "TO_THE_CHECKER"):
        monkeypatch.setattr(fuzz, name, 3)


def test_only_proofs_that_can_be_arguments_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(random_attacks, "proved", lambda *given: bool(asked.append(given)))
    found = random_attacks.on_proofs(fuzz.FIRST, 40)
    assert found.tried == len(asked)
    assert 0 < found.tried < 40


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("name", "fault", "counts"),
    [
        ("proved", lambda *given: True, {"false_proved"}),
        ("find_witness", lambda *given, **more: ({}, ()), {"true_refuted"}),
        ("_accepted_as_witness", lambda *given: True, {"true_refuted"}),
        ("refused", lambda attempt: "", {"proofs_accepted_and_false"}),
    ],
)
def test_a_fault_is_counted_and_told_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: object, counts: set[str]
) -> None:
    monkeypatch.setattr(fuzz, "STATEMENTS", 5)
    monkeypatch.setattr(fuzz, "PROOFS", 0)  # faults of these are found in tests/claims/test_whole_chain.py
    monkeypatch.setattr(fuzz, "TO_THE_CHECKER", 60)
    monkeypatch.setattr(random_attacks, name, fault)
    found = fuzz.block(7)
    wrong = {
        key for key in found if found[key] and key.endswith(("_proved", "_refuted", "_false")) and key != "true_proved"
    }
    assert wrong >= counts
    assert {one["seed"] for one in found["wrong"]} == {7}


def test_a_later_call_goes_on_with_new_seeds(few: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fuzz, "FILE", tmp_path / "fuzz.json")
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--blocks", "1", "--processes", "1"])
    assert fuzz.main() == 0
    first = json.loads(fuzz.FILE.read_text(encoding="utf-8"))
    assert fuzz.main() == 0
    both = json.loads(fuzz.FILE.read_text(encoding="utf-8"))
    again = [fuzz.block(fuzz.FIRST + place) for place in range(2)]
    assert (first["blocks"], both["blocks"]) == (1, 2)
    assert both["attempts"] == sum(block["attempts"] for block in again) > first["attempts"] > 0
