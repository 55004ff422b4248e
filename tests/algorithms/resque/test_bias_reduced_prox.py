"""BiasReducedProx: levels, the telescoping sum, counts, the three forms."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from dpaudit.algorithms.resque import bias_reduced_prox, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.bias_reduced_prox import Params
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses
from dpaudit.records.errors import ConfigurationError

STREAM = Stream(103, "tests/bias_reduced_prox")
LINE = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,)), (Ridge.ABSOLUTE, (1.0,), 0.1)])
BASE = Params(
    centre=(0.0,), radius=1.0, smoothing=4.0, privacy=2.0, steps=4, regulariser=3.0, constant=0.5, records=100,
    privacy_constant=3.0,
)  # fmt: skip


def trials(number: int) -> Trials:
    return Trials(STREAM, np.arange(number))


@pytest.mark.parametrize(
    ("records", "steps", "highest"), [(24, 4, 1), (47, 4, 1), (48, 4, 2), (100, 4, 3), (6, 1, 1), (3 << 20, 1, 20)]
)
def test_the_highest_level(records: int, steps: int, highest: int) -> None:
    params = dataclasses.replace(BASE, records=records, steps=steps)
    assert params.highest == params.loops == highest
    assert steps << highest <= records / 3 < steps << (highest + 1)


def test_too_many_steps_leave_no_level() -> None:
    with pytest.raises(ConfigurationError, match=r"steps must be at most records/\(2 privacy_constant\)"):
        dataclasses.replace(BASE, records=23)


def test_levels_are_geometric() -> None:
    levels = bias_reduced_prox.draw_levels(BASE, STREAM, np.arange(40_000)).ravel()
    assert levels.min() == 1
    for j in range(1, 8):
        expected = len(levels) / 2**j
        assert abs((levels == j).sum() - expected) < 5 * np.sqrt(expected)


def test_a_loop_by_its_parts() -> None:
    levels = np.array([[1, 3, 4], [2, 9, 1]])
    batch = bias_reduced_prox.cpu(BASE, LINE, trials(2), levels)
    for trial in range(2):
        for loop in range(3):
            level, part = levels[trial, loop], STREAM.part(f"repetition {loop + 1}")
            one = np.array([trial])
            wanted = solver.cpu(solver.at_level(BASE, 0), LINE, Trials(part.part("base"), one)).final[0]
            if level <= 3:
                finer, coarser = solver.at_level(BASE, int(level)), solver.at_level(BASE, int(level) - 1)
                x, y = (
                    solver.cpu(finer, LINE, Trials(part.part("finer"), one)),
                    solver.cpu(coarser, LINE, Trials(part.part("coarser"), one)),
                )
                wanted = wanted + 2**level * (x.final[0] - y.final[0])
            assert batch.results[trial, loop] == pytest.approx(wanted, abs=1e-14)
    assert batch.final == pytest.approx(batch.results.mean(axis=1))


def test_gradients_are_counted() -> None:
    """T = 4: SubERM-sc makes one call with 2 steps, 1 gradient; at level 1 (T = 8) calls with 2 and 4: 1 + 3."""
    levels = np.array([[1, 4, 2]])
    at = [solver.queries(solver.at_level(BASE, j)) for j in range(4)]
    assert at[:2] == [1, 4]
    batch = bias_reduced_prox.cpu(BASE, LINE, trials(1), levels)
    assert batch.queries.tolist() == [[1 + at[1] + at[0], 1, 1 + at[2] + at[1]]]
    assert bias_reduced_prox.queries(BASE, levels).tolist() == batch.queries.tolist()
    assert bias_reduced_prox.gpu(BASE, LINE, trials(1), levels).queries.tolist() == batch.queries.tolist()
    assert bias_reduced_prox.reference(BASE, LINE, STREAM, 0, levels[0]).queries == batch.queries.sum()
    bound = np.where(levels <= 3, 4 * (1 + 1.5 * 2.0**levels), 4)
    assert (batch.queries <= bound).all()


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize("change", [{}, {"repetitions": 5}, {"anchor": (3.0,)}, {"steps": 1, "records": 30}])
def test_numba_and_torch_repeat_the_reference(change: dict[str, object]) -> None:
    params = dataclasses.replace(BASE, **change)  # type: ignore[arg-type]
    runs = [bias_reduced_prox.reference(params, LINE, STREAM, trial) for trial in range(6)]
    for batch in (bias_reduced_prox.cpu(params, LINE, trials(6)), bias_reduced_prox.gpu(params, LINE, trials(6))):
        assert np.asarray(batch.final) == pytest.approx(np.stack([run.final for run in runs]), abs=1e-12)
        assert batch.levels.tolist() == [[one.level for one in run.repetitions] for run in runs]


def test_the_mean_is_that_of_the_highest_level() -> None:
    """Conditional on J the sum telescopes; E x0 + sum_j (E x_j - E x_{j-1}) = E x_jmax, to 6 deviations."""
    params = dataclasses.replace(BASE, repetitions=1, estimator="unweighted")
    losses = ridge_losses([(Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (1.0,)), (Ridge.LINEAR, (-1.0,))])
    many = bias_reduced_prox.cpu(params, losses, trials(200_000)).final[:, 0]
    top = solver.cpu(solver.at_level(params, 3), losses, trials(200_000)).final[:, 0]
    low = solver.cpu(solver.at_level(params, 0), losses, trials(200_000)).final[:, 0]
    error = 6 * np.hypot(many.std(), top.std()) / np.sqrt(200_000)
    assert abs(many.mean() - top.mean()) < error
    assert abs(low.mean() - top.mean()) > error


def test_every_trial_may_have_its_own_subproblem() -> None:
    given = sub_erm.subproblems(BASE, 2)
    mixed = sub_erm.Subproblems(given.centres, given.anchors, given.starts, np.array([3.0, 9.0]), given.distances)
    batch = bias_reduced_prox.solve_cpu(BASE, LINE, mixed, trials(2))
    other = dataclasses.replace(BASE, regulariser=9.0)
    assert np.array_equal(batch.final[0], bias_reduced_prox.cpu(BASE, LINE, trials(2)).final[0])
    assert np.array_equal(batch.final[1], bias_reduced_prox.cpu(other, LINE, trials(2)).final[1])
    torch_batch = bias_reduced_prox.solve_gpu(BASE, LINE, mixed, trials(2))
    assert torch_batch.final.numpy() == pytest.approx(batch.final, abs=1e-12)


def test_it_promises_what_the_accountant_says() -> None:
    assert bias_reduced_prox.noise_shape(BASE) == (9, 64, 1)
