"""Errata for the command line: of a run as it was, of the claims as they are."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from command_line import dpaudit
from small_content import boxed_text, claim_text, write

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms import _template
from dpaudit.claims import verify
from dpaudit.cli.errata import errata
from dpaudit.content import loading, places
from dpaudit.content.items import Loaded
from dpaudit.records.claim import Claim
from dpaudit.records.verdict import Outcome, Verdict
from dpaudit.report.severity import Severity


def test_errata_of_the_claims_as_they_are(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    (row,) = errata(None, None)
    found = row.verdict
    assert row.severity is Severity.PROOF, "the claim is proved, and this step of it fails"
    assert (found.id, found.outcome, found.repair) == ("toy/LEM-2/s1", Outcome.REFUTED, "toy/LEM-2")
    assert dict(found.witness)["r"] == "1/2"
    assert errata(None, workdir / "proofs" / "toy" / "lem_1.py") == []


def test_a_file_that_cannot_be_judged_stops_no_other(workdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = verify.refuted_as_printed

    def judged(claim: Claim, *rest: Any) -> list[Verdict]:
        if claim.id == "toy/LEM-1":
            os._exit(1)
        [found] = original(claim, *rest)
        return [found, replace(found, id="toy/LEM-3/s1")]

    monkeypatch.setattr(verify, "refuted_as_printed", judged)
    for number in (1, 2):
        write(workdir / "proofs" / "toy" / f"lem_{number}.py", boxed_text(f"toy/LEM-{number}"))
    done = dpaudit("errata", "--format", "json")
    assert "toy/LEM-1 is left out: the process that the file was checked in ended early" in done.stderr
    assert [row["id"] for row in json.loads(done.stdout)] == ["toy/LEM-2/s1"]


def test_errata_of_a_run_include_what_was_not_expected(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text(right="a**2 + b**2"))
    write(workdir / "proofs" / "toy" / "lem_3.py", claim_text("toy/LEM-3"))
    words = ["verify", "--jobs", "1", "--no-report", "--run-dir", "out"]
    assert dpaudit(*words).exit_code == 1
    assert [row.verdict.id for row in errata(Path("out"), None)] == ["toy/LEM-1"]
    assert errata(None, None) == []  # only a statement that is expected to fail is looked up


def test_errata_of_the_shipped_papers_include_a_reduction_that_is_printed_and_false(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = Pair("the instance", np.zeros(1), np.ones(1))
    false, true = (
        Reduction(f"toy/RED-{i}", "it is another", "the two are equal", "nobody", lambda: (pair,), expects, "it is not")
        for i, expects in enumerate((Outcome.REFUTED, Outcome.CONSISTENT))
    )
    module = SimpleNamespace(reductions=lambda seed: (false, true))
    loaded = Loaded(_template.ALGORITHM, cast(ModuleType, module), Path("toy.py"))
    monkeypatch.setattr(loading, "load_algorithms", lambda: (loaded,))
    monkeypatch.setattr(loading, "forms_of", lambda code: code)
    monkeypatch.setattr(places, "shipped_folder", lambda name: workdir / name)
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    (row,) = errata(None, None)
    found = row.verdict
    assert row.severity is Severity.CODE
    assert (found.id, found.effect) == ("agree/template/ALG-1/reference/RED-0", "it is not")
    assert errata(None, workdir / "proofs" / "toy") == [], "another folder of claims has nothing to do with them"
