"""One offline HTML page from a run folder: reads the records, computes no outcome.

The page carries no script and asks the network for nothing. The same records give the
same bytes; durations and dates stand in the provenance section alone. Everything that
comes from records is escaped, stripped of control characters and cut to a readable length.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from dpaudit import catalogue, figures, ledger, scope, sections, wording
from dpaudit.errors import MissingPackageError
from dpaudit.reading import Run, load_run
from dpaudit.verdict import ExitCode, Kind, Outcome, exit_code

__all__ = ["Run", "load_run", "render", "write_report"]

TEMPLATES = Path(__file__).parent / "templates"
FULL_FINDINGS = 40
CONTENTS = (
    ("scope", "What this shows"),
    ("unexpected", "Unexpected outcomes"),
    ("refutations", "Refutations"),
    ("constants", "Constants"),
    ("claims", "Claims"),
    ("agreement", "Agreement"),
    ("audits", "Audits"),
    ("controls", "Controls"),
    ("provenance", "Provenance"),
)


def write_report(folder: Path) -> Path:
    """Write report.html (and plots/ for the targets that the page only links) into `folder`; the path of the page."""
    run = load_run(folder)
    page = folder / "report.html"
    page.write_text(render(run), encoding="utf-8")
    return page


def render(run: Run) -> str:
    """The page of `run` as HTML text."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise MissingPackageError("jinja2", "report") from error
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda v: v if isinstance(v, Markup) or not isinstance(v, str) else wording.clean(v),
    )
    environment.filters.update({"number": wording.number, "anchor": wording.anchor, "plain": wording.plain})
    environment.filters["word"] = sections.word
    environment.globals.update(
        {"sections": sections, "scope": scope, "catalogue": catalogue, "Outcome": Outcome, "Kind": Kind}
    )
    return environment.get_template("report.html").render(
        **_context(run),
        figures=figures.figures(run.folder, run.verdicts),
        forest=Markup(figures.forest(run.verdicts)),
        nulls=figures.null_p_values(run.folder, run.verdicts),
        picture=lambda figure: Markup(figure.svg),
    )


def _context(run: Run) -> dict[str, Any]:
    """What the templates read, from the records alone."""
    verdicts = run.verdicts
    of_kind = {kind: [v for v in verdicts if v.kind is kind] for kind in Kind}
    wrong = sections.surprises(verdicts)
    contents = [(name, words) for name, words in CONTENTS if name != "unexpected" or wrong]
    return {
        "header": run.header,
        "facts": _facts(run.header),
        "verdicts": verdicts,
        "by_id": {v.id: v for v in verdicts},
        "wrong": wrong,
        "contents": contents,
        "limit": FULL_FINDINGS,
        "inline_plots": figures.INLINE_PLOTS,
        "exit_code": _exit_code(run),
        "infinity": math.inf,
        "columns": sections.engines(verdicts),
        "constants": ledger.looseness(verdicts),
        "found": sections.refutations(verdicts),
        "agreements": of_kind[Kind.AGREEMENT],
        "audits": of_kind[Kind.AUDIT],
        "controls": of_kind[Kind.CONTROL],
        "bugs": (bugs := catalogue.planted(verdicts)),
        "other_controls": [v for v in of_kind[Kind.CONTROL] if v not in [bug.verdict for bug in bugs]],
    }


def _exit_code(run: Run) -> ExitCode:
    """The exit code as the verdicts give it, so that no line of run.json can make it look better."""
    if not _finished(run.header):
        return ExitCode.INTERRUPTED
    return exit_code(run.verdicts, run.header.get("allow_inconclusive") is True)


def _finished(header: dict[str, Any]) -> bool:
    return header.get("finished") is not None and header.get("exit_code") != ExitCode.INTERRUPTED


def _facts(header: dict[str, Any]) -> dict[str, Any]:
    """The few fields of run.json that the first screen shows; "not recorded" where one is absent."""
    versions, checkout, ledger = (header.get(name) or {} for name in ("versions", "checkout", "error_budget"))
    commit = str(checkout.get("commit") or "not recorded")[:12]
    shown = (
        ("seed", header.get("seed", "not recorded")),
        ("level", header.get("level", "not recorded")),
        ("device", header.get("device", "not recorded")),
        ("dpaudit", versions.get("dpaudit", "not recorded")),
        ("commit", commit + (" with local changes" if checkout.get("dirty") else "")),
        ("error budget", wording.number(ledger.get("total", "not recorded"))),
    )
    return {"budget": ledger.get("total"), "shown": shown, "finished": _finished(header)}
