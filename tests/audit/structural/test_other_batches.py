"""Recordings with other batches than were drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpaudit.audit.structural.other_batches import joined, ordered, without
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.audit.structural.training import Training


def read(*steps: list[list[int]], before: Sequence[list[int]] = (), records: int = 9) -> Recording:
    recorder = Recorder()
    with recorder.draws.open(records):
        for ids in before:
            recorder.batch(ids)
        recorder.begin()
        for step in steps:
            for ids in step:
                recorder.batch(ids)
            recorder.step()
    return recorder.recording()


def batches(recorded: Recording) -> list[list[int]]:
    return [one.tolist() for one in recorded.batches]


def test_a_record_joins_the_first_piece_of_each_batch_at_its_place() -> None:
    made = read([[1, 7], [2]], [[8], [4]], [[]])
    assert batches(joined(made, 4)) == [[1, 4, 7], [2], [8], [4], [4]]
    assert batches(joined(read([[7, 1]]), 4)) == [[7, 1, 4]], "last, where they have no order"


def test_a_record_joins_no_look_and_nothing_that_is_read_before_the_steps() -> None:
    everybody = list(range(9))
    made = read([everybody, [1, 7]], [[3]], before=[[5]])
    assert batches(joined(made, 4)) == [[5], everybody, [1, 4, 7], [3, 4]]


def test_without_a_step_each_read_is_joined() -> None:
    made = Recording((), (), (np.array([3]), np.array([4, 1])), ())
    assert batches(joined(made, 4)) == [[3, 4], [4, 1]]


def test_records_in_another_order_keep_their_places_in_batches() -> None:
    made = read([[0, 2, 1]], records=3)
    moved = ordered(made, np.array([2, 0, 1]))
    assert batches(moved) == [[1, 0, 2]]
    assert moved.draws.order is not None


def test_nobody_can_make_them_again() -> None:
    """What made the recording made other batches."""
    made, _ = Training(lambda data, recorder: recorder.batch([0, 2]), seed=1, sampled=True).record(np.zeros(3))
    assert made.again is not None
    assert without(made, 0).again is None
    assert joined(made, 1).again is None
