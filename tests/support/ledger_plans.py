"""Plans of one target, which take shares of a ledger; as a script, a process that takes many."""

from __future__ import annotations

import sys
from pathlib import Path

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.runs import budget, spending_file
from dpaudit.runs.plan import Plan, asked
from dpaudit.runs.settings import Part, Settings
from dpaudit.runs.spending import drawn_seed
from dpaudit.runs.task import Task


def made(seed: int | None = None, tests: int = 2) -> Plan:
    """The plan of a target with so many statistical tests; without a seed, it draws one."""
    task = Task(Part.AUDIT, "toy/sum", "sum.py", "a sum", Kind.AUDIT, Outcome.CONSISTENT, tests)
    settings = Settings("audit", (Part.AUDIT,), ("sum.py",), seed=drawn_seed() if seed is None else seed)
    return Plan(settings, (task,), budget.plan(settings.alpha, asked([task])))


def main(file: str, times: str) -> None:
    """Take so many shares, a line for each once it is taken."""
    for _ in range(int(times)):
        taken = spending_file.take(Path(file), made(), Path("out")).spending
        assert taken is not None
        print(taken.number, repr(taken.share), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
