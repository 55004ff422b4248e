"""Copies of this process play the same trials as this process would, and what they do not give is played here."""

from __future__ import annotations

import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from dpaudit.audit import side_by_side

SEEDS = np.arange(20, dtype=np.int64)
HERE = os.getpid()


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A sandbox on a machine with so many idle processors."""
    monkeypatch.setattr(side_by_side._Copies, "allowed", True)
    monkeypatch.setattr(side_by_side, "_may_fork", lambda: True)  # workers of pytest-xdist have threads
    monkeypatch.setattr(side_by_side, "_GRACE", 0.5)
    return lambda number: monkeypatch.setattr(side_by_side, "_idle", lambda: number)


def told(seed: int) -> np.ndarray:
    """A row, and who plays it."""
    return np.array([np.random.default_rng(seed).normal(), os.getpid()])


def elsewhere(act: Callable[[], object]) -> Callable[[int], np.ndarray]:
    """A row that does something else in a copy."""

    def row(seed: int) -> np.ndarray:
        if os.getpid() != HERE:
            act()
        return told(seed)

    return row


def no_child_is_left() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        return True


@pytest.mark.parametrize("number", [0, 1, 2, 3, 7])
def test_rows_are_the_same_whoever_plays_them(number: int, idle: Callable[[int], None]) -> None:
    idle(number)
    found = side_by_side.rows(told, SEEDS)
    assert np.array_equal(found[:, 0], [told(seed)[0] for seed in SEEDS])
    assert len(set(found[:, 1])) == min(number, 3) + 1  # five trials a process at least
    assert found[0, 1] == HERE
    assert side_by_side._Copies.allowed
    assert no_child_is_left()


def test_only_a_sandbox_makes_copies(idle: Callable[[int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    idle(3)
    monkeypatch.setattr(side_by_side._Copies, "allowed", False)
    assert set(side_by_side.rows(told, SEEDS)[:, 1]) == {HERE}
    side_by_side.allow()
    assert len(set(side_by_side.rows(told, SEEDS)[:, 1])) == 4


def test_long_rows_fit_through_the_pipe(idle: Callable[[int], None]) -> None:
    idle(1)
    found = side_by_side.rows(lambda seed: np.full(50_000, seed), SEEDS)
    assert np.array_equal(found, np.repeat(SEEDS, 50_000).reshape(20, -1))


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda: 1 / 0, id="raises"),
        pytest.param(lambda: os._exit(0), id="ends"),
        pytest.param(lambda: os.kill(os.getpid(), signal.SIGKILL), id="is-killed"),
        pytest.param(lambda: time.sleep(600), id="waits-for-ever"),
    ],
)
def test_what_a_copy_does_not_give_is_played_here(act: Callable[[], object], idle: Callable[[int], None]) -> None:
    idle(1)
    started = time.monotonic()
    assert np.array_equal(side_by_side.rows(elsewhere(act), SEEDS), [told(seed) for seed in SEEDS])
    assert time.monotonic() - started < 300
    assert not side_by_side._Copies.allowed  # and no copy is made again
    assert no_child_is_left()


def test_the_rows_that_a_copy_gave_before_it_ended_are_kept(idle: Callable[[int], None]) -> None:
    def row(seed: int) -> np.ndarray:
        if seed == 14 and os.getpid() != HERE:
            os._exit(1)
        return told(seed)

    idle(1)
    found = side_by_side.rows(row, SEEDS)
    assert np.array_equal(found[:, 0], [told(seed)[0] for seed in SEEDS])
    assert (found[:, 1] == HERE).tolist() == [True] * 10 + [False] * 4 + [True] * 6


def test_a_row_that_was_cut_off_is_played_here(idle: Callable[[int], None], monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(row: side_by_side.Row, seeds: np.ndarray, writes: int, folder: str) -> None:
        os.write(writes, np.concatenate([row(seed) for seed in seeds])[:7].tobytes())
        os._exit(0)

    idle(1)
    monkeypatch.setattr(side_by_side, "_give", cut)
    found = side_by_side.rows(told, SEEDS)
    assert np.array_equal(found[:, 0], [told(seed)[0] for seed in SEEDS])
    assert (found[:, 1] == HERE).sum() == 17


def test_noise_that_hangs_on_no_seed_is_not_drawn_twice(idle: Callable[[int], None]) -> None:
    """Each copy would have the same generator."""
    idle(3)
    rng = np.random.default_rng(0)
    found = side_by_side.rows(lambda seed: np.array([rng.normal()]), SEEDS, repeatable=False)
    assert len(np.unique(found)) == len(SEEDS)


def test_what_a_trial_raises_is_raised_here(idle: Callable[[int], None]) -> None:
    def row(seed: int) -> np.ndarray:
        if seed == 19:
            raise ZeroDivisionError("trial 19")
        return told(seed)

    idle(1)
    with pytest.raises(ZeroDivisionError, match="trial 19"):
        side_by_side.rows(row, SEEDS)
    with pytest.raises(ZeroDivisionError, match="trial 19"):
        side_by_side.rows(row, SEEDS[::-1])  # here first: the copy is ended too
    assert no_child_is_left()


def test_files_of_two_processes_do_not_meet(
    idle: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A training that keeps its best model in a file of one name."""

    def row(seed: int) -> np.ndarray:
        for folder in (Path(), Path(tempfile.gettempdir()), Path(os.environ["TMPDIR"])):
            (folder / "best").write_text(f"{seed}")
            time.sleep(0.01)
            assert (folder / "best").read_text() == f"{seed}"
        return told(seed)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    idle(1)
    found = side_by_side.rows(row, SEEDS)
    assert len(set(found[:, 1])) == 2
    assert side_by_side._Copies.allowed
    assert [path.name for path in tmp_path.iterdir()] == ["best"]
    side_by_side.rows(elsewhere(lambda: os.kill(os.getpid(), signal.SIGKILL)), SEEDS)
    assert [path.name for path in tmp_path.iterdir()] == ["best"]


