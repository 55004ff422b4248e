"""Shipped certificates save a search where the checker accepts them, and never make a verdict stronger."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_content import boxed_text, write

from dpaudit.claims import judge
from dpaudit.claims.argument import nodes
from dpaudit.claims.certificates import certificate, shipped
from dpaudit.claims.citations import citations_of
from dpaudit.claims.engines.rigorous.boxes import BoxProof
from dpaudit.claims.source import Source
from dpaudit.claims.verify import verify_claim
from dpaudit.content import loading, places
from dpaudit.content.items import Loaded
from dpaudit.recheck.check import digest
from dpaudit.recheck.rules import closing
from dpaudit.records.context import Context, Level
from dpaudit.records.verdict import Outcome, Verdict

NAME = "toy/LEM-2"
CONTEXT = Context(7, Level.SMOKE, 1e-6)


@pytest.fixture
def claim(workdir: Path) -> Path:
    """A claim file with the certificates of its three verdicts beside it."""
    file = write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text(NAME))
    verified(file, folder=str(file.parent))
    assert len(list((file.parent / certificate.FOLDER).iterdir())) == 3
    return file


def verified(file: Path, context: Context = CONTEXT, **more: Any) -> dict[str, Verdict]:
    """The verdicts on the claim of a file, as a run makes them."""
    (item,) = loading.load_claims([file])
    assert isinstance(item, Loaded)
    context = replace(context, **more)
    verdicts = verify_claim(item.record, item.carrier, context)
    return {v.id: v for v in certificate.confirm(verdicts, context.folder)}


def changed(file: Path, change: Callable[[dict[str, Any]], object], signed: bool = True) -> None:
    """Change a certificate; `signed`: with a digest that fits again."""
    path = file.parent / certificate.FOLDER / certificate.file_name(NAME)
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data | ({"digest": digest(data)} if signed else {})))


def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The goals that boxes are searched for, from now on."""
    found: list[str] = []
    real = nodes.prove

    def prove(goal: Any, *more: Any) -> BoxProof:
        found.append(goal.expression)
        return real(goal, *more)

    monkeypatch.setattr(nodes, "prove", prove)
    return found


def outcomes(verdicts: dict[str, Verdict]) -> dict[str, Outcome]:
    return {name: verdict.outcome for name, verdict in verdicts.items()}


