"""The tutorials and the first example, done as a reader would: `played_pages` says how.

No random choice is left open: every audit has a seed, and a true claim is refuted with probability 1e-3 at most at any
other seed, with this one never again.
"""

from __future__ import annotations

import re
from pathlib import Path

import played_pages
import pytest
from played_pages import DOCS, TUTORIALS, Step, pattern, plain, steps

INDEX = DOCS / "index.md"
LONGEST = 10
"""Lines of the first example that are not blank."""


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def test_each_of_the_four_users_has_a_tutorial() -> None:
    names = {page.stem for page in TUTORIALS}
    assert names == {"optimiser_author", "ci_engineer", "paper_author", "reviewer"}
    for where, folder in ((DOCS.parent / "README.md", "docs/tutorials"), (INDEX, "tutorials")):
        assert set(re.findall(rf"\]\({folder}/(\w+)\.md\)", read(where))) == names


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_a_tutorial_says_at_its_top_what_you_will_have_and_how_long_it_takes(page: Path) -> None:
    top = read(page).split("\n\n")[1]
    assert top.startswith("At the end you have")
    for what in ("install_s", "commands_s"):
        assert f"s<!-- benchmarks/tutorials.json pages.{page.stem}.{what} -->" in re.sub(r"\d+<", "s<", top)


def test_the_first_example_is_short() -> None:
    [file] = [step for step in steps(read(INDEX)) if step.name]
    assert sum(bool(line.strip()) for line in file.text.splitlines()) <= LONGEST


@pytest.mark.deep
@pytest.mark.timeout(280)
@pytest.mark.parametrize("page", [INDEX, *TUTORIALS], ids=lambda page: page.stem)
def test_every_command_prints_what_the_page_shows(tmp_path: Path, page: Path) -> None:
    done = list(steps(read(page)))
    assert sum(bool(step.name) for step in done) >= (page.stem != "reviewer")
    assert sum(not step.name for step in done) >= (1 if page == INDEX else 3)
    for step in done:
        assert not (found := played_pages.wrong(step, tmp_path)), found


def test_a_page_that_lies_is_noticed() -> None:
    assert pattern("one\n...\ntook 3.1 s\n").fullmatch("one\na\nb\ntook N s\n")
    assert pattern("moves by 0.942228\n").fullmatch(f"{plain('moves by 0.942226')}\n")
    assert pattern("until 2026-01-31\n").fullmatch(f"{plain('until 2031-12-01')}\n")
    assert pattern("").fullmatch("")
    assert not pattern("").fullmatch("a\n")
    assert not pattern("moves by 0.942228\n").fullmatch(f"{plain('moves by 0.94241')}\n")
    assert not pattern("one\n...\nfour\n").fullmatch("one\na\nb\nfive\n")
    assert not pattern("one\n").fullmatch("one\ntwo\n")


def test_files_and_commands_are_told_apart(tmp_path: Path) -> None:
    page = "Save it as `a/b.py`:\n\n```python\nprint(1)\n```\n\n```console\n$ python a/b.py\n1\n$ true\n```\n"
    found = list(steps(page))
    assert found == [Step("a/b.py", "print(1)\n"), Step("", "python a/b.py", "1\n"), Step("", "true")]
    assert [played_pages.wrong(step, tmp_path) for step in found] == ["", "", ""]
    assert "printed\n1\n" in played_pages.wrong(Step("", "python a/b.py", "2\n"), tmp_path)
