"""Certificates are tied to the text that they prove, and a refused one makes an ERROR."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpaudit.claims.certificates import certificate
from dpaudit.claims.engines.rigorous.boxes import prove
from dpaudit.claims.verify import verify_claim
from dpaudit.recheck.check import digest
from dpaudit.records.claim import (
    Bound,
    Boxes,
    Cases,
    Claim,
    ClaimKind,
    Identical,
    Induct,
    Monotone,
    Positive,
    Statement,
    Step,
    Tightness,
    integer,
    real,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Outcome

R = real("r", "[0, 1]")
HUMP = Statement("r*(1 - r) <= 0.26", (R,))
CLAIM = Claim("toy/LEM-2", "", "", "", ClaimKind.INEQUALITY, HUMP, (Boxes(),),
              steps=(Step("s1", "", HUMP, (Boxes(),)),),
              tightness=(Tightness("height", "0.26", "r*(1 - r) <= {c}", proved="0.251"),))  # fmt: skip


def made(name: str = "toy/LEM-2", statement: Statement = HUMP) -> str:
    return certificate.text(name, statement, (Boxes(),), [(statement, prove(statement, 5_000))])


def checked(folder: Path, text: str) -> certificate.Checked:
    file = folder / "one.json"
    file.write_text(text)
    (found,) = certificate.recheck([file])
    return found


def test_every_change_of_statement_or_argument_changes_the_source() -> None:
    sources = {
        certificate.source(statement, argument)
        for statement in (HUMP, replace(HUMP, expression="r*(1 - r) <= 0.27"), replace(HUMP, conditions=("r <= 1",)),
                          replace(HUMP, symbols=(real("r", "[0, 1)"),)))
        for argument in ((Boxes(),), (Boxes(7),), (Positive(),))
    }  # fmt: skip
    assert len(sources) == 12


def test_a_certificate_fits_its_own_statement_alone(tmp_path: Path) -> None:
    found = checked(tmp_path, made())
    assert (found.reason, found.claim) == ("", "toy/LEM-2")
    assert found.boxes > 0
    assert certificate.stale(found, [CLAIM]) == ""
    edited = replace(CLAIM, statement=replace(HUMP, expression="r*(1 - r) <= 0.255"))
    assert "was edited" in certificate.stale(found, [edited])
    assert "was edited" in certificate.stale(found, [replace(CLAIM, argument=(Boxes(9),))])
    assert "was edited" in certificate.stale(found, [replace(CLAIM, statement=None)])
    assert "no statement" in certificate.stale(found, [replace(CLAIM, id="toy/LEM-3")])


def test_a_certificate_under_another_name_is_refused_or_stale(tmp_path: Path) -> None:
    data = json.loads(made()) | {"claim": "toy/LEM-9"}
    assert "digest" in checked(tmp_path, json.dumps(data)).reason
    signed = data | {"digest": digest(data)}
    assert "no statement" in certificate.stale(checked(tmp_path, json.dumps(signed)), [CLAIM])


def test_what_a_certificate_may_be_about() -> None:
    names = [name for name, _, _ in certificate.certifiable(CLAIM)]
    assert names == ["toy/LEM-2", "toy/LEM-2~best-height", "toy/LEM-2/s1"]
    best = next(statement for name, statement, _ in certificate.certifiable(CLAIM) if "best" in name)
    assert best is not None
    assert best.expression == "r*(1 - r) <= (0.251)"


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ((Boxes(),), True),
        ((Positive(),), False),
        ((Bound(left="1", argument=(Boxes(),)), Identical()), True),
        ((Cases((("r <= 1", (Identical(),)), ("otherwise", (Boxes(),)))),), True),
        ((Monotone("r", "low", (Boxes(),)), Positive()), True),
        ((Induct("n", (Positive(),), (Boxes(),)),), True),
        ((Induct("n", (Positive(),), (Positive(),)),), False),
    ],
)
def test_box_proofs_are_found_inside_other_moves(argument: tuple[Boxes, ...], expected: bool) -> None:
    assert certificate.has_boxes(argument) is expected


def test_the_symbols_are_those_that_the_boxes_are_made_of(tmp_path: Path) -> None:
    symbols = (real("unused", "[0, 1]"), integer("n", "[1/2, 3]"), R)
    statement = Statement("r <= n", symbols, ("unused <= r",))
    part = json.loads(made(statement=statement))["parts"][0]
    assert part["symbols"] == [["n", "integer", "1", "3"], ["r", "real", "0", "1"]]
    assert part["conditions"] == []
    assert checked(tmp_path, made(statement=statement)).reason == ""


def test_proofs_of_a_run_are_confirmed(tmp_path: Path) -> None:
    verdicts = verify_claim(CLAIM, None, Context(7, Level.SMOKE, 1e-6, folder=str(tmp_path)))
    confirmed = {v.id: v for v in certificate.confirm(verdicts, str(tmp_path))}
    for name in ("toy/LEM-2", "toy/LEM-2/s1", "toy/LEM-2~best-height"):
        assert confirmed[name].outcome is Outcome.PROVED
        assert confirmed[name].evidence[-1].engine == "recheck"
    assert certificate.confirm(verdicts, None) == verdicts


def test_a_refused_certificate_makes_an_error_of_its_verdict_alone(tmp_path: Path) -> None:
    verdicts = verify_claim(CLAIM, None, Context(7, Level.SMOKE, 1e-6, folder=str(tmp_path)))
    file = tmp_path / certificate.FOLDER / certificate.file_name("toy/LEM-2/s1")
    file.write_text(file.read_text().replace("13/50", "1/5"))
    confirmed = {v.id: v for v in certificate.confirm(verdicts, str(tmp_path))}
    assert confirmed["toy/LEM-2/s1"].outcome is Outcome.ERROR
    assert "refuses" in confirmed["toy/LEM-2/s1"].evidence[-1].detail
    assert confirmed["toy/LEM-2"].outcome is Outcome.PROVED


def test_a_checker_that_dies_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate.sys, "executable", "/bin/false")
    with pytest.raises(ContentError, match="ended early"):
        certificate.recheck([tmp_path / "one.json"])
    assert certificate.recheck([]) == []


def test_a_certificate_of_other_goals_does_not_fit_its_statement(tmp_path: Path) -> None:
    """Right digests, a true but trivial goal: only walking the argument tells that it is not what was to be shown."""
    statement, moves = Statement("exp(r) <= 3", (R,)), (Boxes(),)
    trivial = Statement("r <= 3", (R,))
    for goal, fits in ((statement, True), (trivial, False)):
        path = tmp_path / "one.json"
        path.write_text(certificate.text("toy/LEM-1", statement, moves, [(goal, prove(goal, 100))]))
        checked = certificate.recheck([path])[0]
        claim = Claim("toy/LEM-1", "t", "w", "p", ClaimKind.INEQUALITY, statement, moves)
        assert checked.reason == ""
        assert (certificate.stale(checked, [claim]) == "") is fits


def test_the_checker_is_not_taken_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "dpaudit" / "recheck"
    fake.mkdir(parents=True)
    for folder in (fake.parent, fake):
        (folder / "__init__.py").touch()
    row = {"claim": "x", "source": "y", "boxes": 1, "seconds": 0.0, "reason": ""}
    (fake / "__main__.py").write_text(f"print({json.dumps(json.dumps(row))})\n")
    monkeypatch.chdir(tmp_path)
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{}")
    (found,) = certificate.recheck([damaged])
    assert found.reason
