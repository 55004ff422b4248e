"""The page of best constants: every constant of the sample run, with what is known of it and where it stands."""

from __future__ import annotations

import importlib.util
import re
from fractions import Fraction
from pathlib import Path

import pytest

from dpaudit.records.verdict import Outcome
from dpaudit.report import errata, sections, wording

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("best_constants", ROOT / "docs" / "extensions" / "best_constants.py")
assert SPEC is not None
assert SPEC.loader is not None
best_constants = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(best_constants)
ROWS = errata.looseness(best_constants.verdicts().values())
PAPERS = sorted({sections.paper_of(row.verdict) for row in ROWS})


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)][:-1]


def test_every_paper_with_a_constant_is_on_the_page() -> None:
    text = (ROOT / "docs" / "constants.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\{best-constants\} (\w+)", text)) == PAPERS


@pytest.mark.parametrize("paper", PAPERS)
def test_each_constant_stands_once_with_its_values_and_who_found_them(paper: str) -> None:
    wanted = {row.verdict.id: row for row in ROWS if sections.paper_of(row.verdict) == paper}
    lines = list(best_constants.lines(paper))[2:]
    assert len(lines) == len(wanted)
    for name, row in wanted.items():
        [line] = [line for line in lines if f'#{wording.anchor(name)}"' in line]
        _, _, stated, proved, refuted, size = cells(line)
        assert stated == f"`{row.printed}`"
        assert proved.startswith(f"`{row.proved}` (")
        assert ("; checker)" in proved) == (row.verdict.outcome is Outcome.PROVED)
        assert refuted.startswith(f"`{row.refuted}` (" if row.refuted else "none")
        assert "None" not in line
        assert not row.refuted or re.search(r"\(\w+, \d{4}-\d\d-\d\d; witness\)", refuted)
        assert (size == "") == (best_constants.gap(row) is None)


def test_the_widest_gap_comes_first() -> None:
    sizes = [best_constants.gap(row) for row in ROWS]
    assert all(size is None or size >= 1 for size in sizes)
    assert sum(size is not None for size in sizes) > len(sizes) / 2
    first = [float(cells(line)[-1] or 1) for line in list(best_constants.lines("resque"))[2:]]
    assert first == sorted(first, reverse=True)
    assert first[0] > 1.4
    assert Fraction(1) not in sizes


def test_a_paper_without_constants_is_an_error() -> None:
    with pytest.raises(ValueError, match="no constant of the paper 'nothing'"):
        next(best_constants.lines("nothing"))
