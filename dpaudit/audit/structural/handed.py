"""Trainings that fail where a replay hands them another batch than they drew.

A training may look up values of its own by the ids that it drew. On a replay the batch is the recorded one, with one
record more or less, so that the numbers do not fit. That says nothing of its privacy: it is told what to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.errors import OtherBatchError


@contextmanager
def handing(recorder: Recorder) -> Iterator[None]:
    """While a training runs: what it raises is an OtherBatchError where it was handed another batch than it drew."""
    try:
        yield
    except (IndexError, KeyError, RuntimeError, ValueError) as error:
        if not recorder.handed_others:
            raise
        raise OtherBatchError(error) from error


def of_another_batch(error: BaseException) -> bool:
    """Is it an OtherBatchError, raised here or in a sandbox?"""
    return OtherBatchError.__name__ in (type(error).__name__, getattr(error, "raised", ""))
