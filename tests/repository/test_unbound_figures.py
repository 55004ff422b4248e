"""Every number on README and docs names its source, or says what it is: no result of a run."""

from __future__ import annotations

from pathlib import Path

import figures
import pytest

ROOT = figures.ROOT
DOCS = ROOT / "docs"
MADE = {
    "catalogue.md": "tests/report/test_catalogue.py",
    "checks.md": "tests/repository/test_module_pages.py",
    "errata.md": "tests/report/formats/test_errata.py",
    "reference/attacks.md": "tests/repository/test_module_pages.py",
    "reference/estimators.md": "tests/repository/test_module_pages.py",
    "validity.md": "tests/benchmarks/test_validity.py",
}
"""Pages that a program writes, and the test that compares them with what it writes now. What utility.md and
library_findings.md include is compared by tests/benchmarks/test_utility.py and by test_library_findings.py."""
PAGES = {
    path.relative_to(DOCS).as_posix() if DOCS in path.parents else path.name: path
    for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    if "_build" not in path.parts and path.name not in MADE
}
PLAYED = {
    "index.md": "test_tutorial.py",
    "tutorials/ci_engineer.md": "test_tutorial.py",
    "tutorials/optimiser_author.md": "test_tutorial.py",
    "tutorials/paper_author.md": "test_tutorial.py",
    "tutorials/reviewer.md": "test_tutorial.py",
    "your_lemma.md": "test_docs.py",
}
"""Pages whose text quotes their blocks, and the test in this folder that makes what stands there."""

OF_NO_RUN = {
    "README.md": {
        "the version of Python": "3.11", "noise of the ten lines": "1.0 0.5", "trials of a row": "10,000",
    },
    "any_language.md": {"bits of a seed": "63", "what a worker must keep to": "0 60 1", "digits of a float64": "17"},
    "audit_your_own.md": {
        "lines of code": "8 15", "the first example, in closed form": "100", "values in data sets": "0 10 11",
        "exit codes": "1 3 4", "what plans of trials aim at": "0.8 10,000 0.5 0.9 0.95 9", "canaries": "500 50,000",
        "a forecast that tests/audit/test_forecast.py makes": "3.6 30,000 400",
    },
    "baseline.md": {"days": "366", "exit codes": "0 1 2 3 4 5 130", "the least move that counts": "0.25"},
    "benchmarks.md": {
        "sizes of what was run": "0.8 64 20 2 4 100 16 1 3,000 30,000 300,000 100,000", "a limit of smoke": "10,000",
        "versions beside the GPU": "2.11 13", "claims of sequential audits": "0.01 0.1",
        "what González et al. print": "264 331 192 562 920 770",
        "the exact epsilon of mu = 1": "4.377"},
    "claims.md": {"mathematics": "7 10 1"},
    "continuous_integration.md": {"a limit of GitHub, in MB": "1"},
    "findings.md": {
        "settings of libraries": "0 7 0.5 0.25", "mathematics of the papers": "1 2 3.5 4",
        "exact values of tests/algorithms/srgd/accounting": "1.41 2.4 64 22",
        "equations of papers": "9 11", "clipping norms, exactly": "1",
        "a level, in percent, and steps of opake": "5 100,000",
    },
    "formats.md": {"limits of GitHub": "25,000 5,000 10 9 1 65,536", "exit codes": "0 4"},
    "glossary.md": {"the error budget by default": "0.001", "a definition": "1 0.9"},
    "how_it_decides.md": {"a definition": "0.9", "of simulated audits": "9 10"},
    "isolation.md": {"limits": "60 3600 65,536 8 1 64 200,000 8,192", "versions of Linux": "5.12 6.14",
                     "numbers of a trial": "50,000"},
    "membership.md": {"the rate that is aimed at, in percent, and an epsilon": "1"},
    "more_machines.md": {"threads": "1", "a limit in MiB": "64", "a port": "10001"},
    "other_tools.md": {"true epsilons": "0 0.1 0.5 1", "levels": "5 95 0.05", "resamplings": "200",
                       "canaries": "100 1,000 10,000"},
    "papers/index.md": {"the title of a paper": "1"},
    "papers/srgd.md": {"the title of the paper": "1"},
    "reference/command_line.md": {"the version of Bash": "4.4"},
    "runs.md": {"what smoke trials aim at": "10,000", "a signal": "9"},
    "statistics.md": {
        "error probabilities": "0.05 0.001 0.025 5",
        "the trials from which on ranks are printed": "4,000", "delta": "0",
        "trials of tests/runs/test_spending.py": "2.5 1.3", "powers": "90 0.9", "held out, in percent": "10",
        "mathematics": "1 4", "the exact epsilon of mu = 1": "4.377",
        "sizes of what was run": "20 500 2,000 30 0.2 1 2 4 8 100 40",
        "when small models are recorded again": "1,000 80",
    },
    "training_loops.md": {"sizes of batches": "16 30"},
    "trust.md": {"mathematics": "0", "lines to be read in an afternoon": "1,500"},
    "tutorials/optimiser_author.md": {"the sampling rate, 1/2": "1 2"},
    "tutorials/reviewer.md": {"the constant that proofs/srm/thm_5_1/claim.py names as refuted": "13.9"},
    "your_lemma.md": {"the lemma": "0 1 2", "test_docs.py": "1.7182"},
}  # fmt: skip
"""What else a page prints, and what it is. A figure that was measured has no place here: it names its source."""


