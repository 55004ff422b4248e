"""Records as a Dataset: what torch reads from it, and what the recorder sees."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from dpaudit.adapters.torch_records import Records, empty_record
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.errors import ContentError

INPUTS = np.arange(12.0).reshape(6, 2)
LABELS = np.arange(6)


def test_a_loader_reads_batches_that_the_recorder_sees() -> None:
    recorder = Recorder()
    loader = DataLoader(Records((INPUTS, LABELS), recorder), batch_size=4)
    batches = list(loader)
    assert [len(labels) for _, labels in batches] == [4, 2]
    assert batches[0][0].dtype is torch.float32
    assert torch.equal(batches[1][1], torch.tensor([4, 5]))
    assert [batch.tolist() for batch in recorder.recording().batches] == [[0, 1, 2, 3], [4, 5]]


def _stepped(loader: DataLoader, recorder: Recorder) -> Iterator[torch.Tensor]:
    """The batches, with a step after each."""
    for batch in loader:
        yield batch
        recorder.step()


def test_a_replay_gives_the_recorded_batches_that_are_present_and_joins_the_record() -> None:
    drawn = Recording((), (), (np.array([5, 1]), np.array([2])), ())
    recorder = Recorder(drawn, np.arange(4), joined=[3])
    first, second = _stepped(DataLoader(Records(INPUTS, recorder), batch_size=3, shuffle=True), recorder)
    assert first[:, 0].tolist() == [2.0, 6.0]
    assert second[:, 0].tolist() == [4.0, 6.0]


@pytest.mark.parametrize("ids", [[2, 0], torch.tensor([2, 0]), np.array([2, 0]), (2, 0)])
def test_tensors_by_ids_for_loops_by_hand(ids: object) -> None:
    recorder = Recorder()
    inputs, labels = Records((INPUTS, LABELS), recorder).tensors(ids)
    assert labels.tolist() == [2, 0]
    assert inputs.tolist() == [[4.0, 5.0], [0.0, 1.0]]
    assert recorder.recording().batches[0].tolist() == [2, 0]


def test_all_records_and_none() -> None:
    records = Records(INPUTS, Recorder())
    assert records.tensors().shape == (6, 2)
    assert records.tensors([]).shape == (0, 2)
    assert records.__getitems__([]) == []
    assert records.batches == 3


def test_single_records_are_counted_and_end_a_loop() -> None:
    records = Records(INPUTS, Recorder())
    assert [one.tolist() for one in records] == INPUTS.tolist()
    assert records.single == 6
    assert records[-1].tolist() == [10.0, 11.0]
    with pytest.raises(ContentError, match=r"call records.tensors\(ids\)"):
        records[1:3]


def test_the_empty_record_is_in_no_batch_and_cannot_be_read() -> None:
    data = tuple(
        np.concatenate([a, b[None]]) for a, b in zip((INPUTS, LABELS), empty_record((INPUTS, LABELS)), strict=True)
    )
    records = Records(data, Recorder())
    assert len(records) == 7
    assert records.tensors([0, 6])[1].tolist() == [0]
    assert [len(labels) for _, labels in DataLoader(records, batch_size=7)] == [6]
    with pytest.raises(ContentError, match="record 6 stands for no record"):
        records[6]


def test_the_empty_record_of_texts_is_none_of_them() -> None:
    """Words and labels are integers: no float says that there is no record."""
    words = np.arange(12).reshape(6, 2)
    data = tuple(
        np.concatenate([a, b[None]]) for a, b in zip((words, LABELS), empty_record((words, LABELS)), strict=True)
    )
    records = Records(data, Recorder())
    assert records.tensors([0, 6])[0].tolist() == [[0, 1]]
    with pytest.raises(ContentError, match="record 6 stands for no record"):
        records[6]
    assert empty_record(words.astype(np.uint8)) is None


def test_integers_stay_integers() -> None:
    assert Records(np.arange(4, dtype=np.uint8), Recorder()).tensors().dtype is torch.int64


def replayed(ids: object) -> object:
    """What is left in `ids` where a replay hands out records 5, 1 and 3."""
    drawn = Recording((), (), (np.array([5, 1]),), ())
    Records(INPUTS, Recorder(drawn, np.arange(6), joined=[3])).tensors(ids)
    return ids


def test_ids_hold_the_records_that_a_replay_hands_out() -> None:
    whole = torch.tensor([0, 2, 4, 1])
    part = whole[1:3]
    assert replayed(part).tolist() == [5, 1, 3]
    assert whole.tolist() == [0, 2, 4, 1], "what it was a part of stays"
    assert replayed([2, 4]) == [5, 1, 3]
    assert replayed((2, 4)) == (2, 4)
