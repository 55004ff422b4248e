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
def few_candidates(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ones, which most trainings are told apart by, unless a test is about the choice or tests go deep."""
    if DEEP or request.node.get_closest_marker("every_candidate"):
        return
    every = canaries.candidates

    def few(*given: Any) -> Iterator[Any]:
        return islice(every(*given), FEW)

    monkeypatch.setattr(canaries, "candidates", few)
