"""The instances on which the three forms of DP-SRM are compared, and the bounds of one step."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpaudit import problems
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials

if TYPE_CHECKING:
    from dpaudit.algorithms.dp_srm import Params
    from dpaudit.problems import Problem

Array = NDArray[np.float64]


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Steps of both rates, with and without memory, small and full batches."""
    rng = np.random.default_rng([seed, 0x53])
    features, labels = rng.normal(size=(9, 3)), np.where(rng.random(9) < 0.5, -1.0, 1.0)
    root = rng.normal(size=(3, 3))
    curvature = (root @ root.T + (root @ root.T).T) / 6
    return (
        _case("logistic loss, both rates", problems.logistic(features, labels), (4, 2), 0.3, 0.4, seed),
        _case("Huber loss, short steps", problems.huber(features, labels, 0.5), (9, 9), 0.5, 9.0, seed),
        _case(
            "quadratic minus linear, no memory",
            problems.quadratic_minus_linear(curvature, features),
            (3, 5), 1.0, 0.2, seed,
        ),
    )  # fmt: skip


def _case(name: str, problem: Problem, sizes: tuple[int, int], momentum: float, accuracy: float, seed: int) -> Case:
    from dpaudit.algorithms import dp_srm  # that file carries the algorithm and names this one

    start = tuple(0.3 * j - 0.2 for j in range(problem.dimension))
    params = dp_srm.Params(start, 6, problem.records, *sizes, momentum, accuracy, 2.0, 1.5, 3.0, 0.2, 0.3)
    stream = Stream(seed, f"agree/dp_srm/{name}")
    return Case(
        name,
        params,
        operations=problem.rounding_operations + 3 * problem.dimension + 24,  # recursion, noise, norm, rate, casts
        reference=partial(_trace, params, problem, stream),
        cpu=partial(_cpu, params, problem, stream),
        gpu=partial(_gpu, params, problem, stream),
    )


def _trace(params: Params, problem: Problem, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import dp_srm

    inputs = [dp_srm.draw_inputs(params, stream, trial) for trial in range(trials)]
    runs = [dp_srm.reference(params, problem, *given) for given in inputs]
    rows = [
        _magnitude(params, problem, runs[i].states[t], runs[i].states[t + 1], t, inputs[i][0][t], inputs[i][1][t])
        for i in range(trials)
        for t in range(params.steps)
    ]
    length = np.concatenate([np.linalg.norm(run.transcript, axis=1) for run in runs])
    short = np.concatenate([run.short for run in runs]).astype(np.int64)
    magnitude = np.array(rows)
    d = problem.dimension
    return Trace(
        np.repeat(np.arange(trials), params.steps),
        np.tile(np.arange(params.steps), trials),
        np.concatenate([run.states[:-1] for run in runs]),
        np.concatenate([run.states[1:] for run in runs]),
        magnitude,
        short[:, None],
        np.abs(length - 2 * params.accuracy)[:, None],
        np.linalg.norm(magnitude[:, 2 * d :], axis=1, keepdims=True),
        np.stack([run.final for run in runs]),
    )


def _magnitude(
    params: Params, problem: Problem, before: Array, after: Array, step: int, noise: Array, batch: Array
) -> Array:
    """A of (theta^t, theta^{t+1}, v_p^t).

    The step v -> eta(v) v is 1/(2 n0 L) times the projection onto a ball of radius 2 zeta, which never
    enlarges a distance: the error of v_p enters theta^{t+1} by at most its norm over 2 n0 L.
    """
    previous, theta, fed_back = np.split(before, 3)
    used = batch[: params.batch_at(step)]
    part = problems.Problem(
        problem.loss, problem.features[used], problem.labels[used], problem.curvature, problem.threshold
    )
    v = part.gradient_magnitude(theta) + params.noise_at(step) * np.abs(noise)
    if step:
        v = v + (1 - params.momentum) * (np.abs(fed_back) + part.gradient_magnitude(previous))
    move = np.abs(after[len(theta) : 2 * len(theta)] - theta)
    moved = np.abs(theta) + move + params.largest_rate * np.linalg.norm(v)
    return np.concatenate([np.abs(theta), moved, v])


def _cpu(params: Params, problem: Problem, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import dp_srm

    rows = Trials(stream, trace.trials)
    after, short = dp_srm.advance_cpu(params, problem, rows, trace.steps, trace.before, dtype)
    whole = Trials(stream, np.arange(len(trace.final)))
    return Replay(after, short[:, None], dp_srm.cpu(params, problem, whole, "final", dtype))


def _gpu(params: Params, problem: Problem, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import dp_srm

    rows = Trials(stream, trace.trials)
    after, short = dp_srm.advance_gpu(params, problem, rows, trace.steps, trace.before, dtype, device)
    whole = Trials(stream, np.arange(len(trace.final)))
    final = dp_srm.gpu(params, problem, whole, "final", device, dtype)
    return Replay(after, short[:, None], final.cpu().numpy())
