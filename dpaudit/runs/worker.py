"""What a worker process does with one task; data in, data out.

The run folder may lie on another machine: files are made in a folder of the task's own and travel with the verdicts.
"""

from __future__ import annotations

import contextlib
import errno
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from dpaudit.confinement import scratch
from dpaudit.content import faults, places
from dpaudit.records.context import Context, slug
from dpaudit.records.digests import sha256
from dpaudit.records.errors import ContentError, MachineFault, MissingPackageError, machine_words, of_the_machine
from dpaudit.records.serial import Json, decode, encode
from dpaudit.records.verdict import Evidence, Outcome, Verdict
from dpaudit.runs import cache
from dpaudit.runs.deadline import NEVER, Deadline
from dpaudit.runs.flows import flow_of
from dpaudit.runs.settings import Settings
from dpaudit.runs.task import Task

MOST_BYTES = 64 << 20
"""Of all files that go with the verdicts of one task; they are held in memory on their way to the run folder."""


_SCRATCH = "dpaudit-task-"
CLOCK = "clock: not begun within"
"""How the reason of a verdict begins whose task the clock kept from beginning."""
LIMIT = "maxfail: not begun"
"""How it begins where --maxfail did."""


def not_begun(verdict: Verdict) -> bool:
    """Did the clock, or the limit of --maxfail, keep the task of this verdict from beginning?"""
    if verdict.outcome is not Outcome.NOT_RUN or not verdict.evidence:
        return False
    first = verdict.evidence[0]
    return first.engine == "run" and first.detail.startswith((CLOCK, LIMIT))


@dataclass(frozen=True)
class Order:
    """A task with all that it needs: settings of the run, share of one statistical test.

    deadline: from which on it does not begin; held: why it does not begin at all, as its verdict will say; stages: the
    file in which it says what it is at, "" if nobody reads it.
    """

    task: Task
    settings: Settings
    share: float
    deadline: Deadline = NEVER
    held: str = ""
    stages: str = ""


@dataclass(frozen=True)
class Answer:
    """What came of a task, plain data; verdicts: their JSON form; files: texts by their path in the run folder.

    fault: what keeps this machine from any task, in words; then there are no verdicts. cached: a run before made them.
    """

    verdicts: list[Json]
    files: dict[str, str]
    fault: str = ""
    cached: bool = False


def perform(order: Order) -> Answer:
    """The task's verdicts and their files. Never raises: a crash is an ERROR verdict of this item, and what keeps this
    machine from any item is the fault of the answer."""
    late = f"{CLOCK} {order.settings.time:g} minutes" if order.deadline.passed() else ""
    if (order.held or late) and not (order.task.begins or order.task.error):
        found = stand_in(order, Outcome.NOT_RUN, order.held or late)
        if found.as_expected:  # of a claim that is not encoded: its steps were not begun either
            found = replace(found, expected=Outcome.PROVED)
        return Answer(encode([found]), {})
    try:
        return _twice(order)
    except MachineFault as fault:
        return Answer([], {}, str(fault))
    except OSError as error:  # not of the item, whose errors are its verdict
        if of_the_machine(error) and error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EROFS):
            return Answer([], {}, machine_words(error))
        said = f"cannot write temporary files: {error.strerror or error}"
        return Answer([], {}, f"{said}; the variable TMPDIR names another folder for them")
    except MemoryError as error:
        return Answer([], {}, machine_words(error))


def _twice(order: Order) -> Answer:
    """The answer, asked for once more where memory was lacking: whoever used it may be gone. An item that lacks it
    again needs more than there is, which is its verdict."""
    with contextlib.suppress(MemoryError):
        return _answer(order, frozenset())
    return _answer(order, frozenset({MemoryError}))


def _answer(order: Order, own: frozenset[type[BaseException]]) -> Answer:
    """As `perform`; what is of the machine is raised, OSError too where the folder for temporary files cannot be used.

    own: errors that are of the item, although the machine may have them too.
    """
    with _folder() as folder:
        settings = order.settings
        context = Context(
            settings.seed, settings.level, order.share, settings.device, str(folder),
            mutants=settings.mutants, left_out=settings.left_out, stages=order.stages or None,
        )  # fmt: skip
        answer = _performed(order, context, own)
        answer = replace(answer, files=_files(folder))
    for verdict in answer.verdicts:
        verdict["digests"] = [sha256(answer.files.get(name, "")) for name in verdict["attachments"]]
    size = sum(len(text.encode()) for text in answer.files.values())
    if size > MOST_BYTES:
        found = stand_in(order, Outcome.ERROR, f"its files take {size} bytes; {MOST_BYTES} are allowed: write less")
        return Answer(encode([found]), {})
    return answer


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A folder for the files of a task."""
    if sys.platform == "win32":
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, ignore_cleanup_errors=True) as name:
            yield Path(name)
        return
    with scratch.made(_SCRATCH) as folder:
        yield folder


def _files(folder: Path) -> dict[str, str]:
    """The text files below `folder` by their path from there."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in found}


