"""Noise and the generators that other code can seed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from recordings import recording

from dpaudit.audit.randomness import frozen
from dpaudit.audit.structural.checks import global_state
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome


def trained(kind: str, allowed: bool = False) -> Finding:
    def train(seed: int) -> Recording:
        if kind == "reseeded":
            np.random.seed(4)
            np.random.random()
        draws = {"own": np.random.default_rng(seed), "constant": np.random.default_rng(0)}.get(kind)
        noise = draws.normal(size=3) if draws else np.random.default_rng(seed).normal(size=3)
        if kind == "global":
            noise = np.random.normal(size=3)
        return recording({"statistic": np.zeros(3), "noise": noise})

    found = []
    for seed in (1, 2):
        with frozen(seed) as generators:
            found.append(train(seed))
        found.append(generators)
    return global_state.check((found[0], found[2]), (found[1], found[3]), allowed)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("own", Outcome.CONSISTENT),
        ("constant", Outcome.REFUTED),
        ("global", Outcome.REFUTED),
        ("reseeded", Outcome.REFUTED),
    ],
)
def test_global_state(kind: str, expected: Outcome) -> None:
    assert trained(kind).outcome is expected


def test_shared_generators_may_be_allowed_but_not_seeded() -> None:
    allowed = trained("global", allowed=True)
    assert allowed.outcome is Outcome.CONSISTENT
    assert "numpy.random" in allowed.detail
    assert trained("reseeded", allowed=True).outcome is Outcome.REFUTED


def published(seed_leaves: bool, used: bool, draw: Any = None) -> Outcome:
    """The finding on trainings that publish a whole number; used: it seeds the noise."""

    def train(data: np.ndarray, recorder: Recorder) -> None:
        seeds = default_rng(recorder.seed).integers(2**31, size=2)
        start, rng = default_rng(int(seeds[0])), default_rng(int(seeds[0] if used else seeds[1]))
        total = data.sum(axis=0) + start.normal(size=6)
        drawn = rng.normal(size=6) if draw is None else draw(rng)
        recorder.release("sum", total, drawn, sensitivity=1.0, noise_scale=1.0)
        recorder.output("settings", np.array([0.1, float(seeds[0]) if seed_leaves else 7.0]))

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    data = np.zeros((4, 6))
    return global_state.examine(Observed(train, data, [data[:-1]], claim, None, Assumptions(), 3, 1e-6)).outcome


def test_a_published_seed_of_the_noise_is_refuted_and_no_other_one() -> None:
    assert published(seed_leaves=True, used=True) is Outcome.REFUTED
    assert published(seed_leaves=False, used=True) is Outcome.CONSISTENT
    assert published(seed_leaves=True, used=False) is Outcome.CONSISTENT


def test_coarse_noise_that_repeats_by_chance_accuses_nobody() -> None:
    assert published(True, False, lambda rng: np.rint(0.3 * rng.normal(size=6))) is Outcome.CONSISTENT
    assert published(True, False, lambda rng: 1.0 + 0.0 * rng.normal(size=6)) is not Outcome.CONSISTENT, "a constant"


def of_batches(key: Any, draw: Any = None) -> Finding:
    """The finding on trainings with Poisson batches whose noise is drawn from key(seed, step, batch)."""

    def train(data: np.ndarray, recorder: Recorder) -> None:
        rng = default_rng(recorder.seed)
        for step in range(4):
            members = recorder.batch(np.flatnonzero(rng.random(len(data)) < 0.5))
            own = default_rng(key(recorder.seed, step, data[members]))
            noise = own.normal(size=6) if draw is None else draw(own)
            recorder.release("sum", data[members].sum(axis=0), noise, sensitivity=1.0, noise_scale=1.0)

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    data, assumed = np.random.default_rng(0).random((12, 6)), Assumptions(random_batches=True)
    return global_state.examine(Observed(train, data, [data[:-1]], claim, None, assumed, 3, 1e-6))


def test_noise_that_is_made_of_its_batch_is_refuted() -> None:
    found = of_batches(lambda seed, step, batch: int(1e6 * batch.sum()))
    assert found.outcome is Outcome.REFUTED
    assert "the same batches" in found.detail
    assert of_batches(lambda seed, step, batch: [seed, step]).outcome is Outcome.CONSISTENT
    assert of_batches(lambda seed, step, batch: [seed, int(1e6 * batch.sum())]).outcome is Outcome.CONSISTENT


def test_coarse_noise_of_a_batch_is_tried_until_chance_is_excluded() -> None:
    def coarse(rng: Any) -> Any:
        return np.rint(2.0 * rng.normal(size=6))

    assert of_batches(lambda seed, step, batch: int(1e6 * batch.sum()), coarse).outcome is Outcome.REFUTED
    assert of_batches(lambda seed, step, batch: [seed, step], lambda rng: 1.0 * rng.integers(1, 3, 6)).outcome is (
        Outcome.CONSISTENT
    )


def test_a_few_coarse_numbers_that_agree_by_chance_accuse_nobody() -> None:
    """Two trainings out of some draw the same count; all of them never do."""
    made = [recording({"statistic": np.zeros(1), "noise": np.ones(1)}) for _ in range(40)]
    with frozen(1) as generators:
        pass
    both = generators, generators
    assert global_state.check(made[:2], both).outcome is Outcome.CONSISTENT
    assert global_state.check(made, both).outcome is Outcome.REFUTED, "by chance below 2^-39"


def test_a_constant_beside_a_large_release_is_seen() -> None:
    """Two recordings hold enough noise, and one number of single precision that repeats in both may do so by chance."""

    def train(data: np.ndarray, recorder: Recorder) -> None:
        rng = default_rng(recorder.seed)
        recorder.release("sum", data.sum(axis=0), rng.normal(size=2_000), sensitivity=1.0, noise_scale=1.0)
        recorder.release("count", np.float32(len(data)), np.float32(0.3), sensitivity=1.0, noise_scale=1.0)

    claim = PrivacyClaim(GaussianDP(1.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
    data = np.zeros((4, 2_000))
    seen = Observed(train, data, [data[:-1]], claim, None, Assumptions(), 3, 1e-6)
    assert len(seen.recordings) == 2
    found = global_state.examine(seen)
    assert found.outcome is Outcome.REFUTED
    assert "count" in found.detail
