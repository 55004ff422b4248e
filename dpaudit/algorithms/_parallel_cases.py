"""The instances on which the forms of the non-private oracles and of the parallel solver are compared.

A step is what these files add: joining the answers of the ball oracle, and an iteration around given answers. The steps
of the solvers inside are compared in their own files; here whole runs are, at the stated tolerance. Trials in which
a comparison (a movement with its ends, a distance with the reach) is close to a tie are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms._ball_cases import TIE, nearest_end
from dpaudit.algorithms._resque_cases import Calls, whole_runs
from dpaudit.algorithms._resque_draws import projection_magnitude
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials
from dpaudit.smoothing import Oracle, Ridge, ridge_losses

if TYPE_CHECKING:
    from dpaudit.algorithms.non_private_prox import Answer
    from dpaudit.algorithms.non_private_prox import Params as Prox
    from dpaudit.algorithms.parallel_solver import Params as Solver
    from dpaudit.algorithms.parallel_solver import Run

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


def _oracle() -> Oracle:
    return Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.3), (Ridge.LINEAR, (0.0, 0.5))]), "record", 0.2)


def nearest_join(points: Array, reach: float) -> float:
    """How close the distance of two of the points (k, d) comes to the reach, over the reach; 1 for a single point."""
    rows, columns = np.triu_indices(len(points), 1)
    distances = np.linalg.norm(points[rows] - points[columns], axis=1)
    return float(np.abs(distances / reach - 1).min(initial=1.0))


# NonPrivateProxAndSearch -------------------------------------------------------------------------


def oracle_cases(seed: int) -> tuple[Case, ...]:
    """Both parts over both solvers, and the printed lines of AC-SA."""
    from dpaudit.algorithms import non_private_prox
    from dpaudit.algorithms.non_private_prox import Params

    shared = (1.0, 0.5, 0.5, 1.1, 0.4)
    listed = (
        ("proximal, EpochSGD", Params(*shared, "epoch_sgd", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "proximal")),
        ("search, EpochSGD", Params(*shared, "epoch_sgd", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "search")),
        ("proximal, AC-SA", Params(*shared, "ac_sa", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "proximal")),
        ("search, printed AC-SA", Params(*shared, "ac_sa", "printed", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "search")),
    )
    functions = (_oracle_trace, _oracle_cpu, _oracle_gpu, _oracle_calls)
    return tuple(
        _bound(non_private_prox, name, params, 12, Stream(seed, f"agree/non_private_prox/{name}"), functions)
        for name, params in listed
    )


def _bound(
    module: ModuleType, name: str, params: Prox | Solver, operations: int, stream: Stream, functions: Sequence[Any]
) -> Case:
    """A case from functions of (params, stream, ...): trace, cpu, gpu, calls."""
    trace, cpu, gpu, calls = (partial(function, params, stream) for function in functions)
    bulk = whole_runs(module, params, lambda numbers: _oracle(), stream)
    return Case(name, params, operations, trace, cpu, gpu, calls, bulk)


def _oracle_trace(params: Prox, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import non_private_prox

    found: list[tuple[int, Answer]] = []
    trial = 0
    while len(found) < trials:
        answer = non_private_prox.reference(params, _oracle(), stream, trial)
        if params.part == "proximal" or nearest_join(answer.parts, params.reach) > TIE:
            found.append((trial, answer))
        trial += 1
    numbers = np.array([number for number, _ in found])
    calls = max(3, max(len(answer.parts) for _, answer in found))
    parts = np.stack([np.resize(answer.parts, (calls, answer.parts.shape[1])) for _, answer in found])
    points, choices = np.stack([answer.point for _, answer in found]), np.array([[a.choice] for _, a in found])
    magnitude, near = np.abs(points), np.ones((trials, 1))
    if params.part == "proximal":
        corrections = 2.0**choices * (np.abs(parts[:, 1]) + np.abs(parts[:, 2])) * (choices > 0)
        magnitude = np.abs(parts[:, 0]) + corrections
    else:
        near = np.array([[nearest_join(answer.parts, params.reach) * params.reach] for _, answer in found])
    size = near * 0 + np.abs(parts).max() * 4 * (params.part == "search")
    return Trace(
        numbers, np.zeros_like(numbers), parts.reshape(trials, -1), points, magnitude, choices, near, size, points
    )


def _oracle_cpu(params: Prox, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import non_private_prox

    rows, parts = Trials(stream, trace.trials), trace.before.reshape(len(trace.before), -1, trace.after.shape[1])
    points, choices = non_private_prox.join_cpu(params, parts, rows, dtype)
    whole = non_private_prox.cpu(params, _oracle(), rows, dtype)
    return Replay(points, choices[:, None], whole[:, -points.shape[1] :])


def _oracle_gpu(params: Prox, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import non_private_prox

    rows, parts = Trials(stream, trace.trials), trace.before.reshape(len(trace.before), -1, trace.after.shape[1])
    points, choices = non_private_prox.join_gpu(params, parts, rows, dtype, device)
    whole = non_private_prox.gpu(params, _oracle(), rows, device, dtype).cpu().numpy()
    return Replay(points, choices[:, None], whole[:, -points.shape[1] :])


def _oracle_calls(params: Prox, stream: Stream, trial: int) -> Calls:
    from dpaudit.algorithms import non_private_prox

    answer = non_private_prox.reference(params, _oracle(), stream, trial)
    level = answer.choice if params.part == "proximal" else None
    formula = non_private_prox.calls(params, len(params.centre), params.strength, level)
    counted = {"ball oracle": answer.calls, "gradients": answer.queries, "rounds": answer.rounds, "steps": answer.depth}
    return counted, formula


# ParallelSolver ----------------------------------------------------------------------------------


def solver_cases(seed: int) -> tuple[Case, ...]:
    """Both solvers; the second in one dimension and with the point as it comes."""
    from dpaudit.algorithms import parallel_solver
    from dpaudit.algorithms.parallel_solver import Params

    listed = (
        ("EpochSGD", Params(2, 1.0, 1.1, 0.6, acceleration_constant=1.5, stop_constant=1.5)),
        ("AC-SA", Params(2, 1.0, 1.1, 0.6, "ac_sa", "GL12", "last", 1.5, 1.5)),
    )
    functions = (_trace, _cpu, _gpu, _calls)
    return tuple(
        _bound(
            parallel_solver, name, params, 4 * params.dimension + 30, Stream(seed, f"agree/parallel_solver/{name}"),
            functions,
        )
        for name, params in listed
    )  # fmt: skip


def _trace(params: Solver, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import parallel_solver

    found: list[tuple[int, Run]] = []
    trial = 0
    while len(found) < trials:
        run = parallel_solver.reference(params, _oracle(), stream, trial)
        movements = min(nearest_end(params.ball_radius, tried) for tried in run.outer.tried)
        if min(movements, *(nearest_join(points, params.oracles.reach) for points in run.searched)) > TIE:
            found.append((trial, run))
        trial += 1
    return _assembled(params, found)


def _calls(params: Solver, stream: Stream, trial: int) -> Calls:
    from dpaudit.algorithms import parallel_solver

    run = parallel_solver.reference(params, _oracle(), stream, trial)
    counted = {
        "search oracle": len(run.searched), "ball oracle": run.ball_calls, "gradients": run.queries,
        "rounds": run.rounds, "steps": run.depth,
    }  # fmt: skip
    return counted, parallel_solver.calls(params, run.outer.strengths, run.outer.tried, run.drawn)


def _assembled(params: Solver, found: list[tuple[int, Run]]) -> Trace:
    d = params.dimension
    rows = []
    for trial, run in found:
        outer = run.outer
        before = np.hstack([outer.states[:-1], outer.strengths[:, None], run.answers])
        after = np.hstack([outer.centres, outer.states[1:, d:]])
        rows.append((np.full(len(before), trial), np.arange(len(before)), before, after))
    numbers, steps, before, after = (np.concatenate(column) for column in zip(*rows, strict=True))
    x, v, weight, lam, z = np.split(np.abs(before), [d, 2 * d, 2 * d + 1, 2 * d + 2], axis=1)
    a = after[:, 2 * d :] - weight
    y = (weight * x + a * v) / (weight + a)
    moved = projection_magnitude(v + a / 2 * lam * (y + z), np.zeros(d))
    none = np.zeros((len(before), 0))
    return Trace(
        numbers, steps, before, after, np.hstack([y, moved, weight + a]), none.astype(np.int64), none, none,
        np.stack([run.outer.point for _, run in found]),
    )  # fmt: skip


def _cpu(params: Solver, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import parallel_solver

    trials = Trials(stream, trace.trials[trace.steps == 0])
    points = parallel_solver.runs(parallel_solver.cpu(params, _oracle(), trials, dtype)).outer.points
    return Replay(parallel_solver.advance_cpu(params, trace.before, dtype), trace.branches, points)


def _gpu(params: Solver, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import parallel_solver

    trials = Trials(stream, trace.trials[trace.steps == 0])
    whole = parallel_solver.gpu(params, _oracle(), trials, device, dtype).cpu().numpy()
    after = parallel_solver.advance_gpu(params, trace.before, dtype, device)
    return Replay(after, trace.branches, parallel_solver.runs(whole).outer.points)
