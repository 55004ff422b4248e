"""The checks that all estimators share."""

from __future__ import annotations

import math

import numpy as np
import pytest
from refusals import refused

from dpaudit.estimators.bound import check_levels, checked_scores
from dpaudit.records.errors import ContentError


def test_scores_become_vectors_of_float64_and_infinities_stay() -> None:
    positive, negative = checked_scores([1, 2], np.array([math.inf, -math.inf], dtype=np.float32))
    assert positive.dtype == negative.dtype == np.float64
    assert negative.tolist() == [math.inf, -math.inf]


test_nan_and_other_shapes_are_refused = refused(
    lambda bad: checked_scores([1.0], bad),
    ([math.nan, 1.0], "1 of 2 scores on D'"),
    ([[1.0]], "one number a trial"),
    error=ContentError,
)


@pytest.mark.parametrize(
    ("delta", "alpha"), [(-0.1, 0.1), (1.0, 0.1), (math.nan, 0.1), (0.1, 0.0), (0.1, 1.0), (0.1, math.nan)]
)
def test_levels_outside_of_their_interval_are_refused(delta: float, alpha: float) -> None:
    with pytest.raises(ContentError):
        check_levels(delta, alpha)


def test_delta_0_is_refused_where_a_bound_says_nothing_of_pure_privacy() -> None:
    check_levels(0.0, 0.1)
    with pytest.raises(ContentError, match=r"\(0, 1\), since this bound says nothing of pure DP, got 0"):
        check_levels(0.0, 0.1, pure=False)
    for delta in (-0.1, 1.0, math.nan):
        with pytest.raises(ContentError, match=r"delta must be in \[0, 1\)"):
            check_levels(delta, 0.1)


def test_levels_inside_pass() -> None:
    check_levels(1e-300, 1 - 1e-16)
