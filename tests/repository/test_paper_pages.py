"""The pages of papers in the documentation: each paper of the sample run, each claim and step, each link."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from docutils import nodes

from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report import formulas, sections, wording

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("paper_pages", ROOT / "docs" / "extensions" / "paper_pages.py")
assert SPEC is not None
assert SPEC.loader is not None
paper_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(paper_pages)
PAPERS = sorted({sections.paper_of(v) for v in paper_pages.records()})


@pytest.mark.parametrize("paper", PAPERS)
def test_each_paper_has_its_page(paper: str) -> None:
    text = (ROOT / "docs" / "papers" / f"{paper}.md").read_text(encoding="utf-8")
    assert f"```{{paper-claims}} {paper}\n```" in text
    assert f"*{paper_pages.title(paper)}*" in text
    assert f"({paper}.md)" in (ROOT / "docs" / "papers" / "index.md").read_text(encoding="utf-8")


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_page_has_every_claim_and_step_with_its_outcome(paper: str) -> None:
    made = nodes.container("", *paper_pages.page(paper))
    shown = {one["ids"][0]: one for one in made.findall(nodes.section)}
    shown |= {row[0]["ids"][0]: row for row in made.findall(nodes.definition_list_item)}
    listed = [v for v in paper_pages.records() if sections.paper_of(v) == paper]
    assert sorted(shown) == sorted(wording.anchor(v.id) for v in listed)
    for claim in made.findall(nodes.section):
        steps = [one["ids"][0] for one in claim.findall(nodes.term)]
        assert [name for name in steps if not name.startswith(claim["ids"][0])] == []
    for v in listed:
        own = shown[wording.anchor(v.id)]
        outcome = next(one for one in own.findall(nodes.inline) if "outcome" in one["classes"])
        assert v.outcome.value in outcome["classes"]
        assert outcome.astext() == f"{sections.MARKS[v.outcome]} {v.outcome.word}"
        if v.outcome is Outcome.REFUTED and v.effect:
            assert wording.clean(v.effect) in own.astext()
        if v.kind is not Kind.CLAIM and (typeset := formulas.mathml(v.formula)):
            assert any(typeset in raw.astext() for raw in own.findall(nodes.raw))


@pytest.mark.parametrize("paper", PAPERS)
def test_every_link_has_its_goal(paper: str) -> None:
    made = nodes.container("", *paper_pages.page(paper))
    goals = {one["ids"][0] for one in made.findall() if isinstance(one, nodes.Element) and one["ids"]}
    links = [one["refid"] for one in made.findall(nodes.reference)]
    drawn = [part.partition('"')[0] for raw in made.findall(nodes.raw) for part in raw.astext().split('href="#')[1:]]
    assert {*links, *drawn} <= goals


def test_a_paper_without_records_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing of the paper 'nothing', only of"):
        next(paper_pages.page("nothing"))
