"""Recordings with other batches than were drawn."""

from __future__ import annotations

import numpy as np

from dpaudit.audit.structural.other_batches import ordered, without
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.training import Training


def test_records_in_another_order_keep_their_places_in_batches() -> None:
    recorder = Recorder()
    with recorder.draws.open(3):
        recorder.batch([0, 2, 1])
    moved = ordered(recorder.recording(), np.array([2, 0, 1]))
    assert [one.tolist() for one in moved.batches] == [[1, 0, 2]]
    assert moved.draws.order is not None


def test_nobody_can_make_them_again() -> None:
    """What made the recording made other batches."""
    made, _ = Training(lambda data, recorder: recorder.batch([0, 2]), seed=1, sampled=True).record(np.zeros(3))
    assert made.again is not None
    assert without(made, 0).again is None
