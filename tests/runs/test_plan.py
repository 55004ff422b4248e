"""The plan: which items, which controls, which share of the error budget."""

from __future__ import annotations

from pathlib import Path

from small_content import target_text, write

from dpaudit.runs.plan import Plan, make_plan
from dpaudit.runs.settings import Part, Settings


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


def test_every_audit_is_a_registered_test(workdir: Path) -> None:
    own_audits(workdir)
    ledger = audit("toy/sum", alpha=4e-3).ledger  # the null control has two
    assert (ledger.total, ledger.planned, ledger.share) == (4e-3, 4, 1e-3)
    assert [entry.name for entry in ledger.entries] == ["toy/sum", "bad/half", "null/zero"]