def test_no_copy_lacks_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    for name in (*side_by_side._NOT_FORKED, "torch"):
        monkeypatch.delitem(side_by_side.sys.modules, name, raising=False)
    assert side_by_side._may_fork()
    monkeypatch.setattr(threading, "active_count", lambda: 2)
    assert not side_by_side._may_fork()
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    monkeypatch.setitem(side_by_side.sys.modules, "jax", ModuleType("jax"))
    assert not side_by_side._may_fork()


@pytest.mark.parametrize(("threads", "on_a_gpu", "free"), [(1, False, True), (2, False, False), (1, True, False)])
def test_no_copy_lacks_a_thread_of_torch(
    threads: int, on_a_gpu: bool, free: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cuda = SimpleNamespace(is_initialized=lambda: on_a_gpu)
    torch = SimpleNamespace(cuda=cuda, get_num_threads=lambda: threads)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    for name in side_by_side._NOT_FORKED:
        monkeypatch.delitem(side_by_side.sys.modules, name, raising=False)
    monkeypatch.setitem(side_by_side.sys.modules, "torch", torch)
    assert side_by_side._may_fork() is free


@pytest.mark.parametrize(("running", "free"), [([1, 1, 1], 3), ([9, 2, 5], 2), ([5, 5, 5], -1), ([0, 3, 3], 3)])
def test_idle_processors_are_those_that_nothing_runs_on(
    running: list[int], free: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looks = iter(running)

    def opened(path: str) -> object:
        assert path == "/proc/loadavg"
        file = tmp_path / "loadavg"
        file.write_text(f"0.06 0.22 0.22 {next(looks)}/80 15053\n")
        return file.open()

    monkeypatch.setattr(side_by_side, "open", opened, raising=False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2, 3})
    assert side_by_side._idle() == free


def test_a_machine_that_does_not_say_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(path: str) -> object:
        raise FileNotFoundError(path)

    monkeypatch.setattr(side_by_side, "open", absent, raising=False)
    assert side_by_side._idle() == 0
