"""How many records the audits of these tests try as the one in question."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from depth import DEEP

from dpaudit.adapters import canaries

FEW = 3


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ones, by which most trainings are told apart; all where tests go deep. A module whose tests are about
    the choice has a fixture of this name that does nothing."""
    if DEEP:
        return
    every = canaries.candidates

    def few(*given: Any) -> Iterator[Any]:
        return islice(every(*given), FEW)

    monkeypatch.setattr(canaries, "candidates", few)
