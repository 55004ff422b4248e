"""Says what a run is at, so that it is never silent for long: a live display on a terminal, else a line now and then.

Both go to standard error. `DPAUDIT_PROGRESS=off` keeps them away. What a part of a long item has found is said as soon
as it is known.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from dpaudit.cli.output import complain
from dpaudit.records.hidden import visible
from dpaudit.report.sections import whose
from dpaudit.runs.stages import Stages, stages_of
from dpaudit.runs.task import Task

EVERY_S = 4.0
"""Seconds without a line after which one says what the run is at."""

_LOOK_S = 0.5
_MOST_NAMED = 4
_SOON_S = 2.0
"""An item that ends so soon after a part of it has found something needs no line for the part."""


class Progress:
    """What a run is at. It begins with what it is told by `doing`, and follows the tasks of a plan from `follow` on.

    clock: seconds from any moment on; stages: the folder in which tasks say what they are at, None if they do not.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, stages: Path | None = None) -> None:
        self._clock, self.stages = clock, stages
        self._start = self._heard = clock()
        self._doing = ""
        self._open: list[Task] = []
        self._since: dict[str, float] = {}
        self._read: dict[str, Stages] = {}
        self._news: list[tuple[float, str, str]] = []
        self._jobs = self._total = 0

    def doing(self, what: str) -> None:
        """What is done from now on, in words, beside any task."""
        self._doing = what

    def follow(self, tasks: Sequence[Task], jobs: int) -> None:
        """From now on `jobs` workers take `tasks` in this order, one each at a time; 0: it is unknown who does what."""
        self._open, self._jobs, self._total, self._doing = list(tasks), jobs, len(tasks), ""
        self._begin()

    def done(self, task: Task) -> None:
        """A task is finished."""
        self._open = [one for one in self._open if one is not task]
        self._begin()

    def heard(self) -> None:
        """Something was printed elsewhere."""
        self._heard = self._clock()

    def silent(self) -> float:
        """Seconds since something was printed."""
        return self._clock() - self._heard

    def counts(self) -> tuple[int, int]:
        """Finished tasks and all."""
        return self._total - len(self._open), self._total

    def at_work(self) -> list[str]:
        """The tasks that workers are at, each with its seconds so far; or what else is done."""
        if self._doing:
            return [self._doing]
        now = self._clock()
        return [f"{task.name} ({now - self._since[_key(task)]:.0f} s{self._stage(task)})" for task in self._begun()]

    def news(self) -> list[str]:
        """What parts of the tasks at work have found since this was asked last, a line each."""
        now = self._clock()
        for task in self._begun() if self.stages is not None else []:
            read = self._stages(task)
            told = len(read.known)
            read.look()
            self._news += [(now, _key(task), f"{whose(task.kind)}{task.name}: {found}") for found in read.known[told:]]
        at_work = {_key(task) for task in self._begun()}
        due = [row for row in self._news if now - row[0] >= _SOON_S]
        self._news = [row for row in self._news if row not in due]
        return [f"[{now - self._start:.0f} s] {said}" for _, key, said in due if key in at_work]

    def sentence(self) -> str:
        """All of it on a line."""
        done, total = self.counts()
        names = self.at_work()
        more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
        now = ", ".join([*names[:_MOST_NAMED], *more])
        counted = [f"{done} of {total} items done"] if total else []
        return f"[{self._clock() - self._start:.0f} s] {', '.join([*counted, *([f'now: {now}'] if now else [])])}"

    def _begin(self) -> None:
        """Workers take the first tasks that are open."""
        for task in self._begun():
            self._since.setdefault(_key(task), self._clock())

    def _begun(self) -> list[Task]:
        return self._open[: self._jobs]

    def _stages(self, task: Task) -> Stages:
        assert self.stages is not None
        return self._read.setdefault(_key(task), Stages(stages_of(self.stages, task)))

    def _stage(self, task: Task) -> str:
        at = "" if self.stages is None else self._stages(task).at
        return f", {at}" if at else ""


def _key(task: Task) -> str:
    return f"{task.part} {task.name}"


@contextlib.contextmanager
def shown(quiet: bool = False) -> Iterator[Progress]:
    """A progress that is shown while the block lasts, unless it shall be `quiet`."""
    if quiet or os.environ.get("DPAUDIT_PROGRESS") == "off":
        yield Progress()
        return
    with tempfile.TemporaryDirectory(prefix="dpaudit-stages-", ignore_cleanup_errors=True) as stages:
        progress = Progress(stages=Path(stages))
        with (_display if sys.stderr.isatty() and not os.environ.get("CI") else _lines)(progress):
            yield progress


@contextlib.contextmanager
def _lines(progress: Progress) -> Iterator[None]:
    """A line on standard error whenever nothing else was printed for `EVERY_S` seconds."""

    def look() -> None:
        said = progress.news()
        if not said and progress.silent() >= EVERY_S:
            said = [progress.sentence()]
        for one in said:
            complain(one)
            progress.heard()

    with _again_and_again(look):
        yield


@contextlib.contextmanager
def _again_and_again(look: Callable[[], None]) -> Iterator[None]:
    """Calls `look` from another thread while the block lasts."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK_S):
            look()

    thread = threading.Thread(target=watch, daemon=True, name="progress")
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def _display(progress: Progress) -> Iterator[None]:
    """A bar and a line for each task at work, below what else is printed on the terminal."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress_bar import ProgressBar
    from rich.text import Text

    def drawn() -> Group:
        done, total = progress.counts()
        bar = [ProgressBar(total, done, width=40)] if total else []
        lines = [Text(f"  {visible(name)}", no_wrap=True, overflow="ellipsis") for name in progress.at_work()]
        counted = f"{done} of {total} items" if total else "dpaudit"
        return Group(*bar, Text(counted), *lines)

    def look() -> None:
        for said in progress.news():
            live.console.print(Text(visible(said)))

    # With standard output on the same terminal its lines must go above the display, else the two would mix.
    both = sys.stdout.isatty()
    screen = Console(stderr=True, markup=False, emoji=False, highlight=False)  # names are text, whatever they hold
    live = Live(console=screen, get_renderable=drawn, transient=True, redirect_stdout=both)
    with live, _again_and_again(look):
        yield
