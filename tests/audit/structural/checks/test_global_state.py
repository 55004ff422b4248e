"""Noise and the generators that other code can seed."""

from __future__ import annotations

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.randomness import frozen
from dpaudit.audit.structural.checks import global_state
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recording
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
