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
