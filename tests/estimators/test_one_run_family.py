"""The claimed mechanism with other noise: exact where theory is, covering, and better than what it replaces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom

from dpaudit.accounting.epsilon import epsilon_upper, gaussian_epsilon
from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.estimators import one_run_family
from dpaudit.estimators.curves import GaussianCurve
from dpaudit.estimators.one_run_family import curve_of_leak, family_bound, has_a_family, refutes
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, PoissonSampled, PureDP, SelfComposed
from dpaudit.records.privacy import Neighbours

DELTA, ALPHA, FALSE_ALARM = 1e-5, 0.05, 1e-7
RATE = 0.2
STEP = PoissonSampled(RATE, Gaussian(0.5))


def one_step(rng: np.random.Generator, canaries: int, mu: float = 2.0) -> tuple[Array, Flags]:
    included = rng.random(canaries) < 0.5
    return rng.normal(size=canaries) + mu * (included & (rng.random(canaries) < RATE)), included


def test_the_claim_itself_is_refuted_no_more_often_than_stated() -> None:
    """It holds with equality. 300 audits; false alarm of this test: 1e-7."""
    refuted = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        refuted += refutes(*one_step(rng, 400), STEP, ALPHA, rng)
    assert refuted <= binom.isf(FALSE_ALARM, 300, ALPHA)
    assert refuted >= 1  # far below 5 % would waste power


def test_a_sampled_mechanism_is_bounded_close_to_its_epsilon() -> None:
    found, truth = [], epsilon_upper(STEP, DELTA, Neighbours.ADD_OR_REMOVE)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        found.append(family_bound(*one_step(rng, 4_000), STEP, DELTA, ALPHA, rng).epsilon_lower / truth)
    assert 0.65 < np.mean(found) < 1.0


def test_too_little_noise_shows_as_the_epsilon_that_it_has() -> None:
    rng = np.random.default_rng(1)
    bound = family_bound(*one_step(rng, 4_000, 4.0), STEP, DELTA, ALPHA, rng).epsilon_lower
    truth = epsilon_upper(PoissonSampled(RATE, Gaussian(0.25)), DELTA, Neighbours.ADD_OR_REMOVE)
    assert epsilon_upper(STEP, DELTA, Neighbours.ADD_OR_REMOVE) < bound < truth


@pytest.mark.deep
def test_canaries_outside_take_uncertainty_away() -> None:
    """The means of eight audits differ by half of what separates them from the truth."""
    alone, beside = [], []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        included = rng.random(1_000) < 0.5
        scores, outside = rng.normal(size=1_000) + included, rng.normal(size=20_000)
        alone.append(family_bound(scores, included, Gaussian(1.0), DELTA, ALPHA, rng).epsilon_lower)
        beside.append(family_bound(scores, included, Gaussian(1.0), DELTA, ALPHA, rng, outside).epsilon_lower)
    truth = gaussian_epsilon(DELTA, 1.0)
    assert np.mean(alone) + 0.02 * truth < np.mean(beside) < truth


def test_an_unsampled_gaussian_family_has_the_exact_curves() -> None:
    curve = curve_of_leak(SelfComposed(Gaussian(2.0), 4), 400)
    assert isinstance(curve, GaussianCurve)
    assert curve.mu == pytest.approx(one_run_family.grid_leak(400))


def test_what_has_a_family() -> None:
    assert has_a_family(SelfComposed(PoissonSampled(0.1, Composed((Gaussian(1.0), Laplace(1.0)))), 3))
    assert not has_a_family(Composed((Gaussian(1.0), PureDP(1.0))))
    assert not has_a_family(Composed(()))


def test_nothing_to_say_and_wrong_arguments() -> None:
    rng = np.random.default_rng(0)
    assert family_bound([1.0], np.array([True]), STEP, DELTA, ALPHA, rng).epsilon_lower == 0.0
    assert family_bound(np.ones(300), np.arange(300) < 150, STEP, DELTA, ALPHA, rng).epsilon_lower == 0.0
    with pytest.raises(ContentError, match="NaN"):
        family_bound([math.nan, 1.0], np.array([True, False]), STEP, DELTA, ALPHA, rng)
