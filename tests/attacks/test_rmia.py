"""RMIA: the scores against the definition record by record, power, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.attacks import rmia
from dpaudit.records.errors import ConfigurationError, ContentError

Arrays = tuple[np.ndarray, ...]


def models(shadows: int = 30, records: int = 20, population: int = 15, seed: int = 0) -> Arrays:
    """Log-probabilities of labels under one attacked model, which holds every even record, and under shadow models."""
    rng = np.random.default_rng(seed)
    members = rng.random((shadows, records)) < 0.5
    level, other = rng.normal(0, 2, records), rng.normal(0, 2, population)

    def log_probability(logit: np.ndarray) -> np.ndarray:
        return -np.log1p(np.exp(-(logit + 0.5 * rng.normal(size=logit.shape))))

    inside = np.arange(records) % 2 == 0
    return (
        log_probability(level + 2.0 * inside), log_probability(level + 2.0 * members), members,
        log_probability(other), log_probability(np.tile(other, (shadows, 1))),
    )  # fmt: skip


def by_hand(target: float, usual: float, known: np.ndarray, others: np.ndarray, gamma: float) -> float:
    """The definition: one record against every population record."""
    wins = [
        (np.exp(target) / usual) / (np.exp(z) / np.exp(column).mean()) >= gamma
        for z, column in zip(known, others.T, strict=True)
    ]
    return float(np.mean(wins))


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0])
def test_scores_are_the_definition(gamma: float) -> None:
    target, shadows, members, known, others = models()
    online = rmia.online(target, shadows, members, known, others, gamma)
    offline = rmia.offline(target, shadows, members, known, others, gamma, pull=0.3)
    for index in range(len(target)):
        probability, inside = np.exp(shadows[:, index]), members[:, index]
        with_it, without = probability[inside].mean(), probability[~inside].mean()
        assert online[index] == by_hand(target[index], (with_it + without) / 2, known, others, gamma)
        assert offline[index] == by_hand(target[index], (1.3 * without + 0.7) / 2, known, others, gamma)


@pytest.mark.parametrize("attack", [rmia.online, rmia.offline])
def test_members_score_higher(attack: object) -> None:
    """400 records a side; chance alone has a difference of mean shares above 0.15 less than once in 10^6."""
    target, shadows, members, known, others = models(records=800, population=200, seed=3)
    scores = attack(target, shadows, members, known, others, gamma=1.0)  # type: ignore[operator]
    assert scores[::2].mean() - scores[1::2].mean() > 0.15
    assert ((scores >= 0) & (scores <= 1)).all()


def test_several_targets_at_once() -> None:
    target, shadows, members, known, others = models()
    both = rmia.online(np.stack([target, target]), shadows, members, np.stack([known, known - 1]), others)
    assert both.shape == (2, 20)
    assert np.array_equal(both[0], rmia.online(target, shadows, members, known, others))
    assert (both[1] >= both[0]).all()  # a model that does worse on the population favours its records more


def test_probabilities_of_zero_are_cut_off() -> None:
    members = np.array([[True], [False]])
    scores = rmia.online([-np.inf], np.full((2, 1), -np.inf), members, [-1.0], np.full((2, 1), -1.0), gamma=1.0)
    assert scores.tolist() == [1.0]


def test_the_ends_of_the_pull_are_allowed() -> None:
    target, shadows, members, known, others = models()
    for pull in (0.0, 1.0):
        found = rmia.offline(target, shadows, members, known, others, pull=pull)
        assert ((found >= 0) & (found <= 1)).all()


def test_what_is_refused() -> None:
    target, shadows, members, known, others = models()
    with pytest.raises(ConfigurationError, match="gamma"):
        rmia.online(target, shadows, members, known, others, gamma=0.0)
    with pytest.raises(ConfigurationError, match="pull"):
        rmia.offline(target, shadows, members, known, others, pull=1.5)
    with pytest.raises(ContentError, match="at most 0"):
        rmia.online(target + 9, shadows, members, known, others)
    with pytest.raises(ContentError, match="at least one record"):
        rmia.online(target, shadows, members, np.zeros(0), np.zeros((30, 0)))
    with pytest.raises(ContentError, match="with it in"):
        rmia.online(target, shadows, np.zeros_like(members), known, others)
