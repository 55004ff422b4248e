"""Claim files that did not come with dpaudit are loaded in a process of their own; what they change stays there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from no_python_files import made_in, said_of
from small_content import claim_text, write

from dpaudit.arithmetic.rationals import RATIONAL
from dpaudit.content import apart, loading, places
from dpaudit.content.items import Broken, Loaded
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.serial import decode, encode
from dpaudit.records.verdict import Evidence, Outcome

SHIPPED = places.shipped_folder("proofs")
CHANGES = """
from dpaudit.arithmetic.rationals import RATIONAL

def zero(a, b):
    return a - a

CHANGED = RATIONAL.update({"*": zero})
"""


def test_a_claim_comes_as_it_was_loaded_without_its_module(tmp_path: Path) -> None:
    path = write(tmp_path / "lem_1.py", claim_text())
    [item] = apart.load_claims([path])
    assert isinstance(item, Loaded)
    assert (item.name, item.path) == ("toy/LEM-1", path)
    [here] = loading.load_claims([path])
    assert isinstance(here, Loaded)
    assert item.record == here.record
    assert not hasattr(item.carrier, "CLAIM")


def test_what_a_file_changes_while_it_is_loaded_stays_in_its_process(tmp_path: Path) -> None:
    path, before = write(tmp_path / "lem_1.py", CHANGES + claim_text()), RATIONAL["*"]
    [item] = apart.load_claims([path])
    assert isinstance(item, Loaded)
    assert RATIONAL["*"] is before
    assert not [name for name in sys.modules if name.endswith("lem_1")]


def test_broken_files_are_told_as_ever(tmp_path: Path) -> None:
    wrong = write(tmp_path / "wrong.py", "X = 1 / 0")
    lacking = write(tmp_path / "lacking.py", "import os")
    dead = write(tmp_path / "zz.py", "X = 'x' * (1 << 62)" + claim_text())
    found = apart.load_claims([wrong, lacking, dead])
    assert all(isinstance(item, Broken) for item in found)
    assert list(found) == list(loading.load_claims([wrong, lacking, dead]))


@pytest.mark.timeout(100)
def test_what_is_no_file_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(made_in(tmp_path) / "honest.py", claim_text())
    found = apart.load_claims([Path()])
    said_of([item.error for item in found if isinstance(item, Broken)], tmp_path)
    assert [item.name for item in found if isinstance(item, Loaded)] == ["toy/LEM-1"]


@pytest.mark.parametrize("answer", [5, "text", (5,), (("a", "b"),), (Evidence("e", Outcome.PROVED, "d"),)])
def test_what_is_no_claim_is_a_broken_file(tmp_path: Path, answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "in_copy", lambda path, make: answer)
    [item] = apart.load_claims([write(tmp_path / "lem_1.py", claim_text())])
    assert isinstance(item, Broken)
    assert item.error.endswith("loaded by itself it gives no claims")


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [write(tmp_path / name, claim_text()) for name in ("a.py", "b.py")]
    with pytest.raises(ConfigurationError, match="two records are called 'toy/LEM-1'"):
        apart.load_claims(paths)


def test_shipped_files_and_their_copies_are_loaded_here_and_others_beside_them_are_not(tmp_path: Path) -> None:
    path = next(file for file in places.files_of_claims([SHIPPED]) if not places.in_claim_folder(file))
    assert apart.came_with_dpaudit(path)
    copy = write(tmp_path / "proofs" / path.name, path.read_text(encoding="utf-8"))
    assert apart.came_with_dpaudit(copy)
    assert apart.apart(copy, lambda: id(RATIONAL)) == id(RATIONAL)
    write(copy.with_name("beside.py"), "X = 1")
    assert not apart.came_with_dpaudit(copy)
    assert not apart.came_with_dpaudit(tmp_path / "absent.py")


@pytest.mark.deep
def test_every_shipped_claim_would_come_through_as_it_is() -> None:
    items = loading.load_claims([SHIPPED])
    wrong = [item.name for item in items if not isinstance(item, Loaded) or decode(encode(item.record)) != item.record]
    assert wrong == []
