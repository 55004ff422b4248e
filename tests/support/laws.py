"""Exact tests of samples against a known normal law, for every backend that draws them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy import stats


def assert_gaussian(samples: Any, mean: Any, covariance: Any, level: float = 1e-6) -> None:
    """Fail if `samples` (trials, size) do not look like N(mean, covariance); wrong with probability at most `level`.

    The whitened samples are tested along every axis and diagonal of the plane of two axes: their mean against a
    normal law, their sum of squares against a chi-square law, both exact; the level is divided by the number of
    tests. Where the covariance is singular, the null space must be met to rounding.
    """
    rows = np.asarray(samples, dtype=np.float64)
    values, vectors = np.linalg.eigh(np.asarray(covariance, dtype=np.float64))
    free = values > 1e-9 * max(float(values.max()), 1e-300)
    away = (rows - np.asarray(mean)) @ vectors
    assert np.abs(away[:, ~free]).max(initial=0.0) <= 1e-5, "samples move where the law does not"
    white = away[:, free] / np.sqrt(values[free])
    axes = np.eye(white.shape[1])
    pairs = itertools.combinations(range(len(axes)), 2)
    directions = [*axes, *((axes[i] + sign * axes[j]) / np.sqrt(2) for i, j in pairs for sign in (1, -1))]
    each = level / (2 * len(directions))
    for direction in directions:
        along = white @ direction
        z = along.mean() * np.sqrt(len(rows))
        assert abs(z) <= stats.norm.isf(each / 2), f"mean along {direction} is off by {z:.2f} standard errors"
        square = (along**2).sum()
        tail = min(stats.chi2.cdf(square, len(rows)), stats.chi2.sf(square, len(rows)))
        assert tail >= each / 2, f"variance along {direction} is {square / len(rows):.4f} times what it should be"
