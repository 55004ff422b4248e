"""ReSQueEstimate: the weight as a ratio of densities, unbiasedness, special cases, the three forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dpaudit.algorithms.resque import resque_estimate
from dpaudit.algorithms.resque.resque_estimate import Params
from dpaudit.noise.stream import Stream
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(79, "tests/resque")
numbers = st.floats(-2, 2).map(lambda x: round(x, 6))


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=5), st.floats(0.5, 3))
def test_the_weight_is_the_ratio_of_two_densities(rows: list[tuple[float, float, float]], radius: float) -> None:
    x, xbar, xi = (np.array(column) for column in zip(*rows, strict=True))
    params = Params(tuple(x.tolist()), tuple(xbar.tolist()), radius)
    log_ratio = stats.norm.logpdf(x - xbar - xi, scale=radius).sum() - stats.norm.logpdf(xi, scale=radius).sum()
    weight = resque_estimate.reference(params, xi, np.ones(1))[0]
    assert np.log(weight) == pytest.approx(log_ratio, abs=1e-9)


def test_numba_torch_and_batched_repeat_the_reference() -> None:
    params = Params((0.3, -1.0, 0.2), (0.1, 0.1, 0.1), 0.8)
    xi, g = 0.8 * STREAM.normals(np.arange(40), 0, 3), STREAM.normals(np.arange(40), 1, 2)
    expected = np.stack([resque_estimate.reference(params, *row) for row in zip(xi, g, strict=True)])
    assert expected.shape == (40, 2)
    assert resque_estimate.cpu(params, xi, g) == pytest.approx(expected, rel=1e-13)
    assert resque_estimate.gpu(params, xi, g).numpy() == pytest.approx(expected, rel=1e-13)
    batched = resque_estimate.batched(np.array(params.point), np.array(params.centre), 0.8, xi, g)
    assert np.array_equal(batched, resque_estimate.cpu(params, xi, g))


def test_a_linear_function_has_its_gradient_as_mean() -> None:
    """E w = 1; the weight has variance exp(|v|^2/rho^2) - 1, false alarm at most 1e-6."""
    params = Params((0.5, 0.0), (0.0, 0.5), 1.0)
    n = 400_000
    weights = resque_estimate.cpu(params, STREAM.normals(np.arange(n), 2, 2), np.ones((n, 1)))[:, 0]
    assert abs(weights.mean() - 1) <= 4.892 * np.sqrt((np.exp(0.5) - 1) / n)
    assert weights.var() == pytest.approx(np.exp(0.5) - 1, rel=0.1)


def test_at_the_centre_the_weight_is_one() -> None:
    params = Params((0.4, 0.2), (0.4, 0.2), 0.3)
    g = np.array([[1.5, -2.0]])
    assert np.array_equal(resque_estimate.cpu(params, np.array([[9.0, 9.0]]), g), g)


def test_a_wide_radius_gives_weight_one() -> None:
    wide = Params((1.0,), (0.0,), 1e9)
    assert resque_estimate.reference(wide, np.array([1.0]), np.ones(1))[0] == pytest.approx(1.0, abs=1e-15)


def test_it_promises_no_privacy_and_says_its_noise() -> None:
    params = Params((0.0, 0.0), (1.0, 1.0), 1.0)
    assert resque_estimate.promise(params) is None
    assert resque_estimate.noise_shape(params) == (2,)


def test_wrong_shapes_are_refused() -> None:
    params = Params((0.0, 0.0), (1.0, 1.0), 1.0)
    with pytest.raises(ConfigurationError, match=r"draws must have shape \(trials, 2\), got \(4, 3\)"):
        resque_estimate.cpu(params, np.zeros((4, 3)), np.zeros((4, 2)))
    with pytest.raises(ConfigurationError, match=r"gradients must have shape \(4, m\), got \(3, 2\)"):
        resque_estimate.cpu(params, np.zeros((4, 2)), np.zeros((3, 2)))
    with pytest.raises(ConfigurationError, match="radius must be above 0"):
        Params((0.0,), (0.0,), 0.0)
    with pytest.raises(ConfigurationError, match="centre must have 2 numbers, got 1"):
        Params((0.0, 1.0), (0.0,), 1.0)
