"""Runs a plan: hands out the tasks, keeps the run folder, gives the exit code."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpaudit import executor, provenance, registry, store
from dpaudit.grounds import settle
from dpaudit.plan import Part, Plan, Settings, Task, command_line
from dpaudit.serial import SCHEMA, decode, encode
from dpaudit.verdict import ExitCode, Outcome, Verdict, count, exit_code
from dpaudit.worker import Order, perform, stand_in

# A long task that starts last would keep one worker busy alone.
_HEAVIEST_FIRST = (Part.AUDIT, Part.AGREE, Part.VERIFY)

Observer = Callable[[Task, Sequence[Verdict]], None]


@dataclass(frozen=True)
class Result:
    """A finished run: its folder, the object of run.json, the verdicts in plan order, the exit code."""

    folder: Path
    header: dict[str, Any]
    verdicts: tuple[Verdict, ...]
    code: ExitCode


def run(plan: Plan, folder: Path, observe: Observer) -> Result:
    """Run `plan` in the new folder `folder`.

    observe: called in plan order with each task and its verdicts, as early as that order
    allows. On an interruption what was written stays, run.json says so, and
    KeyboardInterrupt goes on; `resume` does the rest. Raises ConfigurationError for a folder that is not empty.
    """
    with store.Folder(folder) as keep:
        header = describe(plan)
        keep.write_run(header)
        return carry_on(plan, keep, header, {}, observe)


def carry_on(
    plan: Plan,
    keep: store.Folder,
    header: dict[str, Any],
    earlier: Mapping[int, tuple[Verdict, ...]],
    observe: Observer,
) -> Result:
    """Run the tasks of `plan` that `earlier` holds no verdicts of, into the open folder, to the end as `run` does.

    earlier: the verdicts of complete tasks by their place in the plan; header: the object of run.json so far.
    """
    answers: dict[int, tuple[Verdict, ...]] = {}
    shown = 0
    try:
        for place, verdicts in itertools.chain(earlier.items(), _answers(plan, keep.path, earlier)):
            answers[place] = verdicts
            if place not in earlier:
                keep.append(verdicts)
                keep.mark(place, verdicts)
            while shown in answers:
                observe(plan.tasks[shown], answers[shown])
                shown += 1
    except KeyboardInterrupt:
        listed = [v for place in sorted(answers) for v in answers[place]]
        keep.rewrite(listed)
        keep.write_run(header | ending(listed, ExitCode.INTERRUPTED))
        raise
    # Only now is every claim at hand that another one may rest on.
    listed = settle([v for place in sorted(answers) for v in answers[place]])
    code = exit_code(listed, plan.settings.allow_inconclusive)
    header = header | ending(listed, code)
    keep.finish(listed, header)
    return Result(keep.path, header, tuple(listed), code)


def describe(plan: Plan) -> dict[str, Any]:
    """What run.json says before the run: command and settings, plan, error budget, content, provenance."""
    settings = plan.settings
    return {
        "schema": SCHEMA,
        "command": command_line(settings),
        "settings": encode(_portable(settings)),
        "seed": settings.seed,
        "level": settings.level.value,
        "device": settings.device,
        "jobs": settings.jobs,
        "allow_inconclusive": settings.allow_inconclusive,
        "error_budget": encode(plan.ledger),
        "tasks": len(plan.tasks),
        "plan": [_fingerprint(task) for task in plan.tasks],
        "content": [asdict(origin) for origin in plan.origins],
        **provenance.provenance(),
        "started": now(),
        "finished": None,
        "exit_code": None,
        "counts": None,
        "resumed": [],
    }


def ending(verdicts: Sequence[Verdict], code: ExitCode) -> dict[str, Any]:
    """What run.json says after the run: when it ended, exit code, counts by outcome."""
    counts = count(verdicts)
    numbers = {outcome.value: counts[outcome] for outcome in Outcome}
    unexpected = sum(not verdict.as_expected for verdict in verdicts)
    return {
        "finished": now(),
        "exit_code": int(code),
        "counts": {"verdicts": len(verdicts), "unexpected": unexpected, **numbers},
    }


def _portable(settings: Settings) -> Settings:
    """`settings` with folders below the working directory named from there: a record names no place of this machine."""
    here = Path.cwd().resolve()
    named = ((field.name, getattr(settings, field.name)) for field in fields(Settings))
    folders = {name: value.resolve() for name, value in named if isinstance(value, Path)}
    below: dict[str, Any] = {name: p.relative_to(here) for name, p in folders.items() if p.is_relative_to(here)}
    return replace(settings, **below)


def _fingerprint(task: Task) -> dict[str, str | int]:
    """What decides whether `task` is still the one that was planned: file, digest of its bytes, number of tests."""
    path = Path(task.path)
    digest = provenance.content_digest([path, *(_beside(path) if task.part is Part.VERIFY else [])])
    file = registry.shown(path)
    return {"part": task.part.value, "name": task.name, "file": file, "digest": digest, "tests": task.tests}


def _beside(claim: Path) -> list[Path]:
    """The files that a claim rests on: what its paper is, and the named theorems."""
    paper = claim.parent / "paper.toml"
    return [*([paper] if paper.is_file() else []), *sorted((claim.parent.parent / registry.THEOREMS).glob("*.toml"))]


def _answers(plan: Plan, folder: Path, earlier: Container[int]) -> Iterator[tuple[int, tuple[Verdict, ...]]]:
    """Yield (place in the plan, verdicts) as the tasks finish, those at places `earlier` left out."""
    open_places = [place for place in range(len(plan.tasks)) if place not in earlier]
    places = sorted(open_places, key=lambda place: _HEAVIEST_FIRST.index(plan.tasks[place].part))
    orders = [Order(plan.tasks[place], plan.settings, plan.ledger.share, str(folder)) for place in places]
    for position, answer in executor.execute(perform, orders, plan.settings.jobs):
        if isinstance(answer, executor.WorkerDied):
            yield places[position], (stand_in(orders[position], Outcome.ERROR, str(answer)),)
        else:
            yield places[position], decode(answer)


def now() -> str:
    """The time as records name it: UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
