"""The table of best constants: what the sample run proved and refuted, and who found it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx

from dpaudit.claims.challenges import holders
from dpaudit.claims.challenges.unsettled import as_number
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.report import errata, sections, wording
from dpaudit.report.errata import Looseness
from dpaudit.runs.reading import load_run

SAMPLE, PROOFS = (Path(__file__).parents[2] / name for name in ("reports/sample", "proofs"))
HEAD = "| constant | stated | proved | refuted | how far apart |\n| --- | --- | --- | --- | --- |"


@cache
def verdicts() -> dict[str, Verdict]:
    """The verdicts of the sample run, by id."""
    return {v.id: v for v in load_run(SAMPLE).verdicts}


def lines(paper: str) -> Iterator[str]:
    """The table of one paper in Markdown, the widest gap first; ValueError for a paper without constants."""
    rows = [row for row in errata.looseness(verdicts().values()) if sections.paper_of(row.verdict) == paper]
    if not rows:
        raise ValueError(f"the sample run has no constant of the paper {paper!r}")
    found = holders.ends(PROOFS / paper)
    yield from HEAD.split("\n")
    for row in sorted(rows, key=lambda row: -(gap(row) or 1)):
        held = found.get(row.verdict.id, holders.Ends())
        where = f"papers/{paper}.html#{wording.anchor(row.verdict.id)}"  # an id of the page, no heading that MyST knows
        name = f'<a href="{where}"><code>{row.statement.partition("/")[2]}</code></a>, {row.constant}'
        cells = (name, f"`{row.printed}`", _proved(row, held), _refuted(row, held), _size(gap(row)))
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def gap(row: Looseness) -> Fraction | None:
    """How far the ends are apart, at least 1; None where one is no number or is 0."""
    ends = as_number(row.proved), as_number(row.refuted)
    if ends[0] is None or ends[1] is None or not ends[0] * ends[1] > 0:
        return None
    return max(ends[0] / ends[1], ends[1] / ends[0])


def _proved(row: Looseness, held: holders.Ends) -> str:
    """The value, how it was checked, by whom it was found and when."""
    if not row.proved or row.verdict.outcome is not Outcome.PROVED:
        return f"`{row.proved or 'none'}` ({row.verdict.outcome.word})"
    said = "; checker" if any(one.engine == "recheck" for one in row.verdict.evidence) else ""
    return f"`{row.proved}` ({held.proved}{said})"


def _refuted(row: Looseness, held: holders.Ends) -> str:
    """The value, how it was checked, by whom it was found and when."""
    if not row.refuted:
        return "none"
    mutant = verdicts().get(f"{row.statement}~{row.constant}-{row.refuted}")
    known = mutant is not None and mutant.outcome is Outcome.REFUTED
    return f"`{row.refuted}` ({held.refuted}; {'witness' if known else 'not run at this level'})"


def _size(ratio: Fraction | None) -> str:
    return "" if ratio is None else f"{float(ratio):.3g}"


class BestConstants(Directive):
    """The constants of the paper that is named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        place = nodes.container()
        self.state.nested_parse(
            StringList(list(lines(self.arguments[0])), "constants.toml"), self.content_offset, place
        )
        return list(place.children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("best-constants", BestConstants)
    return {"parallel_read_safe": True}
