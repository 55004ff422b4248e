"""The texts of the pages of a run: one page, or one for each paper and a front page that leads to them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind
from dpaudit.report import sections, wording
from dpaudit.report.page import context, figures, links, templating
from dpaudit.report.page import limits as page_limits
from dpaudit.report.page.limits import Limits
from dpaudit.runs.reading import Run

FRONT = "report.html"
FOLDER = "papers"
MOST_TOGETHER = 300
"""Claims and steps up to which several papers share one page: more are hard to find one's way in."""
MOST_PAGES = 60
Texts = dict[str, str]
"""Files by their path in the run folder."""


def pages(run: Run) -> Texts:
    """The pages of `run`, each of at most `MOST_BYTES` bytes: what does not fit is counted, in words.

    Papers with many claims have a page each.
    """
    whole = context.of_run(run)
    apart = _apart(whole["papers"])
    made = {FRONT: page_limits.fitted(partial(_front, run, whole, apart))}
    for paper in whole["papers"]:
        if paper.name in apart:
            own = context.of_paper(whole, paper)
            made[apart[paper.name]] = page_limits.fitted(partial(_of_paper, own, apart[paper.name]))
    return links.joined(made)


def _apart(papers: tuple[sections.Paper, ...]) -> Mapping[str, str]:
    """The path of its page for each paper that has one."""
    if not 1 < len(papers) <= MOST_PAGES or sum(len(paper.rows) for paper in papers) <= MOST_TOGETHER:
        return {}
    names = [re.sub(r"[^\w-]+", "-", wording.clean(paper.name, 60)).lower() for paper in papers]
    unlike = len(set(names)) == len(names)
    stems = names if unlike else [f"{place}-{name}" for place, name in enumerate(names, 1)]
    return {paper.name: f"{FOLDER}/{stem}.html" for paper, stem in zip(papers, stems, strict=True)}


def _front(run: Run, whole: Json, apart: Mapping[str, str], limits: Limits) -> str:
    drawn = figures.figures(run.folder, run.verdicts, limits.targets)
    shown = {v.id for v in whole["wrong"][: limits.articles] if v.kind in (Kind.AUDIT, Kind.CONTROL)}
    return _drawn(
        "report.html",
        templating.environment(limits),
        **whole,
        apart=apart,
        elsewhere=_elsewhere(whole["papers"], apart),
        alone=False,
        limits=limits,
        figures=drawn,
        shown_targets=shown | {name for name, figure in drawn.items() if figure.in_page},
    )


def _of_paper(own: Json, path: str, limits: Limits) -> str:
    templates = templating.environment(limits, above="../")
    front = links.between(path, FRONT)
    given = {"apart": {}, "elsewhere": "", "alone": True, "figures": {}, "shown_targets": set()}
    return _drawn("paper.html", templates, **own, **given, front=front, limits=limits)


def _drawn(name: str, templates: Any, **given: object) -> str:
    return str(templates.get_template(name).render(**given)) + "\n"


def _elsewhere(papers: tuple[sections.Paper, ...], apart: Mapping[str, str]) -> Any:
    """For the search: the claims and steps of each page of a paper, by anchor, with their outcomes.

    Anchors and paths have no sign that ends a script.
    """
    from markupsafe import Markup

    rows = {
        apart[paper.name]: [(wording.anchor(row.verdict.id), row.verdict.outcome.value) for row in paper.rows]
        for paper in papers
        if paper.name in apart
    }
    return Markup(json.dumps(rows, separators=(",", ":"))) if rows else ""
