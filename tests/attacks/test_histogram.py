"""The histogram attack: frequencies, cells of continuous columns, unseen values, one side empty."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.attacks.histogram import Histogram
from dpaudit.records.errors import ConfigurationError

RNG = np.random.default_rng(0)


def fitted(positive: list | np.ndarray, negative: list | np.ndarray, **options: object) -> object:
    return Histogram(**options).fit(np.asarray(positive), np.asarray(negative), None, None, RNG)  # type: ignore[arg-type]


def test_it_is_the_log_ratio_of_smoothed_frequencies() -> None:
    score = fitted([0, 0, 0, 1], [0, 1, 1, 1, 1, 1, 1, 1], smoothing=0.5)
    expected = [math.log(3.5 / 4 / (1.5 / 8)), math.log(1.5 / 4 / (7.5 / 8)), 0.0]
    assert score(np.array([0, 1, 7])) == pytest.approx(expected)


def test_rows_are_cells() -> None:
    positive = np.array([[0, 1], [0, 1], [1, 0]])
    score = fitted(positive, 1 - positive)
    same = score(np.array([[0, 1], [1, 0], [1, 1], [0, 0]]))
    assert same[0] > 0 > same[1]
    assert same[2:].tolist() == [0.0, 0.0]
    assert score(positive.reshape(3, 2, 1)).tolist() == same[[0, 0, 1]].tolist()  # any shape after the first axis


def test_continuous_columns_are_cut_at_quantiles() -> None:
    """Two shifted normals; false alarm below 1e-9 (a correlation of 2,000 pairs)."""
    rng = np.random.default_rng(5)
    score = fitted(rng.normal(1, 1, 1000), rng.normal(0, 1, 1000), values=8)
    fresh = np.concatenate([rng.normal(1, 1, 1000), rng.normal(0, 1, 1000)])
    assert len(np.unique(score(fresh))) <= 9
    assert np.corrcoef(score(fresh), fresh)[0, 1] > 0.8


def test_infinities_and_both_zeros() -> None:
    score = fitted([-np.inf, -np.inf, 0.0], [np.inf, np.inf, -0.0])
    low, zero, other, high = score(np.array([-np.inf, 0.0, -0.0, np.inf]))
    assert low > zero == other == 0.0 > high


def test_rare_cells_do_not_outrank_common_ones() -> None:
    score = fitted([0] * 500 + [1] * 2 + [2] * 498, [0] * 100 + [1] * 0 + [2] * 900)
    assert score(np.array([0]))[0] > score(np.array([1]))[0]


def test_a_side_without_trials_says_nothing() -> None:
    assert fitted([1, 2], [])(np.array([1, 2])).tolist() == [0.0, 0.0]
    assert fitted([], [])(np.array([1, 2])).tolist() == [0.0, 0.0]
    assert fitted([1, 2], [1])(np.zeros(0)).tolist() == []


def test_features_replace_the_outputs() -> None:
    score = fitted([1.5, 2.5], [1.0, 2.0], features=lambda outputs: outputs % 1)
    assert np.sign(score(np.array([7.5, 8.0]))).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("options", [{"values": 1}, {"smoothing": 0.0}, {"smoothing": math.nan}])
def test_options_are_checked(options: dict) -> None:
    with pytest.raises(ConfigurationError, match="values must be at least 2"):
        Histogram(**options)