def test_points_that_refute_are_not_looked_for_again_at_smoke(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points: list[int] = []
    real = judge.find_witness

    def find_witness(statement: Any, candidates: Any, seed: int, count: int = judge.POINTS, **more: Any) -> Any:
        points.append(count)
        return real(statement, candidates, seed, count, **more)

    monkeypatch.setattr(judge, "find_witness", find_witness)
    verified(claim)
    assert set(points) == {0}, "the named points are tried all the same"
    points.clear()
    verified(claim, level=Level.STANDARD)
    assert judge.POINTS in points
    changed(claim, lambda data: data.update(digest="0"), signed=False)
    points.clear()
    verified(claim)
    assert judge.POINTS in points, "a certificate that is refused saves nothing"


@pytest.mark.parametrize("level", [Level.SMOKE, Level.STANDARD])
def test_an_accepted_certificate_saves_the_search_and_says_so(
    claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: Level
) -> None:
    fresh = verified(claim, level=Level.DEEP)
    searched = searches(monkeypatch)
    found = verified(claim, level=level, folder=str(tmp_path))
    assert searched == []
    assert outcomes(found) == outcomes(fresh)
    assert found[NAME].numbers == fresh[NAME].numbers
    *moves, checked = found[NAME].evidence
    assert moves == list(fresh[NAME].evidence)
    assert (checked.engine, checked.outcome) == (certificate.CHECKER, Outcome.PROVED)
    kept = tmp_path / certificate.FOLDER / certificate.file_name(NAME)
    assert kept.read_text() == (claim.parent / certificate.FOLDER / kept.name).read_text()


def test_at_level_deep_everything_is_searched_for_again(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searched = searches(monkeypatch)
    found = verified(claim, level=Level.DEEP)
    assert len(searched) == 2
    assert [e.engine for e in found[NAME].evidence] == ["rigorous"]


@pytest.mark.parametrize(
    ("change", "signed", "message"),
    [
        (lambda data: data.pop("proof"), True, "refused by the checker: a certificate has the fields"),
        (lambda data: data.update(claim="toy/LEM-3"), False, "refused by the checker: the digest"),
        (lambda data: data["proof"].update(splits="0 ."), True, "refused by the checker"),
        (lambda data: data["proof"].update(by="nothing"), True, "refused by the checker"),
        (lambda data: data.update(claim="toy/LEM-3"), True, "stale: the statement or its argument was edited"),
        (lambda data: data.update(source="0"), True, "stale: the statement or its argument was edited"),
    ],
)
def test_a_certificate_that_does_not_count_is_searched_for_again_and_says_why(
    claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any, signed: bool, message: str
) -> None:
    changed(claim, change, signed)
    searched = searches(monkeypatch)
    found = verified(claim, folder=str(tmp_path))
    assert len(searched) == 1
    assert found[NAME].outcome is Outcome.PROVED
    rigorous, why, again = found[NAME].evidence
    assert (rigorous.engine, rigorous.outcome) == ("rigorous", Outcome.PROVED)
    assert (why.engine, why.outcome) == (certificate.CHECKER, Outcome.INCONCLUSIVE)
    assert message in why.detail
    assert again.detail.startswith("the checker accepts the certificate")


def test_a_shipped_certificate_is_checked_once_and_by_a_fresh_process(
    claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    real = certificate.subprocess.run

    def run(command: Any, input: str, **more: Any) -> Any:  # the name that `subprocess` gives it
        asked.extend(input.splitlines())
        return real(command, input=input, **more)

    def second_look(*_: object) -> None:
        raise AssertionError("boxes are looked at in this process")

    monkeypatch.setattr(certificate.subprocess, "run", run)
    monkeypatch.setattr(closing.Boxes, "check", second_look)
    found = verified(claim, folder=str(tmp_path))
    assert found[NAME].evidence[-1].detail.startswith("the checker accepts the certificate")
    assert sorted(asked) == sorted(map(str, (claim.parent / certificate.FOLDER).iterdir()))


def test_what_is_changed_after_the_check_is_searched_for_again(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = certificate.recheck

    def recheck(paths: Any) -> list[certificate.Checked]:
        found = real(paths)
        for path in paths:
            if claim.parent in path.parents:
                path.write_text(path.read_text() + " ")
        return found

    monkeypatch.setattr(certificate, "recheck", recheck)
    searched = searches(monkeypatch)
    found = verified(claim)
    assert searched
    assert "another one than the checker has read" in found[NAME].evidence[1].detail


def test_a_sound_certificate_of_another_statement_is_not_taken(claim: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its source says that it belongs here, and the checker accepts it; only the statement gives it away."""
    changed(claim, lambda data: data["statement"].update(goal="r*(1 - r) <= 0.3"))
    searched = searches(monkeypatch)
    assert verified(claim)[NAME].outcome is Outcome.PROVED
    assert len(searched) == 1


def test_a_false_statement_is_not_proved_by_the_certificate_of_a_true_one(claim: Path) -> None:
    """Forged: the source of the false statement on the proof of the true one."""
    write(claim, boxed_text(NAME, "0.2"))
    (item,) = loading.load_claims([claim])
    assert isinstance(item, Loaded)
    source = certificate.source(item.record.statement, item.record.argument)
    changed(claim, lambda data: data.update(source=source))
    assert verified(claim)[NAME].outcome is Outcome.REFUTED


def test_a_claim_without_a_file_has_no_certificates(claim: Path) -> None:
    (item,) = loading.load_claims([claim])
    assert isinstance(item, Loaded)
    cited = citations_of(item.record, item.path)
    assert shipped.of_claim(item.record, Source(), CONTEXT, cited) == {}
    assert len(shipped.of_claim(item.record, Source.of(item.carrier), CONTEXT, cited)) == 3


@pytest.mark.deep
def test_every_shipped_certificate_counts() -> None:
    """As `dpaudit recheck` says too: none is stale, and so none is searched for again at smoke and standard."""
    folder, _ = places.content_folder("proofs")
    for item in loading.load_claims([folder / "zeroth"]):
        assert isinstance(item, Loaded)
        cited = citations_of(item.record, item.path)
        found = shipped.of_claim(item.record, Source.of(item.carrier), CONTEXT, cited)
        assert found
        assert all(kept.data is not None for kept in found.values())
