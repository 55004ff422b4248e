"""Averages of noisy gradients are told from what only looks like them in the statistic, or only in the noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit import claim
from dpaudit.audit.structural.averages import averages
from dpaudit.audit.structural.measures import largest_scale
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions

STEPS, WIDTH, NOISE = 12, 40, 2.0
RECORDS = np.random.default_rng(0).normal(size=(20, WIDTH))
RECORDS /= np.linalg.norm(RECORDS, axis=1, keepdims=True)
ONE, TWO, MORE = (1.0,), (0.5, 0.5), (0.4, 0.3, 0.2)
"""Weights of the last steps, the latest first."""


def seen(
    of_sums: tuple[float, ...], of_noise: tuple[float, ...], seed: int = 1, first: float = 1.0, fewest: int = 0
) -> Observed:
    """A training whose sums and noises are averaged over the steps; first: factor of the first sum; fewest: records of
    a batch with which it goes on. It looks at all records before its steps."""

    def averaged(kept: list[np.ndarray], weights: tuple[float, ...]) -> np.ndarray:
        return sum(weight * one for weight, one in zip(weights, reversed(kept), strict=False))

    def train(records: np.ndarray, recorder: Recorder) -> None:
        rng, sums, noises = np.random.default_rng(recorder.seed), [], []
        recorder.batch(np.arange(len(records)))
        recorder.begin()
        for step in range(STEPS):
            members = recorder.batch(np.arange(len(records)))
            if len(members) < fewest:
                raise ValueError("too few records")
            sums.append((1.0 if step else first) * records[members].sum(axis=0))
            noises.append(rng.normal(0.0, NOISE, WIDTH))
            recorder.release(
                "sum", averaged(sums, of_sums), averaged(noises, of_noise), sensitivity=1.0, noise_scale=NOISE
            )

    made: Any = Observed(train, RECORDS, [], claim(mu=1.0), None, Assumptions(), seed, 1e-6)
    return made


@pytest.mark.parametrize("weights", [TWO, MORE, (1.0, -0.4)])
@pytest.mark.parametrize("seed", range(5))
def test_averages_are_seen(weights: tuple[float, ...], seed: int) -> None:
    assert averages(seen(weights, weights, seed))


@pytest.mark.deep(keep=8)
@pytest.mark.parametrize(("of_sums", "of_noise"), [(ONE, ONE), (ONE, TWO), (TWO, ONE), (MORE, ONE), ((1.0, -0.4), TWO)])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_no_average_of_both(of_sums: tuple[float, ...], of_noise: tuple[float, ...], seed: int) -> None:
    assert not averages(seen(of_sums, of_noise, seed))


def test_a_first_step_that_moves_too_much_is_no_average() -> None:
    """It has nothing to average, so that it shows how far a record moves a sum over its noise."""
    assert averages(seen((0.5, 0.5), (0.5, 0.5), first=1.0))
    assert not averages(seen((0.5, 0.5), (0.5, 0.5), first=4.0))


def test_a_training_that_raises_on_half_a_batch_shows_no_average() -> None:
    assert averages(seen(TWO, TWO, fewest=10))
    assert not averages(seen(TWO, TWO, fewest=11))


def test_the_scale_of_noise_is_hardly_ever_larger_than_its_bound() -> None:
    drawn = np.random.default_rng(3).normal(0.0, 0.7, size=(20_000, 10))
    bounds = np.array([largest_scale(one, 0.1) for one in drawn])
    missed = np.mean(bounds < 0.7)
    assert abs(missed - 0.1) < 5 * np.sqrt(0.09 / 20_000)  # false alarm below 10^-6
    assert largest_scale(np.empty(0), 0.1) == np.inf
