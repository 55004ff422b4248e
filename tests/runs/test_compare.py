"""What got better or worse between two runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import run_folder
from hypothesis import given
from hypothesis import strategies as st

from dpaudit.records.verdict import ExitCode, Kind, Outcome, Verdict
from dpaudit.runs.compare import Direction, What, diff, grade
from dpaudit.runs.reading import Run

PROVED, CONSISTENT, REFUTED = Outcome.PROVED, Outcome.CONSISTENT, Outcome.REFUTED
INCONCLUSIVE, NOT_RUN, ERROR = Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.ERROR
KNOWN = "until 2027-01-01: known (baseline.toml)"


def held(*verdicts: Verdict, **changes: Any) -> Run:
    """A finished run in memory."""
    return Run(Path("x"), run_folder.header(list(verdicts), **changes), verdicts)


def claim(outcome: Outcome, expected: Outcome = PROVED, kind: Kind = Kind.CLAIM, **more: Any) -> Verdict:
    """A verdict of which only what is given matters."""
    return replace(run_folder.verdict("toy/LEM-1", kind, outcome, expected), **more)


names = st.sampled_from(["a/1", "a/2", "b/1", "b/2", "c/1"])
verdicts = st.builds(
    claim,
    st.sampled_from(Outcome),
    st.sampled_from([PROVED, CONSISTENT, REFUTED, NOT_RUN]),
    st.sampled_from(Kind),
    id=names,
    accepted=st.sampled_from(["", KNOWN]),
    title=st.sampled_from(["title", "another"]),
)
runs = st.lists(verdicts, max_size=5, unique_by=lambda v: v.id).map(lambda listed: held(*listed))


def ids(before: Run, after: Run, direction: Direction) -> set[str]:
    """What went that way, without surprises of one run only, which are worse both ways."""
    changes = [change for change in diff(before, after).changes if change.direction is direction]
    made = {c.verdict.id: [v for v in (c.before, c.after) if v and not idle(v)] for c in changes}
    return {name for name, checks in made.items() if len(checks) == 2 or all(v.as_expected for v in checks)}


def idle(verdict: Verdict) -> bool:
    return verdict.outcome is verdict.expected is NOT_RUN


@given(runs)
def test_a_run_does_not_differ_from_itself(run: Run) -> None:
    found = diff(run, run)
    assert (found.changes, found.context, found.same) == ((), (), len(run.verdicts))
    assert found.exit_code is ExitCode.EXPECTED


@given(runs, runs)
def test_what_is_better_one_way_is_worse_the_other_way(one: Run, other: Run) -> None:
    assert ids(one, other, Direction.BETTER) == ids(other, one, Direction.WORSE)
    assert ids(one, other, Direction.OTHER) == ids(other, one, Direction.OTHER)


@pytest.mark.deep
@given(runs, runs)
def test_every_verdict_is_counted_once(one: Run, other: Run) -> None:
    found = diff(one, other)
    assert len({v.id for run in (one, other) for v in run.verdicts}) == len(found.changes) + found.same
    assert len({change.verdict.id for change in found.changes}) == len(found.changes)


@given(runs, runs)
def test_the_order_of_the_verdicts_does_not_matter(one: Run, other: Run) -> None:
    turned = replace(one, verdicts=one.verdicts[::-1])
    assert diff(turned, other) == diff(one, other)


ORDER = [
    claim(PROVED, CONSISTENT),
    claim(CONSISTENT, CONSISTENT),
    claim(REFUTED, REFUTED),
    claim(INCONCLUSIVE, accepted=KNOWN),
    claim(REFUTED, accepted=KNOWN),
    claim(CONSISTENT, PROVED),
    claim(INCONCLUSIVE, REFUTED),
    claim(ERROR, REFUTED),
    claim(PROVED, REFUTED),
    claim(REFUTED, PROVED),
]
"""Best first, as the documentation has it."""


def test_the_order_is_that_of_the_documentation() -> None:
    assert [grade(verdict) for verdict in ORDER] == sorted(grade(verdict) for verdict in ORDER)
    assert len({grade(verdict) for verdict in ORDER}) == len(ORDER)


@pytest.mark.parametrize("place", range(len(ORDER) - 1))
def test_each_step_down_is_worse(place: int) -> None:
    better, worse = held(ORDER[place]), held(ORDER[place + 1])
    assert diff(better, worse).changes[0].direction is Direction.WORSE
    assert diff(better, worse).exit_code is ExitCode.REFUTED
    assert diff(worse, better).exit_code is ExitCode.EXPECTED


@pytest.mark.parametrize("before", ORDER)
def test_what_is_no_longer_required_is_gone(before: Verdict) -> None:
    (change,) = diff(held(before), held(claim(NOT_RUN, NOT_RUN))).changes
    assert change.direction is Direction.WORSE
    assert diff(held(before), held(claim(NOT_RUN, NOT_RUN)), ignore_missing=True).exit_code is ExitCode.REFUTED
    (back,) = diff(held(claim(NOT_RUN, NOT_RUN)), held(before)).changes
    wanted = Direction.BETTER if before.as_expected else Direction.WORSE if before.surprising else Direction.OTHER
    assert back.direction is wanted


def test_undecided_and_not_run_are_alike() -> None:
    (change,) = diff(held(claim(INCONCLUSIVE)), held(claim(NOT_RUN))).changes
    assert (change.direction, change.what) == (Direction.OTHER, What.OUTCOME)


@pytest.mark.parametrize("kind", [Kind.MUTANT, Kind.CONTROL])
def test_of_checks_on_the_checks_only_success_counts(kind: Kind) -> None:
    (change,) = diff(held(claim(PROVED, REFUTED, kind)), held(claim(CONSISTENT, REFUTED, kind))).changes
    assert change.direction is Direction.OTHER


def test_what_only_one_run_has() -> None:
    fine, bad, optional = claim(PROVED), claim(REFUTED), claim(NOT_RUN, NOT_RUN)
    cases = [(fine, Direction.WORSE, Direction.BETTER), (bad, Direction.WORSE, Direction.WORSE),
             (optional, Direction.OTHER, Direction.OTHER)]  # fmt: skip
    for verdict, gone, new in cases:
        (first,), (second,) = diff(held(verdict), held()).changes, diff(held(), held(verdict)).changes
        assert (first.what, first.direction) == (What.GONE, gone)
        assert (second.what, second.direction) == (What.NEW, new)
        assert diff(held(verdict), held(), ignore_missing=True).changes == ()


def test_another_expectation_or_acceptance_is_named() -> None:
    (change,) = diff(held(claim(REFUTED)), held(claim(REFUTED, REFUTED))).changes
    assert (change.what, change.direction) == (What.EXPECTED, Direction.BETTER)
    (change,) = diff(held(claim(REFUTED, accepted=KNOWN)), held(claim(REFUTED))).changes
    assert (change.what, change.direction) == (What.ACCEPTED, Direction.WORSE)


@pytest.mark.parametrize(
    ("name", "before", "after", "moved"),
    [
        ("epsilon_lower_95", 2.49, 1.67, False),  # what five seeds gave for one target
        ("epsilon_lower_95", 2.4, 1.1, True),
        ("epsilon_lower_95", 0.0, 0.2, False),
        ("epsilon_lower_95", 0.0, 0.3, True),
        ("epsilon_lower_95", 2.0, float("inf"), True),
        ("tightness", 0.66, None, True),
        ("tightness", 0.75, 0.64, False),
        ("smallest_violation_at_90", 2.495, 2.5, False),
        ("smallest_violation_at_90", 2.495, 2.6, True),
        ("factor_caught_at_90", 0.04, 0.05, True),
        ("threshold", 1.0, 9.0, False),
    ],
)
def test_a_bound_moves_by_more_than_seeds_make(name: str, before: Any, after: Any, moved: bool) -> None:
    pair = [held(claim(CONSISTENT, CONSISTENT, numbers=((name, value),))) for value in (before, after)]
    (change,) = diff(*pair).changes
    assert change.what is (What.BOUND if moved else What.EVIDENCE)
    assert change.direction is Direction.OTHER


def test_times_and_places_never_count_and_what_a_run_was_made_with_does() -> None:
    later = {"started": "2026-02-02T03:04:05+00:00", "jobs": 8, "hardware": {"system": "Linux", "processors": 64}}
    slow = claim(PROVED, duration_s=9.0)
    assert diff(held(claim(PROVED)), held(slow, **later)).context == ()
    other = held(slow, seed=8, versions={"dpaudit": "0.2.0", "python": "3.11.2", "torch": "2.0"}, source="ab")
    found = [(row.what, row.before, row.after) for row in diff(held(slow), other).context]
    assert found == [("seed", 7, 8), ("version of dpaudit", "0.1.0", "0.2.0"), ("version of torch", None, "2.0"),
                     ("source of dpaudit", None, "ab")]  # fmt: skip


def test_a_run_that_did_not_finish_is_said_to_be_so() -> None:
    found = diff(held(claim(PROVED)), held(claim(PROVED), exit_code=130))
    assert [(row.what, row.before, row.after) for row in found.context] == [("finished", "yes", "no")]
