"""The plan of a run: which items, in which order, with which share of the error budget."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpaudit.records.errors import ConfigurationError, machine_words, of_the_machine
from dpaudit.runs import baseline_file, budget, commands
from dpaudit.runs.baseline import Baseline
from dpaudit.runs.executors import local
from dpaudit.runs.flows import FLOWS
from dpaudit.runs.flows.flow import Origin
from dpaudit.runs.keyword import refuse_nothing
from dpaudit.runs.settings import Settings
from dpaudit.runs.spending import Taken
from dpaudit.runs.task import Task

_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")


@dataclass(frozen=True)
class Plan:
    """The tasks in plan order, the error budget, the folders that were searched, the findings that are accepted, the
    ledger that the error budget is from, None if the settings give it."""

    settings: Settings
    tasks: tuple[Task, ...]
    ledger: budget.Ledger
    origins: tuple[Origin, ...] = ()
    baseline: Baseline | None = None
    spending: Taken | None = None


def make_plan(settings: Settings, again: str = "nothing was begun: start again") -> Plan:
    """Collect what `settings` ask for and register its statistical tests; again: what to do where the machine fails.

    Raises ConfigurationError for unknown names, missing paths, duplicates, a wrong alpha, device, executor or baseline,
    for an expression of -k that chooses nothing, and where the machine fails.
    """
    try:
        return _planned(settings)
    except (OSError, MemoryError) as error:
        if not of_the_machine(error):
            raise
        raise ConfigurationError(f"{machine_words(error)}; {again}") from error


def _planned(settings: Settings) -> Plan:
    if not _DEVICE.fullmatch(settings.device):
        raise ConfigurationError(f"device must be cpu, mps, cuda or cuda:NUMBER, got {settings.device!r}")
    local.parse(settings.executor)
    known = baseline_file.read(settings.baseline) if settings.baseline is not None else None
    if settings.time is not None and not settings.time > 0:  # NaN fails here too
        raise ConfigurationError(f"time must be above 0 minutes, got {settings.time}")
    if settings.maxfail is not None and settings.maxfail < 1:
        raise ConfigurationError(f"maxfail must be 1 outcome or more, got {settings.maxfail}")
    collected = [flow.collect(settings) for flow in FLOWS if flow.part in settings.parts]
    tasks = [task for found in collected for task in found.tasks]
    if settings.keyword and not tasks:
        raise refuse_nothing(settings.keyword, [name for found in collected for name in found.names])
    ledger = budget.plan(settings.alpha, asked(tasks))
    origins = tuple(origin for found in collected for origin in found.origins)
    return Plan(settings, repeatable(tasks, settings, ledger), ledger, origins, known)


def asked(tasks: Iterable[Task]) -> list[budget.Asked]:
    """What is entered into the ledger of a run."""
    return [budget.Asked(task.name, task.tests, task.path, task.error_share) for task in tasks]


def repeatable(tasks: Iterable[Task], settings: Settings, ledger: budget.Ledger) -> tuple[Task, ...]:
    """`tasks`, each with the command that repeats it alone at its share of the error budget."""
    return tuple(replace(task, again=commands.again(task, settings, ledger.of(task.name))) for task in tasks)
