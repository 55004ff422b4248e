"""The figures of README and docs that name their source are those of the sample report and of the benchmarks."""

from __future__ import annotations

from pathlib import Path

import figures
import pytest

DOCS = figures.ROOT / "docs"
PAGES = [figures.ROOT / "README.md", *sorted(p for p in DOCS.rglob("*.md") if "_build" not in p.parts)]
BOUND = [page for page in PAGES if list(figures.figures(page.read_text(encoding="utf-8")))]


@pytest.mark.parametrize("page", BOUND, ids=lambda page: page.name)
def test_every_figure_with_a_source_is_that_of_its_source(page: Path) -> None:
    found = list(figures.figures(page.read_text(encoding="utf-8")))
    assert [figure.wrong for figure in found if figure.wrong] == []


def test_pages_with_figures_of_runs_name_their_sources() -> None:
    assert {page.name for page in BOUND} >= {"README.md", "benchmarks.md", "findings.md", "state.md"}


RELEASES = {
    "estimator=jax_privacy": "jax-privacy 2.0.0",
    "estimator=privacy_estimates": "privacy-estimates 0.1.0.post1",
    "Opacus loop": "Opacus 1.6.0",
}
"""By what names the source of a figure of another tool: the release that was measured."""


@pytest.mark.parametrize("named", RELEASES)
def test_a_figure_of_another_tool_stands_beside_its_release(named: str) -> None:
    paragraphs = [part for page in BOUND for part in page.read_text(encoding="utf-8").split("\n\n")]
    holding = [part for part in paragraphs if any(named in figure.source for figure in figures.figures(part))]
    assert holding
    assert [part for part in holding if RELEASES[named] not in part] == []


def test_a_figure_that_drifted_is_noticed() -> None:
    wrong = "5.7<!-- srgd/corollary-5.7-printed epsilon_lower_95 --> 1<!-- count kind=control -->"
    assert [bool(figure.wrong) for figure in figures.figures(wrong)] == [True, True]
    with pytest.raises(KeyError):
        print(figures.Figure("1", "benchmarks/power.json rows[test=rank test].found").wrong)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("[*].n.length", 4),
        ("[* kind=a].n.length", 3),
        ("[* kind=a].n.min", 1),
        ("[* kind=a].n.mean", 4),
        ("[* kind=a].n.median", 2),
        ("[* kind=a].n.max", 9),
        ("[* kind=a].n.sum", 12),
        ("[* kind=b].n.sum", 7),
        ("[*].deep.mean.max", 8),
        ("[kind=b].n", 7),
    ],
)
def test_rows_are_summed_up(path: str, value: float) -> None:
    rows = [{"kind": kind, "n": n, "deep": {"mean": n - 1}} for kind, n in (("a", 1), ("a", 2), ("a", 9), ("b", 7))]
    assert figures.inside(rows, path) == value
    assert figures.inside(dict(zip("wxyz", rows, strict=True)), "[*].n.sum") == 19


def test_a_ratio_is_that_of_two_values() -> None:
    runs, alarmed = (figures.looked_up(f"benchmarks/family_wise.json {key}") for key in ("runs", "alarmed"))
    assert figures.looked_up("benchmarks/family_wise.json alarmed / runs") == alarmed / runs


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
