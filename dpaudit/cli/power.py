"""The command `power`: what it takes to catch a violation, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from dpaudit.audit.forecast import Forecast, forecast
from dpaudit.audit.sandbox import isolation
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.verdict import Kind
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Settings

Row = dict[str, Any]


def carry_out(settings: Settings, epsilons: Sequence[float], chance: float) -> Iterator[Row]:
    """One row a violation and target, at the share of the budget that an audit of these targets would have."""
    plan = make_plan(settings)
    tasks = [task for task in plan.tasks if task.kind is Kind.AUDIT or task.name in settings.names]
    for task in tasks:
        if task.error:
            raise ConfigurationError(task.error)
        with isolation.playing(Path(task.path), task.name, settings.limits, settings.isolate) as item:
            for row in forecast(item.record, item.module, plan.ledger.share, settings.seed, epsilons, chance):
                yield _row(item.name, row, plan.ledger.share)


def _row(name: str, found: Forecast, alpha: float) -> Row:
    return {
        "target": name,
        "violation": found.violation,
        "epsilon": float(f"{found.epsilon:.4g}"),
        "trials_per_side": found.trials if found.trials is not None else "more than 1e12",
        "seconds": "" if found.seconds is None else float(f"{found.seconds:.3g}"),
        "level": found.level or "none",
        "alpha": float(f"{alpha:.3g}"),
    }
