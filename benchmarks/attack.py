"""Cells in which a printed number or a decision could break its promise: python benchmarks/attack.py [--seconds 20]

The promises are those of docs/validity.md. A cell is a law of scores that meets its claim with equality, or nearly so,
with numbers of trials, a level and a stopping rule. Audits go through the functions that make verdicts. `wrong` counts
the audits whose bound lies above the truth, or whose true claim is refuted; the interval is that of Clopper and
Pearson, of 95 %. A row fails if its lower end exceeds the promised share.

    game, fixed     `decide.printed_bounds` and `decide.judge`: worst laws (`worst_laws`), ties that tell, one side of
                    20 and other of 5,000, claims at their limits, scores at the ends of float64, sampled Gaussians
    game, staged    `play.play_in_stages` and `decide.judge` of a target with early_stop=True
    shape           `tiers.audit` of releases whose number of values is itself private
    one run         the decision and the bounds of `decide_one_run` on canaries that depend on one another
    worst law       the largest probability that any (epsilon, delta)-DP mechanism which says a bit of each canary, and
                    weighs answers by how many bits are right, gives to a refutation: a linear program, exact
    family          `one_run_family` where the truth is in the family
    ledger, null, band, auditors    years of runs that share a total; null controls; plots; `audit-auditor`

An audit is numbered, and its number is its seed. Rows are written as they are done, to reports/benchmarks/attack.json.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import time
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from attack_budget import CELLS as BUDGET
from attack_game import CELLS as GAME
from attack_game import LEAST, MOST, Cell
from attack_one_run import CELLS as ONE_RUN
from attack_stages import CELLS as STAGES
from validity import interval

CELLS = (*GAME, *STAGES, *ONE_RUN, *BUDGET)
SEED = 20261129
COMMAND = "python benchmarks/attack.py"
JSON = Path(__file__).parent.parent / "reports/benchmarks/attack.json"


def rows(cell: Cell, seconds: float, factor: int, seed: int) -> list[dict[str, Any]]:
    """One row a promise of the cell; factor: times as many audits."""
    if cell.exact is not None:
        return [row(cell, kind, level, None, found, 0) for kind, level, found in cell.exact()]
    wrong, audits, started = Counter[str](), 0, time.perf_counter()
    levels: dict[str, float] = {}
    while audits < MOST * factor and (audits < LEAST * factor or time.perf_counter() - started < seconds * factor):
        rng = np.random.default_rng([seed, zlib.crc32(cell.name.encode()), audits])
        for kind, (level, failed) in cell.play(rng).items():
            levels[kind] = level
            wrong[kind] += int(failed)
        audits += 1
    return [row(cell, kind, level, audits, wrong[kind], seed) for kind, level in levels.items()]


def row(cell: Cell, kind: str, level: float, audits: int | None, found: float, seed: int) -> dict[str, Any]:
    """found: the number of wrong audits, or the exact probability where audits is None."""
    between = [found, found] if audits is None else interval(int(found), audits)
    return {
        "group": cell.group,
        "cell": cell.name,
        "promise": kind,
        "promised": level,
        "seed": seed,
        "audits": "exact" if audits is None else audits,
        "wrong": found,
        "interval": [float(f"{end:.4g}") for end in between],
        "fails": bool(between[0] > level * (1 + 1e-6) + 1e-11),
    }


def main() -> None:
    """Play the cells, print and write their rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="of a cell, beyond its least number of audits")
    parser.add_argument("--only", default="", help="cells whose group or name holds this")
    parser.add_argument("--factor", type=int, default=1, help="times as many audits; above 1 the rows are kept apart")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--again", action="store_true", help="play cells that the file has as well")
    parser.add_argument("-o", "--output", type=Path, default=JSON)
    asked = parser.parse_args()
    kept = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.exists() else {}
    part, order = "again" if asked.factor > 1 else "rows", {_key(vars(one)): place for place, one in enumerate(CELLS)}
    made = kept.get(part, [])
    for cell in CELLS:
        name = cell.group, cell.name
        if asked.only not in ": ".join(name) or (name in set(map(_key, made)) and not asked.again):
            continue
        found = rows(cell, asked.seconds, asked.factor, asked.seed)
        for each in found:
            print(*each.values(), sep="  ", flush=True)
        made = [old for old in made if _key(old) != name and _key(old) in order] + found
        made.sort(key=lambda each: order[_key(each)])
        kept |= {"command": COMMAND, part: made}
        asked.output.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _key(row: dict[str, Any]) -> tuple[str, str]:
    return row["group"], row.get("cell") or row["name"]


if __name__ == "__main__":
    main()
