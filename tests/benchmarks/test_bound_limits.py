"""The limits of all bounds: the pair of laws that they rest on keeps what it must, and is the closest one."""

from __future__ import annotations

import bound_limits
import numpy as np
import pytest


@pytest.mark.parametrize("name", bound_limits.LAWS)
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("delta", [1e-5, 0.05])
def test_the_pair_keeps_epsilon_and_delta(name: str, epsilon: float, delta: float) -> None:
    high, low = bound_limits.closest(*bound_limits.binned(bound_limits.LAWS[name]), epsilon, delta)
    assert high.sum() == pytest.approx(1) == low.sum()
    for one, other in ((high, low), (low, high)):
        assert np.maximum(one - np.exp(epsilon) * other, 0).sum() <= delta * (1 + 1e-9)


def test_a_truth_that_keeps_the_claim_is_its_own_closest_pair() -> None:
    true, other = bound_limits.binned(bound_limits.LAWS["Laplace epsilon 1"])
    high, low = bound_limits.closest(true, other, 1.0, 1e-5)
    assert high == pytest.approx(true, rel=1e-3)
    assert low == pytest.approx(other, rel=1e-3)


def test_no_pair_is_closer() -> None:
    """On four values, against a grid of all symmetric pairs that keep epsilon 0.4 and delta 0.02."""
    true = np.array([0.05, 0.15, 0.3, 0.5])
    other, epsilon, delta = true[::-1], 0.4, 0.02
    steps = np.linspace(0.005, 0.6, 120)
    three = np.stack(np.meshgrid(steps, steps, steps), axis=-1).reshape(-1, 3)
    four = np.column_stack([three, 1 - three.sum(axis=1)])
    four = four[four[:, 3] > 0]
    kept = four[np.maximum(four - np.exp(epsilon) * four[:, ::-1], 0).sum(axis=1) <= delta]

    def distance(high: np.ndarray) -> np.ndarray:
        return np.asarray(np.log(true / high) @ true + np.log(other / high[..., ::-1]) @ other)

    high, low = bound_limits.closest(true, other.copy(), epsilon, delta)
    assert low == pytest.approx(high[::-1])
    least = distance(kept).min()
    assert least > distance(high) - 1e-6
    assert least == pytest.approx(distance(high), rel=0.03)
