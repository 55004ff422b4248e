"""Outcomes, what counts as expected, and the exit code of a run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict, count, exit_code, worst


def verdict(outcome: Outcome, expected: Outcome, accepted: str = "") -> Verdict:
    """A verdict of which only outcome, expectation and acceptance matter."""
    return Verdict("id", Kind.CLAIM, outcome, expected, "title", (), "here", 1, accepted=accepted)


outcomes = st.sampled_from(Outcome)
verdicts = st.lists(st.builds(verdict, outcomes, outcomes), min_size=1, max_size=5)

CASES = [
    (Outcome.PROVED, Outcome.PROVED, ExitCode.EXPECTED),
    (Outcome.PROVED, Outcome.CONSISTENT, ExitCode.EXPECTED),
    (Outcome.CONSISTENT, Outcome.PROVED, ExitCode.INCONCLUSIVE),
    (Outcome.REFUTED, Outcome.REFUTED, ExitCode.EXPECTED),
    (Outcome.REFUTED, Outcome.PROVED, ExitCode.REFUTED),
    (Outcome.REFUTED, Outcome.CONSISTENT, ExitCode.REFUTED),
    (Outcome.PROVED, Outcome.REFUTED, ExitCode.REFUTED),
    (Outcome.CONSISTENT, Outcome.REFUTED, ExitCode.REFUTED),
    (Outcome.INCONCLUSIVE, Outcome.REFUTED, ExitCode.INCONCLUSIVE),
    (Outcome.NOT_RUN, Outcome.PROVED, ExitCode.INCONCLUSIVE),
    (Outcome.ERROR, Outcome.PROVED, ExitCode.CRASHED),
    (Outcome.ERROR, Outcome.REFUTED, ExitCode.CRASHED),
]


@pytest.mark.parametrize(("outcome", "expected", "code"), CASES)
def test_one_verdict_decides(outcome: Outcome, expected: Outcome, code: ExitCode) -> None:
    assert exit_code([verdict(outcome, expected)]) is code


def test_the_gravest_outcome_is_the_first_that_a_reader_must_not_miss() -> None:
    order = ["REFUTED", "ERROR", "INCONCLUSIVE", "NOT_RUN", "CONSISTENT", "PROVED"]
    for place, name in enumerate(order):
        assert worst(Outcome[other] for other in reversed(order[place:])) is Outcome[name]
    assert worst([]) is None


def test_nothing_is_not_success() -> None:
    assert exit_code([]) is ExitCode.NOTHING_COLLECTED
    assert exit_code([], allow_inconclusive=True) is ExitCode.NOTHING_COLLECTED


def test_a_refutation_outranks_a_crash_and_a_crash_the_rest() -> None:
    refuted = verdict(Outcome.REFUTED, Outcome.PROVED)
    crashed = verdict(Outcome.ERROR, Outcome.PROVED)
    open_ = verdict(Outcome.NOT_RUN, Outcome.PROVED)
    assert exit_code([open_, crashed, refuted]) is ExitCode.REFUTED
    assert exit_code([open_, crashed]) is ExitCode.CRASHED


@given(verdicts)
def test_allowing_what_is_open_hides_nothing_else(listed: list[Verdict]) -> None:
    strict, lenient = exit_code(listed), exit_code(listed, allow_inconclusive=True)
    assert lenient is (ExitCode.EXPECTED if strict is ExitCode.INCONCLUSIVE else strict)


@given(verdicts)
def test_success_means_that_every_outcome_is_expected(listed: list[Verdict]) -> None:
    assert (exit_code(listed) is ExitCode.EXPECTED) == all(v.as_expected for v in listed)


@given(verdicts, st.builds(verdict, outcomes, outcomes, st.just("until 2027-01-01: known")))
def test_an_accepted_outcome_changes_no_exit_code(listed: list[Verdict], known: Verdict) -> None:
    assert exit_code([*listed, known]) is exit_code(listed)


@given(st.builds(verdict, outcomes, outcomes, st.sampled_from(["", "until 2027-01-01: known"])))
def test_what_is_as_expected_or_accepted_surprises_nobody(listed: Verdict) -> None:
    assert listed.surprising == (not listed.as_expected and listed.accepted == "")
    assert exit_code([listed]) is ExitCode.EXPECTED or listed.surprising


@given(verdicts)
def test_counts_cover_every_verdict(listed: list[Verdict]) -> None:
    assert sum(count(listed).values()) == len(listed)
