"""Runs a plan: hands out the tasks, keeps the run folder, gives the exit code."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from dpaudit.claims.grounds import settle
from dpaudit.confinement import enclosed
from dpaudit.confinement.namespaces import strength
from dpaudit.content import places as content_places
from dpaudit.records.errors import ConfigurationError, machine_words, of_the_machine
from dpaudit.records.serial import SCHEMA, Json, decode, encode
from dpaudit.records.verdict import ExitCode, Outcome, Verdict, count, exit_code
from dpaudit.runs import baseline, provenance, store
from dpaudit.runs.commands import command_line
from dpaudit.runs.executors import local
from dpaudit.runs.executors.dask import ClusterLost, Execute, WorkerDied
from dpaudit.runs.flows import flow_of
from dpaudit.runs.orders import Orders
from dpaudit.runs.plan import Plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task
from dpaudit.runs.worker import not_begun, perform, stand_in

# A long task that starts last would keep one worker busy alone: a claim may take half a minute.
_ORDER = (Part.AUDIT, Part.VERIFY, Part.AGREE)

Observer = Callable[[Task, Sequence[Verdict]], None]


@dataclass(frozen=True)
class _Done:
    """A finished task: its place in the plan, its verdicts, their files."""

    place: int
    complete: store.Complete
    files: Mapping[str, str]


@dataclass(frozen=True)
class Result:
    """A finished run: its folder, the object of run.json, the verdicts in plan order, the exit code."""

    folder: Path
    header: Json
    verdicts: tuple[Verdict, ...]
    code: ExitCode


def run(plan: Plan, folder: Path, observe: Observer, stages: Path | None = None) -> Result:
    """Run `plan` in the new folder `folder`.

    observe: called with each task and its verdicts as they come; stages: a folder of this machine in which tasks say
    what they are at, see `dpaudit.runs.stages`. On an interruption what was written stays, run.json
    says so, and KeyboardInterrupt goes on; `resume` does the rest. Raises ConfigurationError for a folder that is
    not empty, and before the folder is made for a cluster that cannot do the work.
    """
    with faults_told(folder), workers(plan) as execute, store.Folder(folder) as keep:
        header = describe(plan)
        keep.write_run(header)
        return carry_on(plan, keep, header, {}, observe, execute, stages)


@contextmanager
def faults_told(folder: Path) -> Iterator[None]:
    """ConfigurationError where the machine fails while the run of `folder` goes on, with the way on."""
    try:
        yield
    except (OSError, MemoryError) as error:
        if not of_the_machine(error):
            raise
        advice = f"what is finished is kept; to go on: dpaudit resume {folder}"
        raise ConfigurationError(f"{machine_words(error)}; {advice}") from error


def in_order(plan: Plan) -> list[int]:
    """The places of the tasks of `plan` in the order in which workers take them.

    Part by part; several workers take the tasks of a part by the digests of their names, since neighbours in the plan
    would compile the same kernels at the same time.
    """

    def rank(place: int) -> tuple[int, bytes]:
        task = plan.tasks[place]
        return _ORDER.index(task.part), hashlib.sha256(task.name.encode()).digest() if plan.settings.jobs > 1 else b""

    return sorted(range(len(plan.tasks)), key=rank)


def workers(plan: Plan) -> AbstractContextManager[Execute]:
    """The executor that the settings of `plan` name, its workers compared with this process and with its content."""
    files = {content_places.real(file) for task in plan.tasks for file in _files(task)}
    facts = partial(provenance.facts, str(Path.cwd()), sorted(map(str, files)))
    return local.workers(plan.settings.executor, plan.settings.jobs, facts)


def carry_on(
    plan: Plan,
    keep: store.Folder,
    header: Json,
    earlier: Mapping[int, store.Complete],
    observe: Observer,
    execute: Execute | None = None,
    stages: Path | None = None,
) -> Result:
    """Run the tasks of `plan` that are not among the `earlier`, into the open folder, to the end as `run` does.

    earlier: complete tasks by their place in the plan; header: the object of run.json so far; execute: who does the
    work, by default processes of this machine; stages: as in `run`.
    """
    execute = execute or partial(local.execute, jobs=plan.settings.jobs)
    orders = Orders(plan, [place for place in in_order(plan) if place not in earlier], stages)
    answers: dict[int, store.Complete] = {}
    today, owners = baseline.day(header), dict[str, int]()
    try:
        known = (_Done(place, complete, {}) for place, complete in earlier.items())
        for done in itertools.chain(known, _answers(plan, keep.path, orders, execute, today)):
            _refuse_clash(owners, plan, done)
            if done.place in earlier:
                answers[done.place] = done.complete
            else:
                _keep(keep, done, answers)
            observe(plan.tasks[done.place], baseline.apply(plan.baseline, done.complete.verdicts, today))
    except KeyboardInterrupt:
        kept = {**earlier, **answers}  # what is marked as complete stays, shown yet or not
        listed = baseline.apply(plan.baseline, [v for place in sorted(kept) for v in kept[place].verdicts], today)
        begun = {place: found for place, found in kept.items() if not any(map(not_begun, found.verdicts))}
        keep.finish(listed, header | ending(listed, ExitCode.INTERRUPTED), begun)
        raise
    return _ended(plan, keep, header, answers, today)


def _keep(keep: store.Folder, done: _Done, answers: dict[int, store.Complete]) -> None:
    """Write what came of a task; it counts as complete once it is among the `answers`."""
    keep.attach(done.files)
    keep.append(done.complete.verdicts)
    answers[done.place] = done.complete
    if not any(map(not_begun, done.complete.verdicts)):
        keep.mark(done.place, done.complete)


def _ended(plan: Plan, keep: store.Folder, header: Json, answers: Mapping[int, store.Complete], today: date) -> Result:
    """The end of a run whose tasks are all answered: the final records and run.json."""
    # Only now is every claim at hand that another one may rest on.
    settled = settle([v for place in sorted(answers) for v in answers[place].verdicts])
    listed = baseline.apply(plan.baseline, settled, today)
    code = exit_code(listed, plan.settings.allow_inconclusive)
    cached = [plan.tasks[place].name for place in sorted(answers) if answers[place].cached]
    header = header | ending(listed, code)
    header |= {"baseline": baseline.ended(plan.baseline, listed, today), "cached": cached}
    header = keep.finish(listed, header, _resumable(answers, settled))
    return Result(keep.path, header, tuple(listed), code)


def _resumable(answers: Mapping[int, store.Complete], settled: Sequence[Verdict]) -> dict[int, store.Complete] | None:
    """Where the clock kept tasks from beginning, those that `resume` need not make again; None if it kept none.

    What rests on a claim that was not begun is done again, since its verdict says now that its ground is missing.
    """
    if not any(not_begun(verdict) for verdict in settled):
        return None
    said = {verdict.id: verdict.outcome for verdict in settled}
    return {
        place: complete
        for place, complete in answers.items()
        if not any(not_begun(verdict) or said[verdict.id] is not verdict.outcome for verdict in complete.verdicts)
    }


def describe(plan: Plan) -> Json:
    """What run.json says before the run: what was asked for, plan, provenance."""
    return {
        **asked_for(plan),
        "tasks": len(plan.tasks),
        "plan": [_fingerprint(task) for task in plan.tasks],
        **provenance.provenance(),
        "started": now(),
        "finished": None,
        "exit_code": None,
        "counts": None,
        store.DIGEST: None,
        "resumed": [],
        "cached": [],
    }


def _sandboxes(settings: Settings) -> str | None:
    """What keeps targets and claim files of other people apart on this machine, in words; None for a run without."""
    targets = claims = None
    if Part.AUDIT in settings.parts:
        targets = strength(settings.allow_network)[1] if settings.isolate else "none: --no-isolate"
    if Part.VERIFY in settings.parts:
        words = enclosed.strength()[1]
        claims = f"claim files: {'the same' if words == targets else words}"
    return "; ".join(part for part in (targets, claims) if part) or None


def asked_for(plan: Plan) -> Json:
    """The part of run.json that can be shown at once: command and settings, sandboxes, error budget, content."""
    settings = plan.settings
    return {
        "schema": SCHEMA,
        "command": command_line(settings),
        "settings": encode(_portable(settings)),
        "seed": settings.seed,
        "level": settings.level.value,
        "device": settings.device,
        "jobs": settings.jobs,
        "executor": local.parse(settings.executor)[0],
        "allow_inconclusive": settings.allow_inconclusive,
        "sandboxes": _sandboxes(settings),
        "error_budget": encode(plan.ledger),
        "spending": encode(plan.spending),
        "content": [asdict(origin) for origin in plan.origins],
        "baseline": baseline.described(plan.baseline),
    }


def ending(verdicts: Sequence[Verdict], code: ExitCode) -> Json:
    """What run.json says after the run: when it ended, exit code, counts by outcome; accepted: among the unexpected."""
    counts = count(verdicts)
    numbers = {outcome.value: counts[outcome] for outcome in Outcome}
    unexpected = sum(not verdict.as_expected for verdict in verdicts)
    accepted = sum(not verdict.as_expected and not verdict.surprising for verdict in verdicts)
    return {
        "finished": now(),
        "exit_code": int(code),
        "counts": {"verdicts": len(verdicts), "unexpected": unexpected, "accepted": accepted, **numbers},
    }


def _portable(settings: Settings) -> Settings:
    """`settings` with folders below the working directory named from there, and without the address of a cluster: a
    record names no machine and no place on it."""
    here = Path.cwd().resolve()
    named = ((field.name, getattr(settings, field.name)) for field in fields(Settings))
    folders = {name: content_places.real(value) for name, value in named if isinstance(value, Path)}
    below: Json = {name: p.relative_to(here) for name, p in folders.items() if p.is_relative_to(here)}
    return replace(settings, executor=local.LOCAL, **below)


def _refuse_clash(owners: dict[str, int], plan: Plan, done: _Done) -> None:
    """ConfigurationError if what a task gave, an id or a file, was given by another one already.

    owners: the places of the tasks so far by what they gave; file systems may not tell capitals.
    """
    verdicts = done.complete.verdicts
    attached = {*done.files, *(name for verdict in verdicts for name in verdict.attachments)}
    for name in (*(verdict.id for verdict in verdicts), *(f"the file {name}" for name in attached)):
        other = owners.setdefault(name.casefold(), done.place)
        if other != done.place:
            both = f"{plan.tasks[other].name} and {plan.tasks[done.place].name}"
            raise ConfigurationError(f"{both} both give {name}; ids and files are unique in a run: rename one of them")


def _fingerprint(task: Task) -> dict[str, str | int]:
    """What decides whether `task` is still the one that was planned: file, digest of its bytes, number of tests."""
    digest = provenance.content_digest(_files(task))
    file = content_places.shown(Path(task.path))
    return {"part": task.part.value, "name": task.name, "file": file, "digest": digest, "tests": task.tests}


def _files(task: Task) -> list[Path]:
    """The file of a task, and the others that its verdicts rest on."""
    return [Path(task.path), *flow_of(task.part).files(task)]


def _answers(plan: Plan, folder: Path, orders: Orders, execute: Execute, today: date) -> Iterator[_Done]:
    """What comes of each task as it finishes."""
    try:
        for position, answer in execute(perform, orders):
            place = orders.places[position]
            if isinstance(answer, WorkerDied):
                died = stand_in(orders[position], Outcome.ERROR, str(answer))
                done = _Done(place, store.Complete(plan.tasks[place].name, (died,)), {})
            elif answer.fault:
                raise ConfigurationError(f"{answer.fault}; what is finished is kept; to go on: dpaudit resume {folder}")
            else:
                name = plan.tasks[place].name
                done = _Done(place, store.Complete(name, decode(answer.verdicts), answer.cached), answer.files)
            orders.note(baseline.apply(plan.baseline, done.complete.verdicts, today))
            yield done
    except ClusterLost as error:
        advice = f"what is finished is kept; to go on: dpaudit resume {folder}"
        raise ConfigurationError(f"{error}; {advice}, with or without --executor") from error


def now() -> str:
    """The time as records name it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
