"""Which pages a run has, what stands on which and what is folded there, and the links between them."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
import run_folder
from report_page import Page, page_of

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.page.pages import FRONT, MOST_TOGETHER, pages
from dpaudit.runs.reading import load_run


def several(papers: int = 3, claims: int = 101) -> list[Verdict]:
    """Verdicts on `papers` papers with so many claims each, of which the third is refuted, and an audit."""
    found = [
        run_folder.verdict(
            f"p{paper}/LEM-{number}",
            Kind.CLAIM,
            Outcome.REFUTED if number == 3 else Outcome.PROVED,
            statement=f"statement {number} of paper {paper}",
            source=f"A. Author (2024), Title, with a comma {paper}, Lemma {number}",
            attachments=(f"certificates/p{paper}_{number}.json",),
            rests_on=("p0/LEM-5",) if (paper, number) == (1, 6) else (),
        )
        for paper in range(papers)
        for number in range(1, claims + 1)
    ]
    return [*found, run_folder.games()[0]]


def test_several_papers_with_many_claims_have_a_page_each(tmp_path: Path) -> None:
    made = pages(load_run(run_folder.write(tmp_path, several())))
    assert list(made) == [FRONT, "papers/p0.html", "papers/p1.html", "papers/p2.html"]
    front, own = Page(made[FRONT]), Page(made["papers/p1.html"])
    assert "Title, with a comma 1" in own.text
    for place in range(1, 102):
        assert f"statement {place} of paper 1 " in own.text
    assert "of paper 0" not in own.text
    assert "of paper 1" not in front.text
    assert "p1 : A. Author (2024), Title, with a comma 1 101 100 0 1 0 0 0 0/0" in front.text
    assert "../certificates/p1_7.json" in own.values("href")
    assert "papers/p1.html#v-p1/LEM-3" in front.values("href"), "an erratum leads to the page of its paper"
    assert {"../report.html"} <= set(own.values("href"))


def test_every_link_between_the_pages_lands(tmp_path: Path) -> None:
    made = {path: Page(html) for path, html in pages(load_run(run_folder.write(tmp_path, several()))).items()}
    crossing = 0
    for path, page in made.items():
        for href in page.values("href"):
            file, _, goal = href.partition("#")
            other = os.path.normpath(Path(path).parent / file) if file else path
            if other in made:
                crossing += other != path
                assert not goal or goal in made[other].values("id"), (path, href)
    assert crossing > 10


@pytest.mark.deep
def test_few_claims_or_one_paper_stay_on_one_page(tmp_path: Path) -> None:
    few = several(3, MOST_TOGETHER // 3)
    assert list(pages(load_run(run_folder.write(tmp_path / "few", few)))) == [FRONT]
    one = several(1, MOST_TOGETHER + 5)
    assert list(pages(load_run(run_folder.write(tmp_path / "one", one)))) == [FRONT]


@pytest.mark.deep
def test_names_of_papers_that_are_no_file_names_have_pages_of_their_own_inside_the_folder(tmp_path: Path) -> None:
    renamed = [replace(v, id=v.id.replace("p0/", "P 1/").replace("p2/", "../")) for v in several()]
    made = pages(load_run(run_folder.write(tmp_path, renamed)))
    assert len(made) == 4
    assert all(re.fullmatch(r"papers/[\w-]+\.html", path) for path in list(made)[1:])


@pytest.mark.deep
def test_the_search_knows_what_stands_on_other_pages(tmp_path: Path) -> None:
    html = pages(load_run(run_folder.write(tmp_path, several())))[FRONT]
    [text] = re.findall(r'<script type="application/json" id="elsewhere">(.*?)</script>', html)
    found = json.loads(text)
    assert [len(rows) for rows in found.values()] == [101] * 3
    assert found["papers/p0.html"][2] == ["v-p0/LEM-3", "REFUTED"]


@pytest.mark.deep
def test_a_long_table_is_folded_unless_something_in_it_is_a_surprise(tmp_path: Path) -> None:
    many = [replace(run_folder.agreements()[0], id=f"agree/rbcd/ALG-{i}/numba/float64") for i in range(50)]
    folded = "Every comparison, its deviation and its bound (50)"
    assert folded in Page(page_of(tmp_path / "a", many)).text
    many[7] = replace(many[7], outcome=Outcome.REFUTED)
    assert folded not in Page(page_of(tmp_path / "b", many)).text


def test_a_witness_is_said_once(tmp_path: Path) -> None:
    v = run_folder.verdict(
        "toy/LEM-1", Kind.CLAIM, Outcome.REFUTED, detail="at x = 1/2, y = 3: left [0.50, 0.50] > right [0, 0]",
        witness=(("x", "1/2"), ("y", "3"), ("left", "[0.50, 0.50]"), ("right", "[0, 0]")),
    )  # fmt: skip
    text = Page(page_of(tmp_path, [v])).text
    assert "x = 1/2 , y = 3 , left = 0.5 , right = 0 " in text
    assert "at the witness: left 0.5 > right 0 " in text
