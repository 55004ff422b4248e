"""Plans of small content, and an observer for runs that are not watched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from small_content import target_text, write

from dpaudit.records.verdict import Verdict
from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.task import Task


def audit(*names: str, **more: object) -> Plan:
    """The plan of `dpaudit audit names`."""
    return make_plan(Settings("audit", (Part.AUDIT,), names, **more))  # type: ignore[arg-type]


def names(plan: Plan) -> list[str]:
    """Names of the tasks, in plan order."""
    return [task.name for task in plan.tasks]


def own_audits(folder: Path) -> None:
    """A folder `audits` with a target and both controls."""
    write(folder / "audits" / "sum.py", target_text())
    write(folder / "audits" / "known_bad" / "half.py", target_text("bad/half", control="KNOWN_BAD", expects="REFUTED"))
    write(folder / "audits" / "null" / "zero.py", target_text("null/zero", control="NULL"))


def silent(task: Task, verdicts: Sequence[Verdict]) -> None:
    """An observer that looks away."""
