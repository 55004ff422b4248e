"""The record of what Coq says of the shipped certificates adds up, and is of those that are shipped."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = json.loads((ROOT / "reports" / "benchmarks" / "kernel.json").read_text(encoding="utf-8"))
RESULTS = ("accepted", "refused", "not_translated")


def test_the_counts_add_up() -> None:
    assert sum(RECORD[name] for name in RESULTS) == RECORD["certificates"]
    for name in RESULTS:
        assert sum(row[name] for row in RECORD["kinds"]) == RECORD[name]
        assert sum(row[name] for row in RECORD["papers"]) == RECORD[name]
    assert sum(row["count"] for row in RECORD["reasons"]) == len(RECORD["not_accepted"])
    assert RECORD["accepted"] == RECORD["certificates"] - len(RECORD["not_accepted"])


def test_the_record_is_of_what_is_shipped() -> None:
    shipped = {path.relative_to(ROOT / "proofs").as_posix() for path in (ROOT / "proofs").glob("*/certificates/*.json")}
    assert set(RECORD["not_accepted"]) <= shipped
    assert len(shipped) == RECORD["certificates"]
