"""SARIF 2.1.0: valid by the schema of OASIS, and each outcome with the level that CI would give it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from run_folder import HOSTILE, agreements, claims, games, header, verdict

from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.formats import sarif
from dpaudit.runs.reading import Run

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
PLAN = [{"part": "audit", "name": "acme/sum", "file": "audits/a sum#1.py"}]
REFUTED, CONSISTENT, PROVED = Outcome.REFUTED, Outcome.CONSISTENT, Outcome.PROVED
BAD = verdict("acme/sum", Kind.AUDIT, REFUTED, CONSISTENT, witness=(("threshold", 0.5),), effect="twice as much leaks")


def logged(*verdicts: Verdict, **changes: Any) -> dict[str, Any]:
    """The one run of the log, held to the schema."""
    text = sarif.log(Run(Path("out"), header(list(verdicts), plan=PLAN, **changes), verdicts))
    data = json.loads(text)
    VALIDATOR.validate(data)
    (run,) = data["runs"]
    return run


def test_the_schema_refuses_what_it_must() -> None:
    assert VALIDATOR.is_valid({"version": "2.1.0", "runs": []})
    assert not VALIDATOR.is_valid({"version": "2.1.0", "runs": [{}]})


def test_the_made_up_run_is_valid_and_names_each_surprise_and_each_erratum() -> None:
    listed = [*claims(), *agreements(), *games()]
    found = {(r["logicalLocations"], r["ruleId"]) for r in named(logged(*listed))}
    assert found == {
        ("srm/COR-5", "undecided"), ("srm/COR-6", "refuted"), ("surprise/optimiser", "refuted"),
        ("crash/target", "crashed"), ("rbcd/THM-1~condition dropped", "undecided"), ("srm/COR-5~slack", "not-refuted"),
        ("rbcd/LEM-2/s2", "erratum"), ("third/party", "erratum"),
    }  # fmt: skip


def named(run: dict[str, Any]) -> list[dict[str, Any]]:
    """The results, each with the id of its verdict."""
    ids = [result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for result in run["results"]]
    return [{**result, "logicalLocations": name} for result, name in zip(run["results"], ids, strict=True)]


@pytest.mark.parametrize(
    ("outcome", "expected", "rule", "level", "tolerant"),
    [
        (REFUTED, CONSISTENT, "refuted", "error", "error"),
        (CONSISTENT, REFUTED, "not-refuted", "error", "error"),
        (Outcome.ERROR, CONSISTENT, "crashed", "error", "error"),
        (Outcome.INCONCLUSIVE, CONSISTENT, "undecided", "error", "warning"),
        (CONSISTENT, PROVED, "undecided", "error", "warning"),
        (Outcome.NOT_RUN, CONSISTENT, "not-run", "error", "warning"),
    ],
)
def test_the_level_is_what_ci_would_do(
    outcome: Outcome, expected: Outcome, rule: str, level: str, tolerant: str
) -> None:
    found = replace(BAD, outcome=outcome, expected=expected)
    for allow, wanted in ((False, level), (True, tolerant)):
        (result,) = logged(found, allow_inconclusive=allow)["results"]
        assert (result["ruleId"], result["kind"], result["level"]) == (rule, "fail", wanted)
    (result,) = logged(replace(found, accepted="until 2027-01-01: known (b.toml)"))["results"]
    assert result["level"] == "error"
    (suppression,) = result["suppressions"]
    assert (suppression["status"], suppression["justification"]) == ("accepted", "until 2027-01-01: known (b.toml)")


def test_an_erratum_is_informational_and_asks_for_nothing() -> None:
    (result,) = logged(replace(BAD, expected=REFUTED))["results"]
    assert (result["ruleId"], result["kind"], result["level"]) == ("erratum", "informational", "none")
    quiet = (verdict("a/b~c", Kind.MUTANT, REFUTED), verdict("known-bad/d", Kind.CONTROL, REFUTED))
    assert logged(*quiet)["results"] == []


def test_a_result_has_place_message_and_a_rule_with_help() -> None:
    run = logged(BAD)
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "audits/a%20sum%231.py", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 1}
    message = result["message"]["text"]
    assert message.startswith("acme/sum: refuted, expected consistent. title of acme/sum\n\n")
    assert "witness: threshold = 0.5\n\ntwice as much leaks\n\nrepeat: dpaudit verify acme/sum" in message
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert rule["id"] == result["ruleId"]
    assert rule["help"]["text"]
    unknown = logged(replace(BAD, id="other"))["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert unknown == {"uri": "records.jsonl"}


def test_fingerprints_stay_while_numbers_change() -> None:
    first, again, other = (
        logged(found)["results"][0]["partialFingerprints"]
        for found in (BAD, replace(BAD, title="new", witness=(), seed=9), replace(BAD, id="acme/mean"))
    )
    assert first == again
    assert not set(first.values()) & set(other.values())


def test_the_invocation_says_how_it_ended_and_of_which_commit() -> None:
    run = logged(BAD)
    (made,) = run["invocations"]
    assert (made["exitCode"], made["executionSuccessful"]) == (1, True)
    assert (made["startTimeUtc"], made["endTimeUtc"]) == ("2026-01-02T03:04:05Z", "2026-01-02T03:09:05Z")
    commit = "0123456789abcdef" * 2
    (checkout,) = run["versionControlProvenance"]
    assert (checkout["revisionId"], checkout["repositoryUri"]) == (commit, f"swh:1:rev:{commit}")
    assert run["automationDetails"]["id"] == "dpaudit/run/smoke/"
    stopped = logged(BAD, finished=None, exit_code=None, checkout=None)
    assert "versionControlProvenance" not in stopped
    assert (stopped["invocations"][0]["exitCode"], stopped["invocations"][0]["executionSuccessful"]) == (130, False)
    assert logged(replace(BAD, outcome=Outcome.ERROR))["invocations"][0]["executionSuccessful"] is False


@pytest.mark.parametrize("hostile", [HOSTILE, "[a](https://e.example) {0} {x}", "##[error]e", "\ud800\x00"])
def test_nothing_of_others_becomes_a_link_a_placeholder_or_a_command(hostile: str) -> None:
    evil = replace(BAD, id=hostile, title=hostile, effect=hostile, replay=hostile, accepted=hostile, repair=hostile)
    text = sarif.log(Run(Path("out"), header([evil]), (evil,)))
    assert "##[" not in text
    message = logged(evil)["results"][0]["message"]["text"]
    assert "](" not in message
    assert "{" not in message.replace("{{", "")
    assert "}" not in message.replace("}}", "")


def test_the_limits_of_github_hold_and_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (sarif.MOST_RESULTS, sarif.MOST_BYTES) == (5_000, 9_000_000)
    many = [replace(BAD, id=f"acme/{place}", effect="é" * 3_000) for place in range(5_000)]
    text = sarif.log(Run(Path("out"), header(many), tuple(many)))
    (run,) = json.loads(text)["runs"]
    assert 8_000_000 < len(text.encode()) < 10_000_000
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    left = 5_000 - len(run["results"])
    assert note["message"]["text"] == f"{left} more results do not fit here; all are in records.jsonl of the run."
    monkeypatch.setattr(sarif, "MOST_RESULTS", 2)
    kept = logged(*(replace(v, expected=REFUTED) for v in many[:2]), BAD)
    assert [result["ruleId"] for result in kept["results"]] == ["refuted", "erratum"], "the worst are kept"
    assert kept["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].startswith("1 more results")
