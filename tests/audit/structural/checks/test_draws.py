"""The sampler does not look at the records."""

from __future__ import annotations

import pytest
from recordings import recording

from dpaudit.audit.structural.checks import draws
from dpaudit.records.verdict import Outcome


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([[0, 1], [2]], [[0, 1], [2]], Outcome.CONSISTENT),
        ([[0, 1], [2]], [[0, 1], [3]], Outcome.REFUTED),
        ([[0, 1], [2]], [[0, 1]], Outcome.REFUTED),
        ([[0]], [[0], []], Outcome.REFUTED),
        ([], [], Outcome.NOT_RUN),
    ],
)
def test_draws(first: list, second: list, expected: Outcome) -> None:
    assert draws.check([("replaced", recording(batches=first), recording(batches=second))]).outcome is expected
