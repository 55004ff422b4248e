"""The noisy histogram: the law of its noise, and that the wrong scale is caught."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, laplace

from dpaudit.audit.planted import histogram
from dpaudit.noise.stream import Stream, Trials

TRIALS = Trials(Stream(3, "histogram"), np.arange(5000))


@pytest.mark.parametrize(("release", "scale"), [(histogram.correct, 4.0), (histogram.wrong_scale, 0.25)])
def test_the_noise_is_laplace_of_the_stated_scale(release: object, scale: float) -> None:
    """At epsilon 1/4, every count on its own; false alarm 1e-8."""
    noisy = release(np.array([3.0, 10.0]), 0.25, TRIALS)  # type: ignore[operator]
    assert noisy.shape == (5000, 2)
    noise = (noisy - [3.0, 10.0]).ravel()
    assert kstest(noise, laplace(scale=scale).cdf).pvalue > 1e-8
    assert abs(np.corrcoef(noise[::2], noise[1::2])[0, 1]) < 0.09  # six standard errors


def test_no_counts() -> None:
    assert histogram.correct(np.zeros(0), 1.0, TRIALS).shape == (5000, 0)
