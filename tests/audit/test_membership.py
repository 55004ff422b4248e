"""Membership inference: the batched training against a plain one, privacy of its releases, rates and attacks."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.audit import membership
from dpaudit.audit.membership import Training
from dpaudit.content.items import Loaded
from dpaudit.content.loading import load_module, load_targets
from dpaudit.content.named_scores import by_name
from dpaudit.estimators import one_run, one_run_fdp
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.records.privacy import Neighbours

pytest.importorskip("sklearn")

AUDITS = Path(__file__).parents[2] / "audits"
DIGITS = load_targets([AUDITS / "one_run" / "digits.py"])


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def task() -> membership.Task:
    return membership.digits(rng(), canaries=300, always=100, width=128)


@pytest.fixture(scope="module")
def attacked(task: membership.Task) -> tuple[dict[str, Any], Any]:
    """Scores of all attacks on 16 models without noise, 32 shadow models, and who was trained with what."""
    coins = rng(1).random((48, task.canaries)) < 0.5
    observed = membership.observe(task, coins, Training(steps=60, learning_rate=40.0), rng(2))
    return membership.attack_scores(observed, 32), coins[32:]


def plain_training(task: membership.Task, included: Any, training: Training) -> Any:
    """One model, record by record, in float64."""
    weights = velocity = np.zeros((task.features.shape[1], membership.CLASSES))
    for _ in range(training.steps):
        total = np.zeros_like(weights)
        for index in range(task.trained):
            if index >= task.canaries or included[index]:
                logits = task.features[index].astype(float) @ weights
                error = np.exp(logits) / np.exp(logits).sum() - np.eye(membership.CLASSES)[task.labels[index]]
                gradient = np.outer(task.features[index], error)
                clip = training.clip_norm or math.inf
                total += gradient * min(1.0, clip / np.linalg.norm(gradient))
        velocity = training.momentum * velocity + total / task.trained
        weights = weights - training.learning_rate * velocity
    return weights


def test_the_task(task: membership.Task) -> None:
    assert np.linalg.norm(task.features, axis=1) == pytest.approx(1, abs=1e-6)
    wrong = task.labels != task.truth
    assert wrong[:300].all()
    assert not wrong[300:400].any()
    assert wrong[400:].all()
    assert len(task.labels) == 1797


@pytest.mark.parametrize("clip_norm", [None, 0.5])
def test_all_models_at_once_are_models_one_by_one(task: membership.Task, clip_norm: float | None) -> None:
    training = Training(steps=3, learning_rate=5.0, clip_norm=clip_norm)
    included = rng(3).random((3, task.canaries)) < 0.5
    weights = membership.train(task, included, training, rng())
    for model in (0, 2):
        assert weights[:, model] == pytest.approx(plain_training(task, included[model], training), abs=2e-5)


def test_a_canary_moves_a_release_by_the_clip_norm_at_most(task: membership.Task) -> None:
    """After one step from zero: the released sum is the weights over -learning_rate / trained."""
    everyone = np.ones((1, task.canaries), dtype=bool)
    without = everyone.copy()
    without[0, 7] = False
    training = Training(steps=1, learning_rate=1.0, clip_norm=0.5)
    both = [membership.train(task, coins, training, rng()) for coins in (everyone, without)]
    moved = task.trained * float(np.linalg.norm(both[0] - both[1]))
    assert moved == pytest.approx(0.5, rel=1e-2)  # a fresh model errs by 0.95 on every record: clipped


def test_the_noise_has_the_scale_that_is_accounted(task: membership.Task) -> None:
    """Over 5 x 1,280 weights; false alarm 1e-6 (five standard errors of a standard deviation)."""
    included = np.zeros((5, task.canaries), dtype=bool)
    training = Training(steps=1, learning_rate=1.0, clip_norm=0.5, noise_multiplier=8.0)
    noise = membership.train(task, included, training, rng(4)) - membership.train(
        task, included, replace(training, noise_multiplier=0.0), rng(4)
    )
    assert task.trained * float(noise.std()) == pytest.approx(4.0, rel=5 / math.sqrt(2 * noise.size))
    assert np.unique(noise).size > 0.99 * noise.size


def test_attacks_with_shadow_models_beat_the_loss_threshold(attacked: Any) -> None:
    scores, included = attacked
    for name in set(scores) - {"loss threshold"}:
        gain, low, high = membership.advantage(scores[name], scores["loss threshold"], included, 0.05)
        assert 0.05 < low < gain < high


def test_an_attack_gains_nothing_over_itself(attacked: Any) -> None:
    scores, included = attacked
    assert membership.advantage(scores["loss threshold"], scores["loss threshold"], included, 0.05) == (0.0, 0.0, 0.0)


def test_rates_of_normal_scores_and_their_interval() -> None:
    """Members lie two standard deviations above; false alarm below 1e-6 each."""
    included = rng(5).random((10, 2000)) < 0.5
    scores = rng(6).normal(size=included.shape) + 2 * included
    rate = membership.rate_at(scores, included, 0.1)
    members = int(included[5:].sum())
    assert rate.false_positive_rate == pytest.approx(0.1, abs=0.04)
    assert rate.true_positive_rate == pytest.approx(0.764, abs=0.06)
    hits = round(rate.true_positive_rate * members)
    assert rate.lower == pytest.approx(beta.ppf(0.025, hits, members - hits + 1))
    assert rate.upper == pytest.approx(beta.ppf(0.975, hits + 1, members - hits))


def test_the_threshold_never_sees_the_models_that_are_counted() -> None:
    included = rng(5).random((10, 200)) < 0.5
    scores = rng(6).normal(size=included.shape)
    changed = np.where(np.arange(10)[:, None] < 5, scores, scores + 100)
    assert membership.rate_at(changed, included, 0.1).false_positive_rate == 1.0


def test_equal_scores_are_one_event() -> None:
    included = rng(5).random((4, 100)) < 0.5
    rate = membership.rate_at(np.zeros((4, 100)), included, 0.1)
    assert (rate.true_positive_rate, rate.false_positive_rate) == (0.0, 0.0)
    assert membership.rate_at(np.zeros((4, 100)), included, 1.0).true_positive_rate == 1.0


def test_the_curve_rises_from_rare_errors_to_all(attacked: Any) -> None:
    scores, included = attacked
    curve = np.array(membership.roc(scores["LiRA online"], included, points=12))
    assert (np.diff(curve[:, :2], axis=0) >= 0).all()
    assert curve[-1, :2].tolist() == [1.0, 1.0]
    assert (curve[:, 2] <= curve[:, 1]).all()
    assert (curve[:, 1] <= curve[:, 3]).all()


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="clip_norm"):
        Training(steps=1, learning_rate=1.0, noise_multiplier=1.0)
    with pytest.raises(ConfigurationError, match="must leave some of 1797"):
        membership.digits(rng(), canaries=1500, always=297)
    monkeypatch.setitem(__import__("sys").modules, "sklearn.datasets", None)
    with pytest.raises(MissingPackageError, match="scikit-learn"):
        membership.digits(rng())


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(("item", "refuted"), [(DIGITS[0], False), (DIGITS[1], True)], ids=["private", "no noise"])
def test_one_run_tells_the_model_without_noise_from_the_private_one(item: Loaded, refuted: bool) -> None:
    """At the level 1e-6, which is also the false alarm of the private model."""
    claim, included = item.record.claim, rng(8).random(item.record.canaries) < 0.5
    found = item.carrier.run(included, Trials(Stream(1, "one run"), np.arange(1)))
    scores = by_name(found, item.record.canaries, "run")
    assert one_run_fdp.refutes(one_run.guesses(scores, included), claim.guarantee, 1e-6) == refuted


def test_the_claim_of_the_targets_is_that_of_the_private_training() -> None:
    """The accountant, at the quoted delta, and the claim in agreement to 1 in 1,000."""
    private, forgotten = DIGITS
    training = load_module(private.path).PRIVATE
    assert 0.998 < epsilon_bounds(training.mechanism(), 1e-5, Neighbours.ADD_OR_REMOVE).upper <= 1
    mu = math.sqrt(training.steps) / training.noise_multiplier
    assert 0.999 * private.record.claim.guarantee.mu < mu <= private.record.claim.guarantee.mu
    assert forgotten.record.claim.guarantee == private.record.claim.guarantee


def test_every_canary_is_in_half_of_the_shadow_models() -> None:
    members = membership.shadow_members(7, 40, rng())
    assert (members.sum(axis=0) == 3).all()
    assert len(np.unique(members, axis=1).T) > 20


def test_one_run_scores_take_fresh_coins_for_the_shadow_models(task: membership.Task) -> None:
    included = rng(9).random(task.canaries) < 0.5
    training = Training(steps=10, learning_rate=20.0)
    scores = [membership.one_run_scores(task, included, training, 16, rng(seed)) for seed in (1, 1, 2)]
    assert np.array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])


def test_crafted_canaries_have_a_feature_each() -> None:
    crafted = membership.digits(rng(), canaries=100, always=50, width=128, crafted=True)
    usual = membership.digits(rng(), canaries=100, always=50, width=128)
    assert np.array_equal(crafted.features[:100], np.eye(100, 128))
    assert np.array_equal(crafted.features[100:], usual.features[100:])
    assert np.array_equal(crafted.labels, usual.labels)
    with pytest.raises(ConfigurationError, match="a feature each, got 200 and width 128"):
        membership.digits(rng(), canaries=200, always=50, width=128, crafted=True)
