"""Several findings become one outcome, several tiers one verdict."""

from __future__ import annotations

from itertools import permutations

import pytest
from judged_games import make_target

from dpaudit.audit.tier import Tier, decided, joined, told
from dpaudit.records.context import Context, Level
from dpaudit.records.privacy import GaussianDP
from dpaudit.records.verdict import Basis, Evidence, Outcome

CONSISTENT, REFUTED, INCONCLUSIVE, NOT_RUN, ERROR = (
    Outcome.CONSISTENT, Outcome.REFUTED, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.ERROR,
)  # fmt: skip
TARGET = make_target(GaussianDP(1.0), effect="wrong", repair="test/repaired")


def tier(outcome: Outcome, name: str) -> Tier:
    return Tier(outcome, (Evidence(name, outcome, name),), Basis.SAMPLING, (("of", name),), (("from", name),), (name,))


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((CONSISTENT, REFUTED, INCONCLUSIVE), REFUTED),
        ((ERROR, REFUTED), REFUTED),
        ((CONSISTENT, ERROR, INCONCLUSIVE), ERROR),
        ((CONSISTENT, INCONCLUSIVE), INCONCLUSIVE),
        ((CONSISTENT, NOT_RUN), CONSISTENT),
        ((NOT_RUN,), NOT_RUN),
        ((), NOT_RUN),
    ],
)
def test_the_outcome_of_all_findings(outcomes: tuple[Outcome, ...], expected: Outcome) -> None:
    assert {decided(order) for order in permutations(outcomes)} == {expected}


def test_the_worst_tier_speaks_and_every_tier_gives_evidence() -> None:
    found = [tier(REFUTED, "structural"), tier(CONSISTENT, "game")]
    verdict = joined(TARGET, found, Context(1, Level.SMOKE, 1e-6))
    assert (verdict.outcome, verdict.witness, verdict.basis) == (REFUTED, (("of", "structural"),), None)
    assert (verdict.effect, verdict.repair) == ("wrong", "test/repaired")
    assert [one.engine for one in verdict.evidence] == ["structural", "game"]
    assert (verdict.numbers, verdict.attachments) == ((("from", "game"),), ("structural", "game"))


@pytest.mark.parametrize(
    ("outcomes", "said"),
    [
        ((Outcome.CONSISTENT, Outcome.NOT_RUN), "structural checks consistent, 1 of 2 could look"),
        ((Outcome.CONSISTENT, Outcome.REFUTED), "structural checks refuted: check 1: seen"),
        ((Outcome.NOT_RUN, Outcome.INCONCLUSIVE), "structural checks inconclusive: check 1: seen"),
        ((Outcome.NOT_RUN,), "structural checks not run: check 0: seen"),
    ],
)
def test_the_structural_checks_are_told_in_a_sentence(outcomes: tuple[Outcome, ...], said: str) -> None:
    evidence = tuple(Evidence("structural", one, f"check {place}: seen") for place, one in enumerate(outcomes))
    assert told(Tier(decided(outcomes), evidence)) == said


def test_what_is_not_refuted_has_no_witness_and_no_effect() -> None:
    verdict = joined(TARGET, [tier(NOT_RUN, "structural"), tier(CONSISTENT, "game")], Context(1, Level.SMOKE, 1e-6))
    assert (verdict.outcome, verdict.basis) == (CONSISTENT, Basis.SAMPLING)
    assert (verdict.witness, verdict.effect, verdict.repair) == ((), "", "")
