"""Clocks for audits of running time: how long a sampler takes for each release.

Two clocks. `lines` counts the lines of Python that a sampler executes: the same number for the same seed on every
machine, so that an audit by it can be repeated. It sees loops that run longer for larger noise; it does not see work
inside of one line (big integers, NumPy, C). `nanoseconds` is the wall clock, the smallest of a few repeats: it sees
everything, and assumes an idle machine, a fixed clock rate, and that times of one seed differ by interruptions alone.

That discrete samplers tell the size of their noise by their time: Jin, McMurtry, Rubinstein, Ohrimenko, "Are We There
Yet? Timing and Floating-Point Attacks on Differential Privacy Systems" (2022).
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import TYPE_CHECKING

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.validation import check_count

if TYPE_CHECKING:
    from _typeshed import TraceFunction

Sampler = Callable[[random.Random], float]
"""Makes one release; all its randomness is that of the generator."""
Clock = Callable[[Sampler, int], tuple[float, float]]
"""(sampler, seed) -> (what it released, how long it took)."""


def lines(sampler: Sampler, seed: int) -> tuple[float, float]:
    """One release, and the lines of Python that were executed for it; restores the tracer that was set."""
    source, counted = random.Random(seed), 0

    def trace(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal counted
        counted += event == "line"
        return trace

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # what the collector finalises is other people's Python
    sys.settrace(trace)
    try:
        value = sampler(source)
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return value, float(counted)


def nanoseconds(sampler: Sampler, seed: int, repeats: int = 5) -> tuple[float, float]:
    """One release, and its wall time in nanoseconds: the smallest of `repeats` >= 1 runs from the same seed."""
    times = []
    for _ in range(check_count("repeats", repeats)):
        source = random.Random(seed)
        started = time.perf_counter_ns()
        value = sampler(source)
        times.append(time.perf_counter_ns() - started)
    return value, float(min(times))


def measured(sampler: Sampler, seeds: Iterable[int], clock: Clock = lines) -> Array:
    """Releases and their times, shape (trials, 2), one trial for each seed."""
    rows = [clock(sampler, int(seed)) for seed in seeds]
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2)
