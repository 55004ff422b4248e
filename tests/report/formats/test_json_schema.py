"""The published schemas: made from the records, true of what dpaudit writes, and refusing what is damaged."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command_line import dpaudit
from run_folder import agreements, claims, games, verdict
from small_content import boxed_text, claim_text, target_text, write

from dpaudit.records import record_schemas
from dpaudit.records.claim import Claim
from dpaudit.records.serial import encode
from dpaudit.records.verdict import Kind, Outcome
from dpaudit.report.formats import json_schema
from dpaudit.runs.execute import describe
from dpaudit.runs.plan import make_plan
from dpaudit.runs.settings import Part, Settings

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "reports" / "sample"


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Of the schema `name`, which is a schema itself."""
    schema = json.loads(json_schema.document(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def record(**changes: Any) -> dict[str, Any]:
    """A line of records.jsonl as plain data, with other values in some fields."""
    return encode(verdict("toy/LEM-1", Kind.CLAIM, Outcome.PROVED)) | changes


@pytest.mark.parametrize("name", json_schema.NAMES)
def test_the_published_schemas_are_those_of_the_records(name: str) -> None:
    """If this fails: dpaudit schema NAME -o docs/schema/NAME.json."""
    published = (ROOT / "docs" / "schema" / f"{name}.json").read_text(encoding="utf-8")
    assert published == json_schema.document(name) + "\n"


def test_the_command_prints_a_schema() -> None:
    for name in json_schema.NAMES:
        assert dpaudit("schema", name).stdout == json_schema.document(name) + "\n"
    assert json.loads(dpaudit("schema").stdout)["title"].startswith("A line of records.jsonl")


def test_every_kind_and_outcome_is_valid() -> None:
    for one in [*claims(), *agreements(), *games()]:
        validator("record").validate(encode(one))
    special = replace(claims()[0], duration_s=math.inf, numbers=(("a", math.nan), ("b", None), ("c", True)))
    validator("record").validate(encode(special))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(outcome="MAYBE"),
        lambda data: data.update(kind="theorem"),
        lambda data: data.pop("id"),
        lambda data: data.pop("type"),
        lambda data: data.update(type="Evidence"),
        lambda data: data.update(id=7),
        lambda data: data.update(seed="7"),
        lambda data: data.update(seed=7.5),
        lambda data: data.update(seed=True),
        lambda data: data.update(duration_s="1"),
        lambda data: data.update(duration_s={"float": "much"}),
        lambda data: data.update(evidence=[{"engine": "exact"}]),
        lambda data: data.update(witness=[["x"]]),
        lambda data: data.update(witness=[["x", 1, 2]]),
        lambda data: data.update(witness=[["x", [1]]]),
        lambda data: data.update(attachments="scores/a.json"),
        lambda data: data.update(schema=2),
        lambda data: data.update(outcom="PROVED"),
    ],
)
def test_a_damaged_record_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    damaged = record()
    assert validator("record").is_valid(damaged)
    change(damaged)
    assert not validator("record").is_valid(damaged)


@pytest.mark.deep
def test_the_sample_report_is_valid() -> None:
    lines = (SAMPLE / "records.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) > 1_000
    for line in lines[:: max(1, len(lines) // 200)]:
        validator("record").validate(json.loads(line))
    validator("run").validate(json.loads((SAMPLE / "run.json").read_text(encoding="utf-8")))
    for path in (SAMPLE / "certificates").glob("*.json"):
        validator("certificate").validate(json.loads(path.read_text(encoding="utf-8")))


def test_a_fresh_run_is_valid(workdir: Path) -> None:
    write(workdir / "proofs" / "toy" / "lem_1.py", claim_text())
    write(workdir / "proofs" / "toy" / "lem_2.py", boxed_text())
    write(workdir / "audits" / "sum.py", target_text(trials=2_000))
    words = ["run", "--jobs", "1", "--no-report", "--no-controls", "--no-isolate", "--run-dir", "out"]
    flags = ["--format", "json", "-o", "result.json", "--proofs", "proofs", "--audits", "audits"]
    algorithms = pytest.MonkeyPatch()
    algorithms.setattr("dpaudit.content.loading.load_algorithms", lambda: ())
    try:
        done = dpaudit(*words, *flags)
    finally:
        algorithms.undo()
    assert done.exit_code in (0, 4), done.stderr
    validator("result").validate(json.loads(Path("result.json").read_text()))
    validator("run").validate(json.loads(Path("out/run.json").read_text()))
    kinds = set()
    for line in Path("out/records.jsonl").read_text().splitlines():
        validator("record").validate(json.loads(line))
        kinds.add(json.loads(line)["kind"])
    assert kinds >= {"claim", "step", "audit"}
    certificates = list(Path("out/certificates").glob("*.json"))
    assert certificates
    for path in certificates:
        validator("certificate").validate(json.loads(path.read_text()))


def test_every_field_of_run_json_is_in_its_schema(workdir: Path) -> None:
    write(workdir / "lem_1.py", claim_text())
    made = describe(make_plan(Settings("verify", (Part.VERIFY,), ("lem_1.py",))))
    properties = json.loads(json_schema.document("run"))["properties"]
    assert set(made) <= set(properties)
    validator("run").validate(made)
    assert not validator("run").is_valid(made | {"seed": "7"})
    assert not validator("run").is_valid({name: value for name, value in made.items() if name != "command"})
    assert not validator("run").is_valid(made | {"settings": {"type": "Settings"}})
    assert not validator("run").is_valid(made | {"exit_code": 9})


def test_a_damaged_certificate_is_refused() -> None:
    good = json.loads(next((SAMPLE / "certificates").glob("*.json")).read_text(encoding="utf-8"))

    def damaged() -> Iterator[dict[str, Any]]:
        yield {name: value for name, value in good.items() if name != "digest"}
        yield good | {"digest": "ab"}
        yield good | {"format": 1}
        yield good | {"outcome": "CONSISTENT"}
        yield good | {"statement": good["statement"] | {"symbols": [["x", "complex", "[0, 1]"]]}}
        yield good | {"proof": good["proof"] | {"by": "magic"}}

    validator("certificate").validate(good)
    assert not any(map(validator("certificate").is_valid, damaged()))


def test_an_annotation_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="no schema for"):
        record_schemas.of_hint(dict[str, int], {})


def test_a_record_that_holds_its_own_class_ends() -> None:
    definitions: dict[str, Any] = {}
    record_schemas.of_record(Claim, definitions)
    assert "Step" in definitions
