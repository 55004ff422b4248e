"""Who found a constant: every value of the package has its holder and its day, and nothing else has."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dpaudit.claims.challenges.holders import FILE, Ends, Held, ends, entry, stale
from dpaudit.claims.citations import items_of
from dpaudit.content import places
from dpaudit.content.apart import load_claims
from dpaudit.content.items import Loaded
from dpaudit.records.claim import Tightness
from dpaudit.records.errors import ContentError

PROOFS = places.shipped_folder("proofs")
DAY = date(2026, 11, 28)


def test_every_value_of_a_claim_file_has_its_holder_and_no_other_value_has() -> None:
    loaded = [item for item in load_claims([PROOFS]) if isinstance(item, Loaded)]
    rows = {
        row.best_id(name): row
        for item in loaded
        for name, one in items_of(item.record).items()
        for row in one.tightness
        if row.proved or row.refuted
    }
    found = {
        name: held for folder in {places.paper_of(item.path) for item in loaded} for name, held in ends(folder).items()
    }
    assert found.keys() == rows.keys()
    assert [said for name, row in rows.items() if (said := stale(name, row, found[name]))] == []
    assert all(held.day <= date.today() for of in found.values() for held in (of.proved, of.refuted) if held)


def test_a_value_that_changed_has_no_holder_yet() -> None:
    row = Tightness("height", "1/2", "x <= {c}", "2/5", "1/5")
    held = Ends(Held("2/5", "a", DAY), Held("1/5", "a", DAY))
    assert stale("toy/LEM-1~best-height", row, held) == ""
    assert "proved is 2/5 in the claim file and 1/2 in" in stale(
        "toy/it", row, Ends(Held("1/2", "a", DAY), held.refuted)
    )
    assert "refuted is 1/5 in the claim file and absent in" in stale("toy/it", row, Ends(held.proved))


def test_what_judge_prints_reads_back(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(entry("toy/LEM-1~best-height", "refuted", "6/25", DAY), encoding="utf-8")
    [(name, found)] = ends(tmp_path).items()
    assert name == f"{tmp_path.name}/LEM-1~best-height"
    assert found == Ends(None, Held("6/25", "your name", DAY))
    assert str(found.refuted) == "your name, 2026-11-28"


def test_a_paper_without_the_file_has_no_holders(tmp_path: Path) -> None:
    assert ends(tmp_path) == {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('["a"]\nproved = { value = "1", holder = "b" }', "date is missing"),
        ('["a"]\nproved = { value = "1", holder = "b", date = "soon" }', "date"),
        ('["a"]\nbest = { value = "1", holder = "b", date = "2026-11-28" }', "best"),
        ("a = 1", "must be of the type object"),
        ("a = ", "constants.toml"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=words):
        ends(tmp_path)
