"""The plan of a run: which items, in which order, with which share of the error budget."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dpaudit.audit.sandbox import isolation
from dpaudit.audit.sandbox.session import Limits
from dpaudit.content import items as content_items
from dpaudit.content import loading, places
from dpaudit.content.items import Broken, Item, Loaded
from dpaudit.records.claim import Claim
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import record
from dpaudit.records.target import Control, Target
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs import baseline_file, budget, provenance
from dpaudit.runs.baseline import Baseline
from dpaudit.runs.executors import local as executor

DEFAULT_SEED = 20261121
"""The seed of a run that names none, so that two runs are comparable without asking for it."""

_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")


class Part(StrEnum):
    """The parts of a run, in plan order; also the command that repeats one item of each."""

    VERIFY = "verify"
    AGREE = "agree"
    AUDIT = "audit"


@record
class Settings:
    """What the user asked for; run.json keeps it, so that a stopped run can go on.

    names: ids, names or paths, every item if empty; alpha: error budget of the whole run;
    proofs, audits: content folders, found by `registry.content_folder` if None; controls:
    add controls to an audit that names none; mutants: try the mutants of inequalities by
    fixed operators too; cache: use and keep verdicts of claims that nothing has changed for;
    time: minutes after which no new task begins, None for no clock;
    isolate: play targets that did not come with dpaudit, and those that ask for it, in sandboxes; time_limit:
    seconds of each call there; memory_limit: GiB of each process there; baseline: file of the findings that are
    accepted; executor: who does the work, as `executor.parse` reads it.
    """

    command: str
    parts: tuple[Part, ...]
    names: tuple[str, ...] = ()
    seed: int = DEFAULT_SEED
    level: Level = Level.SMOKE
    alpha: float = budget.DEFAULT_TOTAL
    device: str = "cpu"
    jobs: int = 1
    proofs: Path | None = None
    audits: Path | None = None
    controls: bool = True
    allow_inconclusive: bool = False
    mutants: bool = False
    cache: bool = True
    isolate: bool = True
    time: float | None = None
    time_limit: float = Limits.seconds
    memory_limit: float = Limits.gib
    baseline: Path | None = None
    executor: str = executor.LOCAL

    @property
    def limits(self) -> Limits:
        """Of each sandbox."""
        return Limits(self.time_limit, self.memory_limit)


@dataclass(frozen=True)
class Task:
    """One item of the plan, plain data that a worker process can be handed.

    title, kind, expected: of the verdict that stands in when the engine gives none; tests:
    statistical tests of the item; error: why its file could not be loaded; missing: all
    that it lacks is an optional package; optional: it is not required where a package is missing;
    target: of an audit, as it was when its tests were counted; begins: the level at which it is played first, where the
    run is below it and does not name it.
    """

    part: Part
    name: str
    path: str
    title: str
    kind: Kind
    expected: Outcome
    tests: int = 0
    needs: tuple[tuple[str, str], ...] = ()
    error: str = ""
    missing: bool = False
    optional: bool = False
    target: Target | None = None
    begins: Level | None = None


@dataclass(frozen=True)
class Origin:
    """Where content came from: `proofs` or `audits`, folder, origin in words, digest of its files."""

    kind: str
    folder: str
    origin: str
    digest: str


@dataclass(frozen=True)
class Plan:
    """The tasks in plan order, the error budget, the folders that were searched, the findings that are accepted."""

    settings: Settings
    tasks: tuple[Task, ...]
    ledger: budget.Ledger
    origins: tuple[Origin, ...] = ()
    baseline: Baseline | None = None


def make_plan(settings: Settings) -> Plan:
    """Collect what `settings` ask for and register its statistical tests.

    Raises ConfigurationError for unknown names, missing paths, duplicates, a wrong alpha, device, executor or baseline.
    """
    if not _DEVICE.fullmatch(settings.device):
        raise ConfigurationError(f"device must be cpu, mps, cuda or cuda:NUMBER, got {settings.device!r}")
    executor.parse(settings.executor)
    known = baseline_file.read(settings.baseline) if settings.baseline is not None else None
    if settings.time is not None and not settings.time > 0:  # NaN fails here too
        raise ConfigurationError(f"time must be above 0 minutes, got {settings.time}")
    tasks: list[Task] = []
    origins: list[Origin] = []
    if Part.VERIFY in settings.parts:
        tasks += [_claim_task(item) for item in _claims(settings, origins)]
    if Part.AGREE in settings.parts:
        chosen = content_items.select(loading.load_algorithms(), settings.names, "algorithm")
        tasks += [_algorithm_task(item) for item in chosen]
    if Part.AUDIT in settings.parts:
        tasks += [_target_task(item, settings) for item in _targets(settings, origins)]
    ledger = budget.plan(settings.alpha, [(task.name, task.tests) for task in tasks])
    return Plan(settings, tuple(tasks), ledger, tuple(origins), known)


def command_line(settings: Settings) -> str:
    """The command that repeats the run."""
    words = ["dpaudit", settings.command, *settings.names, "--seed", str(settings.seed)]
    words += ["--level", settings.level.value, "--alpha", repr(settings.alpha), "--device", settings.device]
    words += _folders(settings, settings.parts)
    words += ["--baseline", places.shown(settings.baseline)] if settings.baseline is not None else []
    words += ["--mutants"] if settings.mutants else []
    words += _sandboxed(settings) if Part.AUDIT in settings.parts else []
    return shlex.join(words if settings.controls else [*words, "--no-controls"])


def replay(task: Task, settings: Settings, share: float) -> str:
    """The command that repeats the verdicts of `task` alone, at its share of the error budget."""
    by_path = task.error or _named_by_path(task, settings)
    words = ["dpaudit", task.part.value, places.shown(Path(task.path)) if by_path else task.name]
    words += ["--seed", str(settings.seed), "--level", (task.begins or settings.level).value]
    words += ["--alpha", repr(share * task.tests)] if task.tests else []
    words += ["--device", settings.device] if settings.device != "cpu" else []
    words += ["--mutants"] if settings.mutants and task.part is Part.VERIFY else []
    words += ["--no-controls", *_sandboxed(settings)] if task.part is Part.AUDIT else []
    return shlex.join(words + _folders(settings, (task.part,)))


def _sandboxed(settings: Settings) -> list[str]:
    """The flags of sandboxes where they are not the default."""
    if not settings.isolate:
        return ["--no-isolate"]
    named = (("--time-limit", settings.time_limit, Settings.time_limit),
             ("--memory-limit", settings.memory_limit, Settings.memory_limit))  # fmt: skip
    return [word for flag, value, default in named if value != default for word in (flag, f"{value:g}")]


def _named_by_path(task: Task, settings: Settings) -> bool:
    """Was the file named by path, outside of the folder where its id would be found again?"""
    named = settings.audits if task.part is Part.AUDIT else settings.proofs
    home = named or places.content_folder("audits" if task.part is Part.AUDIT else "proofs")[0]
    file = Path(task.path).resolve()
    return home.resolve() not in file.parents and any(
        path.resolve() in (file, *file.parents) for path in _split(settings.names)[0]
    )


def _folders(settings: Settings, parts: Sequence[Part]) -> list[str]:
    pairs = (("--proofs", settings.proofs, Part.VERIFY), ("--audits", settings.audits, Part.AUDIT))
    return [word for flag, path, part in pairs if path and part in parts for word in (flag, places.shown(path))]


def _claims(settings: Settings, origins: list[Origin]) -> list[Item]:
    paths, names = _split(settings.names)
    items = list(loading.load_claims(paths))
    if names or not paths:
        folder = _folder("proofs", settings.proofs, origins)
        items += content_items.select(loading.load_claims([folder]), names, "claim")
    return _once(items)


def _targets(settings: Settings, origins: list[Origin]) -> list[Item]:
    """The targets asked for; quick controls join an audit that has none, those of its own folder first."""
    paths, names = _split(settings.names)
    items = list(_loaded(paths, settings))
    every: tuple[Item, ...] = ()
    if names or not paths:
        every = _loaded([_folder("audits", settings.audits, origins)], settings)
        items += content_items.select(every, names, "target")
    if items and settings.controls and not any(map(_is_control, items)):
        own = [item for item in every if _is_control(item)]
        listed = own or [item for item in loading.load_targets([_shipped(origins)]) if _is_control(item)]
        companions = [item for item in listed if isinstance(item, Loaded) and item.record.companion]
        items += companions or listed
    return _once(items)


def _loaded(paths: list[Path], settings: Settings) -> tuple[Item, ...]:
    return isolation.load_targets(paths, settings.limits, settings.isolate)


def _split(names: Sequence[str]) -> tuple[list[Path], list[str]]:
    """Paths and ids: a path ends in .py, starts like one, or is there."""
    paths = [name for name in names if name.endswith(".py") or name[:1] in "./~" or Path(name).exists()]
    return [Path(name).expanduser() for name in paths], [name for name in names if name not in paths]


def _folder(kind: str, named: Path | None, origins: list[Origin]) -> Path:
    folder, origin = places.content_folder(kind) if named is None else (named, "named by the user")
    return _noted(kind, folder, origin, origins)


def _shipped(origins: list[Origin]) -> Path:
    return _noted("audits", places.shipped_folder("audits"), "controls of the package", origins)


def _noted(kind: str, folder: Path, origin: str, origins: list[Origin]) -> Path:
    digest = provenance.content_digest(
        part for file in places.content_files([folder]) for part in places.claim_files(file)
    )
    origins.append(Origin(kind, places.shown(folder), origin, digest))
    return folder


def _once(items: Sequence[Item]) -> list[Item]:
    """`items` without those named twice by the user; ConfigurationError for two files of one name."""
    once = {(item.name, item.path): item for item in items}
    content_items.refuse_duplicates(list(once.values()))
    return list(once.values())


def _is_control(item: Item) -> bool:
    if isinstance(item, Loaded):
        return item.record.control is not Control.NONE
    return not {"known_bad", "null"}.isdisjoint(item.path.parts)


def _claim_task(item: Item) -> Task:
    if isinstance(item, Broken):
        return _broken_task(item, Part.VERIFY, Kind.CLAIM, Outcome.PROVED)
    from dpaudit.claims.verify import statistical_tests

    claim: Claim = item.record
    tests = statistical_tests(claim)
    return Task(Part.VERIFY, claim.id, str(item.path), claim.title, Kind.CLAIM, claim.expects, tests)


def _algorithm_task(item: Item) -> Task:
    if isinstance(item, Broken):
        return _broken_task(item, Part.AGREE, Kind.AGREEMENT, Outcome.CONSISTENT)
    return Task(Part.AGREE, item.name, str(item.path), item.record.title, Kind.AGREEMENT, Outcome.CONSISTENT)


def _target_task(item: Item, settings: Settings) -> Task:
    kind = Kind.CONTROL if _is_control(item) else Kind.AUDIT
    if isinstance(item, Broken):
        expected = Outcome.REFUTED if "known_bad" in item.path.parts else Outcome.CONSISTENT
        return _broken_task(item, Part.AUDIT, kind, expected)
    from dpaudit.audit.tiers import planned_tests

    target: Target = item.record
    played = bool(settings.names) or settings.level.includes(target.from_level)
    tests = planned_tests(target, item.module) if played else 0
    return Task(
        Part.AUDIT,
        target.name,
        str(item.path),
        target.title,
        kind,
        target.expects if played else Outcome.NOT_RUN,
        tests,
        target.needs,
        optional=target.optional,
        target=target,
        begins=None if played else target.from_level,
    )


def _broken_task(item: Broken, part: Part, kind: Kind, expected: Outcome) -> Task:
    title = "a file that could not be loaded"
    return Task(part, item.name, str(item.path), title, kind, expected, error=item.error, missing=item.missing)
