"""The tests of null p-values: exact for uniform ones, silent for larger ones, loud for smaller ones."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, kstest

from dpaudit.estimators.uniformity import too_many_below, uniformity
from dpaudit.records.errors import ContentError


def test_kolmogorov_is_the_exact_one_sided_test() -> None:
    values = np.random.default_rng(0).random(37) ** 1.2
    expected = kstest(values, "uniform", alternative="greater", method="exact")
    found = uniformity(values)
    assert found.excess == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.shares[-1] == 1.0
    assert (np.diff(found.values) >= 0).all()


def test_binomial_is_the_binomial_tail() -> None:
    values = [0.01, 0.04, 0.05, 0.2, 0.9]
    assert too_many_below(values, 0.05) == pytest.approx(binom.sf(2, 5, 0.05))
    assert too_many_below(values, 0.001) == 1.0


def test_only_small_p_values_are_too_many() -> None:
    """False alarm of the silent half: both p-values above 1e-6."""
    uniform = np.random.default_rng(1).random(2000)
    for fine in (uniform, np.sqrt(uniform), np.ones(2000), np.ceil(uniform * 4) / 4):
        assert uniformity(fine).p_value > 1e-6
        assert too_many_below(fine, 0.05) > 1e-6
    for small in (uniform**1.5, uniform * 0.9, np.zeros(30)):
        assert uniformity(small).p_value < 1e-6
    assert too_many_below(uniform**1.5, 0.05) < 1e-6


def test_no_p_values_and_wrong_ones() -> None:
    assert uniformity([]).p_value == too_many_below([], 0.1) == 1.0
    for wrong in ([math.nan], [1.1], [-0.1], [[0.5]]):
        with pytest.raises(ContentError, match="p-values"):
            uniformity(wrong)
    with pytest.raises(ContentError, match="level"):
        too_many_below([0.5], 0.0)
