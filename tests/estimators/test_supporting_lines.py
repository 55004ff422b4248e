"""Supporting lines lie above the curve, touch it, and say the delta at epsilon."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.estimators.supporting_lines import gaussian_delta, largest_area, supporting_lines
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

CLAIMS = (
    ApproximateDP(1.0, 1e-5),
    ApproximateDP(0.0, 0.3),
    GaussianDP(0.0),
    GaussianDP(0.3),
    GaussianDP(4.0),
    RenyiDP(2.0, 0.5),
    RenyiDP(30.0, 3.0),
    RenyiDP(1.5, 0.0),
    PrivacyProfile(((1.0, 1e-6), (0.5, 0.01)), "p"),
)


@pytest.mark.parametrize("claim", CLAIMS, ids=repr)
def test_lines_are_above_the_curve_and_touch_it(claim: Guarantee) -> None:
    slopes, intercepts = supporting_lines(claim)
    assert (slopes >= 1).all()
    rates = np.concatenate([np.geomspace(1e-9, 1, 4000), np.linspace(0, 1, 4001)])
    gap = intercepts[:, None] + slopes[:, None] * rates - largest_true_positive_rate(rates, claim)
    assert gap.min() >= 0
    assert gap.min(axis=1).max() < 2e-3


def test_a_void_promise_has_no_lines() -> None:
    for claim in (ApproximateDP(math.inf, 0.0), RenyiDP(2.0, math.inf)):
        assert len(supporting_lines(claim)[0]) == 0


def test_gaussian_delta_inverts_gaussian_epsilon() -> None:
    for mu in (0.1, 1.0, 5.0):
        assert gaussian_delta(gaussian_epsilon(1e-5, mu), mu) == pytest.approx(1e-5, rel=1e-6)


def test_largest_area() -> None:
    assert largest_area(GaussianDP(0.0)) == pytest.approx(0.5)
    assert largest_area(ApproximateDP(1.0, 0.0)) == pytest.approx(math.e / (1 + math.e), abs=1e-4)
    assert largest_area(GaussianDP(1.0)) == pytest.approx(0.76025, abs=1e-4)  # Phi(1 / sqrt 2)
