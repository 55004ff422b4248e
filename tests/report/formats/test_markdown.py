"""The report in Markdown: every section, read back by a parser of CommonMark with tables, and nothing injected."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from run_folder import HOSTILE, agreements, claims, games, header, verdict

from dpaudit.records.verdict import OWN_SENTENCE, Evidence, Kind, Numbers, Outcome, Verdict, count
from dpaudit.report import escape, sections
from dpaudit.report.formats import markdown
from dpaudit.runs.reading import Run

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
NASTY = (
    "| a | <img src=x onerror=alert(1)> [l](http://e.example) ![i](x) `c` **b** ~~s~~ @someone #1 \\| "
    "https://e.example www.e.example me@e.example\n# head\n\n---\n> q\n- l\n```\nx\n<!-- $x$ &amp; :tada:"
)
SECTIONS = [
    "What this does and does not show", "Unexpected outcomes (7)", "Accepted by a baseline (1)",
    "Errata: statements, readings and proof steps that are false, as expected (1)",
    "Reductions and implementations that are refuted, as expected (1)", "Constants", "Claims", "Agreement of backends",
    "Audits: claimed and measured epsilon", "Controls", "Provenance",
]  # fmt: skip


class Rendered(HTMLParser):
    """What a reader of the HTML sees: headings, tables as rows of cells, names of tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.headings: list[str] = []
        self.rows: list[list[str]] = []
        self.words = ""
        self.in_cell = False
        self.feed(MARKDOWN.render(text))

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.in_cell = True
        if tag == "h2":
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.in_cell = False

    def handle_data(self, data: str) -> None:
        self.words += data
        if self.in_cell:
            self.rows[-1][-1] += data
        if self.tags[-1] == "h2":
            self.headings[-1] += data.strip()


def reported(*verdicts: Verdict, **changes: Any) -> str:
    return markdown.page(Run(Path("out"), header(list(verdicts), **changes), verdicts))


def whole() -> list[Verdict]:
    """Every section has something to say."""
    constant: Numbers = (("constant", "c"), ("printed", "4"), ("proved", "2"), ("refuted", "1.9"))
    return [
        *claims(), *agreements(), *games(),
        verdict("rbcd/LEM-2~best-c", Kind.REDUCTION, Outcome.PROVED, numbers=constant),
        verdict("srm/COR-7", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED, accepted="until 2027-01-01: known (b.toml)"),
        verdict("known-bad/x", Kind.CONTROL, Outcome.CONSISTENT, Outcome.REFUTED, engine="game",
                numbers=(("planted_tier", "game"), ("planted_check", ""), ("planted_cost", 100))),
    ]  # fmt: skip


def test_every_section_is_there_in_the_order_of_the_page() -> None:
    page = Rendered(reported(*whole()))
    assert page.headings == SECTIONS
    assert page.words.startswith("dpaudit report\n7 of 25 outcomes are not as expected")
    assert "1 more is accepted by a baseline" in page.words
    assert "A. Author (2024), A paper, page 4" in page.words


def test_every_row_of_every_table_is_a_row() -> None:
    """A cell that breaks its row would end the table: what is left of it would be text with bars."""
    text = reported(*whole())
    page = Rendered(text)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    heads = [line for line in lines if set(line) <= set("| -:")]
    assert len(page.rows) == len(lines) - len(heads)
    assert page.tags.count("table") == len(heads)
    assert "|" not in page.words.replace("-|", "")
    assert ["rbcd/LEM-2", "c", "4", "2", "proved", "2", "1.9"] in page.rows
    assert ["x", "game", "missed", "", "100 trials a side"] in page.rows


def test_the_counts_are_those_of_every_other_output() -> None:
    listed = whole()
    rows = Rendered(reported(*listed)).rows
    assert rows[0] == ["kind", "= proved", "~ consistent", "x refuted", "? inconclusive", "- not run", "! error",
                       "total", "not as expected"]  # fmt: skip
    everything = next(row for row in rows if row[0] == "all")
    outcomes = [count(listed)[outcome] for outcome in Outcome]
    assert list(map(int, everything[1:])) == [*outcomes, len(listed), sections.tallies(listed)[-1].unexpected]


OTHERS = ("::error::x\n##[error]y", "\ud800\u202e", "\t    code", "1. x", "- [ ] y")


@pytest.mark.deep(keep=3)
@pytest.mark.parametrize("hostile", [NASTY, HOSTILE, *OTHERS])
def test_nothing_of_others_becomes_structure(hostile: str) -> None:
    def poisoned(kind: Kind, outcome: Outcome, expected: Outcome) -> Verdict:
        made = verdict(hostile, kind, outcome, expected, title=hostile, source=hostile, detail=hostile, engine=hostile)
        return replace(made, statement=hostile, witness=((hostile, hostile),), effect=hostile, repair=hostile,
                       assuming=(hostile,), attachments=(hostile,), replay=hostile, accepted=hostile)  # fmt: skip

    every = [(kind, outcome, wanted) for kind in Kind for outcome in Outcome for wanted in (Outcome.PROVED, outcome)]
    text = reported(*(poisoned(*one) for one in every), command=hostile, device=hostile)
    page = Rendered(text)
    tables = {"table", "thead", "tbody", "tr", "th", "td"}
    assert set(page.tags) <= {"h1", "h2", "h3", "p", "ul", "li", "strong", "code", "br", *tables}
    assert len(page.headings) <= len(SECTIONS)
    assert not re.search(r"(?i)https?:|www\.|\w@\w|##\[|^\s*::", text, flags=re.MULTILINE)


def test_what_coq_said_is_counted_and_stands_in_a_column() -> None:
    told = [(Outcome.PROVED, "a"), (Outcome.REFUTED, "b"), (Outcome.INCONCLUSIVE, "c"), (Outcome.NOT_RUN, "d")]
    asked = [
        replace(v, evidence=(*v.evidence, Evidence("coq", outcome, detail)))
        for v, (outcome, detail) in zip(claims(), told, strict=False)
    ]
    words = "A second opinion was asked for on 4 certificates: Coq accepted 2 and refused 1, and 1 were not put to it."
    assert words in reported(*asked)
    assert "| recheck | coq | mutants |" in reported(*asked)
    assert "second opinion" not in reported(*claims())
    assert "| coq |" not in reported(*claims())


def test_sentences_of_their_own_stand_beside_the_mutants() -> None:
    own = verdict("rbcd/LEM-2~own", Kind.MUTANT, Outcome.REFUTED, numbers=((OWN_SENTENCE, True),))
    lines = reported(*claims(), own).splitlines()
    assert "Mutants: 2 of 3 caught; 1 of 1 false sentences of their own refuted, which are not counted." in lines
    assert "Mutants: 0 of 1 caught." in lines


def test_a_run_without_outcomes_says_so() -> None:
    page = Rendered(reported())
    assert "Nothing was checked" in page.words
    assert "did not finish" in Rendered(reported(finished=None, exit_code=None)).words


def test_the_same_records_give_the_same_text() -> None:
    first, again = reported(*whole()), reported(*whole(), started="2030-01-01T00:00:00+00:00")
    assert first.partition("## Provenance")[0] == again.partition("## Provenance")[0]


def test_code_that_holds_fences_stays_code() -> None:
    lines = "a\n````\n# b\n```"
    assert MARKDOWN.render(escape.fenced(lines)) == f'<pre><code class="language-text">{lines}\n</code></pre>\n'
