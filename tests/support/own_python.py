"""Audits of a library with a Python of its own: their targets, a program in its place, the report they led to."""

from __future__ import annotations

import json
import re
import stat
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dpaudit.audit import tiers
from dpaudit.content import items, loading
from dpaudit.records.context import Context, Level
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome, Verdict

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "audits" / "third_party"


@dataclass(frozen=True)
class Audits:
    """name: of the library, of the folder of its audits, and of its report."""

    name: str

    @cached_property
    def files(self) -> list[Path]:
        """The target files."""
        return sorted(path for path in (FOLDER / self.name).glob("*.py") if path.name[0] != "_")

    @cached_property
    def items(self) -> list[items.Item]:
        """What they hold."""
        return loading.load_targets(self.files)

    def loaded(self, name: str) -> items.Loaded:
        """The target of this name."""
        [item] = items.select(self.items, [name], "target")
        assert isinstance(item, items.Loaded)
        return item

    def targets(self) -> list[Target]:
        """All of them; AssertionError if one cannot be loaded."""
        assert all(isinstance(one, items.Loaded) for one in self.items), [
            getattr(one, "error", "") for one in self.items
        ]
        return [item.record for item in self.items if isinstance(item, items.Loaded)]

    def audited(self, name: str) -> Verdict:
        """The verdict at level smoke; a true claim is refuted with probability at most 1e-6."""
        return tiers.audit(self.loaded(name).carrier, Context(1, Level.SMOKE, 1e-6))

    def check_twins(self, consistent: int, refuted: int) -> None:
        """So many targets at least are as promised, and so many not; these have an effect and a repair."""
        found = self.targets()
        right = {target.name for target in found if target.expects is Outcome.CONSISTENT}
        wrong = [target for target in found if target.expects is Outcome.REFUTED]
        assert len(right) >= consistent
        assert len(wrong) >= refuted
        assert all(target.effect and target.repair in right for target in wrong)

    def check_report(self) -> None:
        """The report has every target with its outcome, as the records do: refutations with three seeds."""
        report = ROOT / "reports" / "third-party" / f"{self.name}.md"
        pattern = rf"(?m)^\| `({re.escape(self.name)}/[\w-]+)` \|.*\| (CONSISTENT|REFUTED) \|"
        rows = dict(re.findall(pattern, report.read_text(encoding="utf-8")))
        assert rows == {target.name: target.expects.value for target in self.targets()}
        records: list[dict[str, Any]] = json.loads(report.with_suffix(".json").read_text(encoding="utf-8"))
        assert {(record["id"], record["outcome"]) for record in records} == set(rows.items())
        seeds = {name: {record["seed"] for record in records if record["id"] == name} for name in rows}
        assert all(len(seeds[name]) >= 3 for name, outcome in rows.items() if outcome == "REFUTED")


def stand_in(folder: Path, text: str) -> str:
    """A program of this text below "#!python", which answers in the place of the library's Python."""
    program = folder / "python"
    program.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)
