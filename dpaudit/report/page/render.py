"""One offline HTML page from a run folder: reads the records, computes no outcome.

The page carries no script and asks the network for nothing. The same records give the
same bytes; durations and dates stand in the provenance section alone. Everything that
comes from records is escaped, stripped of control characters and cut to a readable length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from dpaudit.records.errors import MissingPackageError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report import catalogue, errata, formulas, scope, sections, wording
from dpaudit.report.page import figures, graph
from dpaudit.report.page import limits as page_limits
from dpaudit.report.page.limits import Limits
from dpaudit.report.severity import Standing, accusation, ordered
from dpaudit.runs import store
from dpaudit.runs.executors import local
from dpaudit.runs.executors.dask import WorkerDied
from dpaudit.runs.reading import Run, load_run

__all__ = ["Run", "load_run", "render", "write_report"]

TEMPLATES = Path(__file__).parent / "templates"
FEW = 16
"""Targets whose plots are drawn sooner than another process is there."""
CONTENTS = (
    ("scope", "What this shows"),
    ("unexpected", "Unexpected outcomes"),
    ("accepted", "Accepted findings"),
    ("refutations", "Refutations"),
    ("constants", "Constants"),
    ("claims", "Claims"),
    ("agreement", "Agreement"),
    ("audits", "Audits"),
    ("controls", "Controls"),
    ("provenance", "Provenance"),
)


def write_report(folder: Path, jobs: int = 1) -> Path:
    """Write report.html, and plots/ with the plots of each target, into `folder`; the path of the page.

    jobs: processes that make them, where there are more than FEW targets.
    """
    run = load_run(folder)
    page = folder / "report.html"
    drawn = list(figures.figures(folder, run.verdicts).values())
    texts = [partial(render, run), *(partial(_document, figure) for figure in drawn)]
    for place, made in local.execute(_made, texts, jobs if len(drawn) > FEW else 1):
        text = "" if isinstance(made, WorkerDied) else made
        if place:
            drawn[place - 1].write(folder, text)
        else:
            store.put(page, text or render(run))
    return page


def _made(text: Callable[[], str]) -> str:
    return text()


def _document(figure: figures.Figure) -> str:
    return figure.document


def render(run: Run) -> str:
    """The page of `run` as HTML text of at most `MOST_BYTES` bytes: what does not fit is counted, in words."""
    return page_limits.fitted(partial(_page, run, _context(run)))


def _page(run: Run, context: Json, limits: Limits) -> str:
    """The page under these limits; links to what they leave out are plain text."""
    drawn = figures.figures(run.folder, run.verdicts, limits.targets)
    shown = {v.id for v in context["wrong"][: limits.articles] if v.kind in (Kind.AUDIT, Kind.CONTROL)}
    html = _environment(limits).get_template("report.html").render(
        **context,
        limits=limits,
        figures=drawn,
        shown_targets=shown | {name for name, figure in drawn.items() if figure.in_page},
    )  # fmt: skip
    return _without_dead_links(html) + "\n"


def _environment(limits: Limits) -> Any:
    """The templates, every text escaped, cleaned and cut."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise MissingPackageError("jinja2", "report") from error

    def shown(value: object) -> object:
        return value if isinstance(value, Markup) or not isinstance(value, str) else wording.clean(value, limits.text)

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters.update(
        number=wording.number, anchor=wording.anchor, file=wording.file, word=attrgetter("word"), cut=limits.cut
    )
    environment.globals.update(
        {
            "sections": sections,
            "scope": scope,
            "catalogue": catalogue,
            "Outcome": Outcome,
            "Kind": Kind,
            "accusation": accusation,
            "typeset": _typeset,
        }
    )
    return environment


def _typeset(formula: str) -> Any:
    """A printed formula in a region that scrolls where it is wider than the page; empty if it cannot be typeset."""
    from markupsafe import Markup

    made = formulas.mathml(formula)
    region = '<div class="formula" tabindex="0" role="region" aria-label="Printed formula">{}</div>'
    return Markup(region).format(Markup(made)) if made else ""


def _context(run: Run) -> Json:
    """What the templates read, from the records alone."""
    from markupsafe import Markup

    verdicts = run.verdicts
    found = sections.refutations(verdicts)
    of_kind = {kind: [v for v in verdicts if v.kind is kind] for kind in Kind}
    wrong = sections.surprises(verdicts)
    accepted = [v for v in verdicts if not v.as_expected and not v.surprising]
    empty = {name for name, listed in (("unexpected", wrong), ("accepted", accepted)) if not listed}
    ledger_free = {k: v for k, v in run.header.items() if k not in {"plan", "error_budget"}}
    return {
        "header": run.header,
        "recorded": wording.plain(ledger_free),
        "facts": _facts(run),
        "verdicts": verdicts,
        "by_id": {v.id: v for v in verdicts},
        "wrong": wrong,
        "accepted": accepted,
        "contents": [(name, words) for name, words in CONTENTS if name not in empty],
        "exit_code": run.code,
        "infinity": math.inf,
        "columns": sections.engines(verdicts),
        "constants": errata.looseness(verdicts),
        "found": found,
        "errata": (listed := ordered(found.errata, Standing.of_run(verdicts))),
        "severities": {row.verdict.id: f"{row.severity}{errata.uses(row)}" for row in listed},
        "mutants": sections.mutants(verdicts),
        "papers": (papers := sections.papers(verdicts)),
        "forest": Markup(figures.forest(verdicts)),
        "graphs": {paper.name: Markup(graph.svg(verdicts, paper.name)) for paper in papers},
        "nulls": figures.null_p_values(run.folder, verdicts),
        "agreements": of_kind[Kind.AGREEMENT],
        "audits": of_kind[Kind.AUDIT],
        "controls": of_kind[Kind.CONTROL],
        "bugs": (bugs := catalogue.planted(verdicts)),
        "other_controls": [v for v in of_kind[Kind.CONTROL] if v not in [bug.verdict for bug in bugs]],
    }


def _without_dead_links(html: str) -> str:
    """Links whose goal was left out become plain text, and in a graph nodes without a link."""
    goals = set(re.findall(r'\bid="([^"]*)"', html))

    def kept(link: re.Match[str]) -> str:
        tag = "g" if link[1] else "code"
        return link[0] if link[2] in goals else f"<{tag}>{link[3]}</{tag}>"

    return re.sub(r'<a (class="node" )?href="#([^"]*)">(.*?)</a>', kept, html, flags=re.DOTALL)


def _facts(run: Run) -> Json:
    """The few fields of run.json that the first screen shows; "not recorded" where one is absent."""
    header = run.header
    versions, checkout, budget = (header.get(name) or {} for name in ("versions", "checkout", "error_budget"))
    cached = header.get("cached")
    commit = str(checkout.get("commit") or "not recorded")[:12]
    shown = (
        ("seed", header.get("seed", "not recorded")),
        ("level", header.get("level", "not recorded")),
        ("device", header.get("device", "not recorded")),
        ("dpaudit", versions.get("dpaudit", "not recorded")),
        ("commit", commit + (" with local changes" if checkout.get("dirty") else "")),
        ("error budget", wording.number(budget.get("total", "not recorded"))),
        *((("kept from an earlier run", f"{len(cached)} items, named under provenance"),) if cached else ()),
    )
    return {"budget": budget.get("total"), "shown": shown, "finished": run.finished}
