"""Limits of time, memory and output for code of other people; a process sets them on itself and all that it starts."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from dpaudit.confinement import control_groups
from dpaudit.records.errors import ConfigurationError

_TIME = "--time-limit"
_LESS = "let it use less, or raise --memory-limit"


@dataclass(frozen=True)
class Limits:
    """Of one sandbox. seconds: of each call; gib: memory of each process, see `control_groups` for that of
    all together; network: it may use that of the machine; loading: seconds in which its file is loaded and its targets
    are described; output: bytes of one answer, and of each file that is written."""

    seconds: float = 3600.0
    gib: float = 8.0
    network: bool = False
    loading: float = 60.0
    output: int = 1 << 30

    @property
    def memory(self) -> int:
        """Bytes of each process."""
        return int(self.gib * (1 << 30))

    @property
    def of_loading(self) -> Bounds:
        """Of a copy in which a claim file is loaded."""
        seconds = min(self.loading, self.seconds)
        return Bounds("loading the file", seconds, self.memory, "--load-limit" if seconds == self.loading else _TIME)

    @property
    def of_judging(self) -> Bounds:
        """Of a copy in which a claim is judged."""
        return Bounds("judging the claim", self.seconds, self.memory, _TIME)

    def __post_init__(self) -> None:
        finite = all(0 < seconds < float("inf") for seconds in (self.seconds, self.loading))
        if not (finite and 0 < self.gib < 2**20 and self.output > 0):
            said = "limits of a sandbox must be finite and above 0, and memory below 2^20 GiB"
            raise ConfigurationError(f"{said}, got {self}")


@dataclass(frozen=True)
class Bounds:
    """Of one copy of this process. what: it does, in words; seconds: for all of it; memory: bytes of each process;
    flag: that of the seconds; output: bytes of each file that is written; answer: bytes of what it gives."""

    what: str
    seconds: float
    memory: int
    flag: str
    output: int = 1 << 30
    answer: int = 64 << 20

    @property
    def advice(self) -> str:
        """What to do where the time is over."""
        return f"let it do less, or raise {self.flag}"

    @property
    def memory_words(self) -> str:
        """What a process may have, and what to do where it needs more."""
        return f"; it may have {self.memory / (1 << 30):g} GiB: {_LESS}"

    @property
    def together_words(self) -> str:
        """The same of all its processes together, where they have a control group."""
        return f"; all its processes together may have {control_groups.together(self.memory)}: {_LESS}"


def confine(memory: int, output: int) -> None:
    """Limits that hold for this process and all that it starts; bytes of memory each, bytes of each file written.

    RLIMIT_DATA counts what is written to; RLIMIT_AS would count address space too, of which CUDA reserves a lot.
    """
    import resource  # not on Windows, where this module is only read for its names

    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_FSIZE, output), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def allow_processor_time(seconds: float) -> None:
    """A backstop for where nobody is left to end this process: the time of one call on all processors, and a minute."""
    import resource

    used, hard = time.process_time(), resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = int(used + 60 + seconds * (os.cpu_count() or 1))
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
