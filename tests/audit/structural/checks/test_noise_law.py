"""Noise of the declared law."""

from __future__ import annotations

import math

import numpy as np
import pytest
from recordings import noisy, recording

from dpaudit.audit.structural.checks import noise_law
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
RNG = np.random.default_rng(1)
LAWS = {
    "gaussian": lambda n: RNG.normal(size=n),
    "laplace": lambda n: RNG.laplace(scale=1 / math.sqrt(2), size=n),
    "uniform": lambda n: RNG.uniform(-math.sqrt(3), math.sqrt(3), size=n),
    "one-sided": lambda n: np.abs(RNG.normal(size=n)),
    "rounded": lambda n: np.rint(RNG.normal(size=n)),
}


@pytest.mark.parametrize("declared", ["gaussian", "laplace"])
@pytest.mark.parametrize("drawn", list(LAWS))
def test_other_laws_are_refuted(declared: str, drawn: str) -> None:
    found = noise_law.check(recording(*noisy([LAWS[drawn](6_000)], law=declared)), ALPHA)
    assert found.outcome is (Outcome.CONSISTENT if drawn == declared else Outcome.REFUTED)


def test_which_distance_is_said_and_no_p_value_is_0() -> None:
    found = noise_law.check(recording(*noisy([np.zeros(2_000)])), ALPHA)
    assert found.detail.endswith("is 0.5 away from its declared law in Kolmogorov's distance (p below 1e-300)")


def test_false_alarms_are_at_most_as_many_as_stated() -> None:
    """At alpha 0.1, over 1,000 null recordings of 40 coordinates: more than 145 have a probability below 1e-5."""
    nulls = (recording(*noisy([RNG.normal(size=40)])) for _ in range(1_000))
    assert sum(noise_law.check(null, 0.1).outcome is Outcome.REFUTED for null in nulls) <= 145


def test_too_few_coordinates_are_said() -> None:
    assert noise_law.check(recording(*noisy([np.array([0.1])])), ALPHA).outcome is Outcome.NOT_RUN
    assert noise_law.check(recording(), ALPHA).outcome is Outcome.NOT_RUN


def test_noise_that_is_not_a_number_has_no_law() -> None:
    assert noise_law.check(recording(*noisy([np.full(100, math.nan)])), ALPHA).outcome is Outcome.REFUTED


def test_the_distance_of_known_points() -> None:
    assert noise_law.kolmogorov_distance(np.array([0.5])) == 0.5
    assert noise_law.kolmogorov_distance(np.array([0.25, 0.75])) == 0.25
    assert noise_law.kolmogorov_distance(np.array([0.9, 0.9])) == pytest.approx(0.9)
    assert noise_law.kolmogorov_distance(np.array([0.1, 0.1])) == pytest.approx(0.9)


def test_all_recordings_are_pooled() -> None:
    rng = np.random.default_rng(12)
    laplace = [recording(*noisy(rng.laplace(scale=np.sqrt(0.5), size=(10, 50)))) for _ in range(10)]
    assert noise_law.check(laplace[0], ALPHA).outcome is not Outcome.REFUTED
    found = noise_law.check(laplace[0], ALPHA, laplace[1:])
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["coordinates"] == 5_000


@pytest.mark.deep
def test_false_alarms_over_several_recordings_are_at_most_as_many_as_stated() -> None:
    """At alpha 0.01, over 2,000 nulls of four recordings: above 40 has a chance of 2e-5."""
    rng, alarms = np.random.default_rng(13), 0
    for _ in range(2_000):
        made = [recording(*noisy(rng.normal(size=(3, 4)))) for _ in range(4)]
        alarms += noise_law.check(made[0], 0.01, made[1:]).outcome is Outcome.REFUTED
    assert alarms <= 40
