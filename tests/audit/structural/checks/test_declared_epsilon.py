"""Claims against the mechanism that they name."""

from __future__ import annotations

import math

import pytest
from scipy.optimize import brentq
from scipy.special import ndtr

from dpaudit.audit.structural.checks import declared_epsilon
from dpaudit.records.mechanism import Gaussian, PoissonSampled, PureDP, SelfComposed
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

DELTA = 1e-5


def claim(guarantee: object, neighbours: Neighbours = Neighbours.ADD_OR_REMOVE) -> PrivacyClaim:
    return PrivacyClaim(guarantee, neighbours, DELTA, source="the test")


def calibrated(sign: float) -> float:
    """The noise multiplier at epsilon 1 by Balle and Wang (2018), algorithm 1, for a delta this small; sign -1 is a
    bug."""

    def excess(u: float) -> float:
        return float(ndtr(-math.sqrt(u)) - math.e * ndtr(-math.sqrt(u + 2))) - DELTA

    u = brentq(excess, 0.0, 100.0)
    return (math.sqrt(1 + u / 2) + sign * math.sqrt(u / 2)) / math.sqrt(2)


def test_a_wrong_sign_in_the_calibration_is_refuted() -> None:
    right, wrong = calibrated(1.0), calibrated(-1.0)
    assert right == pytest.approx(3.73, abs=0.01)
    assert declared_epsilon.check(claim(ApproximateDP(1.0, DELTA)), Gaussian(right)).outcome is Outcome.CONSISTENT
    assert wrong < right
    assert declared_epsilon.check(claim(ApproximateDP(1.0, DELTA)), Gaussian(wrong)).outcome is Outcome.REFUTED


def test_compositions_and_curves() -> None:
    twice = SelfComposed(Gaussian(2.0), 4)
    assert declared_epsilon.check(claim(GaussianDP(1.0)), twice).outcome is Outcome.CONSISTENT
    assert declared_epsilon.check(claim(GaussianDP(0.9)), twice).outcome is Outcome.REFUTED
    assert declared_epsilon.check(claim(ApproximateDP(1.0, 0.0)), PureDP(1.1)).outcome is Outcome.REFUTED


def test_what_cannot_be_accounted_for_is_said() -> None:
    assert declared_epsilon.check(claim(GaussianDP(1.0)), None).outcome is Outcome.NOT_RUN
    sampled = PoissonSampled(0.1, Gaussian(1.0))
    found = declared_epsilon.check(claim(GaussianDP(1.0), Neighbours.REPLACE_ONE), sampled)
    assert found.outcome is Outcome.NOT_RUN
