"""Planted releases: their laws by hand, and that one line tells both forms apart."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted import releases
from dpaudit.audit.planted.releases import CASES, Twins, _made
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.target import Tier

NUMBER = 20_000
TRIALS = Trials(Stream(3, "planted releases"), np.arange(NUMBER))
BY_SLUG = {case.slug: case for case in CASES}


def released(slug: str, broken: bool, side: int = 0) -> Array:
    case = BY_SLUG[slug]
    return case.release(np.array(case.pair[side]), TRIALS, broken)


@pytest.mark.parametrize(
    ("slug", "broken_scale", "scale"),
    [("sum-of-squares", 1.0, 16.0), ("visits", 1.0, 1.0), ("median", 1.0, 1.0)],
)
def test_the_scale_of_laplace_noise(slug: str, broken_scale: float, scale: float) -> None:
    """Mean absolute deviations of 20,000 draws, within six standard errors."""
    for broken, expected in ((True, broken_scale), (False, scale)):
        values = released(slug, broken)
        assert np.abs(values - np.median(values)).mean() == pytest.approx(expected, rel=6 / math.sqrt(NUMBER))


def test_noise_for_the_data_at_hand_has_another_size_on_the_neighbour() -> None:
    sizes = [np.abs(released("median", True, side)).mean() for side in (0, 1)]
    assert sizes[0] / sizes[1] == pytest.approx(100, rel=0.1)
    both = [np.abs(released("mean", True, side) - 1).mean() for side in (0, 1)]
    assert both[0] / both[1] == pytest.approx(2, rel=0.1)


def test_the_exponential_mechanism_has_its_odds() -> None:
    """P(first) = e^(s/2d) / (e^(s/2d) + 19 e^(-s/2d)) with s = 4: six standard errors."""
    for broken, sensitivity in ((True, 2.0), (False, 4.0)):
        weight = math.exp(2 / (2 * sensitivity))
        chance = weight / (weight + 19 / weight)
        assert (released("best-difference", broken) == 0).mean() == pytest.approx(chance, abs=6 * 0.5 / NUMBER**0.5)


def test_randomised_response_is_true_as_often_as_it_says() -> None:
    for broken, chance in ((True, math.e / (1 + math.e)), (False, math.e / (math.e + 7))):
        answers = released("answer", broken)
        assert (answers == 0).mean() == pytest.approx(chance, abs=6 * 0.5 / NUMBER**0.5)
        assert set(np.unique(answers)) == set(range(8))


def test_a_key_that_does_not_occur_is_absent() -> None:
    here, gone = released("counts-by-key", True, 0)[:, -1], released("counts-by-key", True, 1)[:, -1]
    assert here.min() > releases.ABSENT / 2
    assert np.all(gone == releases.ABSENT)
    assert released("counts-by-key", False, 1)[:, -1].min() > releases.ABSENT / 2


def test_the_best_of_many_runs_is_surer_than_one() -> None:
    """The standard deviation of the largest of 40 normal variables, by its density 40 Phi(x)^39 phi(x)."""
    x, step = np.linspace(-2, 8, 100_001, retstep=True)
    density = 40 * ndtr(x) ** 39 * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    deviation = math.sqrt((density * x**2).sum() * step - ((density * x).sum() * step) ** 2)
    assert deviation == pytest.approx(0.4775, abs=0.0005)
    assert released("best-of-runs", True).std() == pytest.approx(deviation, rel=0.04)
    assert released("best-of-runs", False).std() == pytest.approx(deviation * math.sqrt(40), rel=0.04)


def test_noise_of_a_short_seed_is_recognised_and_other_noise_is_not() -> None:
    data = np.array(BY_SLUG["short-seed"].pair[0])
    assert _made(released("short-seed", True) - data).all()
    assert not _made(released("short-seed", False) - data).any()
    assert len(np.unique(releases.every_noise()[:, 0])) > 60_000


def test_a_vector_has_noise_for_its_norm() -> None:
    noise = released("vector", False) - 0.25
    assert np.abs(noise).mean() == pytest.approx(4.0, rel=0.02)
    assert np.abs(released("vector", True) - 0.25).mean() == pytest.approx(1.0, rel=0.02)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.slug)
def test_both_targets_say_what_they_are(case: Twins) -> None:
    bad, good = case.target(broken=True), case.target(broken=False)
    assert bad.repair == good.name
    assert bad.bug is not None
    assert bad.bug.tier is Tier.GAME
