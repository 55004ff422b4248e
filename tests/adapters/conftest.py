"""How many records the audits of these tests try as the one in question, and how far away they look."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from depth import DEEP

from dpaudit.adapters import canaries

FEW, EVERY = 3, canaries.candidates


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
def near(few_data_sets_far_away: None) -> None:
    """No more than a few data sets far away: tests/audit/structural/test_far.py is about them."""
