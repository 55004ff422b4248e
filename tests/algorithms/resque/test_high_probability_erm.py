"""HighProbERM: number of copies, the distance of the vote, counts, the three forms."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import high_probability_erm, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.high_probability_erm import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(101, "tests/high_probability_erm")
LINE = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,)), (Ridge.ABSOLUTE, (1.0,), 0.1)])
BASE = Params(
    centre=(0.0,), radius=1.0, smoothing=4.0, privacy=2.0, steps=16, regulariser=3.0, constant=0.5, failure=0.5
)


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


@pytest.mark.parametrize(("failure", "ceil", "floor"), [(0.5, 14, 13), (0.9, 3, 2), (0.99, 1, 1), (1e-20, 922, 921)])
def test_the_number_of_copies(failure: float, ceil: int, floor: int) -> None:
    params = dataclasses.replace(BASE, failure=failure)
    assert params.copies == ceil
    assert dataclasses.replace(params, rounding_of_copies="floor").copies == floor


def test_the_distance_of_the_vote_by_hand() -> None:
    """9 sqrt(2 * 32 * 0.25) * (1/3) * (1/(4 * 256) + 1/16)^(1/2) = 12 * sqrt(65/1024)."""
    assert BASE.vote.distance == pytest.approx(12 * math.sqrt(65 / 1024), rel=1e-14)
    assert BASE.vote.distance == pytest.approx(BASE.scaled_distance / 3)
    assert dataclasses.replace(BASE, error_constant=2.0).vote.distance == pytest.approx(6 * math.sqrt(65 / 1024))
    assert dataclasses.replace(BASE, constant=16.0).scaled_distance == pytest.approx(1152 * math.sqrt(65 / 1024))


def test_gradients_are_counted() -> None:
    run = high_probability_erm.reference(BASE, LINE, STREAM, 0)
    assert run.queries == high_probability_erm.queries(BASE) == 14 * 10
    for batch in (high_probability_erm.cpu(BASE, LINE, trials(2)), high_probability_erm.gpu(BASE, LINE, trials(2))):
        assert batch.queries.tolist() == [140, 140]


def test_the_copies_are_runs_of_the_solver_with_their_own_noise() -> None:
    batch = high_probability_erm.cpu(BASE, LINE, trials(5))
    for i in range(14):
        alone = solver.cpu(BASE, LINE, Trials(STREAM.part(f"copy {i + 1}"), np.arange(5)))
        assert np.array_equal(batch.copies[:, i], alone.final)
    assert np.unique(batch.copies).size == 70
    assert np.array_equal(batch.final, batch.copies[np.arange(5), batch.chosen])


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("error_constant", [1e-4, 0.01, None])
def test_numba_and_torch_repeat_the_reference(error_constant: float | None) -> None:
    params = dataclasses.replace(BASE, error_constant=error_constant)
    runs = [high_probability_erm.reference(params, LINE, STREAM, trial) for trial in range(3)]
    torch_batch = high_probability_erm.gpu(params, LINE, trials(3))
    for batch in (high_probability_erm.cpu(params, LINE, trials(3)), torch_batch):
        assert batch.chosen.tolist() == [run.chosen for run in runs]
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-13)


def test_every_trial_may_have_its_own_subproblem() -> None:
    params, other = (dataclasses.replace(BASE, error_constant=0.02, regulariser=lam) for lam in (3.0, 30.0))
    first, second = sub_erm.subproblems(params, 2), sub_erm.subproblems(other, 2)
    mixed = sub_erm.Subproblems(first.centres, first.anchors, first.starts, np.array([3.0, 30.0]), first.distances)
    batch = high_probability_erm.solve_cpu(params, LINE, mixed, trials(2))
    alone = high_probability_erm.solve_cpu(other, LINE, second, trials(2))
    assert np.array_equal(batch.final[1], alone.final[1])
    assert batch.chosen[0] == high_probability_erm.cpu(params, LINE, trials(2)).chosen[0]
    torch_batch = high_probability_erm.solve_gpu(params, LINE, mixed, trials(2))
    assert torch_batch.final.numpy() == pytest.approx(batch.final, abs=1e-13)


def test_wrong_parameters_are_refused() -> None:
    for wrong in (0.0, 1.0, -0.5):
        with pytest.raises(ConfigurationError, match="failure must be"):
            dataclasses.replace(BASE, failure=wrong)
    assert high_probability_erm.noise_shape(BASE) == (14, 32, 1)
