"""What Coq said of a run's certificates: evidence beside that of the engines, and never an outcome."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import run_folder

from dpaudit.records.errors import ContentError
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Basis, Evidence, Kind, Outcome, Verdict
from dpaudit.runs import opinions, store
from dpaudit.runs.reading import load_run

PROVED, REFUTED = Outcome.PROVED, Outcome.REFUTED


def shown(name: str, outcome: Outcome) -> Verdict:
    """A verdict with a certificate of its own."""
    made = run_folder.verdict(f"toy/{name}", Kind.CLAIM, outcome)
    return replace(made, attachments=(f"certificates/{name}.json",))


RUN = [
    shown("true", PROVED),
    shown("assuming", PROVED),
    shown("hard", PROVED),
    shown("odd", PROVED),
    shown("wrong", REFUTED),
    replace(shown("inferred", Outcome.CONSISTENT), basis=Basis.REFUTED_GIVEN),
    run_folder.verdict("toy/searched", Kind.CLAIM, Outcome.CONSISTENT),
]
ROWS = [
    {"state": "accepted", "name": "toy/true", "detail": ""},
    {"state": "accepted", "name": "toy/assuming", "detail": "assuming jensen"},
    {"state": "refused", "name": "toy/hard", "detail": "a script does not go through"},
    {"state": "not translated", "name": "toy/odd", "detail": "Phi is not said in Coq yet"},
    {"state": "accepted", "name": "toy/wrong", "detail": ""},
    {"state": "accepted", "name": "toy/inferred", "detail": ""},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished run with a certificate for each verdict that names one."""
    run_folder.put(tmp_path, run_folder.header(RUN), [encode(v) for v in RUN])
    store.attach(tmp_path, {name: v.id for v in RUN for name in v.attachments})
    return tmp_path


def said(folder: Path) -> dict[str, tuple[Outcome, str]]:
    """The evidence of Coq by the last part of the id."""
    verdicts = load_run(folder).verdicts
    found = [(v.id.removeprefix("toy/"), e) for v in verdicts for e in v.evidence if e.engine == opinions.ENGINE]
    return {name: (one.outcome, one.detail) for name, one in found}


def test_every_opinion_is_evidence_of_its_verdict_and_no_outcome_changes(folder: Path) -> None:
    before = load_run(folder)
    opinions.keep(folder, before.verdicts, ROWS)
    assert said(folder) == {
        "true": (PROVED, "Coq accepts the certificate"),
        "assuming": (PROVED, "Coq accepts the certificate: assuming jensen"),
        "hard": (Outcome.INCONCLUSIVE, "Coq does not accept the certificate: a script does not go through"),
        "odd": (Outcome.NOT_RUN, "not translated: Phi is not said in Coq yet"),
        "wrong": (REFUTED, "Coq accepts the certificate"),
        "inferred": (PROVED, "Coq accepts the certificate"),
    }
    after = load_run(folder)
    assert [v.outcome for v in after.verdicts] == [v.outcome for v in before.verdicts]
    assert after.code is before.code


def test_where_there_was_no_coq_every_certificate_says_so(folder: Path) -> None:
    row = {"state": "NOT_RUN", "name": "coqc", "detail": "apt install coq"}
    opinions.keep(folder, load_run(folder).verdicts, [row])
    assert set(said(folder)) == {"true", "assuming", "hard", "odd", "wrong", "inferred"}
    assert set(said(folder).values()) == {(Outcome.NOT_RUN, "not run: apt install coq")}


def test_an_opinion_on_another_certificate_is_forgotten(folder: Path) -> None:
    opinions.keep(folder, load_run(folder).verdicts, ROWS)
    (folder / "certificates" / "true.json").write_text("another proof", encoding="utf-8")
    (folder / "certificates" / "wrong.json").unlink()
    assert set(said(folder)) == {"assuming", "hard", "odd", "inferred"}


def test_asked_again_it_is_said_once(folder: Path) -> None:
    for _ in range(2):
        opinions.keep(folder, load_run(folder).verdicts, ROWS[:1])
    assert load_run(folder).verdicts[0].evidence[1:] == (Evidence("coq", PROVED, "Coq accepts the certificate"),)


@pytest.mark.parametrize("text", ["{", "[]", '{"opinions": []}', '{"opinions": {"toy/true": {"result": "accepted"}}}'])
def test_a_damaged_file_is_named(folder: Path, text: str) -> None:
    (folder / opinions.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ContentError, match=r"kernel\.json is damaged .*; remove it"):
        load_run(folder)
