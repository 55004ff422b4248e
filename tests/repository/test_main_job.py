"""What tests take over from the main job: nothing of other sources or content, of a part, or of a stopped run, and no
certificate that its checker has not accepted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import main_job
import pytest
import run_folder

from dpaudit.records.context import Level
from dpaudit.records.serial import Json, encode
from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.runs import provenance
from dpaudit.runs.flows.flow import origin
from dpaudit.runs.reading import load_run
from dpaudit.runs.settings import Part, Settings


def settings(command: str = "run", level: Level = Level.SMOKE, *names: str) -> Json:
    return encode(Settings(command, tuple(Part), names, level=level))


def content(kind: str) -> list[dict[str, str]]:
    return [asdict(origin(kind, main_job.ROOT / kind, ""))]


HEADER: dict[str, Any] = {
    "settings": settings(),
    "content": content("proofs"),
    "source": provenance.source_digest().hex(),
}


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A run folder of these sources, with changes."""
    monkeypatch.setattr(main_job, "DEEP", False)
    return lambda **changes: run_folder.write(tmp_path / "suite", **{**HEADER, **changes})


def test_the_verdicts_of_the_main_job_are_taken_over(job: Callable[..., Path]) -> None:
    folder = job()
    found = main_job.left("proofs", folder)
    rows = [json.loads(line) for line in (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    assert found is not None
    assert list(found) == [row["id"] for row in rows if row["kind"] not in ("agreement", "audit", "control")]
    assert len(found) < len(rows)


@pytest.mark.parametrize(
    "changes",
    [
        {"source": "0" * 64},
        {"content": [content("proofs")[0] | {"digest": "0" * 64}]},
        {"finished": None, "exit_code": None},
        {"settings": settings("run", Level.SMOKE, "resque/LEM-1.1")},
        {"settings": settings("verify")},
        {"settings": settings("run", Level.STANDARD)},
    ],
)
def test_others_are_not(job: Callable[..., Path], changes: dict[str, Any]) -> None:
    folder = job(**changes)
    load_run(folder)
    assert main_job.left("proofs", folder) is None


@pytest.mark.parametrize("name", ["audits/third_party", "opacus/ghost"])
def test_audits_of_released_libraries_are_a_run_of_their_own(job: Callable[..., Path], name: str) -> None:
    folder = job(settings=settings("audit", Level.SMOKE, name), content=content("audits"))
    found = main_job.left("audits", folder, main_job.OF_LIBRARIES)
    assert found
    assert {verdict.kind for verdict in found.values()} <= {*main_job.PLAYED}
    assert main_job.left("audits", folder) is None


def test_nor_where_everything_is_to_be_done_again(job: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = job()
    monkeypatch.setattr(main_job, "DEEP", True)
    assert main_job.left("proofs", folder) is None
    assert main_job.left("proofs", folder / "absent") is None


ACCEPTS = Evidence("recheck", Outcome.PROVED, "the checker accepts the certificate")
FILE = "certificates/toy_LEM-1.json"


def taken(folder: Path, *evidence: Evidence, attached: str = FILE, made: str = "a", shipped: str = "a") -> list[str]:
    """The statements of which `accepted` takes the certificate over."""
    for part, text in (("suite", made), ("proofs/toy", shipped)):
        if text:
            (folder / part / "certificates").mkdir(parents=True)
            (folder / part / FILE).write_text(text, encoding="utf-8")
    kind, proved = Kind.CLAIM, Outcome.PROVED
    verdict = Verdict("toy/LEM-1", kind, proved, proved, "", evidence, "", 1, attachments=(attached,))
    found = main_job.accepted({verdict.id: verdict}, folder / "proofs", folder / "suite")
    assert set(found.values()) <= {folder / "proofs" / "toy" / FILE}
    return list(found)


def test_a_certificate_that_the_checker_accepted_is_taken_over(tmp_path: Path) -> None:
    assert taken(tmp_path, ACCEPTS) == ["toy/LEM-1"]


@pytest.mark.parametrize("changes", [{"made": "b"}, {"made": ""}, {"shipped": ""}, {"attached": "scores/toy.csv"}])
def test_one_that_is_not_the_same_is_not(tmp_path: Path, changes: dict[str, str]) -> None:
    assert taken(tmp_path, ACCEPTS, **changes) == []


def test_nor_one_that_the_checker_did_not_see_or_refused(tmp_path: Path) -> None:
    refuses = Evidence("recheck", Outcome.INCONCLUSIVE, "the checker refuses the certificate")
    assert taken(tmp_path / "a", Evidence("symbolic", Outcome.PROVED, "")) == []
    assert taken(tmp_path / "b", refuses) == []
