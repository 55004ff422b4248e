"""The exact tests of normal laws: right samples pass, a wrong mean, variance or correlation fails.

False alarm at most 1e-6 each.
"""

from __future__ import annotations

import numpy as np
import pytest
from laws import assert_gaussian

RNG = np.random.default_rng(8)
ROOT = np.array([[1.0, 0.0, 0.0], [0.5, 0.7, 0.0], [-0.2, 0.3, 2.0]])
MEAN, COVARIANCE = np.array([1.0, -2.0, 3.0]), ROOT @ ROOT.T
SAMPLES = MEAN + RNG.normal(size=(20_000, 3)) @ ROOT.T


def test_samples_of_the_law_pass() -> None:
    assert_gaussian(SAMPLES, MEAN, COVARIANCE)


@pytest.mark.parametrize(
    ("mean", "covariance"),
    [
        (MEAN + np.array([0.05, 0.0, 0.0]), COVARIANCE),
        (MEAN, COVARIANCE * 1.08),
        (MEAN, COVARIANCE - np.diag([0.0, 0.1, 0.0])),
        (MEAN, np.diag(np.diag(COVARIANCE))),
    ],
    ids=["mean", "scale", "one variance", "correlation"],
)
def test_another_law_fails(mean: np.ndarray, covariance: np.ndarray) -> None:
    with pytest.raises(AssertionError):
        assert_gaussian(SAMPLES, mean, covariance)


def test_a_singular_law_must_be_met_where_it_is_fixed() -> None:
    flat = SAMPLES.copy()
    flat[:, 2] = flat[:, 0]
    singular = COVARIANCE[np.ix_([0, 1, 0], [0, 1, 0])]
    assert_gaussian(flat, MEAN[[0, 1, 0]], singular)
    flat[7, 2] += 1e-3
    with pytest.raises(AssertionError, match="where the law does not"):
        assert_gaussian(flat, MEAN[[0, 1, 0]], singular)
