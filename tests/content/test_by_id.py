"""A claim is found by its id where its paper lies, and nothing is executed on the way that cannot hold it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from small_content import claim_text, write

from dpaudit.arithmetic.rationals import RATIONAL
from dpaudit.content import by_id, places
from dpaudit.content.by_id import claim_of, find_claim, paper_folders
from dpaudit.content.loading import load_claims


@pytest.mark.parametrize("name", ["toy/LEM-1", "toy/LEM-1/s1", "toy/LEM-1/s1~repaired"])
def test_a_step_is_one_of_its_claim(name: str) -> None:
    assert claim_of(name) == "toy/LEM-1"


def test_a_claim_is_found_wherever_its_paper_keeps_it(workdir: Path) -> None:
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    places_of = {
        "toy/LEM-1": near,
        "toy/LEM-2": write(near.with_name("lem_2.py"), claim_text("toy/LEM-2")),
        "toy/LEM-3": write(near.parent / "lem_3" / "claim.py", claim_text("toy/LEM-3")),
        "other/LEM-1": write(near.parents[1] / "other" / "lem_1.py", claim_text("other/LEM-1")),
    }
    for name, path in places_of.items():
        found = find_claim(name, near)
        assert found is not None
        assert (found.name, found.path) == (name, path.resolve())


def test_a_claim_of_a_paper_that_comes_with_dpaudit_is_found_from_anywhere(workdir: Path) -> None:
    found = find_claim("resque/FACT-2", write(workdir / "proofs" / "mine" / "lem_1.py", claim_text("mine/LEM-1")))
    assert found is not None
    assert found.path.name == "fact_2.py"


def test_what_is_not_there_hidden_or_broken_is_not_found(workdir: Path) -> None:
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(near.with_name("_lem_2.py"), claim_text("toy/LEM-2"))
    write(near.with_name("lem_3.py"), claim_text("toy/LEM-3") + "\nimport os\n")
    write(near.parent / places.THEOREMS / "claim.py", claim_text("toy/LEM-4"))
    assert [find_claim(f"toy/LEM-{i}", near) for i in (2, 3, 4, 5)] == [None] * 4
    assert find_claim("nowhere/LEM-1", near) is None


def test_a_file_that_does_not_name_the_claim_is_not_loaded(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(near.with_name("a.py"), claim_text("toy/LEM-3"))
    last, loaded = write(near.with_name("lem_2.py"), claim_text("toy/LEM-2")), list[Path]()
    monkeypatch.setattr(by_id, "load_claims", lambda files, _: (loaded.extend(files), load_claims(files))[1])
    for _ in range(2):  # and it is loaded once
        assert find_claim("toy/LEM-2", near) is not None
    assert loaded == [last]
    write(last, claim_text("toy/LEM-2", "b**2 + 2*a*b + a**2 + 0"))
    found = find_claim("toy/LEM-2", near)
    assert found is not None
    assert "+ 0" in str(found.record.statement)


CHANGES = """
from dpaudit.arithmetic.rationals import RATIONAL

def zero(a, b):
    return a - a

CHANGED = RATIONAL.update({"*": zero})
"""


def test_what_a_file_changes_stays_in_its_copy(workdir: Path) -> None:
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(near.with_name("lem_2.py"), CHANGES + claim_text("toy/LEM-2"))
    before = RATIONAL["*"]
    assert find_claim("toy/LEM-2", near) is not None
    assert RATIONAL["*"] is before


def test_where_a_claim_is_judged_no_other_file_is_executed(workdir: Path) -> None:
    """One that names what is cited would change the verdict, or never end."""
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    write(near.with_name("a.py"), "X = sum(range(10**14))  # LEM-2\n" + claim_text("toy/LEM-3"))
    write(near.with_name("b.py"), CHANGES + claim_text("toy/LEM-2"))
    known = load_claims([write(near.with_name("lem_4.py"), claim_text("toy/LEM-4"))])
    before = RATIONAL["*"]
    with by_id.judging(near, known):
        assert find_claim("toy/LEM-2", near) is None
        assert find_claim("resque/FACT-2", near) is not None
        for name in ("toy/LEM-1", "toy/LEM-4"):
            found = find_claim(name, near)
            assert found is not None
            assert found.name == name
    assert RATIONAL["*"] is before


def test_a_pipe_beside_a_claim_is_passed_by(workdir: Path) -> None:
    near = write(workdir / "proofs" / "toy" / "lem_1.py", claim_text("toy/LEM-1"))
    os.mkfifo(near.with_name("a.py"))
    assert find_claim("toy/LEM-2", near) is None


def test_the_own_paper_comes_before_others(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    folders = list(paper_folders("other", tmp_path / "toy"))
    assert folders[:2] == [tmp_path / "toy", tmp_path / "other"]
