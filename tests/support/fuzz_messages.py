"""What a sandbox says: messages, answers to the calls of an audit, the targets of a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from fuzz_files import BASE, Wrong, home

from dpaudit.audit.sandbox import planning, remote_target, wire
from dpaudit.audit.sandbox.session import Session
from dpaudit.audit.structural.recording import Recorder
from dpaudit.confinement.limits import Limits
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.serial import encode
from dpaudit.runs import budget
from dpaudit.runs.flows.audit import Audits
from dpaudit.runs.flows.flow import once
from dpaudit.runs.plan import asked, repeatable
from dpaudit.runs.settings import Part, Settings

MOST_BYTES = 1 << 16
"""Of arrays in one message: more would only take longer."""


class Said:
    """The end of a socket on which the other end has said these bytes, and listens to nothing."""

    def __init__(self, data: bytes) -> None:
        self._left = data

    def settimeout(self, seconds: float | None) -> None:
        """Nothing waits here."""

    def recv(self, most: int) -> bytes:
        """What comes next, in pieces of 1,000 bytes, so that messages are cut."""
        found, self._left = self._left[: min(most, 1000)], self._left[min(most, 1000) :]
        return found

    def recv_into(self, view: memoryview) -> int:
        """As `recv`."""
        found = self.recv(len(view))
        view[: len(found)] = found
        return len(found)

    def send(self, data: memoryview) -> int:
        """All of it is taken."""
        return len(data)

    def close(self) -> None:
        """Nothing is held."""


def message(data: bytes) -> None:
    connection = wire.Connection(Said(data))  # type: ignore[arg-type]
    for _ in range(4):
        value = connection.receive(MOST_BYTES)
        line, arrays = wire.encode(value)
        raw = b"".join(array.tobytes() for array in arrays)
        if len(raw) <= MOST_BYTES:  # one array may be named twice, and is sent twice then
            again = wire.Connection(Said(line + raw)).receive(MOST_BYTES)  # type: ignore[arg-type]
            if [line, raw] != [wire.encode(again)[0], b"".join(a.tobytes() for a in wire.encode(again)[1])]:
                raise Wrong(f"a message that is sent on is another one: {line[:200]!r}")


class _Ended:
    """The process of a sandbox that has ended, and the descriptor of what it said last."""

    pid = 0

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code."""
        return 1


def session(data: bytes) -> Session:
    """A session whose sandbox says these bytes, whatever it is asked."""
    made = Session.__new__(Session)
    made.limits, made._shown, made._number, made._ended = Limits(output=MOST_BYTES), "a.py", 0, ""
    made.kept, made.killed, made._path = set(), False, Path("a.py")
    made._words = (home() / "words").open("w+b")
    made._group = None
    made._process = _Ended()  # type: ignore[assignment]
    made._connection = wire.Connection(Said(data))  # type: ignore[arg-type]
    made._end = made._words.close  # type: ignore[assignment]
    return made


_ROWS = np.arange(6.0).reshape(3, 2)
CALLS: dict[bytes, Callable[[Any], object]] = {
    b"n": lambda audit: audit.neighbours(np.random.default_rng(1)),
    b"f": lambda audit: audit.first_neighbours(np.random.default_rng(1)),
    b"r": lambda audit: audit.run(_ROWS, Trials(Stream(1, "x"), np.arange(3))),
    b"w": lambda audit: audit.without_noise(_ROWS, Trials(Stream(1, "x"), np.arange(3))),
    b"s": lambda audit: audit.score(_ROWS, _ROWS, _ROWS),
    b"l": lambda audit: audit.attacks["learns"].fit(_ROWS, _ROWS, _ROWS, _ROWS, np.random.default_rng(1))(_ROWS),
    b"i": lambda audit: audit.instrument(_ROWS, Recorder(seed=1)),
    b"o": lambda audit: audit.notes(),
    b"a": lambda audit: audit.accounts(),
    b"b": lambda audit: audit.bounds(_ROWS, _ROWS, 1e-5, 0.05),
}
"""The calls of an audit into its sandbox, by the first byte of an input; the answers are the rest of it."""


@cache
def _description() -> Any:
    """What a sandbox says of a target that has every function."""
    return json.loads((BASE / "described_target.json").read_text(encoding="utf-8"))


def answers(data: bytes) -> None:
    call = CALLS.get(data[:1])
    if call is None:
        return
    target = remote_target.RemoteTarget(_description(), Path("a.py"), Limits(output=MOST_BYTES))
    playing = session(data[1:])
    target.play_in(playing)
    target._scorer = playing
    try:
        call(target.audit)
    finally:
        playing.close()


def described(data: bytes) -> None:
    answering = session(data)
    try:
        items = remote_target.described(answering, Path("a.py"))
    finally:
        answering.close()
    found = once(planning.with_names_of_their_own(items))
    settings = Settings("audit", (Part.AUDIT,))
    tasks = [Audits()._task(item, settings) for item in found]
    ledger = budget.plan(settings.alpha, asked(tasks))
    for task in repeatable(tasks, settings, ledger):
        json.dumps([task.name, task.title, task.again, encode(task.target)], allow_nan=False).encode()
