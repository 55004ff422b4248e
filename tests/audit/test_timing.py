"""Clocks: deterministic, blind to nothing that loops, and out of the way afterwards."""

from __future__ import annotations

import gc
import random
import sys
from typing import Any

import numpy as np
import pytest

from dpaudit.audit import timing
from dpaudit.records.errors import ConfigurationError


def looped(source: random.Random) -> float:
    """A whole number from 0 to 4 by counting up to it."""
    most, found = int(source.random() * 5), 0
    while found < most:
        found += 1
    return found


def constant(source: random.Random) -> float:
    return int(source.random() * 5)


def test_lines_grow_with_the_rounds_of_a_loop() -> None:
    """Two lines a round: the condition and the body."""
    rows = timing.measured(looped, range(200))
    assert len(np.unique(rows[:, 0])) == 5
    assert np.array_equal(np.unique(rows[:, 1] - 2 * rows[:, 0]), [3.0])


class Cyclic:
    """Garbage that only the collector finds, with a finaliser of some lines."""

    def __init__(self) -> None:
        self.own = self

    def __del__(self) -> None:
        self.first = 1
        self.second = 2


def littering(source: random.Random) -> float:
    return float(len([[] for _ in range(5000)]))  # so many that the collector would run


def test_the_collector_of_garbage_is_not_counted() -> None:
    """Collections fall at other times in other processes; they are put off until the release is made."""
    clean = timing.lines(littering, 1)
    garbage = [Cyclic() for _ in range(50)]
    del garbage
    assert timing.lines(littering, 1) == clean
    assert gc.isenabled()


def test_lines_of_constant_work_are_constant() -> None:
    assert np.unique(timing.measured(constant, range(200))[:, 1]).tolist() == [1.0]


def test_the_same_seeds_give_the_same_times() -> None:
    assert np.array_equal(timing.measured(looped, range(50)), timing.measured(looped, range(50)))


def test_both_clocks_release_the_same() -> None:
    counted, timed = (timing.measured(looped, range(20), clock) for clock in (timing.lines, timing.nanoseconds))
    assert np.array_equal(counted[:, 0], timed[:, 0])
    assert (timed[:, 1] >= 0).all()


def test_the_wall_clock_is_the_smallest_of_the_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    readings = iter([0, 70, 100, 130, 200, 250])
    monkeypatch.setattr(timing.time, "perf_counter_ns", lambda: next(readings))
    assert timing.nanoseconds(constant, 1, repeats=3)[1] == 30.0


def test_the_tracer_is_restored_also_after_an_error() -> None:
    def tracer(frame: Any, event: str, argument: Any) -> Any:
        return None

    def broken(source: random.Random) -> float:
        raise ValueError("stop")

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        timing.lines(constant, 1)
        assert sys.gettrace() is tracer
        with pytest.raises(ValueError, match="stop"):
            timing.lines(broken, 1)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_no_seed_and_no_repeat() -> None:
    assert timing.measured(constant, []).shape == (0, 2)
    with pytest.raises(ConfigurationError, match="repeats"):
        timing.nanoseconds(constant, 1, repeats=0)
