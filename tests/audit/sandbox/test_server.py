"""The inside of a sandbox, called in this process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_content import target_text, write

import dpaudit
from dpaudit.audit.sandbox import server as sandbox
from dpaudit.audit.sandbox import wire
from dpaudit.audit.sandbox.recordings import plain, repeat
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.errors import ContentError, MissingPackageError, install_line

ROOT = Path(dpaudit.__file__).parent.parent


@pytest.fixture
def server(workdir: Path) -> sandbox.Server:
    return sandbox.Server(write(workdir / "toy.py", target_text()))


@pytest.fixture
def caller(server: sandbox.Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Connection]:
    """The other end of a server that serves in a thread."""
    monkeypatch.setattr(sandbox, "allow_processor_time", lambda seconds: None)
    ours, theirs = map(wire.Connection, socket.socketpair())
    thread = threading.Thread(target=sandbox.serve, args=(theirs, server, 10.0))
    thread.start()
    yield ours
    ours.close()
    thread.join(timeout=5)
    theirs.close()
    assert not thread.is_alive(), "the server ends when the other end closes"


def ask(caller: wire.Connection, name: str, **arguments: Any) -> Any:
    caller.send({"number": 1, "name": name, "arguments": arguments})
    return caller.receive(1 << 20)


def test_a_description_is_plain(server: sandbox.Server) -> None:
    [found] = server.describe()
    assert found["target"]["name"] == "toy/sum"
    assert found["functions"] == ["neighbours", "run", "score"]
    assert wire.travels(found)


def test_a_broken_file_is_described(workdir: Path) -> None:
    [found] = sandbox.Server(write(workdir / "toy.py", "1 / 0")).describe()
    assert found == {
        "error": "toy.py, line 1: ZeroDivisionError: division by zero",
        "missing": False,
        "place": "toy.py",
    }


def test_calls_are_answered_in_turn(caller: wire.Connection) -> None:
    state = np.random.default_rng(2).bit_generator.state
    answer = ask(caller, "neighbours", target="toy/sum", state=state, key="0")["value"]
    assert [item["sent"].tolist() for item in answer["pair"]] == [[1.0] * 4, [1.0] * 3]
    assert answer["state"] == state
    run = {"target": "toy/sum", "data": {"kept": "0/1"}, "seed": 1, "purpose": "x", "numbers": np.arange(5)}
    assert ask(caller, "run", **run)["value"].shape == (5, 1)
    sides = {"data": {"sent": 1.0, "kept": "a"}, "neighbour": {"kept": "a"}}
    scored = ask(caller, "score", target="toy/sum", attack="score", outputs=np.arange(3.0), **sides)
    assert scored["value"].tolist() == [0.0, 1.0, 2.0]


@pytest.mark.parametrize("torn", [False, True])
def test_memory_that_is_lacking_in_the_middle_of_an_answer_ends_the_sandbox(
    server: sandbox.Server, monkeypatch: pytest.MonkeyPatch, torn: bool
) -> None:
    """Before an answer begins, that memory is lacking can be the answer."""
    monkeypatch.setattr(sandbox, "allow_processor_time", lambda seconds: None)
    ours, theirs = map(wire.Connection, socket.socketpair())
    ours.send({"number": 1, "name": "describe", "arguments": {}})
    ours._socket.shutdown(socket.SHUT_WR)
    real, calls = wire.encode, []

    def once(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) == 1:
            raise MemoryError
        return real(*arguments) if not torn else memoryview(b"")

    monkeypatch.setattr(wire, "_raw" if torn else "encode", once)
    if torn:
        monkeypatch.setitem(server.calls, "describe", lambda: np.zeros(3))
        with pytest.raises(MemoryError):
            sandbox.serve(theirs, server, 10.0)
    else:
        sandbox.serve(theirs, server, 10.0)
        assert ours.receive(1 << 20)["error"]["memory"] is True
    ours.close()
    theirs.close()


def test_errors_are_answers(caller: wire.Connection) -> None:
    for name, raised in (("nothing", "KeyError"), ("run", "TypeError")):
        error = ask(caller, name)["error"]
        assert error["raised"] == raised
        assert "Traceback" in error["trace"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ContentError("mine"), {"text": "mine", "raised": "ContentError"}),
        (SystemExit(3), {"text": "toy.py: SystemExit: 3", "raised": "SystemExit"}),
        (MemoryError("all"), {"memory": True}),
        (OSError(27, "File too large"), {"file_size": True}),
        (MissingPackageError("opacus", "audits"), {"package": ["opacus", "audits", install_line("audits")]}),
        (ValueError("\ud800" * 90_000), {"raised": "ValueError"}),
    ],
)
def test_what_is_told_of_an_error(error: BaseException, expected: dict[str, Any], workdir: Path) -> None:
    found = sandbox.told(error, workdir / "toy.py")
    assert expected.items() <= found.items()
    assert wire.travels(found)
    assert len(json.dumps(found)) < 400_000


def test_the_process_is_light() -> None:
    heavy = ("torch", "numba", "scipy.stats", "sklearn", "sympy")
    code = f"import dpaudit.audit.sandbox.server, sys; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def record(recorder: Recorder) -> Recorder:
    recorder.public("rate", (0.5, {"a": [1, np.float32(2)]}))
    recorder.batch([0, 1])
    recorder.begin()
    members = recorder.batch(np.array([2, 0]))
    recorder.release("sum", np.ones(3, np.float32), np.zeros(3, np.float32), sensitivity=1.0, noise_scale=2.0)
    recorder.release("sum", np.array(4.0), None, value=np.array(5.0), norm="l1", law="laplace")
    recorder.step()
    recorder.batch([1])
    recorder.batch([3])
    recorder.step()
    recorder.batch([4])
    recorder.output("model", members)
    recorder.unclear("clipped after the noise")
    recorder.inferred([("sum", 1)])
    return recorder


def test_recordings_travel_there_and_back() -> None:
    made = record(Recorder()).recording()
    line, arrays = wire.encode(plain(made))
    again = repeat(plain(made), Recorder()).recording()
    assert len(line) < 2_000
    assert len(arrays) > 4
    assert [(r.name, r.step, r.sensitivity, r.norm, r.law) for r in again.releases] == [
        ("sum", 0, 1.0, "l2", "gaussian"), ("sum", 1, None, "l1", "laplace")
    ]  # fmt: skip
    for mine, other in zip(made.releases, again.releases, strict=True):
        assert mine.statistic.dtype == other.statistic.dtype
        np.testing.assert_array_equal(mine.value, other.value)
    assert again.public == made.public
    assert again.unclear == "clipped after the noise"
    assert (again.inferred, again.processed) == (True, {("sum", 1)})
    assert [batch.tolist() for batch in again.batches] == [[0, 1], [2, 0], [1], [3], [4]]
    assert again.pieces == made.pieces == (-1, 1, 0, 2)


@pytest.mark.parametrize(
    "calls",
    [
        None,
        {},
        {"releases": 5, "public": [], "batches": [], "outputs": []},
        {"releases": [{}], "public": [], "batches": [], "outputs": []},
        {"releases": [], "public": [("a", 1, 2)], "batches": [], "outputs": []},
        {"releases": [], "public": [(1, 1)], "batches": [], "outputs": []},
        {"releases": [], "public": [], "batches": [np.array([-1])], "pieces": [], "outputs": []},
        {"releases": [], "public": [], "batches": ["ab"], "pieces": [], "outputs": []},
        {"releases": [], "public": [], "batches": [], "pieces": ["a"], "outputs": []},
    ],
)
def test_what_is_no_recording(calls: Any) -> None:
    with pytest.raises(ContentError):
        repeat(calls, Recorder())
