"""The page of a run, read as a browser reads it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import run_folder

from dpaudit.records.verdict import Verdict
from dpaudit.report.page.pages import FRONT, pages
from dpaudit.report.page.render import write_report
from dpaudit.runs.reading import Run

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Checks that elements nest, and keeps tags, ids, links, headings and the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open and "script" not in self.open:
            self.texts.append(data)

    def values(self, key: str) -> list[str]:
        return [str(attrs[key]) for _, attrs in self.tags if key in attrs]

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.texts))


def page_of(folder: Path, verdicts: list[Verdict] | None = None, **changes: object) -> str:
    return write_report(run_folder.write(folder, verdicts, **changes)).read_text(encoding="utf-8")


def front_of(run: Run) -> str:
    """The first page of a run."""
    return pages(run)[FRONT]
