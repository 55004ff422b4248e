"""Bugs in noise and batches of a model with five parameters, each seen over the recordings of all seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpaudit.audit.structural import examine
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, claim
from dpaudit.records.verdict import Outcome

RECORDS, RATE, STEPS, EPOCH, SIGMA = 40, 0.2, 20, 5, 2.0
DATA = np.random.default_rng(0).normal(size=(RECORDS, 5))
MECHANISM = SelfComposed(PoissonSampled(RATE, Gaussian(SIGMA)), STEPS)

Scale = Callable[[int], float]


def training(
    scale: Scale = lambda step: 1.0, most: int = RECORDS, noise_again: bool = False, batches_again: bool = False
) -> Callable[[Any, Recorder], None]:
    """DP-SGD on a sum. scale: of the noise over what is declared; most: records that a batch holds at most; again: the
    generator of the noise, or of the batches, begins again every epoch."""

    def train(data: Any, recorder: Recorder) -> None:
        noises, coins = (np.random.default_rng([recorder.seed, which]) for which in (0, 1))
        for step in range(STEPS):
            if noise_again and step % EPOCH == 0:
                noises = np.random.default_rng([recorder.seed, 0])
            if batches_again and step % EPOCH == 0:
                coins = np.random.default_rng([recorder.seed, 1])
            drawn = np.flatnonzero(coins.random(len(data)) < RATE)
            own = np.nan_to_num(data[recorder.batch(drawn[:most])], nan=0.0, posinf=0.0, neginf=0.0)
            total = (own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0)
            noise = (SIGMA * scale(step) * noises.normal(size=5)).astype(np.float32)
            recorder.release("sum", total, noise, sensitivity=1.0, noise_scale=SIGMA)

    return train


def refuting(train: Callable[[Any, Recorder], None]) -> set[str]:
    found = examine.examine(
        train, DATA, [(Neighbours.ADD_OR_REMOVE, DATA[:-1])], claim(epsilon=3.0, delta=1e-5), MECHANISM,
        seed=1, alpha=1e-6, assumptions=Assumptions(shared_generators=True),
    )  # fmt: skip
    return {finding.check for finding in found if finding.outcome is Outcome.REFUTED}


def test_the_correct_training_is_not_refuted() -> None:
    assert refuting(training()) == set()


@pytest.mark.deep(keep=2)
@pytest.mark.parametrize(
    ("train", "check"),
    [
        (training(scale=lambda step: 0.8), "noise scale"),
        (training(scale=lambda step: 1.25 - 0.5 * step / STEPS), "noise scale"),
        (training(most=9), "sampler"),
        (training(noise_again=True), "fresh noise"),
        (training(batches_again=True), "sampler"),
    ],
    ids=["0.8 of the noise", "a decaying scale", "capped batches", "noise begins again", "batches begin again"],
)
def test_the_bug_is_refuted_by_its_check(train: Callable[[Any, Recorder], None], check: str) -> None:
    assert check in refuting(train)


@pytest.mark.parametrize(("draws", "expected"), [(1, True), (4, True), (5, False)])
def test_one_noise_for_several_features_is_refuted(draws: int, expected: bool) -> None:
    def train(data: Any, recorder: Recorder) -> None:
        noises = np.random.default_rng(recorder.seed)
        for _ in range(STEPS):
            own = np.nan_to_num(data, nan=0.0, posinf=0.0, neginf=0.0)
            total = (own / np.maximum(np.linalg.norm(own, axis=1, keepdims=True), 1.0)).sum(axis=0)
            noise = np.resize(SIGMA * noises.normal(size=draws), 5)
            recorder.release("sum", total, noise, sensitivity=1.0, noise_scale=SIGMA)

    assert ("un-noised outputs" in refuting(train)) is expected
