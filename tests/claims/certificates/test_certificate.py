"""Certificates are tied to the text that they prove, and PROVED is what the checker accepts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dpaudit.claims.argument.nodes import as_data
from dpaudit.claims.certificates import certificate
from dpaudit.claims.citations import Citations, items_of
from dpaudit.claims.verify import verify_claim
from dpaudit.recheck.check import digest
from dpaudit.records.claim import (
    Bound,
    Boxes,
    ByTheorem,
    Claim,
    ClaimKind,
    ForEvery,
    Positive,
    Statement,
    Step,
    Tightness,
    constant,
    gaussian,
    integer,
    real,
    vector,
)
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import Basis, Outcome, Verdict

R = real("r", "[0, 1]")
HUMP = Statement("r*(1 - r) <= 0.26", (R,))
FALSE = Statement("r*(1 - r) <= 0.2", (R,))
CLAIM = Claim("toy/LEM-2", "", "", "", ClaimKind.INEQUALITY, HUMP, (Boxes(),),
              steps=(Step("s1", "", HUMP, (Boxes(),)), Step("s2", "", FALSE, expects=Outcome.REFUTED)),
              tightness=(Tightness("height", "0.26", "r*(1 - r) <= {c}", proved="0.251"),))  # fmt: skip
NAMES = ["toy/LEM-2", "toy/LEM-2~best-height", "toy/LEM-2/s1", "toy/LEM-2/s2"]


def verified(folder: Path, claim: Claim = CLAIM) -> list[Verdict]:
    """The verdicts of the engines, before the checker has seen the certificates in `folder`."""
    return verify_claim(claim, None, Context(7, Level.SMOKE, 1e-6, folder=str(folder)))


def stale(found: certificate.Checked, claims: list[Claim]) -> str:
    """Why the certificate belongs to none of the claims, where nothing but they may be cited."""
    items = {name: item for claim in claims for name, item in items_of(claim).items()}
    return certificate.stale(found, claims, Citations(items))


def written(folder: Path, name: str) -> Path:
    return folder / certificate.FOLDER / certificate.file_name(name)


def test_every_change_of_statement_or_argument_changes_the_source() -> None:
    sources = {
        certificate.source(statement, argument)
        for statement in (HUMP, FALSE, replace(HUMP, conditions=("r <= 1",)),
                          replace(HUMP, symbols=(real("r", "[0, 1)"),)))
        for argument in ((Boxes(),), (Boxes(7),), (Positive(),))
    }  # fmt: skip
    assert len(sources) == 12


def test_what_is_proved_and_what_a_point_refutes_leaves_a_certificate_of_its_own_statement(tmp_path: Path) -> None:
    verified(tmp_path)
    for name in NAMES:
        (found,) = certificate.recheck([written(tmp_path, name)])
        assert (found.reason, found.claim) == ("", name)
        assert found.outcome == ("REFUTED" if name == "toy/LEM-2/s2" else "PROVED")
        assert stale(found, [CLAIM]) == ""


def test_a_certificate_is_stale_once_its_statement_or_argument_is_edited(tmp_path: Path) -> None:
    verified(tmp_path)
    (found,) = certificate.recheck([written(tmp_path, "toy/LEM-2")])
    edited = replace(CLAIM, statement=replace(HUMP, expression="r*(1 - r) <= 0.255"))
    assert "was edited" in stale(found, [edited])
    assert "was edited" in stale(found, [replace(CLAIM, argument=(Boxes(9),))])
    assert "was edited" in stale(found, [replace(CLAIM, statement=None)])
    assert "no statement" in stale(found, [replace(CLAIM, id="toy/LEM-3")])


def test_a_certificate_under_another_name_is_refused_or_stale(tmp_path: Path) -> None:
    verified(tmp_path)
    path = written(tmp_path, "toy/LEM-2")
    data = json.loads(path.read_text()) | {"claim": "toy/LEM-9"}
    path.write_text(json.dumps(data))
    assert "digest" in certificate.recheck([path])[0].reason
    path.write_text(json.dumps(data | {"digest": digest(data)}))
    assert "no statement" in stale(certificate.recheck([path])[0], [CLAIM])


def test_a_certificate_of_another_statement_does_not_pass_by_its_source(tmp_path: Path) -> None:
    """Right digest, right source, a true and trivial statement in the place of the one that was to be shown."""
    trivial = replace(CLAIM, statement=Statement("r <= 3", (R,)), steps=(), tightness=())
    verified(tmp_path, trivial)
    path = written(tmp_path, "toy/LEM-2")
    data = json.loads(path.read_text()) | {"source": certificate.source(HUMP, (Boxes(),))}
    path.write_text(json.dumps(data | {"digest": digest(data)}))
    (found,) = certificate.recheck([path])
    assert found.reason == ""
    assert "another statement" in stale(found, [CLAIM])


def test_what_a_certificate_may_be_about() -> None:
    assert [name for name, _, _ in certificate.certifiable(CLAIM)] == NAMES
    best = next(statement for name, statement, _ in certificate.certifiable(CLAIM) if "best" in name)
    assert best is not None
    assert best.expression == "r*(1 - r) <= (0.251)"
    outcomes = [outcome for _, _, outcome in certificate.expected(CLAIM)]
    assert outcomes == [Outcome.PROVED, Outcome.PROVED, Outcome.PROVED, Outcome.REFUTED]


def test_statements_are_written_and_read_as_they_were_stated(tmp_path: Path) -> None:
    """Unused symbols and conditions stay, open ends stay open, an integer keeps the range that was written."""
    symbols = (real("unused", "(0, 1]"), integer("n", "[1/2, 3]"), R)
    statement = Statement("r <= n", symbols, ("unused <= 1",))
    claim = Claim("toy/LEM-1", "", "", "", ClaimKind.INEQUALITY, statement, (Boxes(),))
    verified(tmp_path, claim)
    path = written(tmp_path, "toy/LEM-1")
    assert certificate.recheck([path])[0].reason == ""
    assert certificate.statement_of(json.loads(path.read_text())["statement"]) == statement
    drawn = Statement("dot(v, v) >= 0", (vector("v"), gaussian("g", "1/2")))
    assert certificate.statement_of(as_data(drawn)) == drawn


def test_proofs_of_a_run_are_confirmed(tmp_path: Path) -> None:
    verdicts = verified(tmp_path)
    confirmed = {v.id: v for v in certificate.confirm(verdicts, str(tmp_path))}
    for name in NAMES:
        last = confirmed[name].evidence[-1]
        assert (last.engine, last.outcome) == (certificate.CHECKER, confirmed[name].outcome)
        assert "accepts the certificate" in last.detail
    assert certificate.confirm(verdicts, None) == verdicts


def test_only_the_same_bytes_are_not_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = verified(tmp_path)
    said = certificate.confirm(verdicts, str(tmp_path))
    written(tmp_path, NAMES[0]).write_text(written(tmp_path, NAMES[0]).read_text() + "\n")
    asked: list[Path] = []
    real = certificate.recheck
    monkeypatch.setattr(certificate, "recheck", lambda paths: asked.extend(paths) or real(paths))
    assert certificate.confirm(verdicts, str(tmp_path)) == said
    assert asked == [written(tmp_path, NAMES[0])]


def test_what_the_checker_refuses_is_not_proved(tmp_path: Path) -> None:
    verdicts = verified(tmp_path)
    file = written(tmp_path, "toy/LEM-2/s1")
    text = file.read_text()
    assert "0.26" in text
    file.write_text(text.replace("0.26", "0.2"))
    confirmed = {v.id: v for v in certificate.confirm(verdicts, str(tmp_path))}
    refused = confirmed["toy/LEM-2/s1"]
    assert (refused.outcome, refused.basis) == (Outcome.CONSISTENT, Basis.UNCHECKED_PROOF)
    assert "refuses the certificate" in refused.evidence[-1].detail
    assert confirmed["toy/LEM-2"].outcome is Outcome.PROVED


def test_a_refutation_by_an_argument_falls_with_its_certificate(tmp_path: Path) -> None:
    """One by a point stands for itself."""
    wrong = Statement("x <= C", (constant("C"), real("x", "[0, oo)")))
    step = Step("s9", "no bound", wrong, (ForEvery((("x", "2*C"),)),), expects=Outcome.REFUTED)
    verdicts = verified(tmp_path, replace(CLAIM, steps=(*CLAIM.steps, step)))
    for file in (tmp_path / "certificates").glob("*.json"):
        file.write_text(file.read_text().replace('"goal"', '"gaol"', 1))
    confirmed = {v.id: v.outcome for v in certificate.confirm(verdicts, str(tmp_path))}
    assert {v.id: v.outcome for v in verdicts}["toy/LEM-2/s9"] is Outcome.REFUTED
    assert confirmed["toy/LEM-2/s9"] is Outcome.INCONCLUSIVE
    assert confirmed["toy/LEM-2/s2"] is Outcome.REFUTED


def test_a_checker_that_dies_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate.sys, "executable", "/bin/false")
    with pytest.raises(ContentError, match="ended early"):
        certificate.recheck([tmp_path / "one.json"])
    assert certificate.recheck([]) == []


def test_the_checker_is_not_taken_from_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "dpaudit" / "recheck"
    fake.mkdir(parents=True)
    for folder in (fake.parent, fake):
        (folder / "__init__.py").touch()
    row = {"claim": "x", "source": "y", "outcome": "PROVED", "steps": 1, "boxes": 1, "solvers": 0, "seconds": 0.0,
           "reason": "", "sha256": ""}  # fmt: skip
    (fake / "__main__.py").write_text(f"print({json.dumps(json.dumps(row))})\n")
    monkeypatch.chdir(tmp_path)
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{}")
    (found,) = certificate.recheck([damaged])
    assert found.reason


def test_a_certificate_is_stale_once_a_ground_is_edited(tmp_path: Path) -> None:
    """It rests on what the ground said then."""
    weak = Statement("r*(1 - r) <= 1", (R,))
    ground = Step("s1", "", HUMP, (Boxes(),))
    whole = Bound(left="0.26", by="toy/LEM-2/s1"), Positive()
    claim = Claim("toy/LEM-2", "", "", "", ClaimKind.INEQUALITY, weak, whole, steps=(ground,))
    verified(tmp_path, claim)
    (found,) = certificate.recheck([written(tmp_path, "toy/LEM-2")])
    assert (found.reason, stale(found, [claim])) == ("", "")
    edited = replace(claim, steps=(replace(ground, statement=weak),))
    assert "toy/LEM-2/s1 as it does not read now" in stale(found, [edited])
    refuted = replace(claim, steps=(replace(ground, expects=Outcome.REFUTED),))
    assert "toy/LEM-2/s1 is expected to be REFUTED" in stale(found, [refuted])
    circular = replace(claim, steps=(replace(ground, argument=(ByTheorem("toy/LEM-2"),)),))
    assert "itself rests on toy/LEM-2" in stale(found, [circular])
