"""ReSQuePool: a pool by hand, counts, addresses of the draws, the laws of draws and answers."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.algorithms.resque import resque_pool
from dpaudit.algorithms.resque.resque_pool import Params
from dpaudit.algorithms.resque.shared.draws import PIECE, pool_inputs
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(81, "tests/pool")
KINK = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0, 0.0), 0.25)], 2.0))


def test_a_pool_by_hand() -> None:
    """xbar + xi = 0.5 - 0.5, 0.5 - 0.125, 0.5 - 0.25: left of the kink, right of it, on it."""
    normals = np.array([[-1.0, 3.0], [-0.25, 0.0], [-0.5, 1.0]])
    made = resque_pool.reference(Params((0.5, 0.0), 0.5, 3), KINK, normals, np.zeros(3, dtype=np.int64), np.ones(3))
    assert made.draws.tolist() == [[-0.5, 1.5], [-0.125, 0.0], [-0.25, 0.5]]
    assert made.gradients.tolist() == [[-2.0, 0.0], [2.0, 0.0], [0.0, 0.0]]
    assert (made.queries, made.rounds) == (3, 1)


def test_numba_and_torch_repeat_the_reference_over_pieces() -> None:
    oracle = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0,)), (Ridge.ZERO, (1.0,))]), "record", 0.5)
    params, trials = Params((0.1,), 0.3, 2 * PIECE + 5), Trials(STREAM, np.array([3, 8]))
    wanted = [resque_pool.reference(params, oracle, *pool_inputs(oracle, STREAM, t, params.draws)) for t in (3, 8)]
    expected = np.stack([np.hstack([pool.draws, pool.gradients]) for pool in wanted])
    assert expected.shape == (2, 517, 2)
    assert np.array_equal(resque_pool.cpu(params, oracle, trials), expected)
    assert np.array_equal(resque_pool.gpu(params, oracle, trials).numpy(), expected)


def test_draws_and_answers_have_their_laws() -> None:
    """20000 draws: means within 5 deviations, the choice of records and signs too."""
    oracle = Oracle(ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.ZERO, (1.0,))]), "record", 0.25)
    pool = resque_pool.cpu(Params((0.0,), 0.5, 20_000), oracle, Trials(STREAM, np.array([0])))[0]
    assert abs(pool[:, 0].mean()) < 5 * 0.5 / np.sqrt(20_000)
    assert pool[:, 0].std() == pytest.approx(0.5, rel=0.04)
    answers, counts = np.unique(pool[:, 1], return_counts=True)
    assert answers.tolist() == [-0.25, 0.25, 0.75, 1.25]
    assert counts == pytest.approx(5000, abs=5 * np.sqrt(20_000 * 3 / 16))


def test_shapes_and_refusals() -> None:
    assert resque_pool.noise_shape(Params((0.0, 0.0), 1.0, 7)) == (7, 2)
    assert resque_pool.promise(Params((0.0,), 1.0, 1)) is None
    with pytest.raises(ConfigurationError, match="draws must be at least 1"):
        Params((0.0,), 1.0, 0)
    with pytest.raises(ConfigurationError, match="centre has 1 numbers, the oracle 2"):
        resque_pool.cpu(Params((0.0,), 1.0, 1), KINK, Trials(STREAM, np.array([0])))
