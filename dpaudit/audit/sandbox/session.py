"""The parent's handle on a sandbox: starts the process, calls into it, ends it.

The process has limits of time, memory and output, an environment without secrets, and an empty folder to work in. It
is a group of its own, which is killed whole; what else keeps it apart, `namespaces` says.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from pathlib import Path
from typing import BinaryIO, NoReturn

from dpaudit.audit.sandbox import wire
from dpaudit.confinement import control_groups, enclosed, namespaces, scratch
from dpaudit.confinement.limits import Limits
from dpaudit.content import places
from dpaudit.noise import machine_code
from dpaudit.records.errors import ContentError, MachineFault, MissingPackageError, machine_words

PASSED = ("PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONHASHSEED", "PYTHONWARNINGS")
PASSED_FAMILIES = ("DPAUDIT_", "LC_", "CUDA_", "NVIDIA_", "NUMBA_", "OMP_", "MKL_", "OPENBLAS_", "XLA_", "JAX_")
"""Environment variables, and beginnings of their names, that a sandbox gets to see."""

_FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT})
"""Signals that no limit of a sandbox sends: a machine that is out of memory does, an administrator, or the target."""
_KILLED_INSIDE = "unshare: sigprocmask unblock failed"
"""What some versions of unshare say, with exit code 1, if its child was killed: it cannot die of that signal itself. A
target may say so too, and gets no more by it than to be played once more."""
_CUT_OFF = 75
"""The exit code of a sandbox in which the machine failed beside the target (`server.CUT_OFF`). A target may end with it
too, and gets no more by it either."""
_LOADING = "describe"
"""The call during which a file is loaded."""
_PATIENCE, _SHORT_ANSWER = 120.0, 1 << 10
"""Seconds in which a process must have begun, and bytes in which it says so."""
_SIGNALLED = 128
_TAIL = 300
_PAUSE = 0.5  # seconds, before another attempt to start a process
_ADVICE = "use less, or raise --memory-limit"
_LONGEST_TEXT = 20_000  # characters of what a sandbox says of an error


class SandboxError(ContentError):
    """What went wrong in a sandbox; raised: the class of the exception there, in words; killed: a signal ended it that
    no limit of a sandbox sends, or the machine failed in there beside the target; it may be played once more."""

    killed = False

    def __init__(self, text: str, raised: str) -> None:
        self.raised = raised
        super().__init__(text)


def environment(folder: Path) -> dict[str, str]:
    """The variables of a sandbox that works in `folder`."""
    kept = {k: v for k, v in os.environ.items() if k in PASSED or k.startswith(PASSED_FAMILIES)}
    ours = (*namespaces.TOLD, enclosed.TOLD)  # what this process may do: in there it is another matter
    kept = {k: v for k, v in kept.items() if k not in ours}
    package = str(Path(__file__).resolve().parents[3])
    searched = [os.path.abspath(entry) for entry in [*sys.path, package] if entry == "" or os.path.exists(entry)]
    own = {name: str(folder) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME", "MPLCONFIGDIR")}
    own |= {"NUMBA_CACHE_DIR": str(folder / ".numba"), machine_code.COMPILED: machine_code.home()}
    return kept | own | {"PYTHONPATH": os.pathsep.join(dict.fromkeys(searched))}


class Session:
    """A sandbox that runs: calls go in, values come out; a context manager that ends it."""

    def __init__(self, path: Path, limits: Limits) -> None:
        """Start a process that loads the target file `path`; it ends with the thread that made it, at the latest.

        Raises MachineFault where this machine cannot start one, asked twice.
        """
        self.limits, self._shown, self._number, self._ended = limits, places.shown(path), 0, ""
        self.kept: set[str] = set()
        self.killed = False
        self._path = places.real(path)
        try:
            self._start()
        except (OSError, MemoryError):
            time.sleep(_PAUSE)
            try:
                self._start()
            except (OSError, MemoryError) as error:
                reason = getattr(error, "strerror", None) or str(error) or "no memory"
                raise MachineFault(f"this machine cannot start a sandbox: {reason}; see TMPDIR, ulimit -u") from error

    def _start(self) -> None:
        """Start the process; OSError or MemoryError where nothing is left of the attempt."""
        namespaces.hide()
        machine_code.prepare()
        with contextlib.ExitStack() as undone:
            self._folder = undone.enter_context(scratch.made(namespaces.FOLDER))
            self._words: BinaryIO = undone.enter_context(tempfile.TemporaryFile())
            ours, theirs = map(undone.enter_context, socket.socketpair())
            self._group = undone.enter_context(control_groups.made(self.limits.memory))
            joins = () if self._group is None else self._group.words
            words = namespaces.command(self._folder, self._path, self.limits.memory, self.limits.network)
            self._process = subprocess.Popen(
                [*joins, *words, sys.executable, "-P", "-m", "dpaudit.audit.sandbox.server", str(theirs.fileno())],
                cwd=self._folder, env=environment(self._folder), pass_fds=(theirs.fileno(),), start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._words,
            )  # fmt: skip
            undone.callback(_end, self._process)
            theirs.close()
            self._connection = wire.Connection(ours)
            self._order()
            self._end = weakref.finalize(self, undone.pop_all().close)  # it has started

    def _order(self) -> None:
        """Say what is to be loaded under which limits; OSError if the process ends before it has heard of it: nothing
        of the target has run by then."""
        limits, deadline = self.limits, time.monotonic() + _PATIENCE
        order = {"path": str(self._path), "seconds": limits.seconds, "memory": limits.memory, "output": limits.output}
        try:
            self._connection.send(order, deadline=deadline)
            self._connection.receive(_SHORT_ANSWER, deadline)
        except (EOFError, ContentError) as error:
            raise OSError(_last_words(self._words) or "it ended at once") from error

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill all that runs in the sandbox and remove its folder; may be called again."""
        self._ended = self._ended or f"the sandbox of {self._shown} was closed"
        self._end()

    def kill(self) -> None:
        """Kill all that runs in the sandbox; the thread that waits for an answer, another one, is told of its death."""
        if self._end.alive:
            _kill(self._process)

    def call(self, name: str, **arguments: object) -> wire.Wire:
        """The value that the call `name` gives in the sandbox.

        Raises SandboxError for whatever it raises there, for a time-out, a death, or an answer that is none; after the
        last three the sandbox is ended. MissingPackageError comes through as itself.
        """
        if self._ended:
            raise SandboxError(self._ended, "ended")
        self._number += 1
        deadline = self._deadline(name)
        self._send({"number": self._number, "name": name, "arguments": arguments}, name, deadline)
        answer = self._receive(name, deadline)
        if not (isinstance(answer, dict) and type(answer.get("number")) is int and answer["number"] == self._number):
            self._fail(f"{name} was answered by what is no answer: do not touch the descriptors of dpaudit", "answer")
        if "error" in answer:
            raise self._raised(name, answer["error"])
        return answer.get("value")

    def _limit(self, name: str) -> tuple[float, str]:
        """The seconds that a call may take, and the flag that says so."""
        if name == _LOADING and self.limits.loading < self.limits.seconds:
            return self.limits.loading, "load it faster, or raise --load-limit"
        return self.limits.seconds, "make it faster, ask for fewer trials, or raise --time-limit"

    def _deadline(self, name: str) -> float:
        return time.monotonic() + self._limit(name)[0]

    def _send(self, value: object, name: str, deadline: float) -> None:
        try:
            self._connection.send(value, deadline=deadline)
        except EOFError:
            self._died(name)
        except TimeoutError:
            self._late(name)
        except (OSError, MemoryError) as error:
            self._lost(name, error)

    def _receive(self, name: str, deadline: float) -> wire.Wire:
        try:
            return self._connection.receive(self.limits.output, deadline)
        except EOFError:
            self._died(name)
        except TimeoutError:
            self._late(name)
        except ContentError as error:
            self._fail(f"{name} gave no answer that can be read: {error}", "answer")
        except (OSError, MemoryError) as error:
            self._lost(name, error)

    def _late(self, name: str) -> NoReturn:
        seconds, advice = self._limit(name)
        self._fail(f"{name} took longer than {seconds:g} s: {advice}", "time-out")

    def _lost(self, name: str, error: OSError | MemoryError) -> NoReturn:
        """This process failed in the middle of a message: as if the sandbox had been killed from outside."""
        self.killed = True
        self._fail(f"{name} was cut off: {machine_words(error)}", type(error).__name__)

    def _died(self, name: str) -> NoReturn:
        try:
            code = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._fail(f"{name} closed the connection: do not touch the descriptors of dpaudit", "death")
        if self._group is not None and self._group.overrun():
            most = control_groups.together(self.limits.memory)
            self._fail(f"all processes together needed more than {most} during {name}: {_ADVICE}", "memory")
        if code == 1 and _KILLED_INSIDE in _last_words(self._words):
            code = -signal.SIGKILL
        if _SIGNALLED < code <= _SIGNALLED + 64:  # as `walls` says it, and shells
            code = _SIGNALLED - code
        self.killed = -code in _FROM_OUTSIDE or code == _CUT_OFF
        self._fail(f"the process ended during {name} with {_cause(code)}", "death")

    def _fail(self, text: str, raised: str) -> NoReturn:
        """End the sandbox and say why, with the last words on its standard error."""
        said = _last_words(self._words)
        self._ended = text + (f"; its last words: {said}" if said else "")
        self.close()
        failed = SandboxError(self._ended, raised)
        failed.killed = self.killed
        raise failed

    def here(self, text: str, place: object) -> str:
        """`text` of the sandbox, with the file called as in this process; place: how it is called there."""
        return text.replace(place, self._shown) if isinstance(place, str) and place.endswith(".py") else text

    def _raised(self, name: str, error: object) -> Exception:
        """The exception that `told` in the sandbox speaks of."""
        if not isinstance(error, dict):
            error = {}
        package, said = error.get("package"), str(error.get("text", ""))[:_LONGEST_TEXT]
        text = self.here(said, error.get("place"))[:_LONGEST_TEXT]
        if isinstance(package, list) and len(package) == 3:
            missing = MissingPackageError(*map(str, package))
            missing.args = (text,)  # subclasses say otherwise what to do
            return missing
        self.killed |= error.get("beside") is True
        if error.get("memory") is True:
            text += f"; it may have {self.limits.gib:g} GiB: {_ADVICE}"
        if error.get("file_size") is True:
            text += f"; a sandbox may write {self.limits.output} bytes to a file"
        if error.get("network") is True and not self.limits.network:
            text += "; a sandbox has no network: name local files, or allow it with --allow-network"
        if error.get("read_only") is True:
            text += "; a sandbox writes in its own folder alone: see TMPDIR"
        found = SandboxError(text or f"{name} failed", str(error.get("raised", "Exception")))
        found.killed = self.killed
        found.add_note("in the sandbox:\n" + str(error.get("trace", ""))[-_LONGEST_TEXT:])
        return found


def _cause(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}" + (", perhaps for want of memory" if code == -9 else "")
    return f"signal {-code}"


def _last_words(file: BinaryIO) -> str:
    """The last printable characters of what was written to standard error, "" where that cannot be read."""
    text = ""
    with contextlib.suppress(OSError, MemoryError):
        size = os.fstat(file.fileno()).st_size
        text = os.pread(file.fileno(), 4 * _TAIL, max(0, size - 4 * _TAIL)).decode(errors="replace")
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[-_TAIL:]


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill `process` and all that it started, and reap it."""
    _kill(process)
    process.wait()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill the children and the group of `process`."""
    for child in _children(process.pid):  # the first process of a namespace takes all others along, in any group
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _children(process: int) -> list[int]:
    """The children of a process that was not reaped yet, none where /proc does not say."""
    with contextlib.suppress(OSError, MemoryError):
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    return []
