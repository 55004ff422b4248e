"""How far from the middle: tells two sizes of noise apart, whichever way, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.attacks.two_sided import TwoSided


@pytest.mark.parametrize("far", [True, False])
def test_noise_of_two_sizes_is_told_apart(far: bool) -> None:
    rng = np.random.default_rng(2)
    wide, narrow = (5 + scale * rng.normal(size=(400, 3)) * [1, 100, 0.01] for scale in (6.0, 1.0))
    sides = (wide, narrow) if far else (narrow, wide)
    score = TwoSided(far).fit(*sides, None, None, rng)
    here, there = (score(side) for side in sides)
    assert (here[:, None] > there).mean() > 0.95
    mirrored = 10 - sides[0]
    assert np.corrcoef(score(mirrored), here)[0, 1] > 0.9  # whichever way


def test_infinities_are_the_farthest_and_no_trial_says_nothing() -> None:
    values = np.array([0.0, 1.0, 2.0, np.inf, -np.inf])
    found = TwoSided().fit(values, values, None, None, np.random.default_rng(0))(values)
    assert np.isfinite(found).all()
    assert (found[3:] > 1e200).all()
    nothing = np.zeros(0)
    assert TwoSided().fit(nothing, nothing, None, None, np.random.default_rng(0))(values).tolist() == [0.0] * 5
