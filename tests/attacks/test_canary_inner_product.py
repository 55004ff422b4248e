"""The gradient canary: shapes, value, and that it keeps what a Gaussian release tells."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.attacks.canary_inner_product import canary_inner_product
from dpaudit.attacks.likelihood_ratio import gaussian


def test_value_and_shapes() -> None:
    gradients = np.arange(12.0).reshape(2, 3, 2)
    assert canary_inner_product(gradients, [1.0, -1.0]).tolist() == [[-1.0] * 3] * 2
    per_step = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert canary_inner_product(gradients, per_step).tolist() == [[0.0, 3.0, 0.0], [6.0, 9.0, 0.0]]


def test_it_is_a_monotone_function_of_the_likelihood_ratio() -> None:
    rng = np.random.default_rng(3)
    gradients, canary = rng.normal(size=(40, 1, 5)), rng.normal(size=5)
    inner = canary_inner_product(gradients, canary).sum(axis=1)
    ratio = gaussian(gradients, canary, np.zeros(5), 1.5)
    assert ratio == pytest.approx((inner - canary @ canary / 2) / 1.5**2)
