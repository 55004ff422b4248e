"""What the templates read: of the run all of it, of a paper what belongs to it alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import run_folder

from dpaudit.records.serial import encode
from dpaudit.records.verdict import Kind
from dpaudit.report.page import context
from dpaudit.runs.reading import load_run
from dpaudit.runs.spending import Taken


def test_the_page_of_a_paper_has_its_claims_its_errata_and_its_mutants_and_no_other(tmp_path: Path) -> None:
    whole = context.of_run(load_run(run_folder.write(tmp_path)))
    rbcd, srm = (context.of_paper(whole, paper) for paper in whole["papers"])
    assert [row.verdict.id for row in rbcd["errata"]] == ["rbcd/LEM-2/s2"]
    assert srm["errata"] == []
    assert {v.id.partition("/")[0] for v in rbcd["verdicts"]} == {"rbcd"}
    of_papers = [v for v in whole["verdicts"] if v.kind in (Kind.CLAIM, Kind.STEP, Kind.REDUCTION, Kind.MUTANT)]
    assert len(rbcd["verdicts"]) + len(srm["verdicts"]) == len(of_papers)
    assert rbcd["by_id"] is whole["by_id"], "a repair may stand on another page"


def test_sections_without_content_are_not_offered(tmp_path: Path) -> None:
    names = [name for name, _ in context.of_run(load_run(run_folder.write(tmp_path)))["contents"]]
    assert "unexpected" in names
    assert "accepted" not in names


def test_the_first_screen_names_the_ledger_that_the_error_budget_is_from(tmp_path: Path) -> None:
    run = load_run(run_folder.write(tmp_path))
    taken = Taken("n.json", "2026-11-21T03:00:00+00:00", 0.05, 365, 7, 0.001)
    facts = context.of_run(replace(run, header=run.header | {"spending": encode(taken)}))["facts"]
    assert ("ledger", "run 7 of the ledger n.json, whose runs share 0.05") in facts["shown"]
    assert facts["ledger"] == taken
    assert "ledger" not in dict(context.of_run(run)["facts"]["shown"])
