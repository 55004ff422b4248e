"""The instances on which the three forms of SubERM are compared, and the bounds of one step."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Trace
from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.shared.cases import Calls, Instance
from dpaudit.algorithms.resque.sub_erm import Run
from dpaudit.algorithms.resque.sub_erm.params import Params
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses, slopes, subgradient

Inputs = tuple[Integers, Array, Array]


def example_losses(seed: int, dimension: int) -> RidgeLosses:
    """Six records of all four kinds, L = 1.5."""
    rng = np.random.default_rng([seed, 0x5E])
    directions = rng.normal(size=(6, dimension))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    kinds = (Ridge.LINEAR, Ridge.ABSOLUTE, Ridge.HINGE, Ridge.ABSOLUTE, Ridge.ZERO, Ridge.HINGE)
    return ridge_losses(list(zip(kinds, directions, 0.2 * rng.normal(size=6), strict=True)), 1.5)


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Both algorithms of the family, every estimator, inactive and active projections, every printed variant."""
    shared: dict[str, Any] = {"smoothing": 0.7, "lipschitz": 1.5, "records": 6}
    convex = Params(centre=(0.1, -0.2, 0.3), radius=0.5, privacy=2.0, steps=17, **shared)
    regularised = Params(
        centre=(0.1, -0.2), radius=0.25, privacy=8.0, steps=9, regulariser=3.0, anchor=(0.9, 0.4), distance=0.5,
        average="regret", project_start="projected", project_output="projected", **shared,
    )  # fmt: skip
    line = Params(centre=(0.5,), radius=0.4, privacy=0.5, steps=8, estimator="unweighted", start=(0.7,), **shared)
    plain = Params(centre=(0.0, 0.0), radius=0.3, privacy=1.0, steps=8, estimator="plain", **shared)
    listed = (("convex", convex), ("regularised, other centre", regularised), ("line, w = 1", line), ("plain", plain))
    return tuple(
        Instance(sub_erm, params, example_losses(seed, params.dimension), Stream(seed, f"agree/sub_erm/{name}")).case(
            # margin, exponent, exp, step, norm, projection, average, noise, casts
            name, 4 * params.dimension + 40, _trace, _calls,
        )
        for name, params in listed
    )  # fmt: skip


def _trace(one: Instance, trials: int) -> Trace:
    params, losses, stream = one.params, one.data, one.stream
    inputs = [sub_erm.draw_inputs(params, losses.records, stream, trial) for trial in range(trials)]
    runs = [sub_erm.reference(params, losses, *given) for given in inputs]
    judged = [step_bounds(params, losses, given, run) for given, run in zip(inputs, runs, strict=True)]
    magnitude, branches, distance, size = (np.concatenate(part) for part in zip(*judged, strict=True))
    steps = len(runs[0].before)
    return Trace(
        np.repeat(np.arange(trials), steps),
        np.tile(np.arange(steps), trials),
        np.concatenate([run.before for run in runs]),
        np.concatenate([run.after for run in runs]),
        magnitude,
        branches,
        distance,
        size,
        np.stack([run.final for run in runs]),
    )


