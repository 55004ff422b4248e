"""How bad an error is follows from what else is proved, and the gravest come first."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_folder import verdict

from dpaudit.records.claim import Claim, ClaimKind, Condition, Origin, Reads, Statement, Step, real
from dpaudit.records.verdict import Kind, Outcome, Verdict
from dpaudit.report.severity import Erratum, Severity, Standing, accusation, by_severity, ordered

PROVED, REFUTED, CONSISTENT = Outcome.PROVED, Outcome.REFUTED, Outcome.CONSISTENT


def claim(name: str, outcome: Outcome, **more: object) -> Verdict:
    return replace(verdict(name, Kind.CLAIM, outcome, outcome), **({"reads": Reads.PRINTED} | more))  # type: ignore[arg-type]


def step(name: str, outcome: Outcome, **more: object) -> Verdict:
    return replace(verdict(name, Kind.STEP, outcome, outcome), **({"reads": Reads.PRINTED} | more))  # type: ignore[arg-type]


WRONG = "toy/LEM-1/s1"


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ((claim("toy/LEM-1", REFUTED),), Severity.FALLS),
        ((claim("toy/LEM-1", REFUTED, repair="toy/LEM-1~r"), claim("toy/LEM-1~r", CONSISTENT)), Severity.FALLS),
        ((claim("toy/LEM-1", REFUTED, repair="toy/LEM-1~r"), claim("toy/LEM-1~r", PROVED)), Severity.CHANGES),
        ((claim("toy/LEM-1", CONSISTENT),), Severity.OPEN),
        ((claim("toy/LEM-1", Outcome.NOT_RUN),), Severity.OPEN),
        ((), Severity.OPEN),
        ((claim("toy/LEM-1", PROVED),), Severity.PROOF),
    ],
)
def test_a_false_step_is_as_bad_as_what_becomes_of_its_claim(others: tuple[Verdict, ...], expected: Severity) -> None:
    wrong = step(WRONG, REFUTED)
    assert Standing.of_run([wrong, *others]).severity(WRONG) is expected


@pytest.mark.parametrize(
    ("repair", "misprint"),
    [(step("toy/LEM-1/s2", PROVED), True), (step("toy/LEM-1/s2", CONSISTENT), False),
     (step("toy/LEM-1/s2", PROVED, reads=Reads.OURS), False)],
)  # fmt: skip
def test_a_misprint_is_what_a_printed_and_proved_line_puts_right(repair: Verdict, misprint: bool) -> None:
    reason = step(WRONG, REFUTED, repair=repair.id, reads=Reads.REASON)
    assert Standing.of_run([reason, repair, claim("toy/LEM-1", PROVED)]).severity(WRONG) is Severity.PROOF
    wrong = step(WRONG, REFUTED, repair=repair.id)
    found = Standing.of_run([wrong, repair, claim("toy/LEM-1", REFUTED)]).severity(WRONG)
    assert found is (Severity.MISPRINT if misprint else Severity.FALLS)


@pytest.mark.parametrize(
    ("reads", "expected"),
    [(Reads.BOUNDARY, Severity.EDGE), (Reads.READING, Severity.EDGE), (Reads.OURS, Severity.OURS)],
)
def test_what_accuses_no_printed_line_is_no_fall_of_the_theorem(reads: Reads, expected: Severity) -> None:
    """Not even if a printed and proved line is its repair."""
    right = step("toy/LEM-1/s2", PROVED)
    for name in (WRONG, "toy/LEM-1", "toy/LEM-1~other"):
        wrong = claim(name, REFUTED, reads=reads, repair=right.id)
        assert Standing.of_run([wrong, right]).severity(name) is expected


def test_the_statement_of_a_paper_is_no_misprint_and_neither_is_what_another_claim_has_right() -> None:
    rows = [
        claim("toy/LEM-1", REFUTED, repair="toy/LEM-1/s2"),
        step("toy/LEM-1/s2", PROVED),
        step("toy/LEM-1/s3", REFUTED, repair="toy/LEM-9"),
        claim("toy/LEM-9", PROVED),
    ]
    assert {Standing.of_run(rows).severity(name) for name in ("toy/LEM-1", "toy/LEM-1/s3")} == {Severity.CHANGES}


def test_a_repair_of_a_repair_counts_and_a_circle_of_repairs_ends() -> None:
    rows = [claim("a/T", REFUTED, repair="a/T~a"), claim("a/T~a", REFUTED, repair="a/T~b")]
    assert Standing.of_run([*rows, claim("a/T~b", PROVED)]).severity("a/T") is Severity.CHANGES
    assert Standing.of_run([*rows, claim("a/T~b", REFUTED, repair="a/T~a")]).severity("a/T") is Severity.FALLS


def test_a_statement_that_is_proved_in_one_reading_stays_open() -> None:
    rows = [step(WRONG, REFUTED), claim("toy/LEM-1", PROVED, reads=Reads.READING)]
    assert Standing.of_run(rows).severity(WRONG) is Severity.OPEN


def test_what_belongs_to_no_claim_is_a_reduction() -> None:
    assert Standing.of_run([]).severity("agree/toy/ALG-1/reference/RED-1") is Severity.CODE


def test_the_gravest_come_first_then_what_more_depends_on() -> None:
    rows = [
        step("a/LEM-1/s1", REFUTED),
        step("a/LEM-1/s2", REFUTED),
        step("a/LEM-1/s3", PROVED, given=("a/LEM-1/s2",)),
        step("a/LEM-1/s4", PROVED, rests_on=("a/LEM-1/s3",)),
        claim("a/LEM-1", PROVED),
        claim("a/LEM-2", REFUTED),
        claim("b/LEM-1", REFUTED),
    ]
    found = ordered([v for v in rows if v.outcome is REFUTED], Standing.of_run(rows))
    assert [(e.verdict.id, e.dependents) for e in found] == [
        ("a/LEM-2", 0), ("a/LEM-1/s2", 2), ("a/LEM-1/s1", 0), ("b/LEM-1", 0),
    ]  # fmt: skip


def test_a_circle_of_uses_ends() -> None:
    rows = [step("a/LEM-1/s1", PROVED, given=("a/LEM-1/s2",)), step("a/LEM-1/s2", PROVED, given=("a/LEM-1/s1",))]
    assert Standing.of_run(rows).dependents("a/LEM-1/s1") == 1


def test_claims_that_are_not_judged_stand_as_they_are_expected() -> None:
    statement = Statement("x <= 1", (real("x"),), ("x <= 0",))
    origin = Condition("x <= 0", Origin.GIVEN, WRONG)
    steps = (
        Step("s1", "w", statement, expects=REFUTED),
        Step("s2", "w", statement, origins=(origin,), rests_on=("union-bound",)),
    )
    standing = Standing.of_claims([Claim("toy/LEM-1", "t", "w", "p", ClaimKind.TAIL, statement, steps=steps)])
    assert standing.severity(WRONG) is Severity.PROOF
    assert standing.dependents(WRONG) == standing.dependents("union-bound") == 1


def test_only_a_printed_line_is_said_to_be_printed() -> None:
    words = {reads: accusation(step(WRONG, REFUTED, reads=reads)) for reads in Reads}
    assert [reads for reads, said in words.items() if said.startswith("Printed")] == [Reads.PRINTED]
    assert len(set(words.values())) == len(Reads)
    assert accusation(step(WRONG, REFUTED, reads=None)).startswith("Printed"), "as older records mean it"


def test_errata_are_grouped_gravest_first_and_only_two_severities_say_that_a_statement_falls() -> None:
    kinds = [Severity.MISPRINT, Severity.FALLS, Severity.MISPRINT]
    rows = [Erratum(step(f"a/LEM-{i}/s1", REFUTED), kind, 0) for i, kind in enumerate(kinds)]
    assert by_severity(rows) == [(Severity.FALLS, [rows[1]]), (Severity.MISPRINT, [rows[0], rows[2]])]
    assert [kind for kind in Severity if kind.statement_falls] == [Severity.FALLS, Severity.CHANGES]
