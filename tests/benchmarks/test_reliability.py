"""The trial of faults: what it counts was tried, and a fault that is not seen is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import reliability

from dpaudit.records import lines
from dpaudit.runs import reading, store

ROOT = Path(__file__).parents[2]


def test_the_record_is_of_the_trial_as_it_is_now() -> None:
    record = json.loads(reliability.FILE.read_text(encoding="utf-8"))
    assert set(record) == {"how", "seed", *reliability.FAULTS}
    for name in ("bits", "bits_elsewhere"):
        found = record[name]
        assert found["tried"] == sum(count for key, count in found.items() if key != "tried")
        assert found["read_as_other"] == 0
    assert (record["power"]["lost"], record["power"]["other_records"]) == (0, 0)
    for name in ("calls", "memory"):
        assert record[name]["wrong"] == 0
        most = reliability.FAULTS[name][1]
        assert most >= record[name]["tried"] == record[name]["same"] + record[name]["stopped"] > most / 2
    assert record["edits"]["crashes"] == 0
    assert record["edits"]["edits"] >= reliability.FAULTS["edits"][1]
    assert record["sandboxes"]["killed"] == record["sandboxes"]["same"] == reliability.FAULTS["sandboxes"][1]


@pytest.mark.deep
def test_a_reader_that_looks_at_no_digest_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(text: str) -> str:
        return text[: text.rfind(",")] + "}"

    monkeypatch.setattr(lines, "without_digest", careless)
    monkeypatch.setattr(reading, "sha256", lambda text: reading.read_header(Path("out", store.RUN)).get(store.DIGEST))
    found = reliability.tried("bits", 60)
    assert found["tried"] == 60
    assert found["read_as_other"] > 5
    monkeypatch.undo()
    assert reliability.tried("bits", 10) == {"tried": 10, "read_as_other": 0, "refused": 10}