def _performed(order: Order, context: Context, own: frozenset[type[BaseException]]) -> Answer:
    """The task's verdicts, whatever happens but to the machine; their files lie in the folder of the context."""
    task, started = order.task, time.perf_counter()
    try:
        verdicts, cached = _verdicts(order, context)
        return Answer(_finished(order, verdicts, started), {}, cached=cached)
    except MissingPackageError as error:
        found = stand_in(order, Outcome.NOT_RUN, str(error))
    except (Exception, SystemExit) as error:  # whatever a check or a target does, the run goes on
        if faults.machine_failed(error, Path(task.path)) and type(error) not in own:
            raise
        found = stand_in(order, Outcome.ERROR, faults.describe(error, Path(task.path)))
        kept = context.attach(f"errors/{slug(task.name)}.txt", traceback.format_exc())
        found = replace(found, attachments=(kept,) if kept else ())
    return Answer(_finished(order, [found], started), {})


def _finished(order: Order, verdicts: list[Verdict], started: float) -> list[Json]:
    """The JSON form of `verdicts` with seed and replay line, and the time if the engine took none."""
    if all(verdict.duration_s == 0 for verdict in verdicts):
        verdicts[0] = replace(verdicts[0], duration_s=time.perf_counter() - started)
    made: list[Json] = encode([replace(v, replay=order.task.again, seed=order.settings.seed) for v in verdicts])
    return made


def stand_in(order: Order, outcome: Outcome, reason: str) -> Verdict:
    """The verdict of a task whose engine gave none."""
    task = order.task
    return Verdict(
        id=task.name,
        kind=task.kind,
        outcome=outcome,
        expected=task.expected,
        title=task.title,
        evidence=(Evidence("run", outcome, reason),),
        source=places.shown(Path(task.path)),
        seed=order.settings.seed,
        replay=task.again,
    )


def _not_there(order: Order, reason: str) -> Verdict:
    """NOT_RUN for want of a package; as expected where the target is optional."""
    found = stand_in(order, Outcome.NOT_RUN, reason)
    return replace(found, expected=Outcome.NOT_RUN) if order.task.optional else found


def _verdicts(order: Order, context: Context) -> tuple[list[Verdict], bool]:
    """The verdicts of the task, and whether they are those of an earlier run."""
    task = order.task
    if task.error:
        return [stand_in(order, Outcome.NOT_RUN if task.missing else Outcome.ERROR, task.error)], False
    if task.begins:
        return [stand_in(order, Outcome.NOT_RUN, f"begins at level {task.begins}")], False
    for module, extra in task.needs:
        if find_spec(module.partition(".")[0]) is None:
            return [_not_there(order, str(MissingPackageError(module, extra)))], False
    return _cached_or_made(order, context)


def _cached_or_made(order: Order, context: Context) -> tuple[list[Verdict], bool]:
    """The verdicts from the cache if nothing that decides them has changed, else those that the flow makes."""
    task, settings, flow = order.task, order.settings, flow_of(order.task.part)
    usable = settings.cache and settings.device == "cpu"  # the key knows this processor, and no other device
    more = flow.decides(task, settings) if usable else None
    digest = "" if more is None else cache.key(Path(task.path), task.name, context, *more)
    kept = cache.load(digest, context) if digest else None
    if kept is not None:
        return list(decode(kept)), True
    verdicts = _checked(task, flow.perform(task, settings, context))
    if digest:
        cache.save(digest, verdicts, context)
    return verdicts, False


def _checked(task: Task, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts as a list; ContentError if there are none or two of one id."""
    names = [verdict.id for verdict in verdicts]
    if not names:
        raise ContentError(f"{task.name}: the engine gave no verdict")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ContentError(f"{task.name}: two verdicts are called {twice[0]!r}; rename a step or a mutant")
    return list(verdicts)
