"""A deadline is the same moment wherever a task begins."""

from __future__ import annotations

import math
import pickle
from types import SimpleNamespace

import pytest

from dpaudit.runs import deadline
from dpaudit.runs.deadline import Deadline, after


def at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """A clock that shows so many seconds, since whatever it counts from."""
    monkeypatch.setattr(deadline, "time", SimpleNamespace(monotonic=lambda: seconds))


def test_it_passes_when_its_seconds_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 100.0)
    end = after(60.0)
    at(monkeypatch, 159.0)
    assert not end.passed()
    at(monkeypatch, 160.0)
    assert end.passed()


def test_on_another_machine_it_is_as_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 100.0)
    end = after(60.0)
    at(monkeypatch, 130.0)
    on_the_way = pickle.dumps(end)
    at(monkeypatch, 9000.0)
    assert pickle.loads(on_the_way) == Deadline(9030.0)


def test_there_may_be_none() -> None:
    assert not Deadline().passed()
    assert pickle.loads(pickle.dumps(Deadline())) == after(math.inf) == Deadline()
