"""What a CONSISTENT rests on at least: nobody saw the noise, and no game had power, is INCONCLUSIVE."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.adapters.training import Training
from dpaudit.audit import minimum, tiers
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.tier import Tier
from dpaudit.content.audits import audit_of
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Context, Level
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Evidence, Outcome, Verdict

NOT_RUN, CONSISTENT, REFUTED = Outcome.NOT_RUN, Outcome.CONSISTENT, Outcome.REFUTED
RECORDS = np.random.default_rng(0).normal(size=(40, 4))


def mean(declared: dict[str, Any], hidden: bool = False, scale: float = 1.0) -> Callable[[Any, Any], None]:
    """A clipped sum with normal noise. declared: what the recorder is told; hidden: the noise is in the statistic."""

    def train(records: Any, recorder: Any) -> None:
        rng = np.random.default_rng(recorder.seed)
        for _ in range(4):
            finite = np.nan_to_num(records, nan=0.0, posinf=0.0, neginf=0.0)
            total = (finite / np.maximum(np.linalg.norm(finite, axis=1, keepdims=True), 1.0)).sum(axis=0)
            noise = 4.0 * scale * rng.normal(size=4)
            told = (total + noise, None) if hidden else (total, noise)
            recorder.release("sum", *told, **declared)

    return train


def audited(train: Any, trials: int | None, canary: Any = None) -> Verdict:
    plan = None if trials is None else TrialPlan(trials, trials, trials)
    assumptions = Assumptions(shared_generators=True)
    audit = Training("mine/mean", train, records=RECORDS, canary=canary, claim=claim(mu=0.5), mechanism=Gaussian(2.0),
                     trials=plan, assumptions=assumptions)  # fmt: skip
    return tiers.audit(audit_of(audit), Context(1, Level.SMOKE, 1e-6))


DECLARED = {"sensitivity": 1.0, "noise_scale": 4.0}


@pytest.mark.parametrize("trials", [None, 600])
def test_noise_and_sensitivity_that_were_seen_are_enough(trials: int | None) -> None:
    verdict = audited(mean(DECLARED), trials)
    assert verdict.outcome is CONSISTENT, [e for e in verdict.evidence if e.outcome is not CONSISTENT]
    assert all(one.engine != minimum.ENGINE for one in verdict.evidence)


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ({"sensitivity": 1.0}, "noise scale: no release declares the scale of its noise"),
        ({"noise_scale": 4.0}, "sensitivity: no release declares a sensitivity"),
    ],
)
def test_what_was_not_declared_and_not_played_is_inconclusive(declared: dict[str, Any], reason: str) -> None:
    verdict = audited(mean(declared), None)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    first = verdict.evidence[0]
    assert first.engine == minimum.ENGINE
    assert reason in first.detail
    assert "to settle it: draw the noise where it can be seen (torch.normal" in first.detail


@pytest.mark.deep
def test_a_game_with_power_makes_up_for_it_and_one_without_does_not() -> None:
    enough, few = (audited(mean({"sensitivity": 1.0}), trials) for trials in (2_200, 600))
    assert enough.outcome is CONSISTENT
    assert few.outcome is Outcome.INCONCLUSIVE
    said = few.evidence[0].detail
    assert "game: it would catch no epsilon below" in said
    assert f"0.5 of the claimed noise has {gaussian_epsilon(1e-5, 1.0):.4g}" in said


@pytest.mark.deep
def test_scores_that_hardly_tell_the_data_sets_apart_make_up_for_nothing() -> None:
    """A record that moves the sum by a tenth of what it may: a tenth of the noise would pass such a game."""
    weak = np.array([0.1, 0.0, 0.0, 0.0])
    verdict = audited(mean({"sensitivity": 1.0}), 2_200, weak)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    said = verdict.evidence[0].detail
    assert "game: its scores tell the data sets apart by a mu of 0" in said
    assert "0.25 of the noise would be caught with probability 0.9 from 0." in said
    assert audited(mean(DECLARED), 2_200, weak).outcome is CONSISTENT, "there the noise was seen"


def test_a_refutation_stands_whatever_was_not_seen() -> None:
    verdict = audited(mean({"sensitivity": 1.0}, scale=0.1), 600)
    assert verdict.outcome is REFUTED
    assert all(one.engine != minimum.ENGINE for one in verdict.evidence)


def finding(check: str, outcome: Outcome) -> Finding:
    return Finding(check, outcome, "why")


@pytest.mark.parametrize(
    ("sensitivity", "scale", "independent", "missing"),
    [
        (CONSISTENT, CONSISTENT, True, 0), (CONSISTENT, NOT_RUN, True, 1), (NOT_RUN, NOT_RUN, True, 2),
        (CONSISTENT, NOT_RUN, False, 0), (NOT_RUN, NOT_RUN, False, 1), (REFUTED, NOT_RUN, True, 1),
    ],
)  # fmt: skip
def test_what_a_training_must_show(sensitivity: Outcome, scale: Outcome, independent: bool, missing: int) -> None:
    found = [finding("sensitivity", sensitivity), finding("noise scale", scale), finding("order", NOT_RUN)]
    assert len(minimum.of_one_training(found, Assumptions(independent_noise=independent))) == missing
    assert minimum.of_one_training(found, Assumptions(), ("sensitivity", "noise scale")) == ()


def test_what_scores_must_tell() -> None:
    claimed, half = gaussian_epsilon(1e-5, 1.0), gaussian_epsilon(1e-5, 2.0)
    assert minimum.of_scores(0.501, half, claimed, 1e-5) == ()
    assert "by a mu of 0.499 (95 %)" in minimum.of_scores(0.499, half, claimed, 1e-5)[0]
    above = gaussian_epsilon(1e-5, 4.1)  # a game that catches only such needs scores as clear as the claim allows
    assert len(minimum.of_scores(9.0, above, claimed, 1e-5)) == 1, "what is above the claim is no power of the score"
    for claimed, delta in ((0.0, 1e-5), (math.inf, 1e-5), (1.0, 0.0)):
        assert minimum.of_scores(0.0, half, claimed, delta) == ()
    assert minimum.of_scores(0.0, math.inf, 1.0, 1e-5) == (), "the counts say so themselves"


def test_what_a_game_must_catch() -> None:
    half = gaussian_epsilon(1e-5, 2.0)
    claimed = gaussian_epsilon(1e-5, 1.0)
    assert minimum.half_of_the_noise(claimed, 1e-5) == pytest.approx(half, rel=1e-6)
    assert minimum.of_a_game(half * 0.999, claimed, 1e-5) == ()
    assert len(minimum.of_a_game(half * 1.001, claimed, 1e-5)) == 1
    assert minimum.of_a_game(1.99, 1.0, 0.0) == () != minimum.of_a_game(2.01, 1.0, 0.0)  # Laplace
    assert "no violation" in minimum.of_a_game(math.inf, 1.0, 0.0)[0]
    assert minimum.of_a_game(0.5, 0.0, 1e-5) == ()
    assert "no violation" in minimum.of_a_game(math.inf, 0.0, 1e-5)[0]


def test_only_recorded_trainings_need_it() -> None:
    def tier(engine: str, *unseen: str) -> Tier:
        return Tier(CONSISTENT, (Evidence(engine, CONSISTENT, ""),), unseen=unseen)

    assert minimum.lacking([tier("game", "x")]) == ()
    assert minimum.lacking([tier("structural", "x"), tier("game")]) == ()
    assert minimum.lacking([tier("structural"), tier("game", "x")]) == ()
    [found] = minimum.lacking([tier("structural", "one"), tier("game", "two")])
    assert found.outcome is Outcome.INCONCLUSIVE
    assert "one; two; to settle it" in found.evidence[0].detail
