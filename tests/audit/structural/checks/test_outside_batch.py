"""Nothing outside the batch matters."""

from __future__ import annotations

from recordings import recording

from dpaudit.audit.structural.checks import outside_batch
from dpaudit.records.verdict import Outcome


def test_records_outside_the_batch() -> None:
    base = recording({"statistic": 1.0}, public=[("n", 5)], batches=[[0, 1]])
    assert outside_batch.check([("last", base, base)]).outcome is Outcome.CONSISTENT
    for other in (
        recording({"statistic": 1.1}, public=[("n", 5)], batches=[[0, 1]]),
        recording({"statistic": 1.0}, public=[("n", 4)], batches=[[0, 1]]),
    ):
        assert outside_batch.check([("last", base, other)]).outcome is Outcome.REFUTED
    assert outside_batch.check([]).outcome is Outcome.NOT_RUN
    assert outside_batch.check([("last", recording({}), recording({}))]).outcome is Outcome.NOT_RUN
