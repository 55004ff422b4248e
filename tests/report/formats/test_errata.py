"""The page of errata: complete, with anchors that last, and safe whatever the records hold."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import run_folder
from command_line import dpaudit
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from run_folder import HOSTILE, verdict

from dpaudit.cli.errata import errata
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.formats import errata as errata_page
from dpaudit.report.severity import Erratum, Severity

ROOT = Path(__file__).parents[3]
FINDING = verdict("toy/LEM-1/s2", Kind.STEP, Outcome.REFUTED, title="a step", statement="x <= y",
                  witness=(("x", "2"), ("y", "1")), effect="a factor of two", repair="toy/LEM-1~repaired",
                  source="A paper, Lemma 1", replay="dpaudit verify toy/LEM-1 --seed 7")  # fmt: skip
NASTY = HOSTILE + "\n\n# heading\n```\n[link](javascript:1) ![i](x) <b> {{ x }} {raw}`y` | a\n(target)=\n:::{note}\n"


def markdown(*findings: Verdict) -> str:
    return errata_page.markdown([Erratum(v, Severity.PROOF, 2) for v in findings])


def tokens(text: str) -> list[str]:
    """Types of the tokens of a page, as GitHub and as the site read it, those inside of lines too."""
    parsers = (MarkdownIt("commonmark").enable("table"), create_md_parser(MdParserConfig(), RendererHTML))
    found = [token for parser in parsers for token in parser.parse(text)]
    return [t.type for token in found for t in (token, *(token.children or ()))]


def test_a_finding_says_what_why_and_what_instead() -> None:
    page = markdown(FINDING)
    for part in ("(toy-lem-1-s2)=\n### toy/LEM-1/s2\n", "[toy/LEM-1/s2](#toy-lem-1-s2)", "```text\nx <= y\n```",
                 "x = 2\ny = 1", "Effect: a factor of two", "Holds instead: toy/LEM-1\\~repaired",
                 "Source: A paper, Lemma 1", "dpaudit verify toy/LEM-1 --seed 7", "1 findings", "Printed, and false:",
                 f"Severity: {Severity.PROOF} (2 statements use it).", f"1: {Severity.PROOF}."):  # fmt: skip
        assert part in page
    assert page.endswith("\n")


def test_without_a_witness_the_reason_stands_there() -> None:
    evidence = replace(FINDING.evidence[0], detail="statistical - 9 of 10")
    page = markdown(replace(FINDING, witness=(), evidence=(evidence,)))
    assert "Witness: statistical - 9 of 10\n" in page


@pytest.mark.parametrize("title", ["- dash", "+ plus", "1. one", "# hash", "===", ":::note", "> quote", "    code"])
def test_a_title_opens_no_block(title: str) -> None:
    assert tokens(markdown(replace(FINDING, title=title))) == tokens(markdown(FINDING))


@pytest.mark.parametrize("field", ["title", "effect", "repair", "source", "statement", "replay"])
def test_a_hostile_record_stays_text(field: str) -> None:
    nasty = tokens(markdown(replace(FINDING, **{field: NASTY})))
    assert nasty == tokens(markdown(FINDING))
    assert "html_inline" in tokens(f"Title: {NASTY}"), "the same text unescaped would be markup"


def test_a_hostile_witness_stays_text() -> None:
    hostile = replace(FINDING, witness=(("x", NASTY), ("y", "1")))
    assert tokens(markdown(hostile)) == tokens(markdown(FINDING))


def test_a_hostile_id_stays_text_and_gets_a_plain_anchor() -> None:
    hostile = replace(FINDING, id=NASTY)
    assert re.fullmatch("[a-z0-9-]+", errata_page.anchors([hostile])[NASTY])
    kinds = tokens(markdown(hostile))
    assert {"html_inline", "html_block", "image", "code_inline"} & set(kinds) == {"code_inline"}  # of the header
    assert kinds.count("link_open") == 2  # one for each parser


def test_anchors_differ_where_ids_do() -> None:
    three = [replace(FINDING, id=name) for name in ("toy/A/b", "toy/A~b", "toy/A/c")]
    found = errata_page.anchors(three)
    assert len(set(found.values())) == 3
    assert found["toy/A/c"] == "toy-a-c"
    assert found["toy/A/b"].startswith("toy-a-b-")
    assert errata_page.anchors(three[::-1]) == found


def test_no_finding_is_lost(tmp_path: Path) -> None:
    found = errata(run_folder.write(tmp_path), None)
    page = errata_page.markdown(found)
    assert len(found) > 1
    assert page.count("\n### ") == len(found)


def test_the_page_of_the_docs_is_that_of_the_sample() -> None:
    page = (ROOT / "docs" / "errata.md").read_text(encoding="utf-8")
    command = ["errata", str(ROOT / "reports" / "sample"), "--format", "markdown"]
    made = dpaudit(*command, catch_exceptions=False)
    assert made.stdout == page, "make it again: dpaudit errata reports/sample --format markdown -o docs/errata.md"
    assert "(rbcd-thm-4-1-s3-one)=" in page
