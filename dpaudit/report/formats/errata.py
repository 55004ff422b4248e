"""Errata as a page in Markdown: one heading and one lasting anchor for every finding.

Everything that comes from a record is escaped: it can neither open a link, a tag or a directive nor leave its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256

from dpaudit.records.verdict import Verdict
from dpaudit.report import escape, sections, wording
from dpaudit.report.errata import uses
from dpaudit.report.severity import Erratum, accusation

HEADER = """# Errata of papers

Statements and proof steps of papers that are false, each with numbers that show it, what that means for the paper, and
what holds instead. Each says what it reads of the paper: "Printed, and false" accuses a printed line, and nothing else
does. A false step often leaves its theorem standing. The severity says so; it is computed from what else is proved, and
the gravest come first. What stands under `dpaudit` is of no paper: dpaudit relied on it. The page is made by `dpaudit
errata RUN --format markdown` from the records of a run, and not written by hand. The link of a finding is `#` and its
id in lower case, with a dash for every other sign: `#rbcd-thm-4-1-s3-one` is `rbcd/THM-4.1/s3-one`.
"""
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#&|~$!])")


def markdown(errata: Sequence[Erratum]) -> str:
    """The page of these findings, in their order, by paper; ends with a line break."""
    names = anchors([row.verdict for row in errata])
    lines = [HEADER, f"{len(errata)} findings.", ""]
    for paper in dict.fromkeys(sections.paper_of(row.verdict) for row in errata):
        found = [row for row in errata if sections.paper_of(row.verdict) == paper]
        lines += [f"## {escaped(paper)}", ""]
        for severity in dict.fromkeys(row.severity for row in found):
            grave = [row.verdict for row in found if row.severity is severity]
            lines += [f"{len(grave)}: {severity}.", ""]
            lines += [f"* [{escaped(v.id)}](#{names[v.id]})" for v in grave]
            lines.append("")
        for row in found:
            lines += [f"({names[row.verdict.id]})=", f"### {escaped(row.verdict.id)}", "", *_entry(row)]
    return "\n".join(lines)


def anchors(errata: Sequence[Verdict]) -> dict[str, str]:
    """The anchor of each id; where two ids would share one, a few digits of their digests keep them apart."""
    slugs = {v.id: re.sub(r"[^a-z0-9]+", "-", v.id.lower()).strip("-") or "finding" for v in errata}
    shared = Counter(slugs.values())
    return {
        name: slug if shared[slug] == 1 else f"{slug}-{sha256(name.encode()).hexdigest()[:6]}"
        for name, slug in slugs.items()
    }


def escaped(text: str) -> str:
    """`text` on one line, with a backslash before every sign that means something inside a line of Markdown.

    Backslashes, not entities as in `markdown_text`: the page is also read as a file.
    """
    return _ACTIVE.sub(r"\\\1", " ".join(wording.clean(text).split()))


def _entry(row: Erratum) -> Iterator[str]:
    """Title, severity, statement, witness, effect, repair, source and replay line, with an empty line after each."""
    v = row.verdict
    witness = "\n".join(f"{name} = {value}" for name, value in v.witness)
    parts = (
        v.title and f"**{escaped(v.title)}**",
        f"Severity: {row.severity}{uses(row)}.",
        v.formula and f"As printed:\n\n{_block(v.formula)}",
        v.statement and f"{accusation(v)}:\n\n{_block(v.statement)}",
        f"Witness:\n\n{_block(witness)}" if witness else f"Witness: {escaped(sections.reason(v))}",
        v.effect and f"Effect: {escaped(v.effect)}",
        v.repair and f"Holds instead: {escaped(v.repair)}",
        v.source and f"Source: {escaped(v.source)}",
        v.replay and f"See it again:\n\n{_block(v.replay)}",
    )
    for part in parts:
        if part:
            yield from (part, "")


def _block(text: str) -> str:
    return escape.fenced(wording.clean(text))
