"""Calls that differ on a neighbour while draws cannot be aligned: do they hang on the draws, or on the records?"""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.structural.examine import examine
from dpaudit.audit.structural.finding import Finding
from dpaudit.audit.structural.recording import Recorder
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

CLAIM = PrivacyClaim(GaussianDP(5.0), Neighbours.ADD_OR_REMOVE, 1e-5, source="the test")
DATA = np.array([[0.5, 0.1], [0.4, -0.2], [0.3, 0.2], [-0.6, 0.1]])
"""One record alone is on the left."""


def train(data: np.ndarray, recorder: Recorder, which: str) -> None:
    """Sums of the records on either side. As many normal draws as records on the right are thrown away, so that a
    replay cannot align them."""
    rng = np.random.default_rng(recorder.seed)
    for _ in range(4):
        members = recorder.batch(np.arange(len(data)))
        rows = data[members]
        sides = [rows[rows[:, 0] > 0], rows[rows[:, 0] <= 0]]
        spare = rng.normal(size=(len(sides[1]) + 1, 3))
        for name, side in zip(("right", "left"), sides, strict=True):
            if which == "records" and not len(side):
                continue
            if which == "draws" and name == "left" and spare.sum() > 0:
                continue
            noise = rng.normal(size=2)
            statistic = side.sum(axis=0) + 1e-3 * spare[0, :2]
            recorder.release(name, statistic, noise, sensitivity=2.0, noise_scale=1.0)


def noisy_calls(which: str, seed: int = 3) -> Finding:
    found = examine(
        lambda data, recorder: train(data, recorder, which),
        DATA, [(CLAIM.neighbours, DATA[:-1])], CLAIM, seed=seed, alpha=1e-6, assumptions=Assumptions(),
    )  # fmt: skip
    return next(one for one in found if one.check == "noisy calls")


def test_calls_that_hang_on_the_records_are_refuted_whatever_is_drawn() -> None:
    """That draws alone make them differ has a chance below 2^-21."""
    found = noisy_calls("records")
    assert found.outcome is Outcome.REFUTED
    assert "so it is for 11 different draws" in found.detail


@pytest.mark.parametrize("which", ["draws", "neither"])
def test_calls_that_hang_on_public_draws_are_not_accused(which: str) -> None:
    assert noisy_calls(which).outcome is (Outcome.INCONCLUSIVE if which == "draws" else Outcome.CONSISTENT)
