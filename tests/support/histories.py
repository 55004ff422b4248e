"""Random histories of a run on a cluster: what is killed or stands still, and when, drawn from a seed.

Workers are killed, or stand still for a while, so that answers come late, or twice, since their items are given to
others; writing to the disk is slow; the process of the run itself is killed. Then the run is resumed until it has
ended. It must have the files of a run to which nothing happened.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plans import silent
from resumed_runs import files
from small_content import NOISY_SUM, claim_text, target_text, write

from dpaudit.records.errors import ConfigurationError
from dpaudit.runs import resume, store
from dpaudit.runs.execute import run
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

HERE = Path(__file__).parents[2]
LONGEST = 1.5
"""Seconds in which something happens."""
SLOW_SUM = "import time; time.sleep(0.05)\n    " + NOISY_SUM.format(scale=1)
KILL, PAUSE = "a worker is killed", "a worker stands still"


@dataclass(frozen=True)
class History:
    """events: what happens to which worker after how many seconds; ended: when the process of the run is killed, None
    if it is not; slow: most seconds that a write takes longer."""

    events: tuple[tuple[float, str, int], ...]
    ended: float | None
    slow: float


def drawn(seed: int) -> History:
    """The history of a seed."""
    rng = random.Random(seed)
    number = rng.randint(1, 3)
    events = [(rng.uniform(0, LONGEST), rng.choice((KILL, PAUSE)), rng.randrange(2)) for _ in range(number)]
    ended = rng.uniform(0.2, 2 * LONGEST) if rng.random() < 0.3 else None
    return History(tuple(sorted(events)), ended, rng.choice((0.0, 0.02)))


def fill(folder: Path) -> None:
    """Two claims, and three targets that take their time."""
    for number in (1, 2):
        write(folder / "proofs" / "toy" / f"lem_{number}.py", claim_text(f"toy/LEM-{number}"))
    for name in "abc":
        write(folder / "audits" / f"{name}.py", target_text(f"toy/{name}", SLOW_SUM, trials=200))


def settings(executor: str) -> Settings:
    """The run of all of it; each target is played by the worker itself."""
    return Settings("run", (Part.VERIFY, Part.AUDIT), controls=False, cache=False, isolate=False, executor=executor)


def happened(history: History, cluster: Any, executor: str, folder: Path) -> Counter[str]:
    """Let a run go through a history, and resume it until it has ended; how often each thing happened."""
    found = Counter[str]()
    plot = threading.Thread(target=_play, args=(history, cluster, found))
    plot.start()
    try:
        with _slow_disk(history.slow):
            if history.ended is None:
                found["given up"] += _ends(lambda: run(make_plan(settings(executor)), folder, silent))
            else:
                found["the run is killed"] += _killed(executor, folder, history.ended)
    finally:
        plot.join()
    while resume.finished(folder, resume.header(folder)) is None:
        found["resumed"] += 1
        with store.Folder(folder, existing=True) as keep:
            plan = resume.planned(resume.header(folder), executor=executor)
            found["given up"] += _ends(partial(resume.resume, plan, keep, silent))
    return found


def _ends(work: Any) -> bool:
    """Was the cluster given up, with the way on?"""
    try:
        work()
    except ConfigurationError as error:
        if "to go on: dpaudit resume" not in str(error):
            raise
        return True
    return False


def _killed(executor: str, folder: Path, after: float) -> bool:
    """Make the run in a process of its own, which is killed so many seconds after it has begun to work."""
    code = (
        "import sys; from pathlib import Path; import histories; from plans import silent\n"
        f"histories.run(histories.make_plan(histories.settings({executor!r})), Path({str(folder)!r}), silent)"
    )
    paths = os.pathsep.join([str(HERE), str(HERE / "tests" / "support"), os.environ.get("PYTHONPATH", "")])
    with subprocess.Popen([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": paths}) as process:
        while process.poll() is None and not (folder / store.RUN).exists():
            time.sleep(0.01)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        process.kill()
        return process.wait() == -signal.SIGKILL


def _play(history: History, cluster: Any, found: Counter[str]) -> None:
    begun = time.monotonic()
    for at, what, number in history.events:
        time.sleep(max(0.0, at - (time.monotonic() - begun)))
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
