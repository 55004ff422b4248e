"""Work in a copy of this process: values and errors come back, changes do not, and a death is told."""

from __future__ import annotations

import errno
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dpaudit.content import copies
from dpaudit.content.copies import FaultThere, TraceThere, in_copy
from dpaudit.records.errors import ContentError, MissingPackageError
from dpaudit.records.verdict import Evidence, Outcome

FILE = Path(__file__)
CHANGED: list[int] = []


def test_values_and_records_come_back_and_changes_do_not() -> None:
    def make() -> list[Any]:
        CHANGED.append(1)
        return [len(CHANGED), os.getpid(), Evidence("engine", Outcome.PROVED, "a text \ud800")]

    number, process, evidence = in_copy(FILE, make)
    assert (number, CHANGED) == (1, [])
    assert process != os.getpid()
    assert evidence == Evidence("engine", Outcome.PROVED, r"a text \ud800")


def test_long_answers_come_back_whole() -> None:
    assert in_copy(FILE, lambda: ["x" * 1_000_000] * 3) == ("x" * 1_000_000,) * 3


def test_an_error_is_told_with_its_line_and_its_trace() -> None:
    def make() -> object:
        return 1 / 0

    with pytest.raises(FaultThere, match=r"test_copies\.py, line \d+: ZeroDivisionError: division by zero") as caught:
        in_copy(FILE, make)
    assert isinstance(caught.value.__cause__, TraceThere)
    assert "return 1 / 0" in str(caught.value.__cause__)


def test_what_asks_for_an_exit_is_an_error_of_the_file() -> None:
    def make() -> object:
        raise SystemExit(3)

    with pytest.raises(FaultThere, match="SystemExit: 3"):
        in_copy(FILE, make)


def test_an_interruption_there_is_one_here() -> None:
    def make() -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_copy(FILE, make)


def test_a_missing_package_stays_one() -> None:
    def make() -> object:
        raise MissingPackageError("torch", "torch")

    with pytest.raises(MissingPackageError, match="torch is not installed; run: "):
        in_copy(FILE, make)


@pytest.mark.parametrize(
    ("end", "how"), [(lambda: os.kill(os.getpid(), signal.SIGKILL), "signal 9"), (lambda: os._exit(5), "exit status 5")]
)
def test_a_copy_that_ends_early_is_told(end: Any, how: str) -> None:
    with pytest.raises(ContentError, match=rf"ended early \({how}\)"):
        in_copy(FILE, end)


def test_what_is_no_record_is_an_error_of_the_file() -> None:
    with pytest.raises(FaultThere, match="TypeError: a record may not hold a object"):
        in_copy(FILE, object)


@pytest.mark.parametrize(
    "answer", ["", "no json", "[]", "5", '["value"]', '["value", {"type": "NoRecord"}]', '{"a": 1}']
)
def test_an_answer_that_cannot_be_read_is_told(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "_text", lambda make: answer)
    with pytest.raises(ContentError, match="an answer that cannot be read"):
        in_copy(FILE, int)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A process that was begun in the background of a shell has that signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_ends_the_copy_and_goes_on(tmp_path: Path, interruptible: None) -> None:
    told = tmp_path / "process"

    def make() -> object:
        told.write_text(str(os.getpid()))
        time.sleep(60)
        return None

    def interrupt() -> None:
        while not told.exists() or not told.read_text():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        in_copy(FILE, make)
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_where_there_is_no_fork_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert in_copy(FILE, os.getpid) == os.getpid()


def test_a_fault_of_the_machine_is_tried_again(tmp_path: Path) -> None:
    def make() -> object:
        if not (tmp_path / "tried").exists():
            (tmp_path / "tried").touch()
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return 7

    assert in_copy(Path("toy.py"), make) == 7


def test_one_that_comes_again_is_that_of_the_file_which_may_have_said_so() -> None:
    def make() -> object:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(FaultThere, match=os.strerror(errno.EIO)):
        in_copy(Path("toy.py"), make)


def test_an_error_that_a_file_raises_is_its_own_whatever_it_says(tmp_path: Path) -> None:
    """Else one file could stop what others wait for."""
    path = tmp_path / "toy.py"
    path.write_text("def make():\n    raise OSError(5, 'a bad disk')\n", encoding="utf-8")
    code: dict[str, Any] = {}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), code)
    with pytest.raises(FaultThere, match=r"toy\.py, line 2: OSError: \[Errno 5\] a bad disk"):
        in_copy(path, code["make"])
