"""Learned attacks: what they find, determinism, infinities, empty sides."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from dpaudit.attacks.learned_classifier import MODELS, LearnedClassifier
from dpaudit.records.errors import ConfigurationError, MissingPackageError

pytest.importorskip("sklearn")


def advantage(model: str, positive: np.ndarray, negative: np.ndarray, seed: int = 0) -> float:
    """Area under the curve on the second half of the trials, less one half."""
    half = len(positive) // 2
    score = LearnedClassifier(model).fit(positive[:half], negative[:half], None, None, np.random.default_rng(seed))
    ranks = rankdata(np.concatenate([score(positive[half:]), score(negative[half:])]))
    return float(ranks[:half].sum() / half - (half + 1) / 2) / half - 0.5


@pytest.mark.parametrize("model", MODELS)
def test_it_finds_a_shift(model: str) -> None:
    """The best area is 0.24 above a half; the standard error of 1,000 trials a side is 0.013."""
    rng = np.random.default_rng(1)
    shifted = rng.normal([0.6, 0.8, 0.0], 1, (2000, 3))
    assert advantage(model, shifted, rng.normal(size=(2000, 3))) > 0.15


@pytest.mark.parametrize("model", ["boosting", "forest"])
def test_trees_find_a_change_of_scale(model: str) -> None:
    rng = np.random.default_rng(2)
    assert advantage(model, 0.5 * rng.normal(size=(2000, 1)), rng.normal(size=(2000, 1))) > 0.08


@pytest.mark.parametrize("model", MODELS)
def test_there_is_nothing_to_find_in_equal_laws(model: str) -> None:
    """False alarm below 1e-6: six standard errors."""
    rng = np.random.default_rng(3)
    assert abs(advantage(model, rng.normal(size=(2000, 2)), rng.normal(size=(2000, 2)))) < 0.08


@pytest.mark.parametrize("model", MODELS)
def test_the_same_state_gives_the_same_scores(model: str) -> None:
    rng = np.random.default_rng(4)
    positive, negative, fresh = (rng.normal(size=(200, 2, 2)) for _ in range(3))
    scores = [
        LearnedClassifier(model).fit(positive, negative, None, None, np.random.default_rng(9))(fresh) for _ in range(2)
    ]
    assert scores[0].shape == (200,)
    assert np.array_equal(scores[0], scores[1])
    alone = LearnedClassifier(model).fit(positive, negative, None, None, np.random.default_rng(9))(fresh[3:4])
    assert alone == pytest.approx(scores[0][3:4], rel=1e-12)


@pytest.mark.parametrize("model", MODELS)
def test_infinities_are_ends_of_the_scale(model: str) -> None:
    positive = np.where(np.arange(400) % 2 == 0, np.inf, 0.5)
    negative = np.where(np.arange(400) % 2 == 0, -np.inf, 0.5)
    score = LearnedClassifier(model).fit(positive, negative, None, None, np.random.default_rng(0))
    low, middle, high = score(np.array([-np.inf, 0.5, np.inf]))
    assert low < middle < high


@pytest.mark.parametrize("model", MODELS)
def test_constant_and_infinite_columns(model: str) -> None:
    outputs = np.column_stack([np.full(60, np.inf), np.ones(60)])
    score = LearnedClassifier(model).fit(outputs, outputs, None, None, np.random.default_rng(0))
    assert np.isfinite(score(outputs)).all()
    assert len(np.unique(score(outputs))) == 1
    assert score(outputs[:0]).shape == (0,)


def test_a_side_without_trials_says_nothing() -> None:
    score = LearnedClassifier().fit(np.zeros((0, 2)), np.zeros((5, 2)), None, None, np.random.default_rng(0))
    assert score(np.ones((3, 2))).tolist() == [0.0, 0.0, 0.0]


def test_unknown_models_and_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigurationError, match="model must be one of"):
        LearnedClassifier("oracle")
    monkeypatch.setitem(__import__("sys").modules, "sklearn.ensemble", None)
    with pytest.raises(MissingPackageError, match="scikit-learn"):
        LearnedClassifier().fit(np.zeros(3), np.ones(3), None, None, np.random.default_rng(0))
