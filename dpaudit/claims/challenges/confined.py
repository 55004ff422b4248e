"""Where the answer of somebody else is run: in an empty folder of its own, behind what this machine has as walls."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

MOST_SAID = 1 << 20
"""Bytes of what a program says that are read, the last ones."""
_OVERRUN = "all its processes together needed more memory than they may have"


@dataclass(frozen=True)
class Ended:
    """The exit code of a program, and what it said on both of its outputs."""

    code: int
    said: str


@dataclass(frozen=True)
class Confined:
    """folder: the working directory, which is empty at first; words: what stands before the words of a program;
    environment: its variables; walled: it can write in the folder alone and has no network; overrun: did all that ran
    there need more memory together than it may have?"""

    folder: Path
    words: tuple[str, ...]
    environment: Mapping[str, str]
    walled: bool
    overrun: Callable[[], bool] = bool

    def run(self, command: Sequence[str], seconds: float) -> Ended:
        """Run a program to its end; TimeoutError where it takes longer, and nothing of it is left then."""
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [*self.words, *command], cwd=self.folder, env=dict(self.environment), stdin=subprocess.DEVNULL,
                stdout=said, stderr=said, start_new_session=True,
            )  # fmt: skip
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired as error:
                raise TimeoutError(f"it took longer than {seconds:g} s") from error
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            size = said.seek(0, os.SEEK_END)
            said.seek(max(0, size - MOST_SAID))
            words = said.read().decode("utf-8", errors="replace")
            return Ended(code, f"{words}\n{_OVERRUN}" if self.overrun() else words)


Confine = Callable[[], AbstractContextManager[Confined]]
"""Makes such a place, which is gone afterwards."""
