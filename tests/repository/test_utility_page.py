"""The page of error against epsilon: a figure for each error of each file that the benchmarks wrote."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from dpaudit.report.page import utility

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("utility_figures", ROOT / "docs" / "extensions" / "utility_figures.py")
assert SPEC is not None
assert SPEC.loader is not None
utility_figures = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(utility_figures)
FILES = sorted((ROOT / "reports" / "utility").glob("*.json"))


def test_every_file_has_its_tables_and_figures_on_the_page() -> None:
    text = (ROOT / "docs" / "utility.md").read_text(encoding="utf-8")
    names = {file.stem for file in FILES}
    assert set(re.findall(r"\{include\} \.\./reports/utility/(\w+)\.md", text)) == names
    assert set(re.findall(r"\{utility-figures\} (\w+)", text)) == names


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_error_is_drawn_below_its_name(file: Path) -> None:
    made = utility_figures.figures(file.stem)
    said, drawn = [node.astext() for node in made[::2]], [node.astext() for node in made[1::2]]
    assert said == [f"{found.title}: {found.error}" for found in utility.read(file)]
    assert all(svg.startswith('<div class="utility-figure"') and svg.count("<svg ") == 1 for svg in drawn)