def accounted(page: str, text: str) -> set[str]:
    """The unbound numbers of a page that are listed, or that its blocks hold."""
    listed = {number for numbers in OF_NO_RUN.get(page, {}).values() for number in numbers.split()}
    return listed | (figures.quoted(text) if page in PLAYED else set())


@pytest.mark.parametrize("page", PAGES)
def test_every_number_has_a_source_or_is_of_no_run(page: str) -> None:
    text = PAGES[page].read_text(encoding="utf-8")
    assert set(figures.unbound(text)) == accounted(page, text)


def test_no_list_is_of_a_page_that_is_gone() -> None:
    assert OF_NO_RUN.keys() | PLAYED.keys() <= PAGES.keys()


@pytest.mark.parametrize("page", MADE)
def test_a_page_that_a_program_writes_has_a_test(page: str) -> None:
    assert (DOCS / page).is_file()
    assert Path(page).stem in (ROOT / MADE[page]).read_text(encoding="utf-8")


def test_every_figure_that_was_measured_once_says_how_and_is_printed() -> None:
    printed = {figure.source for path in PAGES.values() for figure in figures.figures(path.read_text(encoding="utf-8"))}
    studies = {name: study for name, study in figures.loaded("benchmarks/occasional.json").items() if name != "note"}
    for name, study in studies.items():
        assert study["how"]
        for key in study.keys() - {"how"}:
            assert any(source.startswith(f"benchmarks/occasional.json {name}.{key}") for source in printed), key


def test_a_number_without_a_source_is_noticed() -> None:
    text = "Of 7<!-- count kind=claim --> claims 1,234 `5` are [six](8.md) in v1.2 at 0.25 in 3 minutes.\n\n    9\n"
    assert figures.unbound(text) == ["1,234", "0.25"]
    page = PAGES["isolation.md"].read_text(encoding="utf-8")
    assert "0.14" in set(figures.unbound(f"{page} It took 0.14 s.")) - accounted("isolation.md", page)


def test_a_number_is_quoted_where_a_block_of_the_page_holds_it() -> None:
    text = "It moves by 0.94, not 0.95, and 6 is quoted too.\n```console\nmoves by 0.942401\n6 of 7\n```\n"
    assert figures.quoted(text) == {"0.94", "6"}


@pytest.mark.parametrize(
    ("kind", "text", "left"),
    [
        ("years and dates", "(2023), of 2025-04-10, 1e-5 of 2101", ["2101"]),
        ("places in papers", "Theorem 5.1, Propositions 1 and 2, [Lemma D.8], **Lemma 3** at 7", ["7"]),
        ("versions", "release 1.6.0 is 1.6 times", ["1.6"]),
        ("issues", "issues 571, 819 and pull request 310 in 12 audits", ["12"]),
        ("commits", "8967688, 66d2d45, of 1234567890", ["1234567890"]),
        ("exit codes", "ends with exit code 3, exits 0; code 4", ["4"]),
        ("powers", "10^7 of 2^53, 3^4", ["3", "4"]),
        ("claims", "epsilon = 1, mu 2, delta 0.5, (1, 1e-5); epsilon 6.03, mu = 0.7", ["6.03", "0.7"]),
        ("confidence levels", "95 % and 94 %", ["94"]),
    ],
)  # fmt: skip
def test_numbers_of_no_run_are_known_by_their_words(kind: str, text: str, left: list[str]) -> None:
    assert figures.unbound(text) == left
    assert figures.KNOWN_BY_WORDS[kind]


def test_each_kind_has_an_example() -> None:
    kinds = test_numbers_of_no_run_are_known_by_their_words.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {row[0] for row in kinds} == figures.KNOWN_BY_WORDS.keys()
