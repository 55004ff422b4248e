"""The figures of README and docs that name their source are those of the sample report and of the benchmarks."""

from __future__ import annotations

from pathlib import Path

import figures
import pytest

DOCS = figures.ROOT / "docs"
PAGES = [figures.ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
BOUND = [page for page in PAGES if list(figures.figures(page.read_text(encoding="utf-8")))]
OF_NO_RUN = {
    "3.11": "the version of Python",
    "1.0": "the noise of the ten lines", "0.5": "the noise of the ten lines", "0": "an exit code",
    "1": "an exit code, an epsilon", "10,000": "the trials of a row of the benchmark", "2023": "a year",
}  # fmt: skip
"""What else the README prints, and what it is."""


@pytest.mark.parametrize("page", BOUND, ids=lambda page: page.name)
def test_every_figure_with_a_source_is_that_of_its_source(page: Path) -> None:
    found = list(figures.figures(page.read_text(encoding="utf-8")))
    assert [figure.wrong for figure in found if figure.wrong] == []


def test_pages_with_figures_of_runs_name_their_sources() -> None:
    assert {page.name for page in BOUND} >= {"README.md", "benchmarks.md", "findings.md", "state.md"}


def test_every_figure_of_the_readme_has_a_source_or_is_of_no_run() -> None:
    assert set(figures.unbound(PAGES[0].read_text(encoding="utf-8"))) == set(OF_NO_RUN)


def test_a_figure_without_a_source_is_noticed() -> None:
    text = "Of 7<!-- count kind=claim --> claims 1,234 `5` are [six](8.md) in v1.2 at 0.25 in 3 minutes.\n\n    9\n"
    assert figures.unbound(text) == ["1,234", "0.25"]


def test_a_figure_that_drifted_is_noticed() -> None:
    wrong = "5.7<!-- srgd/corollary-5.7-printed epsilon_lower_95 --> 1<!-- count kind=control -->"
    assert [bool(figure.wrong) for figure in figures.figures(wrong)] == [True, True]
    with pytest.raises(KeyError):
        print(figures.Figure("1", "benchmarks/power.json rows[test=rank test].found").wrong)


@pytest.mark.parametrize(
    ("text", "value", "unit", "down", "held"),
    [
        ("0.72", 0.7157, 0, False, True),
        ("0.72", 0.7149, 0, False, False),
        ("4,300", 4323, 100, False, True),
        ("4,300", 4323, 0, False, False),
        ("5.9", 5.99, 0, True, True),
        ("6.0", 5.99, 0, True, False),
        ("5.8", 5.91, 0, True, False),
    ],
)
def test_rounding_is_to_the_digits_that_are_shown(text: str, value: float, unit: float, down: bool, held: bool) -> None:
    assert figures.rounded(text, value, unit, down=down) is held
