"""Copies have limits: whatever one does, it ends, and says nothing but what it was asked for."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dpaudit.confinement import enclosed, forked
from dpaudit.confinement.limits import Bounds
from dpaudit.records.errors import ContentError

FILE = Path(__file__)
BOUNDS = Bounds("the test", 60.0, 1 << 30, "--a-flag")
SHORT = replace(BOUNDS, seconds=0.5)


@pytest.fixture
def unwalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(enclosed.TOLD, "none")
    enclosed.walls.cache_clear()
    yield
    enclosed.walls.cache_clear()


def one(make: Callable[[], str], bounds: Bounds = BOUNDS, keep: int = -1) -> forked.Result:
    [found] = forked.results([make], [FILE], bounds, keep)
    return found


def endless() -> str:
    while True:
        pass


def holding() -> str:
    """A grandchild in a session of its own holds the pipe for ever."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(5)
        os._exit(0)
    return "said"


def closing() -> str:
    """The copy lets go of its pipe and goes on."""
    os.closerange(3, 1000)
    time.sleep(1000)
    return ""


def boundless() -> str:
    return "x" * (1 << 21)


def greedy() -> str:
    return "x" * len(bytearray(1 << 31))


@pytest.mark.parametrize("make", [endless, closing])
def test_what_does_not_end_is_ended(make: Callable[[], str]) -> None:
    found = one(make, SHORT)
    assert isinstance(found, ContentError)
    assert str(found) == "the test took longer than 0.5 s: let it do less, or raise --a-flag"


def test_who_holds_the_pipe_keeps_nobody_waiting() -> None:
    assert one(holding) == b"said"


def test_an_answer_has_a_limit() -> None:
    found = one(boundless, replace(BOUNDS, answer=1 << 20))
    assert isinstance(found, ContentError)
    assert str(found) == "the answer on it is longer than 1 MiB, the most that is read"


def test_memory_has_a_limit() -> None:
    found = one(greedy)
    assert isinstance(found, ContentError)
    assert "ended early (exit status 1)" in str(found)


def test_a_file_that_is_written_has_a_limit() -> None:
    def make() -> str:
        try:
            Path(os.environ["TMPDIR"], "large").write_bytes(b"x" * 100)
        except OSError as error:
            return str(error.strerror)
        return ""

    assert one(make, replace(BOUNDS, output=50)) == b"File too large"


@pytest.mark.skipif(enclosed.walls() is None, reason="without walls a session of its own is not found")
def test_nothing_of_a_copy_that_is_late_goes_on() -> None:
    """The pipe has an end once nobody holds it."""
    reads, writes = os.pipe()

    def make() -> str:
        if os.fork() == 0:
            os.setsid()
        return endless()

    assert isinstance(one(make, SHORT, keep=writes), ContentError)
    os.close(writes)
    assert os.read(reads, 1) == b""
    os.close(reads)


@pytest.mark.parametrize("walled", [True, False])
@pytest.mark.parametrize("code", [1, 5, enclosed.UNWALLED])
def test_a_copy_cannot_say_that_it_has_no_walls(code: int, walled: bool, request: pytest.FixtureRequest) -> None:
    """Else a file could stop the run as if the machine had failed."""
    if not walled:
        request.getfixturevalue("unwalled")
    elif enclosed.walls() is None:
        pytest.skip("no walls on this machine")
    found = one(lambda: os._exit(code))
    assert isinstance(found, ContentError)
    told = 1 if walled and code == enclosed.UNWALLED else code
    assert str(found).endswith(f"ended early (exit status {told})")


def test_without_walls_a_copy_has_its_limits(unwalled: None) -> None:
    assert one(lambda: "7") == b"7"
    assert isinstance(one(endless, SHORT), ContentError)
    assert one(holding, SHORT) == b"said"


def test_walls_that_cannot_be_built_now_are_a_fault_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def enter(*_: object) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(enclosed, "walls", cache(lambda: enclosed.Walls(True)))
    monkeypatch.setattr(enclosed, "enter", enter)
    with pytest.raises(OSError, match="no walls could be built around a claim file") as caught:
        one(str)
    assert caught.value.errno == 28


def test_a_signal_is_told() -> None:
    found = one(lambda: str(os.kill(os.getpid(), signal.SIGKILL)))
    assert str(found) == "the process that the file was checked in ended early (signal 9)"
