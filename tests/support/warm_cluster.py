"""A cluster on this machine whose processes are copies of one that has loaded everything, and played the run once.

A process that loads Dask, dpaudit and what a run needs takes some seconds of processor time. Histories kill many.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from multiprocessing import forkserver
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
