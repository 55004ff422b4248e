"""Noise as large as declared: exact tests and their stated power."""

from __future__ import annotations

import math

import numpy as np
import pytest
from recordings import noisy, recording

from dpaudit.audit.structural.checks import noise_scale
from dpaudit.records.verdict import Outcome

ALPHA = 1e-6
RNG = np.random.default_rng(0)


def laplace(size: int, scale: float) -> np.ndarray:
    return RNG.laplace(scale=scale / math.sqrt(2), size=size)


@pytest.mark.parametrize("factor", [0.0, 0.5, 0.7, 1.4, 3.0, math.nan])
@pytest.mark.parametrize("law", ["gaussian", "laplace"])
def test_wrong_scales_are_refuted(factor: float, law: str) -> None:
    draws = RNG.normal(scale=2.0, size=600) if law == "gaussian" else laplace(600, 2.0)
    found = noise_scale.check(recording(*noisy([draws * factor], 2.0, law)), ALPHA)
    assert found.outcome is Outcome.REFUTED
    right = noise_scale.check(recording(*noisy([draws], 2.0, law)), ALPHA)
    assert right.outcome is Outcome.CONSISTENT, "fails by chance once in 10^6"


def test_a_small_parameter_is_tested_on_its_own() -> None:
    releases = [*noisy([RNG.normal(size=5_000)]), *noisy([0.5 * RNG.normal(size=100)], name="bias")]
    found = noise_scale.check(recording(*releases), ALPHA)
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["tested"] == "bias"
    assert found.detail.endswith("; of 2 named releases 1 have other noise than declared")


def test_noise_that_is_off_everywhere_is_not_said_of_one_name_alone() -> None:
    tenth = 0.1 * np.random.default_rng(1).normal(size=(3, 20_000))
    found = noise_scale.check(recording(*(one for i, x in enumerate(tenth) for one in noisy([x], name=f"p{i}"))), ALPHA)
    assert "of what is declared (p below 1e-300)" in found.detail
    assert found.detail.endswith("; of 3 named releases 3 have other noise than declared")
    assert "named releases" not in noise_scale.check(recording(*noisy(tenth[:1])), ALPHA).detail


@pytest.mark.parametrize("law", ["gaussian", "laplace"])
def test_false_alarms_are_as_many_as_stated(law: str) -> None:
    """At alpha 0.1, over 2,000 null recordings of two names: more than 260 have a probability below 1e-5."""
    alarms = 0
    for _ in range(2_000):
        draws = [RNG.normal(size=4) if law == "gaussian" else laplace(4, 1.0) for _ in range(2)]
        releases = [*noisy(draws[:1], law=law), *noisy(draws[1:], law=law, name="b")]
        alarms += noise_scale.check(recording(*releases), 0.1).outcome is Outcome.REFUTED
    assert alarms <= 260


@pytest.mark.parametrize("law", ["gaussian", "laplace"])
def test_the_stated_factor_is_caught_nine_times_in_ten(law: str) -> None:
    """Of 400 recordings 330 to 387 are caught: chance leaves that range below 1e-5."""
    draws = [RNG.normal(size=500) if law == "gaussian" else laplace(500, 1.0) for _ in range(400)]
    factor = dict(noise_scale.check(recording(*noisy(draws[:1], law=law)), ALPHA).numbers)["factor_caught_at_90"]
    assert 0.75 < factor < 0.83
    found = (noise_scale.check(recording(*noisy([factor * x], law=law)), ALPHA) for x in draws)
    assert 330 <= sum(finding.outcome is Outcome.REFUTED for finding in found) <= 387


def test_five_hundred_coordinates_see_four_fifths_of_the_noise() -> None:
    assert noise_scale.smallest_factor(250.0, ALPHA) > 0.8


def test_nothing_declared_is_said() -> None:
    for releases in ([], [{"noise": 1.0}], [{"noise": None, "noise_scale": 1.0}]):
        assert noise_scale.check(recording(*releases), ALPHA).outcome is Outcome.NOT_RUN


def test_one_coordinate_is_enough_for_a_p_value() -> None:
    assert noise_scale.check(recording(*noisy([np.array([0.5])])), ALPHA).outcome is Outcome.CONSISTENT
    assert noise_scale.check(recording(*noisy([np.array([9.0])])), ALPHA).outcome is Outcome.REFUTED


def test_all_recordings_are_pooled_and_their_halves_tested() -> None:
    """Five coordinates in each of ten steps: one recording sees nothing of what ten see."""

    def made(late: float, early: float = 1.0) -> list:
        scales = np.repeat([early, late], 5)
        return [recording(*noisy([scale * RNG.normal(size=5) for scale in scales])) for _ in range(10)]

    weak, decaying = made(0.75, 0.75), made(0.6, 1.2)
    assert noise_scale.check(weak[0], ALPHA).outcome is Outcome.CONSISTENT
    assert noise_scale.check(weak[0], ALPHA, weak[1:]).outcome is Outcome.REFUTED
    found = noise_scale.check(decaying[0], ALPHA, decaying[1:])
    assert found.outcome is Outcome.REFUTED
    assert dict(found.numbers)["tested"] == "the second half of the steps"
    right = made(1.0)
    found = noise_scale.check(right[0], ALPHA, right[1:])
    assert found.outcome is Outcome.CONSISTENT
    assert dict(found.numbers)["coordinates"] == 500
    assert 0.75 < dict(found.numbers)["factor_caught_at_90"] < 0.85


@pytest.mark.deep
def test_false_alarms_over_several_recordings_are_as_many_as_stated() -> None:
    """At alpha 0.01, over 2,000 nulls of four recordings of two names: above 40 has a chance of 2e-5."""
    rng, alarms = np.random.default_rng(11), 0
    for _ in range(2_000):
        made = [
            recording(*noisy(rng.normal(size=(4, 2))), *noisy(rng.normal(size=(4, 1)), name="bias")) for _ in range(4)
        ]
        alarms += noise_scale.check(made[0], 0.01, made[1:]).outcome is Outcome.REFUTED
    assert alarms <= 40
