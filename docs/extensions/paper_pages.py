"""A page for each paper, read off the records of the sample run: what is printed, typeset, with the outcome beside it.

The formulas are MathML and the graph of the paper is SVG, so that the page needs no script. What has no formula yet in
its claim file is shown as it was checked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from dpaudit.records.reading import Reads
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report import formulas, sections, wording
from dpaudit.report.page import graph
from dpaudit.runs.reading import load_run

SAMPLE, PROOFS = (Path(__file__).parents[2] / name for name in ("reports/sample", "proofs"))
LEGEND = (
    "A line goes down to the claim that uses the one above. The sign and the colour are the outcome of the statement "
    "(= proved, ~ consistent, x refuted). Corners: straight if every printed step of the proof is proved, cut if one "
    "is refuted, round otherwise. A star and a red line: something below is refuted."
)


@cache
def records() -> tuple[Verdict, ...]:
    """The claims and steps of the sample run."""
    return tuple(v for v in load_run(SAMPLE).verdicts if v.kind in sections.OF_PAPERS)


@cache
def title(paper: str) -> str:
    """The title of the paper."""
    table = tomllib.loads((PROOFS / paper / "paper.toml").read_text(encoding="utf-8"))
    return str(table["title"])


def page(paper: str) -> Iterator[nodes.Node]:
    """The graph of the paper, then a section for each claim; ValueError for a paper without records and folder."""
    found = [v for v in records() if sections.paper_of(v) == paper]
    if not found and (PROOFS / paper / "paper.toml").is_file():
        text = f"The sample run was made before these claims. Check them with: dpaudit verify proofs/{paper}"
        yield nodes.paragraph("", text)
        return
    if not found:
        known = sorted({sections.paper_of(v) for v in records()})
        raise ValueError(f"the sample run has nothing of the paper {paper!r}, only of {', '.join(known)}")
    drawn = graph.svg(found, paper)
    if drawn:
        yield nodes.raw(
            "", f'<div class="paper-graph" tabindex="0" role="region" aria-label="Graph">{drawn}</div>', format="html"
        )
        yield nodes.paragraph("", LEGEND)
    claims = {v.id: v for v in found if v.kind is Kind.CLAIM}
    steps: dict[str, list[Verdict]] = {name: [] for name in claims}
    for v in found:
        if v.id not in claims:
            steps[_claim_of(v, claims)].append(v)
    for name, claim in claims.items():
        yield _section(claim, steps[name], {v.id for v in found})


def _claim_of(verdict: Verdict, claims: Collection[str]) -> str:
    """The claim that a step belongs to, or that a constant is of: LEM-8 of `resque/LEM-8~best-factor`."""
    whole = sections.claim_of(verdict)
    return whole if whole in claims else whole.rpartition("~")[0]


def _section(claim: Verdict, steps: list[Verdict], known: set[str]) -> nodes.section:
    name = claim.id.split("/", 1)[1]
    place = claim.source.partition(f"{title(claim.id.split('/')[0])}, ")[2]
    made = nodes.section(ids=[wording.anchor(claim.id)], names=[name])
    made += nodes.title("", f"{name}: {wording.clean(claim.title, 120)}")
    made += nodes.paragraph("", "", *_outcome(claim), nodes.Text(f" {place}"))
    made += _said(claim, known)
    rows = nodes.definition_list(classes=["paper-steps"])
    for step in steps:
        row = nodes.definition_list_item()
        short = step.id.removeprefix(f"{claim.id}/").removeprefix(claim.id)
        named = (nodes.literal("", short), nodes.Text(" "), *_outcome(step))
        row += nodes.term("", "", *named, ids=[wording.anchor(step.id)])  # HTML has no element for the item itself
        row += nodes.definition("", nodes.paragraph("", wording.clean(step.title)), *_said(step, known))
        rows += row
    if steps:
        made += rows
    return made


def _outcome(verdict: Verdict) -> Iterator[nodes.Node]:
    """The outcome, and what the statement says of the paper where it is not a printed line."""
    said = f"{sections.MARKS[verdict.outcome]} {verdict.outcome.word}"
    yield nodes.inline("", said, classes=["outcome", verdict.outcome.value])
    notes = [] if verdict.reads in (None, Reads.PRINTED) else [verdict.reads.value]
    notes += [verdict.basis.value] if verdict.basis and verdict.outcome is Outcome.CONSISTENT else []
    if notes:
        yield nodes.Text(f" ({', '.join(notes)})")


def _said(verdict: Verdict, known: set[str]) -> list[nodes.Node]:
    """The formula, what is wrong with it, and what it rests on."""
    typeset = formulas.mathml(verdict.formula)
    shown: list[nodes.Node] = []
    if typeset:
        shown.append(
            nodes.raw(
                "",
                f'<div class="formula" tabindex="0" role="region" aria-label="Printed formula">{typeset}</div>',
                format="html",
            )
        )
    elif verdict.statement and verdict.outcome is not Outcome.NOT_RUN:
        shown.append(nodes.paragraph("", "", nodes.literal("", wording.clean(verdict.statement))))
    if verdict.outcome is Outcome.REFUTED and verdict.effect:
        shown.append(nodes.paragraph("", wording.clean(verdict.effect), classes=["finding"]))
    used = dict.fromkeys((*verdict.given, *(verdict.rests_on or verdict.assuming)))
    if used:
        line = nodes.paragraph("", "Rests on ")
        for i, name in enumerate(used):
            line += nodes.Text(", " if i else "")
            line += _linked(name, known)
        shown.append(line)
    return shown


def _linked(name: str, known: set[str]) -> nodes.Node:
    shown = nodes.literal("", name)
    return nodes.reference("", "", shown, refid=wording.anchor(name)) if name in known else shown


class PaperClaims(Directive):
    """All claims of the paper that is named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return list(page(self.arguments[0]))


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("paper-claims", PaperClaims)
    return {"parallel_read_safe": True}
