"""SubERM-sc: equation (28), numbers of calls and gradients, printed variants, the three forms."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.sub_erm_strongly_convex import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(89, "tests/sub_erm_strongly_convex")
LINE = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,)), (Ridge.ABSOLUTE, (1.0,), 0.1)])
BASE = Params(centre=(0.0,), radius=1.0, smoothing=4.0, privacy=2.0, steps=16, regulariser=3.0, constant=0.5)


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


@pytest.mark.parametrize(
    ("steps", "levels"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2), (16, 2), (17, 3), (256, 3), (257, 4), (2**40, 6)]
)
def test_the_number_of_calls_is_the_double_logarithm(steps: int, levels: int) -> None:
    params = dataclasses.replace(BASE, steps=steps)
    assert params.levels == levels == len(solver.called(params))
    assert levels == (math.ceil(math.log2(math.log2(steps))) if steps > 2 else 0)
    natural = dataclasses.replace(params, logarithm="natural").levels
    assert natural == (max(0, math.ceil(math.log(math.log(steps)))) if steps > 1 else 0)


def test_errors_halve_and_gaps_are_geometric_means() -> None:
    """E_{i+1} = E_i/2, D_0 = 2 L^2/lambda, D_{i+1} = sqrt(D_i E_i), E_k at T and beta."""
    params = dataclasses.replace(BASE, steps=1 << 20, lipschitz=1.5, centre=(0.0,) * 3, privacy=0.01)
    made = solver.levels(params)
    assert made[0].gap == pytest.approx(2 * 1.5**2, rel=1e-13)
    for here, after in itertools.pairwise(made):
        assert after.error == pytest.approx(here.error / 2, rel=1e-13)
        assert after.gap == pytest.approx(math.sqrt(here.gap * here.error), rel=1e-13)
        assert after.steps == 2 * here.steps
        assert after.privacy == pytest.approx(here.privacy / math.sqrt(2), rel=1e-15)
    wanted = 2 * (0.5 * 1.5) ** 2 * (math.sqrt(3) / (0.01 * 2**20) + 2**-10) ** 2
    assert made[-1].error == pytest.approx(wanted, rel=1e-13)
    assert (made[-1].steps, made[-1].privacy) == (1 << 20, 0.01)


def test_the_schedule_by_hand() -> None:
    """T = 16, k = 2: calls with 4 and 8 steps, beta 2 * 2 and 2 * sqrt 2; r_0 = min(2, 2/3)."""
    first, second = solver.schedule(BASE, np.array([3.0, 0.5]))
    assert (first[0], second[0]) == (4, 8)
    assert (first[1], second[1]) == pytest.approx((4.0, 2 * math.sqrt(2)), rel=1e-15)
    assert first[2] == pytest.approx([2 / 3, 2.0], rel=1e-14)
    error = 2 * 0.25 * (1 / (4 * 4) + 0.5) ** 2
    assert second[2][0] == pytest.approx(math.sqrt(2 * math.sqrt(2 * error)) / 3, rel=1e-14)


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 7, 16, 100])
def test_gradients_are_counted_and_never_exceed_the_budget(steps: int) -> None:
    params = dataclasses.replace(BASE, steps=steps)
    batch, torch_batch = solver.cpu(params, LINE, trials(2)), solver.gpu(params, LINE, trials(2))
    run = solver.reference(params, LINE, STREAM, 0)
    assert run.queries == solver.queries(params) == batch.queries[0] == torch_batch.queries[1] <= steps
    assert batch.iterates.shape == tuple(torch_batch.iterates.shape) == (2, params.levels, 1)


def test_two_gradients_or_less_return_the_centre() -> None:
    for steps in (1, 2):
        params = dataclasses.replace(BASE, steps=steps, centre=(0.25,))
        assert solver.reference(params, LINE, STREAM, 0).final.tolist() == [0.25]
        assert solver.cpu(params, LINE, trials(1)).final.tolist() == [[0.25]]
        assert solver.gpu(params, LINE, trials(1)).final.tolist() == [[0.25]]


def test_the_printed_index_needs_one_call_more_than_the_budget_allows() -> None:
    params = dataclasses.replace(BASE, steps=16)
    one_more = dataclasses.replace(params, returned="next")
    assert solver.queries(params) == 3 + 7
    assert solver.queries(one_more) == 3 + 7 + 15 > 16
    iterates = solver.cpu(one_more, LINE, trials(3)).iterates
    assert np.array_equal(iterates[:, :2], solver.cpu(params, LINE, trials(3)).iterates)


def test_rounding_of_the_steps() -> None:
    params = dataclasses.replace(BASE, steps=5)
    assert [call.steps for call in solver.called(params)] == [1, 2]
    assert [call.steps for call in solver.called(dataclasses.replace(params, rounding="ceil"))] == [2, 3]


def test_a_call_is_the_regularised_solver() -> None:
    params = dataclasses.replace(BASE, steps=4)
    inner = sub_erm.Params(
        centre=(0.0,), radius=1.0, smoothing=4.0, privacy=2.0 * math.sqrt(2), steps=2, regulariser=3.0,
        distance=float(solver.schedule(params, np.array([3.0]))[0][2][0]),
    )  # fmt: skip
    part = Trials(STREAM.part("call 1"), np.arange(6))
    assert np.array_equal(solver.cpu(params, LINE, trials(6)).final, sub_erm.cpu(inner, LINE, part).final)


@pytest.mark.parametrize(
    "change", [{}, {"returned": "next"}, {"anchor": (3.0,), "steps": 30}, {"project_output": "projected", "steps": 300}]
)
def test_numba_and_torch_repeat_the_reference(change: dict[str, object]) -> None:
    params = dataclasses.replace(BASE, **change)  # type: ignore[arg-type]
    runs = [solver.reference(params, LINE, STREAM, trial) for trial in range(3)]
    for batch in (solver.cpu(params, LINE, trials(3)), solver.gpu(params, LINE, trials(3))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-13)
        assert np.asarray(batch.iterates) == pytest.approx(np.stack([run.iterates for run in runs]), abs=1e-13)


def test_every_trial_may_have_its_own_subproblem() -> None:
    given = sub_erm.subproblems(BASE, 2)
    other = dataclasses.replace(BASE, centre=(0.5,), regulariser=9.0)
    mixed = sub_erm.Subproblems(
        np.array([[0.0], [0.5]]), np.array([[0.0], [0.5]]), np.array([[0.0], [0.5]]), np.array([3.0, 9.0]), np.zeros(2)
    )
    batch = solver.solve_cpu(BASE, LINE, mixed, trials(2))
    assert np.array_equal(batch.final[0], solver.solve_cpu(BASE, LINE, given, trials(2)).final[0])
    assert np.array_equal(batch.final[1], solver.cpu(other, LINE, trials(2)).final[1])
    assert solver.solve_gpu(BASE, LINE, mixed, trials(2)).final.numpy() == pytest.approx(batch.final, abs=1e-13)


def test_levels_of_the_bias_reduction() -> None:
    level = solver.at_level(BASE, 3)
    assert (level.steps, level.privacy) == (128, pytest.approx(2.0 * 2**-1.5))


def test_the_solver_finds_the_minimum_of_a_line_with_a_regulariser() -> None:
    """f = x/3 (w = 1), lambda = 1: xstar = -1/3; noise of one gradient is about 1, so T = 2^16 leaves about 2^-8."""
    losses = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,))])
    params = dataclasses.replace(
        BASE, steps=1 << 16, regulariser=1.0, privacy=50.0, estimator="unweighted", constant=1.0
    )
    final = solver.cpu(params, losses, trials(64)).final[:, 0]
    assert abs(final.mean() + 1 / 3) < 0.02
    assert final.std() < 0.05


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="regulariser must be above"):
        dataclasses.replace(BASE, regulariser=0.0)
    with pytest.raises(ConfigurationError, match="returned must be one of"):
        dataclasses.replace(BASE, returned="printed")
    assert solver.noise_shape(BASE) == (32, 1)
