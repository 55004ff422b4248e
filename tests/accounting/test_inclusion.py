"""The curve of one record in or out: above the exact one and close to it, in the order that is meant."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from dpaudit.accounting.epsilon import epsilon_bounds
from dpaudit.accounting.inclusion import inclusion_lines, with_leak
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, Mechanism, PoissonSampled, PureDP, SelfComposed
from dpaudit.records.privacy import Neighbours

RATE, MU = 0.2, 2.0
STEP = PoissonSampled(RATE, Gaussian(1 / MU))
LEVELS = np.concatenate([np.geomspace(1e-4, 0.5, 40), 1 - np.geomspace(1e-4, 0.5, 40)])


def value(mechanism: Mechanism, levels: Array) -> Array:
    return np.asarray(np.min([slope * levels + start for slope, start in inclusion_lines(mechanism)], axis=0))


def test_one_step_has_the_curve_of_a_mixture_against_its_base() -> None:
    """The likelihood ratio rises with the score: thresholds are best, and the curve is (1 - q) a + q Phi(z + mu)."""
    exact = (1 - RATE) * LEVELS + RATE * ndtr(ndtri(LEVELS) + MU)
    found = value(STEP, LEVELS)
    assert np.all(found >= exact)
    assert found == pytest.approx(exact, rel=5e-3, abs=1e-5)
    mirrored = 1 - np.interp(1 - LEVELS, *zip(*sorted(zip(exact, LEVELS, strict=True)), strict=True))
    assert np.abs(found - mirrored).max() > 0.1  # the other order is another curve


def test_a_composition_is_above_what_an_adversary_reaches() -> None:
    """30 steps, 40,000 draws of each side, likelihood ratios; six standard errors."""
    noise, steps, number = 1.5, 30, 40_000
    mechanism = SelfComposed(PoissonSampled(RATE, Gaussian(noise)), steps)
    rng = np.random.default_rng(3)
    out = noise * rng.normal(size=(number, steps))
    seen = (rng.random((number, steps)) < RATE) + noise * rng.normal(size=(number, steps))
    scores = [np.log(1 - RATE + RATE * np.exp((x - 0.5) / noise**2)).sum(axis=1) for x in (seen, out)]
    for threshold in np.quantile(scores[1], [0.1, 0.5, 0.9, 0.99]):
        right, wrong = ((side > threshold).mean() for side in scores)
        error = 6 * np.sqrt(0.25 / number) * (1 + right / max(wrong, 1e-3) / 4)
        assert value(mechanism, np.array([wrong]))[0] == pytest.approx(right, abs=error)


def test_a_larger_leak_allows_more_and_has_a_larger_epsilon() -> None:
    curves = [value(with_leak(STEP, leak), LEVELS) for leak in (0.5, 1.0, 2.0)]
    assert np.all(np.diff(curves, axis=0) > 0)
    halved = with_leak(SelfComposed(Composed((STEP, Laplace(3.0))), 2), 2.0)
    assert halved == SelfComposed(Composed((PoissonSampled(RATE, Gaussian(0.25)), Laplace(1.5))), 2)
    epsilons = [epsilon_bounds(with_leak(STEP, leak), 1e-5, Neighbours.ADD_OR_REMOVE).lower for leak in (1.0, 2.0)]
    assert epsilons[1] > 2 * epsilons[0]


def test_what_has_no_noise_multiplier_and_what_has_an_exact_curve_is_refused() -> None:
    with pytest.raises(ContentError, match="PureDP has no noise multiplier"):
        with_leak(PureDP(1.0), 2.0)
    with pytest.raises(ContentError, match="exact curve of its mu"):
        inclusion_lines(SelfComposed(Gaussian(1.0), 3))
