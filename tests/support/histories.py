"""Random histories of a run on a cluster: what is killed or stands still, and when, drawn from a seed.

Workers are killed, or stand still for a while, so that answers come late, or twice, since their items are given to
others; writing to the disk is slow; the process of the run itself is killed, or the scheduler. Then the run is resumed
until it has ended, on another cluster where the scheduler is gone. It must have the files of a run to which nothing
happened.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import warm_cluster
from resumed_runs import files
from small_content import NOISY_SUM, claim_text, target_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Verdict
from dpaudit.runs import resume, store
from dpaudit.runs.execute import Observer, run
from dpaudit.runs.executors import dask
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task

LONGEST = 1.5
"""Seconds in which something happens."""
PATIENCE = 3.0
"""Seconds until a scheduler that has been killed is given up."""
SLOW_SUM = "import time; time.sleep(0.1)\n    " + NOISY_SUM.format(scale=1)
KILL, PAUSE, SCHEDULER = "a worker is killed", "a worker stands still", "the scheduler is killed"


@dataclass(frozen=True)
class History:
    """events: what happens to which worker after how many seconds; ended: when the process of the run is killed, None
    if it is not; slow: most seconds that a write takes longer; headless: when the scheduler is killed, None if it is
    not."""

    events: tuple[tuple[float, str, int], ...]
    ended: float | None
    slow: float
    headless: float | None = None


def drawn(seed: int) -> History:
    """The history of a seed."""
    rng = random.Random(seed)
    number = rng.randint(1, 3)
    events = [(rng.uniform(0, LONGEST), rng.choice((KILL, PAUSE)), rng.randrange(2)) for _ in range(number)]
    if [what for _, what, _ in events] == [KILL] * dask.MOST_DEATHS:  # of one item: that would be an ERROR, by contract
        events[0] = (events[0][0], PAUSE, events[0][2])
    ended = rng.uniform(0.2, LONGEST) if rng.random() < 0.3 else None
    slow = rng.choice((0.0, 0.02))
    headless = rng.uniform(0.2, LONGEST) if ended is None and rng.random() < 0.25 else None
    return History(tuple(sorted(events)), ended, slow, headless)


def fill(folder: Path) -> None:
    """Two claims, and three targets that take their time."""
    for number in (1, 2):
        write(folder / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}"))
    for name in "abc":
        write(folder / "audits" / f"{name}.py", target_text(f"toy/{name}", SLOW_SUM, trials=100))


def settings(executor: str) -> Settings:
    """The run of all of it; each target is played by the worker itself."""
    return Settings("run", (Part.VERIFY, Part.AUDIT), controls=False, cache=False, isolate=False, executor=executor)


def happened(history: History, cluster: Any, folder: Path) -> Counter[str]:
    """Let a run go through a history, and resume it until it has ended; how often each thing happened.

    cluster: where it is resumed, and where it runs unless its scheduler is to be killed.
    """
    if history.headless is None:
        found = _through(history, cluster, folder)
    else:
        place = folder.with_name(f"{folder.name}-cluster")
        with warm_cluster.loose(place) as other, patch.object(dask, "CONNECT", PATIENCE):
            found = _through(history, other, folder)
    executor = executor_of(cluster)
    if history.headless is not None and not (folder / store.RUN).exists():  # it was killed before the run began
        found["begun again"] += 1
        play(executor, folder)
    while resume.finished(folder, resume.header(folder)) is None:
        found["resumed"] += 1
        with store.Folder(folder, existing=True) as keep:
            plan = resume.planned(resume.header(folder), executor=executor)
            found["given up"] += _ends(partial(resume.resume, plan, keep, _each_once()), folder)
    return found


def executor_of(cluster: Any) -> str:
    """The cluster, as runs name it."""
    return str(cluster.scheduler_address).replace("tcp", "dask", 1)


def _through(history: History, cluster: Any, folder: Path) -> Counter[str]:
    """The run, until it ends or is ended."""
    found, executor = Counter[str](), executor_of(cluster)
    plot = threading.Thread(target=_play, args=(history, cluster, found))
    plot.start()
    try:
        with _slow_disk(history.slow):
            if history.ended is None:
                found["given up"] += _ends(partial(play, executor, folder), folder)
            else:
                found["the run is killed"] += _killed(executor, folder, history.ended)
    finally:
        plot.join()
    return found


def _ends(work: Any, folder: Path) -> bool:
    """Was the cluster given up, with the way on if the run in the folder had begun?"""
    try:
        work()
    except ConfigurationError as error:
        if "to go on: dpaudit resume" not in str(error) and (folder / store.RUN).exists():
            raise
        return True
    return False


def play(executor: str, folder: Path) -> None:
    """The run, in a new folder."""
    run(make_plan(settings(executor)), folder, _each_once())


def _each_once() -> Observer:
    """Looks on; AssertionError for a task that is shown as complete twice."""
    seen: set[str] = set()

    def observe(task: Task, _: Sequence[Verdict]) -> None:
        assert task.name not in seen, f"{task.name} is counted twice"
        seen.add(task.name)

    return observe


def _killed(executor: str, folder: Path, after: float) -> bool:
    """Make the run in a process of its own, which is killed so many seconds after it has begun to work."""
    process = warm_cluster.copy(play, executor, folder)
    while process.is_alive() and not (folder / store.RUN).exists():
        time.sleep(0.01)
    process.join(after)
    process.kill()
    process.join()
    return bool(process.exitcode == -signal.SIGKILL)


def _play(history: History, cluster: Any, found: Counter[str]) -> None:
    begun = time.monotonic()
    events = [*history.events, *([(history.headless, SCHEDULER, 0)] if history.headless is not None else [])]
    for at, what, number in sorted(events):
        time.sleep(max(0.0, at - (time.monotonic() - begun)))
        if what == SCHEDULER:
            cluster.scheduler.kill()
            found[what] += 1
            continue
        workers = [worker.pid for worker in cluster.workers.values() if worker.pid is not None]
        if number >= len(workers):  # it is being started again
            continue
        worker = workers[number]
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL if what == KILL else signal.SIGSTOP)
            found[what] += 1
            if what == PAUSE:
                time.sleep(0.3)
                os.kill(worker, signal.SIGCONT)


@contextlib.contextmanager
def _slow_disk(most: float) -> Iterator[None]:
    rng, force = random.Random(0), os.fsync

    def slow(handle: int) -> None:
        time.sleep(rng.uniform(0, most))
        force(handle)

    os.fsync = slow if most else force
    try:
        yield
    finally:
        os.fsync = force


def wrong(folder: Path, whole: dict[str, str]) -> str:
    """What of the files is not that of a run to which nothing happened, "" if nothing."""
    now = files(folder)
    return ", ".join(sorted(name for name in {*now, *whole} if now.get(name) != whole.get(name)))
