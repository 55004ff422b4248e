"""LiRA: the confidence against its definition, the ratio against normal densities, power, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from dpaudit.attacks import lira
from dpaudit.records.errors import ConfigurationError, ContentError


def shadow_models(models: int = 40, records: int = 30, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Confidences (models, records), members, and confidences of one more model that holds every even record."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0, 5, records)
    members = rng.random((models, records)) < 0.5
    shadows = level + 2.0 * members + rng.normal(size=(models, records))
    target = level + 2.0 * (np.arange(records) % 2 == 0) + rng.normal(size=records)
    return target, shadows, members


def test_confidence_is_the_logit_of_the_probability_of_the_label() -> None:
    logits = np.random.default_rng(1).normal(size=(3, 4, 5))
    labels = np.array([0, 4, 2, 2])
    probability = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    own = probability[:, np.arange(4), labels]
    assert lira.confidence(logits, labels) == pytest.approx(np.log(own) - np.log(1 - own))


def test_confidence_keeps_what_probabilities_round_away() -> None:
    assert lira.confidence([[900.0, 0.0], [0.0, 900.0]], [0, 0]).tolist() == [900.0, -900.0]


@pytest.mark.parametrize(
    ("logits", "labels"), [([[1.0, np.inf]], [0]), ([[1.0]], [0]), ([[1.0, 2.0]], [0, 1]), ([1.0, 2.0], [0])]
)
def test_confidence_refuses_other_shapes_and_infinities(logits: list, labels: list) -> None:
    with pytest.raises(ContentError, match="logits"):
        lira.confidence(logits, labels)


def test_per_example_scores_are_ratios_of_normal_densities() -> None:
    target, shadows, members = shadow_models()
    for index, found in enumerate(lira.online(target, shadows, members, "per-example")):
        inside, outside = shadows[members[:, index], index], shadows[~members[:, index], index]
        laws = [norm.logpdf(target[index], part.mean(), part.std(ddof=1)) for part in (inside, outside)]
        assert found == pytest.approx(laws[0] - laws[1])
        z = (target[index] - outside.mean()) / outside.std(ddof=1)
        assert lira.offline(target, shadows, members, "per-example")[index] == pytest.approx(z)


def test_a_fixed_variance_pools_all_records() -> None:
    target, shadows, members = shadow_models(models=400, records=50)
    gap = [
        np.where(side, shadows, 0).sum(axis=0) / side.sum(axis=0) for side in (members, ~members)
    ]  # unit variance in truth: the ratio is linear in the target up to the estimate of the variance
    expected = (gap[0] - gap[1]) * (target - (gap[0] + gap[1]) / 2)
    assert lira.online(target, shadows, members) == pytest.approx(expected, rel=0.1, abs=0.3)


@pytest.mark.parametrize("attack", [lira.online, lira.offline])
@pytest.mark.parametrize("variance", lira.VARIANCES)
def test_it_sees_through_the_level_of_each_record(attack: object, variance: str) -> None:
    """Members lie two standard deviations above; false alarm below 1e-6 (a gap of 1 with 600 scores of spread ~2)."""
    target, shadows, members = shadow_models(records=600, seed=4)
    scores = attack(target, shadows, members, variance)  # type: ignore[operator]
    inside = np.arange(600) % 2 == 0
    assert np.mean(scores[inside]) - np.mean(scores[~inside]) > 1
    best = np.sort(scores[~inside])[-30]
    assert np.mean(scores[inside] > best) > 0.35  # 0.64 in theory at a false positive rate of 0.1
    assert np.mean(target[inside] > np.sort(target[~inside])[-30]) < 0.3  # one threshold for all records


def test_several_targets_at_once() -> None:
    target, shadows, members = shadow_models()
    both = lira.online(np.stack([target, target + 1]), shadows, members)
    assert both.shape == (2, 30)
    assert np.array_equal(both[0], lira.online(target, shadows, members))


def test_equal_shadow_models_give_finite_scores() -> None:
    members = np.array([[True], [True], [False], [False]])
    assert np.isfinite(lira.online([1.0], np.ones((4, 1)), members, "per-example")).all()


@pytest.mark.parametrize(("row", "needed"), [(np.ones(6, dtype=bool), "out"), (np.zeros(6, dtype=bool), "in")])
def test_a_record_that_is_always_in_or_never_is_refused(row: np.ndarray, needed: str) -> None:
    members = np.stack([np.arange(6) % 2 == 0, row], axis=1)
    with pytest.raises(ContentError, match=f"record 1 has 0 shadow models with it {needed}"):
        lira.online(np.zeros(2), np.zeros((6, 2)), members)


def test_a_variance_of_its_own_needs_two_models() -> None:
    with pytest.raises(ContentError, match="needs 2"):
        lira.offline([0.0], np.zeros((2, 1)), np.array([[True], [False]]), "per-example")


def test_what_is_refused() -> None:
    members = np.array([[True], [False]])
    with pytest.raises(ConfigurationError, match="variance must be one of"):
        lira.online([0.0], np.zeros((2, 1)), members, "none")
    with pytest.raises(ContentError, match="booleans"):
        lira.online([0.0], np.zeros((2, 1)), members.astype(int))
    with pytest.raises(ContentError, match="must be"):
        lira.online([0.0, 1.0], np.zeros((2, 1)), members)
    with pytest.raises(ContentError, match="finite"):
        lira.online([np.nan], np.zeros((2, 1)), members)


def test_no_records() -> None:
    assert lira.online(np.zeros(0), np.zeros((4, 0)), np.zeros((4, 0), dtype=bool)).shape == (0,)
