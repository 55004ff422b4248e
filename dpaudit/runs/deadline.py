"""When the time of a run is over, by a clock that nobody sets.

Such a clock counts from another moment on another machine. So a deadline travels with the seconds that are left when it
is pickled, that is, when a task is handed to a worker; these count where the clock is another one.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Deadline:
    """end: by time.monotonic() of this process; there is none by default."""

    end: float = math.inf

    def passed(self) -> bool:
        """Is the time over?"""
        return time.monotonic() >= self.end

    def __reduce__(self) -> tuple[Callable[[float, float, str], Deadline], tuple[float, float, str]]:
        return _received, (self.end, self.end - time.monotonic(), clock())


NEVER = Deadline()


def after(seconds: float) -> Deadline:
    """The deadline so many seconds from now."""
    return Deadline(time.monotonic() + seconds)


@cache
def clock() -> str:
    """Names the clock of this process; "" where Linux does not say which one it is."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {os.readlink('/proc/self/ns/time')}"
    except OSError:
        return ""


def _received(end: float, left: float, clock_of_end: str) -> Deadline:
    """The same moment on the same clock: a task may have waited for a worker that was busy."""
    return Deadline(end) if clock_of_end and clock_of_end == clock() else after(left)
