"""Lasting addresses: of every claim, step, erratum, structural check and finding a place on a page, and its JSON.

`addresses.txt` beside this file lists them all, so that a test sees one that is gone. New ones are added by
`python docs/extensions/addresses.py`, which takes none out.
"""

from __future__ import annotations

import json
import os.path
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import library_findings
import paper_pages
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from dpaudit.audit.structural.explained import explanations
from dpaudit.cli.errata import errata
from dpaudit.report import sections, wording
from dpaudit.report.formats.errata import anchors
from dpaudit.report.severity import Erratum
from dpaudit.runs.reading import load_run
from dpaudit.runs.store import RECORDS

LIST = Path(__file__).with_name("addresses.txt")
DATA = "data"
ERRATA, CHECKS, FINDINGS = "errata", "checks", "library_findings"
"""Pages, as Sphinx names them; a paper has papers/<paper>."""


@dataclass(frozen=True)
class Entry:
    """Something that has an address. kind: claim, step, reduction, erratum, check or finding; page: as Sphinx names it;
    file: its JSON, from the folder of the site."""

    kind: str
    id: str
    page: str
    anchor: str
    file: str

    @property
    def address(self) -> str:
        """Page and anchor, from the folder of the site."""
        return f"{self.page}.html#{self.anchor}"


@cache
def entries() -> tuple[Entry, ...]:
    """All of them: claims with their steps, errata, checks, findings."""
    return (*_claims(), *_errata(), *_checks(), *_findings())


def _claims() -> Iterator[Entry]:
    for v in paper_pages.records():
        yield Entry(v.kind.value, v.id, f"papers/{sections.paper_of(v)}", wording.anchor(v.id), claim_file(v.id))


def _errata() -> Iterator[Entry]:
    found = [row.verdict for row in of_sample()]
    names = anchors(found)
    yield from (Entry("erratum", v.id, ERRATA, names[v.id], claim_file(v.id)) for v in found)


def _checks() -> Iterator[Entry]:
    for check in explanations():
        yield Entry("check", check.name, CHECKS, check.code, f"{DATA}/checks/{check.code}.json")


def _findings() -> Iterator[Entry]:
    for one in library_findings.findings():
        yield Entry("finding", one.id, FINDINGS, one.id, f"{DATA}/findings/{one.id}.json")


@cache
def of_sample() -> tuple[Erratum, ...]:
    """The errata of the sample run."""
    return tuple(errata(paper_pages.SAMPLE, None))


def claim_file(name: str) -> str:
    """The JSON of a claim or step: data/claims/rbcd/LEM-2/s1.json is that of rbcd/LEM-2/s1."""
    return f"{DATA}/claims/{name}.json"


# The files. -----------------------------------------------------------------------------------------


def files() -> Iterator[tuple[str, Any]]:
    """Each JSON file by its path: one for each entry, and index.json, which lists them."""
    yield f"{DATA}/index.json", [asdict(one) | {"address": one.address} for one in entries()]
    known = {(one.kind, one.id): one for one in entries()}
    yield from _of_claims({one.id: one.address for one in _claims()}, {one.id: one for one in _errata()})
    for check in explanations():
        entry = known["check", check.name]
        yield entry.file, {"address": entry.address, **asdict(check)}
    for finding in library_findings.findings():
        entry = known["finding", finding.id]
        yield entry.file, {"address": entry.address, **asdict(finding)}


def _of_claims(pages: dict[str, str], wrong: dict[str, Entry]) -> Iterator[tuple[str, Any]]:
    """Of each claim, step and erratum: where it stands, its erratum, its record as the run wrote it, which run."""
    rows = {row.verdict.id: row for row in of_sample()}
    about, records = _run()
    for name in dict.fromkeys((*pages, *wrong)):
        said = None
        if name in wrong:
            row = rows[name]
            said = {"address": wrong[name].address, "severity": row.severity.value, "dependents": row.dependents}
        yield claim_file(name), {"address": pages.get(name), "erratum": said, "run": about, "record": records[name]}


@cache
def _run() -> tuple[dict[str, Any], dict[str, Any]]:
    """What identifies the sample run, and its records by id."""
    header = load_run(paper_pages.SAMPLE).header
    about = {name: header[name] for name in ("command", "seed", "level", "finished")}
    about |= {"dpaudit": header["versions"]["dpaudit"], "commit": header["checkout"]["commit"]}
    lines = (paper_pages.SAMPLE / RECORDS).read_text(encoding="utf-8").splitlines()
    return about | {"records": header["records"]}, {row["id"]: row for row in map(json.loads, lines)}


# On the pages. --------------------------------------------------------------------------------------


def mark(app: Sphinx, doctree: nodes.document) -> None:
    """Put the two links behind the name of each entry of the page."""
    page = app.env.docname
    own = {one.anchor: one for one in entries() if one.page == page}
    for node in [node for node in doctree.findall(nodes.Element) if own.keys() & {*node.get("ids", ())}]:
        for name in node["ids"]:
            if name in own:
                _put(node, links(own.pop(name)))


def links(entry: Entry) -> nodes.raw:
    """The permanent link of an entry, and that to its JSON."""
    file = os.path.relpath(entry.file, os.path.dirname(entry.page) or ".")
    name = escape(wording.clean(entry.id))
    html = (
        f'<span class="lasting"><a href="#{escape(entry.anchor)}" aria-label="link to {name}">link</a> '
        f'<a href="{escape(wording.file(file))}" aria-label="JSON of {name}">JSON</a></span>'
    )
    return nodes.raw("", html, format="html")


def _put(node: nodes.Element, shown: nodes.raw) -> None:
    """In a line below the title of a section, else at the end of the node."""
    if isinstance(node, nodes.section):
        node.insert(1, nodes.paragraph("", "", shown))
        return
    node += nodes.Text(" ")
    node += shown


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the JSON files into the site; ExtensionError for an entry whose anchor its page does not have."""
    if error is not None or app.builder.name != "html":
        return
    home = Path(app.outdir)
    texts = {page: (home / f"{page}.html").read_text(encoding="utf-8") for page in {one.page for one in entries()}}
    ids = {page: {*re.findall(r'\bid="([^"]*)"', text)} for page, text in texts.items()}
    lost = [one.address for one in entries() if escape(one.anchor) not in ids[one.page]]
    if lost:
        raise ExtensionError(f"{len(lost)} addresses lead nowhere, such as {lost[0]}; keep the anchor on the page")
    for name, data in files():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# The list. ------------------------------------------------------------------------------------------


def listed() -> set[str]:
    """The addresses that were given, each a line: page with anchor, and JSON."""
    return {line for line in LIST.read_text(encoding="utf-8").splitlines() if line}


def given() -> set[str]:
    """The lines of the addresses as they are now."""
    return {f"{one.address} {one.file}" for one in entries()}


def renew() -> None:
    """Add the addresses that are new to the list; none is taken out."""
    LIST.write_text("".join(f"{line}\n" for line in sorted(listed() | given())), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("doctree-read", mark)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    renew()
