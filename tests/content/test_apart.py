"""Claim files that did not come with dpaudit are loaded in a process of their own; what they change stays there."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from no_python_files import made_in, said_of
from small_content import boxed_text, claim_text, write

from dpaudit.arithmetic.rationals import RATIONAL
from dpaudit.confinement.limits import Limits
from dpaudit.content import apart, loading, places
from dpaudit.content.items import Broken, Loaded
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
    here = loading.load_claims([wrong, lacking, dead])
    assert list(found[:2]) == list(here[:2])
    assert found[2] == replace(here[2], error=found[2].error)
    assert found[2].error.endswith("MemoryError:; it may have 8 GiB: let it use less, or raise --memory-limit")


@pytest.mark.timeout(100)
def test_what_is_no_file_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(made_in(tmp_path) / "honest.py", claim_text())
    found = apart.load_claims([Path()])
    said_of([item.error for item in found if isinstance(item, Broken)], tmp_path)
    assert [item.name for item in found if isinstance(item, Loaded)] == ["toy/LEM-1"]


@pytest.mark.parametrize("answer", [5, "text", (5,), (("a", "b"),), (Evidence("e", Outcome.PROVED, "d"),)])
def test_what_is_no_claim_is_a_broken_file(tmp_path: Path, answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "in_copies", lambda paths, makers, bounds: [answer])
    [item] = apart.load_claims([write(tmp_path / "lem_1.py", claim_text())])
    assert isinstance(item, Broken)
    assert item.error.endswith("loaded by itself it gives no claims")


@pytest.mark.parametrize("other", ["toy/LEM-1", "Toy/lem-1", "toy_LEM-1"])
def test_two_files_of_one_name_are_broken_and_the_others_are_loaded(tmp_path: Path, other: str) -> None:
    """Nobody can say whose the name is; a file that takes one stops nobody else."""
    names = {"a": "toy/LEM-1", "b": other, "c": "toy/LEM-2"}
    paths = [write(tmp_path / f"{file}.py", claim_text(name)) for file, name in names.items()]
    first, second, third = apart.load_claims(paths)
    assert isinstance(first, Broken)
    assert isinstance(second, Broken)
    assert isinstance(third, Loaded)
    assert "its claim 'toy/LEM-1' and " in first.error
    assert f"its claim {other!r} and 'toy/LEM-1' of " in second.error
    assert second.error.endswith("; rename one")
    assert {first.name, second.name} == {apart._name(path) for path in paths[:2]}


def test_the_names_of_steps_and_mutants_are_taken_too(tmp_path: Path) -> None:
    honest = write(tmp_path / "a.py", boxed_text("toy/LEM-1"))
    hostile = write(tmp_path / "b.py", claim_text("toy/LEM-1_s1"))
    found = apart.load_claims([honest, hostile])
    assert all(isinstance(item, Broken) for item in found)


def test_a_claim_that_came_with_dpaudit_keeps_its_name(tmp_path: Path) -> None:
    path = next(file for file in places.files_of_claims([SHIPPED]) if not places.in_claim_folder(file))
    ours, *_ = loading.load_claims([path])
    taken = write(tmp_path / "lem_1.py", claim_text(ours.name))
    for paths in ([path, taken], [taken, path]):
        found = {item.path: item for item in apart.load_claims(paths)}
        assert isinstance(found[path], Loaded)
        assert isinstance(found[taken], Broken)


@pytest.mark.parametrize("name", ["", "a/b/c", "../up", "a b", "x" * 121, "toy/LEM-1~auto-0", "a\\x1bb"])
def test_what_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    [item] = apart.load_claims([write(tmp_path / "lem_1.py", claim_text(name))])
    assert isinstance(item, Broken)
    assert "is no id of a claim; it is <paper>/<name>" in item.error


def test_files_are_loaded_side_by_side_within_their_limits_in_the_order_of_their_paths(tmp_path: Path) -> None:
    late = "X = sum(range(10**14))\n"
    paths = [
        write(tmp_path / f"{name}.py", top + claim_text(f"toy/LEM-{name}"))
        for name, top in (("a", late), ("b", ""), ("c", late), ("d", "X = list(range(10**9))\n"))
    ]
    first, honest, last, large = apart.load_claims(paths, Limits(loading=1.5, gib=0.5))
    assert isinstance(honest, Loaded)
    for item in (first, last):
        assert isinstance(item, Broken)
        assert "loading the file took longer than 1.5 s: let it do less, or raise --load-limit" in item.error
    assert isinstance(large, Broken)
    assert "MemoryError:; it may have 0.5 GiB: let it use less, or raise --memory-limit" in large.error


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
