"""The instances on which the forms of the non-private proximal oracles are compared, and their bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import non_private_prox
from dpaudit.algorithms.resque.ball_acceleration.cases import TIE
from dpaudit.algorithms.resque.non_private_prox import Answer, Params
from dpaudit.algorithms.resque.parallel_solver import Params as Solver
from dpaudit.algorithms.resque.shared.cases import Calls, whole_runs
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses


def example_oracle() -> Oracle:
    """An oracle of two ridges in the plane, smoothed record by record with rho = 0.2."""
    return Oracle(ridge_losses([(Ridge.ABSOLUTE, (0.6, 0.8), 0.3), (Ridge.LINEAR, (0.0, 0.5))]), "record", 0.2)


def nearest_join(points: Array, reach: float) -> float:
    """How close the distance of two of the points (k, d) comes to the reach, over the reach; 1 for a single point."""
    rows, columns = np.triu_indices(len(points), 1)
    distances = np.linalg.norm(points[rows] - points[columns], axis=1)
    return float(np.abs(distances / reach - 1).min(initial=1.0))


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both parts over both solvers, and the printed lines of AC-SA."""
    shared = (1.0, 0.5, 0.5, 1.1, 0.4)
    listed = (
        ("proximal, EpochSGD", Params(*shared, "epoch_sgd", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "proximal")),
        ("search, EpochSGD", Params(*shared, "epoch_sgd", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "search")),
        ("proximal, AC-SA", Params(*shared, "ac_sa", "GL12", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "proximal")),
        ("search, printed AC-SA", Params(*shared, "ac_sa", "printed", 1.0, 2.0, 4.0, 4.0, (0.1, -0.2), 2.5, "search")),
    )
    functions = (_oracle_trace, _oracle_cpu, _oracle_gpu, _oracle_calls)
    return tuple(
        bound_case(non_private_prox, name, params, 12, Stream(seed, f"agree/non_private_prox/{name}"), functions)
        for name, params in listed
    )


Functions = tuple[Callable[..., Trace], Callable[..., Replay], Callable[..., Replay], Callable[..., Calls]]


def bound_case(
    module: ModuleType, name: str, params: Params | Solver, operations: int, stream: Stream, functions: Functions
) -> Case:
    """A case from functions of (params, stream, ...): trace, cpu, gpu, calls."""
    trace, cpu, gpu, calls = functions
    return Case(
        name,
        params,
        operations,
        partial(trace, params, stream),
        partial(cpu, params, stream),
        partial(gpu, params, stream),
        partial(calls, params, stream),
        whole_runs(module, params, lambda numbers: example_oracle(), stream),
    )


def _oracle_trace(params: Params, stream: Stream, trials: int) -> Trace:
    found: list[tuple[int, Answer]] = []
    trial = 0
    while len(found) < trials:
        answer = non_private_prox.reference(params, example_oracle(), stream, trial)
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


def _oracle_cpu(params: Params, stream: Stream, trace: Trace, dtype: str) -> Replay:
    rows, parts = Trials(stream, trace.trials), trace.before.reshape(len(trace.before), -1, trace.after.shape[1])
    points, choices = non_private_prox.join_cpu(params, parts, rows, dtype)
    whole = non_private_prox.cpu(params, example_oracle(), rows, dtype)
    return Replay(points, choices[:, None], whole[:, -points.shape[1] :])


def _oracle_gpu(params: Params, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    rows, parts = Trials(stream, trace.trials), trace.before.reshape(len(trace.before), -1, trace.after.shape[1])
    points, choices = non_private_prox.join_gpu(params, parts, rows, dtype, device)
    whole = non_private_prox.gpu(params, example_oracle(), rows, device, dtype).cpu().numpy()
    return Replay(points, choices[:, None], whole[:, -points.shape[1] :])


def _oracle_calls(params: Params, stream: Stream, trial: int) -> Calls:
    answer = non_private_prox.reference(params, example_oracle(), stream, trial)
    level = answer.choice if params.part == "proximal" else None
    formula = non_private_prox.calls(params, len(params.centre), params.strength, level)
    counted = {"ball oracle": answer.calls, "gradients": answer.queries, "rounds": answer.rounds, "steps": answer.depth}
    return counted, formula
