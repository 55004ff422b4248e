"""How many correct trainings are refuted, and how many broken ones are not.

    python benchmarks/trainings/measure.py [--structural] [--correct] [--level LEVEL] [--only NAME ...]
        [--fresh | --blind | --third | --fourth | --fifth | --sixth]

Every training of this folder is audited at level smoke, and its twin with one bug too. --structural: without the game,
a few minutes instead of an hour; --correct: without the twins; --fresh to --sixth: of the modules that were written
before any check saw them, the first to the sixth time, and no others (those of all but --fresh are measured by that
alone). Results go to `reports/benchmarks/trainings.json`, and with a switch to the file that has its name too, such as
`trainings-structural.json` or `trainings-fourth-correct.json`; --only: of names with one of the words, whose rows are
measured again and replaced; rows of another level stand beside them, and the counts are those of the highest level of
each.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib
import json
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from dpaudit.audit import tiers
from dpaudit.content.audits import audit_of
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome
from dpaudit.report import deciding

MODULES = ("torch_by_hand", "torch_layers", "numpy_by_hand", "opacus_loops", "jax_by_hand", "held_out")
FRESH = ("fresh_torch", "fresh_torch_layers", "fresh_torch_data", "fresh_numpy", "fresh_opacus", "fresh_jax")
KINDS = ("torch", "torch_layers", "torch_data", "numpy", "opacus", "jax")
SETS = {"fresh": FRESH} | {name: tuple(f"{name}_{kind}" for kind in KINDS)
                           for name in ("blind", "third", "fourth", "fifth", "sixth")}  # fmt: skip
LEVELS = [level.value for level in Level]
SEED, ALPHA = 20261121, 1e-3
"""The error budget of each audit: every one is a run of its own."""
OUTPUT = Path(__file__).parents[2] / "reports" / "benchmarks"


def names(modules: tuple[str, ...], only: list[str], correct: bool) -> Iterator[tuple[str, int]]:
    """The module and the place of each audit; correct: without the twins."""
    for module in modules:
        for place, audit in enumerate(importlib.import_module(module).AUDITS):
            asked = not only or any(word in audit.TARGET.name for word in only)
            if asked and not (correct and audit.TARGET.effect):
                yield module, place


def measured(job: tuple[str, int, bool, Level]) -> dict[str, Any]:
    """One row of the results."""
    module, place, structural, level = job
    audit = importlib.import_module(module).AUDITS[place]
    target = replace(audit.TARGET, trials=None) if structural else audit.TARGET
    subject, started = audit_of(audit, target), time.perf_counter()
    share = ALPHA / max(tiers.planned_tests(subject), 1)
    try:
        verdict = tiers.audit(subject, Context(SEED, level, share))
    except BaseException:
        traceback.print_exc()
        raise
    wrong = [one.detail for one in verdict.evidence if one.outcome is verdict.outcome is not Outcome.CONSISTENT]
    said = "; ".join(wrong)[:600]
    return {"name": target.name, "bug": target.effect, "level": level.value, "outcome": verdict.outcome.value,
            "line": deciding.line(verdict), "found": said,
            "seconds": round(time.perf_counter() - started, 1)}  # fmt: skip


def main() -> None:
    """Measure, print a line each, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--structural", action="store_true")
    parser.add_argument("--correct", action="store_true")
    which = parser.add_mutually_exclusive_group()
    for name in SETS:
        which.add_argument(f"--{name}", action="store_true")
    parser.add_argument("--level", type=Level, choices=list(Level), default=Level.SMOKE)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    modules = next((SETS[name] for name in SETS if getattr(asked, name)), (*MODULES, *FRESH))
    found = names(modules, asked.only, asked.correct)
    jobs = [(module, place, asked.structural, asked.level) for module, place in found]
    with Pool(asked.jobs, maxtasksperchild=8) as pool:
        rows = []
        for row in pool.imap(measured, jobs):
            rows.append(row)
            print(f"{row['seconds']:7.1f} s  {row['outcome']:12} {row['name']}: {row['found'][:160]}", flush=True)
    parts = ["trainings", *(part for part in (*SETS, "structural", "correct") if getattr(asked, part))]
    written(OUTPUT / f"{'-'.join(parts)}.json", rows, bool(asked.only))


def key(row: dict[str, Any]) -> tuple[str, str]:
    """What a row is of; files of earlier measurements have level smoke alone and do not say it."""
    return row["name"], row.get("level", Level.SMOKE.value)


def written(path: Path, rows: list[dict[str, Any]], replacing: bool) -> None:
    """Write the results; replacing: only the rows of these names in the file that is there, and new ones at its end."""
    if replacing and path.exists():
        new = {key(row): row for row in rows}
        rows = [new.pop(key(row), row) for row in json.loads(path.read_text(encoding="utf-8"))["rows"]]
        rows += new.values()
    last = {row["name"]: row for row in sorted(rows, key=lambda row: LEVELS.index(key(row)[1]))}.values()
    correct, broken = ([r for r in last if bool(r["bug"]) is wrong] for wrong in (False, True))
    counts = {kind: {outcome.value: sum(r["outcome"] == outcome.value for r in group) for outcome in Outcome}
              for kind, group in (("correct", correct), ("broken", broken))}  # fmt: skip
    print(json.dumps(counts))
    text = json.dumps({"seed": SEED, "alpha": ALPHA, "counts": counts, "rows": rows}, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
