"""The in-toto statement: the digests of the files, and a result that agrees with the exit code."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import run_folder
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.v1.statement import Statement
from run_folder import verdict

from dpaudit.records.errors import ContentError
from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict
from dpaudit.report.formats import in_toto
from dpaudit.runs.reading import load_run

GOOD = verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)
BAD = verdict("toy/LEM-2", Kind.CLAIM, Outcome.REFUTED, Outcome.PROVED)
WEAK = verdict("toy/LEM-3", Kind.CLAIM, Outcome.INCONCLUSIVE, Outcome.PROVED)
KNOWN = replace(BAD, id="toy/LEM-4", accepted="until 2027-01-01: known (b.toml)")


def stated(folder: Path, *verdicts: Verdict, **changes: Any) -> dict[str, Any]:
    """The statement about a run folder, held to the types of in-toto."""
    run_folder.write(folder, list(verdicts), **changes)
    data = json.loads(in_toto.statement(load_run(folder)))
    # The classes of in-toto refuse fields that they do not know.
    statement = Statement([], "", {})
    json_format.ParseDict(data, statement.pb)
    statement.validate()
    json_format.ParseDict(data["predicate"], test_result_pb2.TestResult())
    return data


def test_the_package_refuses_what_it_must() -> None:
    with pytest.raises(json_format.ParseError):
        json_format.ParseDict({"results": "PASSED"}, test_result_pb2.TestResult())
    with pytest.raises(ValueError, match="subject"):
        Statement([], "x", {"a": 1}).validate()
    with pytest.raises(ValueError, match="digest"):
        Statement([ResourceDescriptor("a").pb], "x", {"a": 1}).validate()


def test_the_subjects_are_the_files_of_the_run_by_digest(tmp_path: Path) -> None:
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / "toy_LEM-1.json").write_bytes(b"{}")
    (tmp_path / "report.html").write_bytes(b"<html>")
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "toy.html").write_bytes(b"<html>")
    data = stated(tmp_path, GOOD)
    assert (data["_type"], data["predicateType"]) == (
        "https://in-toto.io/Statement/v1", "https://in-toto.io/attestation/test-result/v0.1",
    )  # fmt: skip
    names = [subject["name"] for subject in data["subject"]]
    assert names == ["run.json", "records.jsonl", "report.html", "papers/toy.html", "certificates/toy_LEM-1.json"]
    for subject in data["subject"]:
        wanted = hashlib.sha256((tmp_path / subject["name"]).read_bytes()).hexdigest()
        assert subject["digest"] == {"sha256": wanted}


def test_the_configuration_is_what_was_asked_for_and_the_commit(tmp_path: Path) -> None:
    data = stated(tmp_path, GOOD)
    assert data["predicate"]["configuration"] == [
        data["subject"][0],
        {"name": "checkout", "digest": {"gitCommit": "0123456789abcdef" * 2}},
    ]
    assert len(stated(tmp_path, GOOD, checkout=None)["predicate"]["configuration"]) == 1


@pytest.mark.parametrize(
    ("verdicts", "allow", "result", "code"),
    [
        ((GOOD,), False, "PASSED", ExitCode.EXPECTED),
        ((GOOD, KNOWN), False, "WARNED", ExitCode.EXPECTED),
        ((GOOD, WEAK), True, "WARNED", ExitCode.EXPECTED),
        ((GOOD, WEAK), False, "FAILED", ExitCode.INCONCLUSIVE),
        ((GOOD, BAD, KNOWN), True, "FAILED", ExitCode.REFUTED),
        ((), False, "FAILED", ExitCode.NOTHING_COLLECTED),
    ],
)
def test_the_result_agrees_with_the_exit_code(
    tmp_path: Path, verdicts: tuple[Verdict, ...], allow: bool, result: str, code: ExitCode
) -> None:
    predicate = stated(tmp_path, *verdicts, allow_inconclusive=allow)["predicate"]
    assert load_run(tmp_path).code is code
    assert predicate["result"] == result
    lists = [predicate[f"{state}Tests"] for state in ("passed", "warned", "failed")]
    assert sorted(name for names in lists for name in names) == sorted(v.id for v in verdicts)
    assert lists[2] == [v.id for v in verdicts if v is BAD or (v is WEAK and not allow)]
    assert lists[1] == [v.id for v in verdicts if v is KNOWN or (v is WEAK and allow)]


def test_a_run_that_did_not_finish_has_failed(tmp_path: Path) -> None:
    assert stated(tmp_path, GOOD, finished=None, exit_code=None)["predicate"]["result"] == "FAILED"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    run_folder.write(tmp_path, [GOOD])
    run = load_run(tmp_path)
    (tmp_path / "records.jsonl").unlink()
    with pytest.raises(ContentError, match=r"records\.jsonl is missing"):
        in_toto.statement(run)
