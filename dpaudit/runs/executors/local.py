"""One small door to the processes that do the work, on this machine or on others.

Only data goes through it: a module-level function and arguments that pickle. One job
runs in this process; more run in worker processes. A worker that dies takes nothing
with it but the item that it held.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dpaudit.records.errors import ConfigurationError
from dpaudit.runs.executors import dask as cluster
from dpaudit.runs.executors.dask import Answers, Execute, Facts, In, Out, WorkerDied
from dpaudit.runs.provenance import THREAD_VARIABLES, processors

_GROWN = 1 << 30
"""Bytes by which a worker may grow until it is replaced: that it has loaded torch is no leak."""
_LOOKS_S = 30.0
"""Seconds between two looks at that. loky takes one; without psutil a look is a search for garbage among all that torch
and sympy have loaded, which takes a third of a second."""
LOCAL = "local"
"""The name of the executor that works on this machine."""

MOST_JOBS = 8
"""Each worker may hold torch and a batch of trials, so that more is asked for by name."""


def default_jobs() -> int:
    """One per processor that this process may use, at most MOST_JOBS."""
    return min(processors(), MOST_JOBS)


def limit_threads() -> None:
    """One thread per BLAS and torch operation, unless the environment says otherwise.

    Sums that are split over threads round differently, so that the number of jobs would
    show in the records. Call it before these libraries are loaded. Threads that
    share out the rows of a kernel are left alone: rows share no sums, and joblib divides the processors among workers.
    """
    for name in THREAD_VARIABLES:
        os.environ.setdefault(name, "1")


def parse(name: str) -> tuple[str, str]:
    """The kind and the address, HOST:PORT, that an executor is named by; ConfigurationError for any other name."""
    kind, _, address = name.partition("://")
    host, _, port = address.rpartition(":")
    if name != LOCAL and not (kind in ("dask", "ray") and host and port.isdecimal()):
        raise ConfigurationError(f"the executor must be local, dask://HOST:PORT or ray://HOST:PORT, got {name!r}")
    return kind, address


@contextlib.contextmanager
def workers(name: str, jobs: int, facts: Facts) -> Iterator[Execute]:
    """The executor `name`, ready to work; `jobs` processes on this machine, as many as there are on others.

    facts: what must be equal in every process, for one reads the same files and rounds the same way only then. Raises
    ConfigurationError for a wrong name, a cluster that is not there, or workers that differ; MissingPackageError.
    """
    kind, address = parse(name)
    if kind == "dask":
        with cluster.connected(address, facts) as dask:
            yield dask.execute
    elif kind == "ray":
        from dpaudit.runs.executors import ray as ray_pool

        with ray_pool.connected(address, facts) as ray:
            yield ray
    else:
        yield partial(execute, jobs=jobs)


def execute(function: Callable[[In], Out], items: Sequence[In], jobs: int) -> Answers[Out]:
    """Yield (position, function(item)) as the answers arrive; WorkerDied as the answer where the worker died.

    `function` must not raise. With one job the items run here, in order.
    """
    if jobs <= 1 or len(items) <= 1:
        for position, item in enumerate(items):
            yield position, function(item)
        return
    done: set[int] = set()
    for position, answer in _together(function, items, jobs):
        done.add(position)
        yield position, answer
    # After a death nobody knows whose fault it was: the rest run one at a time, each in a fresh worker.
    for position in range(len(items)):
        if position not in done:
            answers = [answer for _, answer in _together(function, [items[position]], 1)]
            yield position, answers[0] if answers else WorkerDied("the worker process ended without an answer")


def _together(function: Callable[[In], Out], items: Sequence[In], jobs: int) -> Answers[Out]:
    from joblib import Parallel, delayed
    from joblib.externals.loky import get_reusable_executor
    from joblib.externals.loky.process_executor import BrokenProcessPool

    # Workers that have grown are replaced between two items, and a run that stops cancels what is left: the advice of
    # loky and joblib on that is of no use to anybody here.
    for message in ("A worker stopped while some jobs", r"\d+ tasks (which were still being|have been successfully)"):
        warnings.filterwarnings("ignore", message=message, category=UserWarning)
    # `loky` even for a single job: a worker that can die without taking this process along.
    # A worker watches its parent from its start: killed before the first item, the parent would leave it waiting.
    # Items are handed out late: what an item holds, as the end of the time, is then as it is when the work begins.
    pool = Parallel(n_jobs=max(jobs, 2), backend="loky", return_as="generator_unordered", batch_size=1,
                    pre_dispatch="n_jobs", initializer=_begin, initargs=(os.getpid(),))  # fmt: skip
    try:
        yield from pool(delayed(_call)(function, position, item) for position, item in enumerate(items))
    except BrokenProcessPool:  # a worker has died, or could not even load what it was to do
        get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _call(function: Callable[[In], Out], position: int, item: In) -> tuple[int, Out]:
    return position, function(item)


def _begin(parent: int) -> None:
    """End this worker soon after its parent: killed, the parent tells nobody, and orphans would work on in vain."""
    from joblib.externals.loky import process_executor

    process_executor._MAX_MEMORY_LEAK_SIZE, process_executor._MEMORY_LEAK_CHECK_DELAY = _GROWN, _LOOKS_S
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interruption means

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, daemon=True, name="parent-watch").start()
