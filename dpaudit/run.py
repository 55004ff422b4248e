"""Runs a plan: hands out the tasks, keeps the run folder, gives the exit code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpaudit import executor, provenance, store
from dpaudit.grounds import settle
from dpaudit.plan import Part, Plan, Task, command_line
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
    KeyboardInterrupt goes on. Raises ConfigurationError for a folder that is not empty.
    """
    keep = store.Folder(folder)
    header = describe(plan)
    keep.write_run(header)
    answers: dict[int, tuple[Verdict, ...]] = {}
    shown = 0
    try:
        for place, verdicts in _answers(plan, folder):
            answers[place] = verdicts
            keep.append(verdicts)
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
    keep.rewrite(listed)
    header |= ending(listed, code)
    keep.write_run(header)
    return Result(folder, header, tuple(listed), code)


def describe(plan: Plan) -> dict[str, Any]:
    """What run.json says before the run: command, seed, level, error budget, content, provenance."""
    settings = plan.settings
    return {
        "schema": SCHEMA,
        "command": command_line(settings),
        "seed": settings.seed,
        "level": settings.level.value,
        "device": settings.device,
        "jobs": settings.jobs,
        "allow_inconclusive": settings.allow_inconclusive,
        "error_budget": encode(plan.ledger),
        "tasks": len(plan.tasks),
        "content": [asdict(origin) for origin in plan.origins],
        **provenance.provenance(),
        "started": _now(),
        "finished": None,
        "exit_code": None,
        "counts": None,
    }


def ending(verdicts: Sequence[Verdict], code: ExitCode) -> dict[str, Any]:
    """What run.json says after the run: when it ended, exit code, counts by outcome."""
    counts = count(verdicts)
    numbers = {outcome.value: counts[outcome] for outcome in Outcome}
    unexpected = sum(not verdict.as_expected for verdict in verdicts)
    return {
        "finished": _now(),
        "exit_code": int(code),
        "counts": {"verdicts": len(verdicts), "unexpected": unexpected, **numbers},
    }


def _answers(plan: Plan, folder: Path) -> Iterator[tuple[int, tuple[Verdict, ...]]]:
    """Yield (place in the plan, verdicts) as the tasks finish."""
    places = sorted(range(len(plan.tasks)), key=lambda place: _HEAVIEST_FIRST.index(plan.tasks[place].part))
    orders = [Order(plan.tasks[place], plan.settings, plan.ledger.share, str(folder)) for place in places]
    for position, answer in executor.execute(perform, orders, plan.settings.jobs):
        if isinstance(answer, executor.WorkerDied):
            yield places[position], (stand_in(orders[position], Outcome.ERROR, str(answer)),)
        else:
            yield places[position], decode(answer)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
