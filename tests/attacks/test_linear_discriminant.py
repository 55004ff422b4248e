"""Fisher's discriminant against the likelihood ratio, and on columns that are constant or infinite."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, rankdata

from dpaudit.attacks.linear_discriminant import LinearDiscriminant

Floats = np.ndarray


def fitted(first: Floats, second: Floats) -> object:
    return LinearDiscriminant().fit(first, second, None, None, np.random.default_rng(0))


def auc(positive: Floats, negative: Floats) -> float:
    """P(score on D > score on D')."""
    ranks = rankdata(np.concatenate([positive, negative]))[: len(positive)]
    return float((ranks.sum() - len(positive) * (len(positive) + 1) / 2) / (len(positive) * len(negative)))


def correlated(rng: np.random.Generator, count: int, mean: Floats, factor: Floats) -> Floats:
    return mean + rng.normal(size=(count, len(mean))) @ factor.T


@pytest.mark.parametrize(("trials", "least"), [(100, 0.60), (400, 0.83), (4_000, 0.96)])
def test_its_power_in_twenty_dimensions_comes_close_to_that_of_the_likelihood_ratio(trials: int, least: float) -> None:
    """Measured with four seeds: 0.66 to 0.89, 0.88 to 0.96 and 0.98 to 0.99 of the best mu."""
    rng = np.random.default_rng(1)
    mean, factor = rng.normal(size=20) / 5, np.eye(20) + 0.05 * rng.normal(size=(20, 20))
    score = fitted(correlated(rng, trials, mean, factor), correlated(rng, trials, 0 * mean, factor))
    best = float(np.linalg.norm(np.linalg.solve(factor, mean)))
    reached = auc(*(score(correlated(rng, 50_000, part, factor)) for part in (mean, 0 * mean)))
    # The standard error of the area is below 0.0025, that of mu below 0.01 of `best`.
    assert least * best < np.sqrt(2) * norm.ppf(reached) < 1.05 * best


def test_scores_are_larger_on_the_data_set_and_shapes_are_flattened() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.normal(1, 1, (200, 2, 3)), rng.normal(0, 1, (200, 2, 3))
    score = fitted(first, second)
    assert score(first).shape == (200,)
    assert auc(score(first), score(second)) > 0.9
    assert score(first[:0]).shape == (0,)


def test_constant_columns_are_left_out_unless_they_differ() -> None:
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(100, 2))
    same = np.column_stack([noise, np.ones(100)])
    score = fitted(same + np.array([1.0, 0.0, 0.0]), same)
    assert np.array_equal(score(same), score(same + np.array([0.0, 0.0, 5.0])))
    assert np.isfinite(score(same)).all()
    apart = fitted(np.column_stack([noise, np.ones(100)]), np.column_stack([noise, np.zeros(100)]))
    assert apart(np.array([[0, 0, 1.0]]))[0] > apart(np.array([[0, 0, 0.0]]))[0]


def test_infinite_values_count_as_just_beyond_the_finite_ones() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(1, 1, (300, 2)), rng.normal(0, 1, (300, 2))
    first[:5, 0], second[:5, 0] = np.inf, -np.inf
    score = fitted(first, second)
    scores = score(np.array([[np.inf, 0.0], [10.0, 0.0], [0.0, 0.0], [-np.inf, 0.0]]))
    assert np.isfinite(scores).all()
    assert scores[0] >= scores[1] > scores[2] > scores[3]


def test_a_column_without_a_finite_number_does_not_break_it() -> None:
    outputs = np.full((10, 1), np.inf)
    score = fitted(outputs, -outputs)
    assert score(outputs)[0] > score(-outputs)[0]


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_trials_score_zero(rows: int) -> None:
    score = fitted(np.ones((rows, 2)), np.ones((5, 2)))
    assert np.array_equal(score(np.ones((3, 2))), np.zeros(3))


def test_fewer_trials_than_columns_still_find_the_direction() -> None:
    rng = np.random.default_rng(5)
    shift = np.zeros(200)
    shift[:5] = 3.0
    first, second = rng.normal(size=(30, 200)) + shift, rng.normal(size=(30, 200))
    score = fitted(first, second)
    assert auc(score(rng.normal(size=(500, 200)) + shift), score(rng.normal(size=(500, 200)))) > 0.97
