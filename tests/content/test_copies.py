"""Work in a copy of this process: values and errors come back, changes do not, and a death is told."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpaudit.confinement import enclosed, forked
from dpaudit.content.copies import FaultThere, TraceThere, in_copies, in_copy
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
    monkeypatch.setattr(forked, "results", lambda works, *rest: [answer.encode()] * len(works))
    with pytest.raises(ContentError, match="an answer that cannot be read"):
        in_copy(FILE, int)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A process that was begun in the background of a shell has that signal ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interruption_ends_the_copy_and_goes_on(interruptible: None) -> None:
    """The pipe that the copy holds has an end once nobody holds it."""
    reads, writes = os.pipe()

    def make() -> object:
        os.write(writes, b"begun")
        time.sleep(60)
        return None

    def interrupt() -> None:
        os.read(reads, 5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        in_copy(FILE, make, keep=writes)
    os.close(writes)
    assert os.read(reads, 1) == b""
    os.close(reads)


def test_where_there_is_no_fork_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert in_copy(FILE, os.getpid) == os.getpid()


def test_a_fault_of_the_machine_is_tried_again() -> None:
    reads, writes = os.pipe()
    os.write(writes, b"1")
    os.close(writes)

    def make() -> object:
        if os.read(reads, 1):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return 7

    assert in_copy(Path("toy.py"), make, keep=reads) == 7
    os.close(reads)


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


@pytest.mark.skipif(not hasattr(os, "eventfd"), reason="no eventfd on this system")
def test_several_run_side_by_side_and_answer_in_their_order() -> None:
    event = os.eventfd(0)
    found = in_copies([FILE] * 3, [lambda: os.eventfd_read(event), lambda: os.eventfd_write(event, 5), int], keep=event)
    assert found == [5, None, 0]
    os.close(event)


def test_more_than_run_side_by_side_are_answered_in_their_order() -> None:
    assert in_copies([FILE] * 6, [partial(int, number) for number in range(6)]) == list(range(6))


def test_what_one_does_wrong_stands_in_its_place() -> None:
    first, second = in_copies([FILE] * 2, [partial(os._exit, 3), int])
    assert isinstance(first, ContentError)
    assert second == 0


def test_a_copy_writes_nothing_but_what_it_is_handed(tmp_path: Path) -> None:
    """Files of dpaudit that are open, such as those of a run, are closed to it; and with walls all others are."""
    with (tmp_path / "records").open("wb", buffering=0) as kept:

        def make() -> list[Any]:
            os.write(kept.fileno(), b"forged")
            return [Path("/dev/fd", str(kept.fileno())).readlink().as_posix(), _written(tmp_path / "new")]

        assert in_copy(FILE, make) == ("/dev/null", "" if enclosed.walls() is None else os.strerror(errno.EROFS))
    assert (tmp_path / "records").read_bytes() == b""


def _written(path: Path) -> str:
    try:
        path.write_text("x", encoding="utf-8")
    except OSError as error:
        return str(error.strerror)
    return ""


def test_temporary_files_are_written_and_are_gone_afterwards() -> None:
    def make() -> str:
        with tempfile.NamedTemporaryFile(delete=False) as file:
            file.write(b"x")
            return file.name

    assert not Path(in_copy(FILE, make)).exists()


def test_programs_run_in_a_copy() -> None:
    """As solvers do."""
    code = [sys.executable, "-c", "print(6 * 7)"]
    assert in_copy(FILE, lambda: subprocess.run(code, capture_output=True, text=True, check=True).stdout) == "42\n"


def test_compiled_code_is_kept_nowhere() -> None:
    from dpaudit.noise import kernels, machine_code

    def make() -> list[Any]:
        return [int(kernels.words(1, 2, 0, 0, np.int16(0))[0])]

    expected = int(kernels.words(1, 2, 0, 0, 0)[0])
    kept = sorted(Path(machine_code.cache_folder()).rglob("*"))
    assert in_copy(FILE, make) == (expected,)
    assert sorted(Path(machine_code.cache_folder()).rglob("*")) == kept
