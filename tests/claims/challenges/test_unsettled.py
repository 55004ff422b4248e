"""What is open: statements that are neither proved nor refuted, constants between two values; nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from open_claims import papers

from dpaudit.claims.challenges.unsettled import as_number, find, unsettled
from dpaudit.records.errors import UnknownNameError


def test_open_are_a_statement_and_a_constant(tmp_path: Path) -> None:
    found = {one.name: one.what for one in unsettled(papers(tmp_path))}
    assert list(found) == ["toy/LEM-1~best-height", "toy/LEM-1/s1"]
    assert found["toy/LEM-1~best-height"].startswith("height: 2/5 is proved, 1/5 refuted")
    assert found["toy/LEM-1/s1"].startswith("the statement is consistent")


def test_what_is_settled_is_no_challenge_and_the_nearest_id_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'toy/LEM-1/s1'"):
        find("toy/LEM-1/s2", papers(tmp_path))


@pytest.mark.parametrize("text", ["e", "1/0", "", "sqrt(2)", "1e999999999", "1" * 301])
def test_a_constant_that_is_no_fraction_is_no_number(text: str) -> None:
    assert as_number(text) is None


def test_every_paper_of_the_package_has_something_open() -> None:
    assert {one.name.partition("/")[0] for one in unsettled()} == {"rbcd", "resque", "srgd", "srm", "zeroth"}
