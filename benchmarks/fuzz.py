"""Engine and checker attacked with random statements: is anything false proved, or anything true refuted?

    python benchmarks/fuzz.py --minutes 30              two processes; what earlier calls tried is kept and added to
    python benchmarks/fuzz.py --blocks 1 --dry          one block, printed and not written

A block is a seed: 20 statements that fail at a point and 20 that are true by construction, through engine and checker;
those of 100 random proofs that can be written as arguments, some 60, through both; and 100 random proofs, with changes
of those that are accepted, through the checker alone. Seeds follow each other and none is used twice. Results go to
`reports/benchmarks/fuzz.json` after every block; a statement that went wrong is written there with the seed that makes
it again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

import random_attacks  # noqa: E402  it lies with the tests

FILE = ROOT / "reports" / "benchmarks" / "fuzz.json"
FIRST = 20_270_000
STATEMENTS, PROOFS, TO_THE_CHECKER = 20, 100, 100
EMPTY: dict[str, Any] = {
    "how": "python benchmarks/fuzz.py", "first_seed": FIRST, "blocks": 0, "attempts": 0,
    "false": 0, "false_arguments": 0, "false_proved": 0, "false_refuted_by_their_point": 0,
    "true": 0, "true_points": 0, "true_refuted": 0, "true_proved": 0,
    "arguments": 0, "arguments_proved_and_false": 0,
    "proofs": 0, "proofs_accepted": 0, "proofs_accepted_and_false": 0, "wrong": [],
}  # fmt: skip


def block(seed: int) -> dict[str, Any]:
    """What one seed tried, and what went wrong."""
    false = random_attacks.on_false_ones(seed, STATEMENTS)
    true = random_attacks.on_true_ones(seed, STATEMENTS)
    arguments = random_attacks.on_proofs(seed, PROOFS)
    hunt = random_attacks.Hunt(seed)
    for _ in range(TO_THE_CHECKER):
        hunt.one()
    proofs = hunt.tried.total()
    wrong = [*false.wrong, *true.wrong, *arguments.wrong, *hunt.false]
    return {
        "blocks": 1, "attempts": 2 * STATEMENTS + arguments.tried + proofs,
        "false": STATEMENTS, "false_arguments": 2 * STATEMENTS, "false_proved": len(false.wrong),
        "false_refuted_by_their_point": false.shown,
        "true": STATEMENTS, "true_points": 8 * STATEMENTS, "true_refuted": len(true.wrong), "true_proved": true.shown,
        "arguments": arguments.tried, "arguments_proved_and_false": len(arguments.wrong),
        "proofs": proofs, "proofs_accepted": hunt.accepted.total(), "proofs_accepted_and_false": len(hunt.false),
        "wrong": [{"seed": seed, "what": one} for one in wrong],
    }  # fmt: skip


def seeds(begun: int, blocks: int | None, minutes: float) -> Iterator[int]:
    """Those that come next, until there are enough or the time is over."""
    end = time.monotonic() + 60 * minutes
    for number in count():
        if number == blocks or (blocks is None and time.monotonic() > end):
            return
        yield begun + number


def main() -> int:
    """Attack, and add to the record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="begin no block after this time")
    parser.add_argument("--blocks", type=int, help="so many blocks, whatever the time")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="default: one a processor")
    parser.add_argument("--dry", action="store_true", help="print what was tried, write nothing")
    options = parser.parse_args()
    record = EMPTY if options.dry or not FILE.exists() else json.loads(FILE.read_text(encoding="utf-8"))
    with Pool(options.processes) as pool:
        waiting: list[Any] = []
        for seed in seeds(FIRST + record["blocks"], options.blocks, options.minutes):
            waiting.append(pool.apply_async(block, (seed,)))
            while len(waiting) >= 2 * options.processes:
                record = _kept(record, waiting.pop(0).get(), options.dry)
        for one in waiting:
            record = _kept(record, one.get(), options.dry)
    print(json.dumps(record, indent=1))
    return 1 if record["wrong"] else 0


def _kept(record: dict[str, Any], found: dict[str, Any], dry: bool) -> dict[str, Any]:
    """The record with one block more, in seed order, so that the next call knows which seed is new."""
    record = record | {name: record[name] + value for name, value in found.items()}
    if not dry:
        there = FILE.with_suffix(".part")
        there.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        there.replace(FILE)
    print(f"\r{record['attempts']} attempts, {len(record['wrong'])} wrong", end="", file=sys.stderr, flush=True)
    return record


if __name__ == "__main__":
    sys.exit(main())
