"""The same noisy calls in the same order."""

from __future__ import annotations

import pytest
from recordings import recording

from dpaudit.audit.structural.checks import calls
from dpaudit.records.verdict import Outcome

A, B = {"name": "a"}, {"name": "b"}


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([A, A], [A, A], Outcome.CONSISTENT),
        ([A, A], [A], Outcome.REFUTED),
        ([A], [A, A], Outcome.REFUTED),
        ([A, B], [B, A], Outcome.REFUTED),
        ([A], [{**A, "statistic": [0.0], "noise": [0.0]}], Outcome.REFUTED),
        ([A], [{**A, "noise": None}], Outcome.REFUTED),
        ([A], [{**A, "noise_scale": 2.0}], Outcome.REFUTED),
        ([{**A, "noise_scale": 2.0}], [{**A, "noise_scale": 2.0 + 1e-12}], Outcome.CONSISTENT),
        ([{**A, "noise_scale": 2.0}], [{**A, "noise_scale": 2.0 + 1e-7}], Outcome.REFUTED),
        ([A], [{**A, "statistic": 5.0}], Outcome.CONSISTENT),
        ([], [], Outcome.NOT_RUN),
    ],
)
def test_calls(first: list, second: list, expected: Outcome) -> None:
    assert calls.check([("removed", recording(*first), recording(*second))]).outcome is expected


def test_batches_and_outputs_count_as_calls() -> None:
    one = recording(A, batches=[[0]], outputs=[("model", 1)])
    assert (
        calls.check([("removed", one, recording(A, batches=[[0], [1]], outputs=[("model", 1)]))]).outcome
        is Outcome.REFUTED
    )
    assert calls.check([("removed", one, recording(A, batches=[[0]]))]).outcome is Outcome.REFUTED
    assert calls.check([("removed", one, one)]).outcome is Outcome.CONSISTENT
