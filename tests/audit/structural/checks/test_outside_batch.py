"""Nothing outside the batch matters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from recordings import recording

from dpaudit.audit.structural.checks import outside_batch
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, PoissonSampled
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

DATA = np.random.default_rng(0).uniform(-0.5, 0.5, size=(8, 2))


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


def seen_of(others: Sequence[np.ndarray], by_all: bool) -> Observed:
    """A noisy sum over random batches, divided by how many records of all are not zero where `by_all`; the neighbours
    have an empty record."""

    def train(data: np.ndarray, recorder: Recorder) -> None:
        rng = np.random.default_rng(recorder.seed)
        members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.5))
        total = data[members].sum(axis=0) / (np.count_nonzero(data.any(axis=1)) if by_all else len(data))
        recorder.release("sum", total, rng.normal(size=2), sensitivity=1.0, noise_scale=1.0)

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ZERO_OUT, 1e-5, source="the test")
    mechanism = PoissonSampled(0.5, Gaussian(1.0))
    return Observed(train, DATA, others, claim, mechanism, Assumptions(), 7, 1e-6)


def test_the_empty_record_is_that_of_the_neighbours() -> None:
    empty = [np.concatenate([DATA[:-1], np.zeros((1, 2))])]
    assert outside_batch.examine(seen_of(empty, by_all=False)).outcome is Outcome.CONSISTENT
    assert outside_batch.examine(seen_of(empty, by_all=True)).outcome is Outcome.REFUTED


def test_what_is_not_known_is_said() -> None:
    elsewhere = [np.concatenate([np.zeros((1, 2)), DATA[1:]])]
    for others in (elsewhere, [DATA[:-1]]):
        found = outside_batch.examine(seen_of(others, by_all=True))
        assert (found.outcome, found.detail) == (Outcome.NOT_RUN, outside_batch.UNKNOWN)
