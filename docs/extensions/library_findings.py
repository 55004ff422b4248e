"""The findings on released libraries, read off `reports/third-party/findings.toml`: one record each, and its page.

`python docs/extensions/library_findings.py` writes the tables of the reports anew.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.application import Sphinx

FOLDER = Path(__file__).parents[2] / "reports" / "third-party"
EMPTY_ALLOWED = ("targets", "script")
"""Fields that may be missing: what has no target was found by analysis, and not everything has a script of its own."""


class Status(StrEnum):
    """What is known of a finding upstream, and whether a promise is broken."""

    NEW = "new"
    KNOWN = "known"
    ADVICE = "advice"
    HAZARD = "hazard"


WORDS = {
    Status.NEW: "new: not reported before, as far as we know",
    Status.KNOWN: "known upstream",
    Status.ADVICE: "against documented advice",
    Status.HAZARD: "hazard: outside of what the documentation promises",
}


@dataclass(frozen=True)
class Finding:
    """One finding. `findings.toml` says what the fields mean; all but `targets` and `script` must be filled.

    id: its name in its address, of small letters, digits and dashes; no other finding may have it.
    """

    id: str
    library: str
    title: str
    status: Status
    upstream: str
    guarantee: str
    place: str
    worst: str
    ordinary: str
    versions: str
    first: str
    targets: tuple[str, ...] = ()
    script: str = ""

    def __post_init__(self) -> None:
        missing = [f.name for f in fields(self) if f.name not in EMPTY_ALLOWED and not getattr(self, f.name).strip()]
        if missing:
            raise ValueError(f"the finding {self.title!r} lacks {', '.join(missing)}; fill them in findings.toml")
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise ValueError(f"the id of a finding has small letters, digits and dashes, got {self.id!r}")

    @staticmethod
    def unlike(found: Iterable[Finding]) -> None:
        """ValueError where two findings have one id: an address leads to one of them."""
        twice = [name for name, number in Counter(finding.id for finding in found).items() if number > 1]
        if twice:
            raise ValueError(f"two findings have the id {twice[0]!r}; give the new one an id of its own")


def findings() -> list[Finding]:
    """All findings, in the order of the file."""
    tables: list[dict[str, Any]] = tomllib.loads((FOLDER / "findings.toml").read_text(encoding="utf-8"))["finding"]
    found = [
        Finding(**{**table, "status": Status(table["status"]), "targets": tuple(table["targets"])}) for table in tables
    ]
    Finding.unlike(found)
    return found


def lines(library: str) -> Iterator[str]:
    """The findings of one library as Markdown."""
    for finding in findings():
        if finding.library != library:
            continue
        targets = ", ".join(f"`{name}`" for name in finding.targets) or "found by analysis, without a target"
        yield from (f"({finding.id})=", f"**{finding.title}** ({targets})", "")
        yield f"* Status: {WORDS[finding.status]}; {finding.upstream}."
        yield f"* Guarantee: {finding.guarantee} ({finding.place})."
        yield f"* Worst case: {finding.worst}."
        yield f"* Ordinary case: {finding.ordinary}."
        yield f"* Version: {finding.versions}; first version that has it: {finding.first}."
        if finding.script:
            yield f"* For maintainers: `reports/third-party/upstream/{finding.script}.md`."
        yield ""


def table(library: str) -> Iterator[str]:
    """What the report of a library says of each of its findings, as the lines of a Markdown table."""
    yield "| finding | status | ordinary case | first version that has it |"
    yield "| --- | --- | --- | --- |"
    for finding in findings():
        if finding.library == library:
            status = f"{WORDS[finding.status]}; {finding.upstream}"
            yield f"| {finding.title} | {status} | {finding.ordinary} | {finding.first} |"


def renew() -> None:
    """Write the tables into the reports, between their marks."""
    for path in FOLDER.glob("*.md"):
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


def renewed(report: str) -> str:
    """A report with its tables as `findings.toml` has them."""
    mark = re.compile(r"(<!-- findings (\S+) -->\n).*?(<!-- end of findings -->)", re.DOTALL)
    return mark.sub(lambda found: "\n".join((found[1], *table(found[2]), "", found[3])), report)


class LibraryFindings(Directive):
    """The findings of the library that is named."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        place = nodes.container()
        text = StringList(list(lines(self.arguments[0])), "findings.toml")
        self.state.nested_parse(text, self.content_offset, place)
        return list(place.children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("library-findings", LibraryFindings)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    renew()
