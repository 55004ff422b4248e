"""Public values must be equal on neighbours."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural.checks import public_values
from dpaudit.records.verdict import Outcome


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([("n", 3)], [("n", 3)], Outcome.CONSISTENT),
        ([("n", 3)], [("n", 4)], Outcome.REFUTED),
        ([("n", 3)], [("m", 3)], Outcome.REFUTED),
        ([("n", 3)], [], Outcome.REFUTED),
        ([], [("n", 3)], Outcome.REFUTED),
        ([("w", np.ones(3))], [("w", np.ones(3))], Outcome.CONSISTENT),
        ([("w", np.ones(3))], [("w", np.ones(2))], Outcome.REFUTED),
        ([], [], Outcome.NOT_RUN),
    ],
)
def test_public_values(first: list, second: list, expected: Outcome) -> None:
    found = public_values.check([("removed", recording(public=first), recording(public=second))])
    assert found.outcome is expected


def test_the_witness_names_both_values() -> None:
    pair = ("removed", recording(public=[("n", 3)]), recording(public=[("n", 4)]))
    numbers = dict(public_values.check([pair]).numbers)
    assert (numbers["name"], numbers["value"], numbers["neighbour"]) == ("n", "3", "4")
    assert len(public_values.shown("x" * 200)) == 60
