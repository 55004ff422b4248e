"""The Gaussian likelihood ratio against densities, and its law under both data sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from dpaudit.attacks.likelihood_ratio import gaussian
from dpaudit.records.errors import ContentError


def test_it_is_the_difference_of_log_densities() -> None:
    rng = np.random.default_rng(0)
    outputs, mean, neighbour_mean = rng.normal(size=(50, 3, 2)), rng.normal(size=(3, 2)), rng.normal(size=(50, 3, 2))
    scale = rng.uniform(0.5, 2.0, size=(3, 1))
    expected = norm.logpdf(outputs, mean, scale) - norm.logpdf(outputs, neighbour_mean, scale)
    assert gaussian(outputs, mean, neighbour_mean, scale) == pytest.approx(expected.sum(axis=(1, 2)), rel=1e-9)


def test_far_means_do_not_cancel() -> None:
    found = gaussian(np.array([1e9 + 0.25]), 1e9 + 0.5, 1e9, 1.0)
    assert found.tolist() == [0.0]  # half way between the two means


def test_law_is_the_gaussian_experiment() -> None:
    """Mean mu^2/2, variance mu^2 under D; false alarm 1e-9 each (six standard errors)."""
    rng = np.random.default_rng(1)
    shift = np.array([0.3, -0.4, 1.2])
    mu = float(np.linalg.norm(shift / 2.0))
    ratio = gaussian(shift + 2.0 * rng.normal(size=(100_000, 3)), shift, np.zeros(3), 2.0)
    assert ratio.mean() == pytest.approx(mu**2 / 2, abs=6 * mu / np.sqrt(100_000))
    assert ratio.var() == pytest.approx(mu**2, rel=6 * np.sqrt(2 / 100_000))


def test_one_dimensional_outputs_and_no_trials() -> None:
    assert gaussian(np.array([0.5, 1.0]), 1.0, 0.0, 1.0).tolist() == [0.0, 0.5]
    assert gaussian(np.zeros((0, 4)), 1.0, 0.0, 1.0).shape == (0,)


def test_noise_must_be_positive() -> None:
    with pytest.raises(ContentError, match="noise_scale must be above 0"):
        gaussian(np.zeros(3), 1.0, 0.0, [1.0, 0.0, 1.0])