def step_bounds(params: Params, losses: RidgeLosses, inputs: Inputs, run: Run) -> tuple[Array, Integers, Array, Array]:
    """Of every step of a run: A of (y, sum, x); branches (record, projected, slope); their distances from a tie, and A.

    The weight exp(e) has relative error at most twice that of e; the projection never enlarges a distance, so
    that the error before it enters every coordinate by at most its norm.
    """
    indices, draws, noise = inputs
    d, centre = params.dimension, np.array(params.centre)
    anchor = centre if params.anchor is None else np.array(params.anchor)
    lengths = np.array([length for length, _, _ in params.phases])
    phase = np.repeat(np.arange(len(lengths)), lengths)
    eta, sigma = (np.array([row[column] for row in params.phases])[phase][:, None] for column in (1, 2))
    y, total = run.before[:, :d], run.before[:, d:]
    xi = params.smoothing * np.abs(draws)
    point = y if params.estimator == "plain" else centre + params.smoothing * draws
    weight, grown = _weights(params, np.abs(y) + np.abs(centre), y - centre, params.smoothing * draws)
    slope = _slopes(losses, indices, point)
    g = np.abs(subgradient(losses, indices, point)) * weight * grown
    shrink = eta * params.regulariser
    free = (np.abs(y) + shrink * np.abs(anchor) + eta * g) / (1 + shrink)
    size = np.linalg.norm(free + np.abs(centre), axis=1, keepdims=True)
    moved = np.abs(run.after[:, :d]) + np.abs(centre) + size
    summed = np.abs(total) + (np.abs(y) if params.average == "regret" else moved)
    last = np.append(np.diff(phase) > 0, True)[:, None]
    at_end = moved if params.control == "last_iterate" else summed / lengths[phase][:, None]
    x = last * (at_end + sigma * np.abs(noise[phase]))
    pulled = y + shrink * anchor - eta * subgradient(losses, indices, point) * weight
    away = np.linalg.norm(pulled / (1 + shrink) - centre, axis=1, keepdims=True)
    margin = (point * losses.directions[indices]).sum(1) - losses.offsets[indices]
    width = np.abs(y) if params.estimator == "plain" else np.abs(centre) + xi
    scale = (width * np.abs(losses.directions[indices])).sum(1) + np.abs(losses.offsets[indices])
    distance = np.stack([np.ones(len(y)), np.abs(away - params.radius)[:, 0], np.abs(margin)], axis=1)
    magnitudes = np.stack([np.zeros(len(y)), size[:, 0], scale], axis=1)
    branches = np.stack([indices, run.sides.astype(np.int64), slope.astype(np.int64)], axis=1)
    return np.hstack([moved, summed, x]), branches, distance, magnitudes


def whole_bound(params: Params, losses: RidgeLosses, inputs: Inputs, run: Run, start: float | None = None) -> Array:
    """A of x_k for a run as a whole, (d,): a step hands on the error before it. start: the norm of the A of x_0, its
    own norm for an exact x_0, which may be rounded once.

    It grows by at most 1 + eta |g| w |xi - v|/rho^2, the derivative of the step in y (twice that, for the points
    between), over 1 + eta lambda; T more roundings for the sums.
    """
    if not len(run.before):
        return np.abs(run.final) + (0.0 if start is None else start)
    d, centre = params.dimension, np.array(params.centre)
    local, draws = step_bounds(params, losses, inputs, run)[0], inputs[1]
    error, used = float(np.linalg.norm(run.before[0, :d])), 0
    error = error if start is None else start
    for length, eta, _ in params.phases:
        summed = 0.0
        for row in range(used, used + length):
            v = run.before[row, :d] - centre
            growth = 0.0
            if params.estimator == "resque":
                weight, _ = _weights(params, np.abs(v)[None], v[None], params.smoothing * draws[row : row + 1])
                steep = losses.lipschitz * weight[0, 0] / params.smoothing**2
                growth = 2 * eta * steep * float(np.linalg.norm(params.smoothing * draws[row] - v))
            before = error
            error = error * (1 + growth) / (1 + eta * params.regulariser) + float(np.linalg.norm(local[row, :d]))
            summed += before if params.average == "regret" else error
        used += length
        error = (error if params.control == "last_iterate" else summed / length) + float(
            np.linalg.norm(local[used - 1, 2 * d :])
        )
    return np.abs(run.final) + error


def _weights(params: Params, width: Array, v: Array, xi: Array) -> tuple[Array, Array]:
    """w and the factor by which its exponent enlarges a relative error, each (rows, 1); 1 where w is 1."""
    if params.estimator != "resque":
        return np.ones((len(v), 1)), np.ones((len(v), 1))
    exponent = (v * (2 * xi - v)).sum(1, keepdims=True) / (2 * params.smoothing**2)
    terms = (width * (2 * np.abs(xi) + width)).sum(1, keepdims=True) / (2 * params.smoothing**2)
    return np.exp(exponent), 1 + 2 * terms


def _slopes(losses: RidgeLosses, indices: Integers, points: Array) -> Array:
    return np.asarray(np.take_along_axis(slopes(losses, points), indices[:, None], axis=1)[:, 0])


def _calls(one: Instance, trial: int) -> Calls:
    inputs = sub_erm.draw_inputs(one.params, one.data.records, one.stream, trial)
    return {"gradients": sub_erm.reference(one.params, one.data, *inputs).queries}, sub_erm.calls(one.params)
