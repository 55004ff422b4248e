"""A running Coq that reads sentences one after the other, to find out which proofs fail: a refused proof ends neither
the others nor itself. Nothing is accepted here; what did not fail is judged by `coqc`."""

from __future__ import annotations

import contextlib
import os
import re
import select
import subprocess
import time
from pathlib import Path

from dpaudit.kernel.batch import HEAD
from dpaudit.kernel.export import Exported

MARK = "fun {0} : True => {0}"
ERROR = re.compile(r"^(?:Error:|Timeout!)|^Toplevel input, characters", re.MULTILINE)
PROMPT = re.compile(r"\b[A-Za-z_0-9]+ <(?=\s|$)")
MOST_SECONDS = 20
"""For one proof."""


class Ended(Exception):
    """Coq did not answer in time, or ended."""


class Session:
    """One process; folder: where the compiled Support lies."""

    def __init__(self, folder: Path) -> None:
        command = ["coqtop", "-q", "-w", "none", "-Q", str(folder), "Dp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder
        )
        self._buffer, self._sent = b"", 0
        self.ask(f"{HEAD}Set Silent.\n", 600)

    def failure(self, exported: Exported) -> str | None:
        """What Coq says to the first proof that fails; None where none does."""
        self._sent += 1
        name = f"attempt_{self._sent}"
        self.ask(f"Module {name}.", 60)
        for sentence in exported.sentences():
            said = self.ask(_limited(sentence), MOST_SECONDS + 60)
            if ERROR.search(said):
                self.ask("Abort All.", 60)
                self.ask(f"Reset {name}.", 60)
                return f"{sentence.split(' ')[1]}: {_shortened(said)}"
        self.ask(f"End {name}.", 60)
        return None

    def ask(self, text: str, seconds: float) -> str:
        """What Coq says to the sentences; raises Ended where it takes longer."""
        self._sent += 1
        name = f"mark_{self._sent}"
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\nCheck (fun {name} : True => {name}).\n".encode())
        self.process.stdin.flush()
        return self._answer(MARK.format(name).encode(), time.monotonic() + seconds)

    def _answer(self, mark: bytes, end: float) -> str:
        assert self.process.stdout is not None
        number = self.process.stdout.fileno()
        while mark not in self._buffer:
            ready, _, _ = select.select([number], [], [], max(0.0, end - time.monotonic()))
            more = os.read(number, 65_536) if ready else b""
            if not more:
                self.close()
                raise Ended("Coq took too long" if not ready else "Coq ended")
            self._buffer += more
        said, _, rest = self._buffer.partition(mark)
        self._buffer = rest.partition(b"\n")[2]
        return said.decode(errors="replace")

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()


def _shortened(said: str) -> str:
    """The first error."""
    error = said[said.find("Error:") :].partition("Toplevel input")[0]
    return " ".join(PROMPT.sub(" ", error).split())[:240]


def _limited(sentence: str) -> str:
    """A lemma whose tactic, and whose check by the kernel, have a limit of time."""
    head, proof, rest = sentence.partition(".\nProof.\n")
    if not proof:
        return sentence
    tactic, qed, _ = rest.rpartition(".\nQed.")
    return f"{head}{proof}Timeout {MOST_SECONDS} {tactic}.\nTimeout {MOST_SECONDS} Qed." if qed else sentence
