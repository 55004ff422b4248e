"""How many records the audits of these tests try as the one in question, and how many data sets far away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from depth import DEEP

from dpaudit.adapters import canaries
from dpaudit.audit.structural import far

FEW, EVERY = 3, canaries.candidates
FEW_FAR = 4


def few(*given: Any) -> Iterator[Any]:
    """The first ones, by which most trainings are told apart."""
    return islice(EVERY(*given), FEW)


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few, unless tests go deep: each candidate costs as much as two trainings."""
    if not DEEP:
        monkeypatch.setattr(canaries, "candidates", few)


@pytest.fixture
def every_candidate(few_candidates: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, for tests of the choice and of what only a later one shows."""
    monkeypatch.setattr(canaries, "candidates", EVERY)


@pytest.fixture(autouse=True)
def few_data_sets_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few, unless tests go deep, and one pair of neighbours on the way: half of the trainings of an audit are made on
    these, and tests/audit/structural/test_far.py is about them."""
    if not DEEP:
        monkeypatch.setattr(far, "REPLAYS", FEW_FAR)
        monkeypatch.setattr(far, "CROSSINGS", 1)
