"""One training with many canaries: fair coins, one score each, and the same without its noise."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from canary_trainings import in_order

from dpaudit.audit.game.play_canaries import play_one_run, play_without_noise
from dpaudit.content.audits import audit_of
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

CONTEXT = Context(seed=1, level=Level.SMOKE, alpha=1e-4)


def make_target(canaries: int, outside: int = 0) -> Target:
    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, delta=1e-5, source="the test")
    return Target(
        "test/canaries",
        "Canaries",
        View.GRADIENTS,
        claim,
        TrialPlan(2, 2, 2),
        canaries=canaries,
        canaries_outside=outside,
    )


def test_one_run_throws_fair_coins_and_hands_them_over() -> None:
    seen: list[Any] = []

    def train(included: Any, trials: Trials) -> Any:
        seen.append(included)
        return in_order(included)

    target = make_target(2000)
    played = play_one_run(audit_of(SimpleNamespace(run=train), target), CONTEXT)
    assert np.array_equal(played.scores, played.included)
    assert np.array_equal(seen[0], played.included)
    assert abs(played.included.mean() - 0.5) < 6 / np.sqrt(4 * 2000)
    again = play_one_run(audit_of(SimpleNamespace(run=train), target), replace(CONTEXT, seed=2))
    assert not np.array_equal(again.included, played.included)


def test_a_one_run_target_that_changes_the_coins_cannot_cheat() -> None:
    def train(included: Any, trials: Trials) -> Any:
        scores = in_order(included * 0.0)
        included[:] = False
        return scores

    assert play_one_run(audit_of(SimpleNamespace(run=train), make_target(100)), CONTEXT).included.any()


@pytest.mark.parametrize("found", [np.zeros((1, 10)), in_order(np.zeros(9))])
def test_one_run_wants_one_named_score_a_canary(found: Any) -> None:
    with pytest.raises(ContentError, match=r"named_scores\(names, scores\) of 10 canaries, shape \(1, 2, 10\)"):
        play_one_run(audit_of(SimpleNamespace(run=lambda i, t: found), make_target(10)), CONTEXT)


def test_a_score_is_joined_to_the_coin_of_its_canary_wherever_it_stands() -> None:
    def sorted_by_size(included: Any, trials: Trials) -> Any:
        scores = noisy(included, trials)[0, 1]
        order = np.argsort(-scores)
        return named_scores(order, scores[order])

    target = make_target(500)
    plain, by_size = (
        play_one_run(audit_of(SimpleNamespace(run=run), target), CONTEXT) for run in (noisy, sorted_by_size)
    )
    assert np.array_equal(by_size.scores, plain.scores)
    assert np.array_equal(by_size.included, plain.included)


def test_canaries_outside_are_scored_and_never_included() -> None:
    seen: list[Any] = []

    def train(included: Any, trials: Trials) -> Any:
        seen.append(included)
        return named_scores(np.arange(len(included))[::-1], np.arange(len(included))[::-1])

    subject = audit_of(SimpleNamespace(run=train, without_noise=train), make_target(100, outside=900))
    for play in (play_one_run, play_without_noise):
        played = play(subject, CONTEXT)
        assert np.array_equal(seen[-1], np.concatenate([played.included, np.zeros(900, dtype=bool)]))
        assert np.array_equal(played.scores, np.arange(100.0))
        assert np.array_equal(played.outside, np.arange(100.0, 1000.0))
    fewer = play_one_run(audit_of(SimpleNamespace(run=lambda i, t: in_order(i)), make_target(100)), CONTEXT)
    assert np.array_equal(fewer.included, play_one_run(subject, CONTEXT).included)
    assert len(fewer.outside) == 0


def noisy(included: Any, trials: Trials) -> Any:
    scores = included + trials.stream.normals(trials.numbers, 0, len(included))[0]
    return in_order(scores)


def test_a_training_without_noise_has_coins_and_seeds_of_its_own() -> None:
    subject = audit_of(SimpleNamespace(run=noisy, without_noise=noisy), make_target(500))
    played, silenced = play_one_run(subject, CONTEXT), play_without_noise(subject, CONTEXT)
    assert 0.3 < (played.included == silenced.included).mean() < 0.7
    assert not np.isin(played.scores - played.included, silenced.scores - silenced.included).any()


def test_what_a_training_without_noise_gives_is_checked_too() -> None:
    short = SimpleNamespace(run=noisy, without_noise=lambda i, t: np.zeros((1, 9)))
    with pytest.raises(ContentError, match=r"without_noise must return named_scores\(names, scores\)"):
        play_without_noise(audit_of(short, make_target(10)), CONTEXT)


def test_a_training_without_noise_belongs_to_canaries() -> None:
    with pytest.raises(ContentError, match="test/canaries: without_noise belongs to one training with canaries"):
        audit_of(SimpleNamespace(run=noisy, without_noise=noisy), make_target(0))
