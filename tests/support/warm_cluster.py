"""Clusters on this machine whose processes are copies of one that has loaded everything, and played the run once.

A process that loads Dask, dpaudit and what a run needs takes some seconds of processor time. Histories kill many.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from dpaudit.runs.provenance import THREAD_VARIABLES

LOADED = "loaded_histories"
"""The module that the first process imports."""


@contextlib.contextmanager
def cluster() -> Iterator[Any]:
    """Two workers of one thread each; one that is killed is started again."""
    import dask
    from distributed import LocalCluster
    from distributed.utils import get_mp_context

    environment = dict.fromkeys(THREAD_VARIABLES, "1")
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        get_mp_context()  # chooses what is loaded when it is first called, and never again
        with _copies(), LocalCluster(n_workers=2, threads_per_worker=1, processes=True, env=environment,
                                     dashboard_address="127.0.0.1:0") as made:  # fmt: skip
            yield made


@dataclass(frozen=True)
class Loose:
    """A cluster that nobody tends: its scheduler and its workers are processes of their own, and none is started
    again."""

    scheduler_address: str
    scheduler: Any
    workers: dict[int, Any]


@contextlib.contextmanager
def loose(folder: Path) -> Iterator[Loose]:
    """One with two workers of one thread each; folder: a new one. Only within `cluster`; all of it ends with the
    context."""
    folder.mkdir()
    processes = [copy(_serve_scheduler, folder / "address")]
    try:
        address = _written(folder / "address")
        processes += [copy(_serve_worker, address, folder / f"worker-{number}") for number in range(2)]
        for number in range(2):
            _written(folder / f"worker-{number}")
        yield Loose(address, processes[0], dict(enumerate(processes[1:])))
    finally:
        for process in processes:
            process.kill()
            process.join()


def _written(file: Path, patience: float = 60.0) -> str:
    """What a process of the cluster says when it is there."""
    ends = time.monotonic() + patience
    while not file.exists():
        assert time.monotonic() < ends, f"{file.name} has said nothing for {patience:g} s"
        time.sleep(0.02)
    return file.read_text()


def _serve_scheduler(file: Path) -> None:
    from distributed import Scheduler

    async def serve() -> None:
        async with Scheduler(host="127.0.0.1", port=0, dashboard_address="127.0.0.1:0") as made:
            _write(file, made.address)
            await made.finished()

    asyncio.run(serve())


def _serve_worker(address: str, file: Path) -> None:
    from distributed import Worker

    async def serve() -> None:
        async with Worker(address, nthreads=1, dashboard_address="127.0.0.1:0") as made:
            _write(file, made.address)
            await made.finished()

    asyncio.run(serve())


def _write(file: Path, text: str) -> None:
    """All of it at once."""
    draft = file.with_suffix(".draft")
    draft.write_text(text)
    draft.rename(file)


@contextlib.contextmanager
def _copies() -> Iterator[None]:
    """As long as it lasts, the server of processes is one that has loaded `LOADED`, with the environment of now."""
    server = forkserver._forkserver  # type: ignore[attr-defined]
    server._stop()
    kept = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    multiprocessing.set_forkserver_preload(["__main__", LOADED])
    try:
        server.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH")
        os.environ.update({} if kept is None else {"PYTHONPATH": kept})
    try:
        yield
    finally:
        server._stop()


def copy(function: Callable[..., None], *values: object) -> Any:
    """A copy of the loaded process that calls `function`, which pickles by name."""
    made = multiprocessing.get_context("forkserver").Process(target=function, args=values)
    made.start()
    return made
