"""What a training raises where it was handed another batch than it drew."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.structural.handed import handing, of_another_batch
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.errors import OtherBatchError


def looked_up(recorder: Recorder, drawn: list[int]) -> None:
    """Numbers of all records, by the ids that were drawn, times those of the batch."""
    with handing(recorder):
        members = recorder.batch(drawn)
        _ = np.arange(6)[drawn] * np.ones(len(members))


def test_another_batch_is_named_with_what_to_change() -> None:
    recorded = Recording((), (), (np.array([0, 1]),), ())
    with pytest.raises(OtherBatchError, match=r"ValueError: .*; to settle it: ") as raised:
        looked_up(Recorder(recorded, np.arange(6), joined=[5]), [0, 1])
    assert raised.value.raised == "ValueError"


def test_whatever_else_is_raised_stays_what_it_is() -> None:
    looked_up(Recorder(), [0, 1])
    with pytest.raises(IndexError), handing(Recorder()):
        _ = np.arange(2)[[7]]


def test_the_error_is_known_by_its_name_in_a_sandbox_too() -> None:
    class RemoteError(Exception):
        raised = "OtherBatchError"

    assert of_another_batch(OtherBatchError(ValueError("41 for 40")))
    assert of_another_batch(RemoteError())
    assert not of_another_batch(ValueError("41 for 40"))
