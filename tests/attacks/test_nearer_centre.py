"""Which centre is nearer: noise of any law of lengths, with a uniform direction."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.attacks.nearer_centre import NearerCentre


def around(centre: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Vectors about the centre with these lengths."""
    drawn = rng.normal(size=(len(lengths), len(centre)))
    return np.asarray(centre + lengths[:, None] * drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


@pytest.mark.parametrize(("shape", "told"), [(1, True), (6, False)])
def test_a_pole_at_the_value_is_seen_and_the_right_law_is_not(shape: int, told: bool) -> None:
    """Of 2,000 trials a side, those that score above all but one in a hundred of the other side: at epsilon 1 the right
    law allows 2.8 in a hundred, and more than 10 have a chance below 1e-30."""
    rng, move = np.random.default_rng(3), 0.4 * np.eye(6)[0]
    sides = [around(centre, rng.gamma(shape, 0.5, size=4_000), rng) for centre in (np.zeros(6), move)]
    score = NearerCentre().fit(sides[0][:2_000], sides[1][:2_000], None, None, rng)
    here, there = (score(side[2_000:]) for side in sides)
    assert bool((here > np.quantile(there, 0.99)).mean() > 0.1) is told


def test_it_says_nothing_of_too_few_trials_and_stays_finite() -> None:
    rng = np.random.default_rng(0)
    assert NearerCentre().fit(np.zeros((1, 2)), np.zeros((1, 2)), None, None, rng)(np.ones((3, 2))).tolist() == [0] * 3
    values = np.array([[0.0, 1.0], [np.inf, 2.0], [0.0, 1.0]])
    assert np.isfinite(NearerCentre().fit(values, values + 1, None, None, rng)(values)).all()


def test_the_centre_is_found_where_no_mean_exists() -> None:
    """Lengths of Cauchy's law: the mean of 2,000 is about as far off as one of them."""
    rng = np.random.default_rng(1)
    lengths = np.abs(rng.standard_cauchy(size=2_000))
    sides = [around(centre, lengths, rng) for centre in (np.zeros(4), 2 * np.eye(4)[0])]
    score = NearerCentre().fit(*sides, None, None, rng)
    assert (score(sides[0]) > 0).mean() > 0.6
    assert score(np.zeros((1, 4)))[0] > 3
