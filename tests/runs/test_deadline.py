"""A deadline is the same moment wherever a task begins."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
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


@pytest.mark.parametrize("there", ["another", ""])
def test_on_another_machine_it_is_as_far_away(monkeypatch: pytest.MonkeyPatch, there: str) -> None:
    at(monkeypatch, 100.0)
    end = after(60.0)
    at(monkeypatch, 130.0)
    on_the_way = pickle.dumps(end)
    at(monkeypatch, 9000.0)
    monkeypatch.setattr(deadline, "clock", lambda: there)
    assert pickle.loads(on_the_way) == Deadline(9030.0)


def test_what_waited_for_a_worker_of_this_machine_has_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert deadline.clock()
    at(monkeypatch, 100.0)
    on_the_way = pickle.dumps(after(60.0))
    at(monkeypatch, 150.0)
    assert pickle.loads(on_the_way) == Deadline(160.0)


def test_processes_of_this_machine_have_one_clock() -> None:
    code = "from dpaudit.runs.deadline import clock; print(clock())"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == deadline.clock()


def test_there_may_be_none() -> None:
    assert not Deadline().passed()
    assert pickle.loads(pickle.dumps(Deadline())) == after(math.inf) == Deadline()
