"""What the templates of a report read, from the records of a run alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpaudit.records.errors import MissingPackageError
from dpaudit.records.serial import Json
from dpaudit.records.verdict import Kind, Verdict
from dpaudit.report import catalogue, errata, sections, wording
from dpaudit.report.page import figures, graph
from dpaudit.report.severity import Standing, ordered
from dpaudit.runs import spending
from dpaudit.runs.reading import Run

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
OF_A_PAPER = (("errata", "Errata"), ("claims", "Claims and proofs"), ("constants", "Constants"))


def of_run(run: Run) -> Json:
    """Of the whole run. MissingPackageError without Jinja, which brings Markup."""
    try:
        from markupsafe import Markup
    except ImportError as error:
        raise MissingPackageError("jinja2", "report") from error

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


def of_paper(whole: Json, paper: sections.Paper) -> Json:
    """Of the page of one paper: `whole` with what belongs to the paper alone."""

    def own(verdicts: Sequence[Verdict]) -> list[Verdict]:
        return [v for v in verdicts if sections.paper_of(v) == paper.name]

    return whole | {
        "papers": (paper,),
        "contents": OF_A_PAPER,
        "verdicts": own([v for v in whole["verdicts"] if v.kind in (*sections.OF_PAPERS, Kind.MUTANT)]),
        "errata": [row for row in whole["errata"] if sections.paper_of(row.verdict) == paper.name],
        "constants": [row for row in whole["constants"] if sections.paper_of(row.verdict) == paper.name],
    }


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
        *((("ledger", spending.place(taken)),) if (taken := spending.recorded(header)) else ()),
        *((("kept from an earlier run", f"{len(cached)} items, named under provenance"),) if cached else ()),
    )
    return {"budget": budget.get("total"), "ledger": taken, "shown": shown, "finished": run.finished}
