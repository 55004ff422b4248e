"""JUnit XML: valid for the systems that read it, complete, and each outcome in the state that it must have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import junitparser
import pytest
from lxml import etree
from run_folder import HOSTILE, agreements, claims, games, header, verdict

from dpaudit.records.verdict import Evidence, Kind, Outcome, Verdict
from dpaudit.report.formats import junit
from dpaudit.runs.reading import Run

XSD = etree.XMLSchema(etree.parse(Path(__file__).parents[2] / "schemas" / "junit-10.xsd"))
PLAN = [{"part": "audit", "name": "acme/sum", "file": "audits/sum.py"}]
REFUTED, CONSISTENT, PROVED = Outcome.REFUTED, Outcome.CONSISTENT, Outcome.PROVED
INCONCLUSIVE, NOT_RUN, ERROR = Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.ERROR


def parsed(*verdicts: Verdict, **changes: Any) -> junitparser.JUnitXml:
    """The document of a run, held to the schema and read back."""
    run = Run(Path("out"), header(list(verdicts), plan=PLAN, **changes), verdicts)
    text = junit.document(run)
    XSD.assertValid(etree.fromstring(text.encode()))
    return junitparser.JUnitXml.fromstring(text.encode())


def cases(*verdicts: Verdict, **changes: Any) -> dict[str, tuple[str, str]]:
    """(state, message) by name."""
    found = {}
    for suite in parsed(*verdicts, **changes):
        for case in suite:
            results = [(type(result).__name__.lower(), result.message) for result in case.result]
            assert len(results) <= 1
            found[case.name] = results[0] if results else ("passed", "")
    return found


def one(outcome: Outcome, expected: Outcome, allow: bool = False, **more: Any) -> str:
    """The state of a single outcome."""
    (state,) = cases(verdict("acme/sum", Kind.AUDIT, outcome, expected, **more), allow_inconclusive=allow).values()
    return state[0]


def test_the_schema_refuses_what_it_must() -> None:
    assert not XSD.validate(etree.fromstring(b'<testsuites skipped="1"/>'))
    assert not XSD.validate(etree.fromstring(b'<testsuites time="0.1234"/>'))


@pytest.mark.parametrize(
    ("outcome", "expected", "state", "tolerant"),
    [
        (PROVED, PROVED, "passed", "passed"),
        (PROVED, CONSISTENT, "passed", "passed"),
        (REFUTED, REFUTED, "passed", "passed"),
        (REFUTED, CONSISTENT, "failure", "failure"),
        (CONSISTENT, REFUTED, "failure", "failure"),
        (PROVED, REFUTED, "failure", "failure"),
        (ERROR, CONSISTENT, "error", "error"),
        (ERROR, REFUTED, "error", "error"),
        (NOT_RUN, NOT_RUN, "skipped", "skipped"),
        (NOT_RUN, CONSISTENT, "failure", "skipped"),
        (INCONCLUSIVE, INCONCLUSIVE, "passed", "passed"),
        (INCONCLUSIVE, PROVED, "failure", "skipped"),
        (CONSISTENT, PROVED, "failure", "skipped"),
    ],
)
def test_each_outcome_has_its_state(outcome: Outcome, expected: Outcome, state: str, tolerant: str) -> None:
    assert one(outcome, expected) == state
    assert one(outcome, expected, allow=True) == tolerant
    accepted = "skipped" if state in ("failure", "error") else state
    assert one(outcome, expected, accepted="until 2027-01-01: known (b.toml)") == accepted


def test_a_case_for_every_id_and_engine_and_the_engine_that_found_it_is_to_blame() -> None:
    evidence = (
        Evidence("structural", CONSISTENT, "fine"),
        Evidence("game", REFUTED, "too much leaks"),
        Evidence("structural", NOT_RUN, "no batches"),
        Evidence("accounts", NOT_RUN, "no accountant"),
    )
    bad = replace(verdict("acme/sum", Kind.AUDIT, REFUTED, CONSISTENT), evidence=evidence)
    found = cases(bad)
    assert list(found) == ["acme/sum [structural]", "acme/sum [game]", "acme/sum [accounts]"]
    assert found["acme/sum [game]"] == ("failure", "refuted, expected consistent: too much leaks")
    assert found["acme/sum [structural]"][0] == "passed"
    assert found["acme/sum [accounts]"] == ("skipped", "no accountant")


def test_where_no_engine_alone_found_the_outcome_all_are_to_blame() -> None:
    evidence = (Evidence("symbolic", PROVED, "a proof"), Evidence("rigorous", REFUTED, "a witness"))
    clash = replace(verdict("toy/LEM-1", Kind.CLAIM, ERROR, PROVED), evidence=evidence)
    assert {state for state, _ in cases(clash).values()} == {"error"}
    assert list(cases(replace(clash, evidence=())).items()) == [("toy/LEM-1", ("error", "error, expected proved: "))]


def test_an_expected_refutation_passes_and_says_so() -> None:
    found = verdict("acme/sum", Kind.AUDIT, REFUTED, REFUTED)
    (suite,) = parsed(found)
    (case,) = suite
    assert case.is_passed
    assert "x refuted (expected)" in case.system_out


def test_what_is_accepted_says_until_when() -> None:
    found = verdict("acme/sum", Kind.AUDIT, REFUTED, CONSISTENT, accepted="until 2027-01-01: known (b.toml)")
    message = "refuted, expected consistent; accepted until 2027-01-01: known (b.toml)"
    assert list(cases(found).values()) == [("skipped", message)]


def test_suites_are_files_and_name_their_paper_or_library() -> None:
    suites = {suite.name: suite for suite in parsed(*claims(), *games(), verdict("acme/sum", Kind.AUDIT, PROVED))}
    assert set(suites) == {
        "rbcd, without a file", "srm, without a file", "third, without a file", "surprise, without a file",
        "crash, without a file", "known_bad, without a file", "null, without a file", "audits/sum.py",
    }  # fmt: skip
    own = suites["audits/sum.py"]._elem
    assert (own.get("file"), own.get("package")) == ("audits/sum.py", "acme")
    assert {case.classname for case in suites["audits/sum.py"]} == {"acme"}
    assert {p.name: p.value for p in suites["audits/sum.py"].properties()}["seed"] == "7"


def test_counts_and_times_are_those_of_the_cases() -> None:
    listed = [replace(v, duration_s=0.0016 * (i + 1)) for i, v in enumerate([*claims(), *agreements(), *games()])]
    document = parsed(*listed)
    read = [case for suite in document for case in suite]
    states = [type(result).__name__ for case in read for result in case.result]
    assert document.tests == len(read) == sum(len({e.engine for e in v.evidence}) for v in listed)
    assert (document.failures, document.errors) == (states.count("Failure"), states.count("Error"))
    assert document.time == pytest.approx(sum(case.time for case in read), abs=1e-9)
    assert sum(suite.tests for suite in document) == document.tests
    assert sum(suite.skipped for suite in document) == states.count("Skipped")
    assert document.time == pytest.approx(sum(round(v.duration_s, 3) for v in listed), abs=1e-9)


@pytest.mark.parametrize("hostile", [HOSTILE, "]]>", "a\r\n::error::b\ufffe\uffff\x0b##[error]", "\ud800 \U0010ffff"])
def test_nothing_of_others_breaks_the_document(hostile: str) -> None:
    evil = replace(
        verdict(hostile, Kind.AUDIT, REFUTED, CONSISTENT, title=hostile, effect=hostile, engine=hostile),
        witness=((hostile, hostile),), replay=hostile, statement=hostile, source=hostile,
    )  # fmt: skip
    found = cases(
        evil, replace(evil, id="b", accepted=hostile), replace(evil, id="c", expected=REFUTED), command=hostile
    )
    assert [state for state, _ in found.values()] == ["failure", "skipped", "passed"]


def test_a_run_without_outcomes_is_a_document_too() -> None:
    assert parsed().tests == 0
