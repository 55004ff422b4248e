"""Is every planted bug caught at its stated cost, by the tier that it names, and its corrected twin not?

    python benchmarks/catalogue.py                      everything, about half an hour on one core
    python benchmarks/catalogue.py --tier accounts      one tier; rows of earlier calls stay
    python benchmarks/catalogue.py --costs              print the least trials a side that catch a bug, of a ladder
    python benchmarks/catalogue.py --page               write the tables of docs/catalogue.md

Each bug is audited with 20 seeds at an error probability of 1e-6 a test: the structural tier on its one training, the
game with as many trials a side as it says, auditors on as many audits. Twins are audited at the same cost. Accounts are
deterministic, and are looked at once. Results go to `reports/benchmarks/catalogue.json`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from typing import Any

from dpaudit.audit import tiers
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_targets
from dpaudit.records.context import Context, Level
from dpaudit.records.target import Control, PlantedBug, Tier
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.report import catalogue

ROOT = Path(__file__).parent.parent
JSON = ROOT / "reports" / "benchmarks" / "catalogue.json"
PAGE = ROOT / "docs" / "catalogue.md"
COMMAND = "python benchmarks/catalogue.py"
ALPHA = 1e-6
"""Error probability of one statistical test."""
SEEDS = 20
LADDER = (100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000)
Row = dict[str, Any]


@cache
def items() -> dict[str, Loaded]:
    """Every shipped target by name."""
    found = load_targets([ROOT / "audits"])
    return {item.name: item for item in found if isinstance(item, Loaded)}


def audited(task: tuple[str, PlantedBug, int, int]) -> Verdict:
    """The verdict on a target by the tier of the bug alone."""
    name, bug, trials, seed = task
    item = items()[name]
    return tiers.audit(catalogue.alone(item.carrier, bug.tier, trials), Context(seed, Level.SMOKE, ALPHA))


def caught(verdict: Verdict, bug: PlantedBug) -> bool:
    """Did the check that the bug names refute, or the tier where it names none?"""
    words = (f"{bug.check}: {start}" for start in ("", "statistical: "))
    refuting = [e for e in verdict.evidence if e.outcome is Outcome.REFUTED]
    return bool(refuting) and (not bug.check or any(e.detail.startswith(tuple(words)) for e in refuting))


def row(name: str, pool: Any) -> Row:
    """How often one bug was caught at its stated cost, and what its twin gave at the same cost."""
    target = items()[name].record
    bug: PlantedBug = target.bug
    seeds = 1 if bug.tier is Tier.ACCOUNTS else SEEDS
    started = time.perf_counter()
    verdicts = pool.map(audited, [(name, bug, bug.cost, seed) for seed in range(seeds)])
    seconds = (time.perf_counter() - started) / seeds
    found = sum(caught(verdict, bug) for verdict in verdicts)
    twins = [verdict.outcome for verdict in pool.map(audited, twin_tasks(target, bug, seeds))]
    made = {
        "bug": name,
        "tier": bug.tier.name.lower(),
        "check": bug.check,
        "cost": bug.cost,
        "caught": found,
        "of": seeds,
        "twin": target.repair,
        "twin_refuted": twins.count(Outcome.REFUTED),
        "seconds_per_audit": round(seconds, 3),
    }
    print(f"{name:50s} {made['tier']:10s} {bug.cost:7d} {found:3d} of {seeds}; twin {made['twin_refuted']}", flush=True)
    return made


def twin_tasks(target: Any, bug: PlantedBug, seeds: int) -> list[tuple[str, PlantedBug, int, int]]:
    """The same audits of the twin; none where it has no such tier."""
    twin = catalogue.alone(items()[target.repair].carrier, bug.tier, bug.cost)
    has = any(one is not None for one in (twin.accounts, twin.instrument, twin.run, twin.bounds))
    return [(target.repair, bug, bug.cost, seed) for seed in range(seeds)] if has else []


def least_trials(name: str) -> int | None:
    """The first number of trials of the ladder that catches the bug with every seed."""
    target = items()[name].record
    bug = target.bug or PlantedBug("to be measured", Tier.GAME, target.canaries or target.trials.smoke)
    for trials in LADDER:
        if all(caught(audited((name, bug, trials, seed)), bug) for seed in range(SEEDS)):
            return trials
    return None


def kept() -> list[Row]:
    """The rows that were written before."""
    return list(json.loads(JSON.read_text(encoding="utf-8"))["bugs"]) if JSON.exists() else []


def main() -> None:
    """Measure what is asked for, and write it."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--tier", nargs="*", choices=[tier.name.lower() for tier in Tier])
    parser.add_argument("--names", nargs="*", help="of bugs, all if none")
    parser.add_argument("--costs", action="store_true", help="print the least trials a side, write nothing")
    parser.add_argument("--page", action="store_true", help="write the tables of docs/catalogue.md, measure nothing")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    if options.page:
        write_page()
        return
    planted = [name for name, item in items().items() if item.record.control is Control.KNOWN_BAD]
    chosen = [name for name in planted if not options.names or name in options.names]
    if options.costs:
        for name in chosen:
            print(name, least_trials(name), flush=True)
        return
    with Pool(options.jobs) as pool:
        for name in chosen:
            if options.tier and items()[name].record.bug.tier.name.lower() not in options.tier:
                continue
            write([*(other for other in kept() if other["bug"] != name), row(name, pool)])


def write_page() -> None:
    """Put the tables of the targets between the marks of docs/catalogue.md."""
    start, end = catalogue.MARKS
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    tables = catalogue.page(item.record for item in items().values())
    PAGE.write_text(f"{before}{start}\n\n{tables}\n{end}{after}", encoding="utf-8")


def write(rows: list[Row]) -> None:
    """Write the rows in the order of their names."""
    ordered = sorted(rows, key=lambda each: each["bug"])
    data = {"command": COMMAND, "alpha": ALPHA, "seeds": SEEDS, "bugs": ordered}
    JSON.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
