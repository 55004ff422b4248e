"""When the time of a run is over, by a clock that nobody sets.

Such a clock counts from another moment in every process that may lie on another machine. So a deadline travels as the
seconds that are left: it is pickled when a task is handed to a worker that is free, and loaded where that begins.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """end: by time.monotonic() of this process; there is none by default."""

    end: float = math.inf

    def passed(self) -> bool:
        """Is the time over?"""
        return time.monotonic() >= self.end

    def __reduce__(self) -> tuple[Callable[[float], Deadline], tuple[float]]:
        return after, (self.end - time.monotonic(),)


NEVER = Deadline()


def after(seconds: float) -> Deadline:
    """The deadline so many seconds from now."""
    return Deadline(time.monotonic() + seconds)
