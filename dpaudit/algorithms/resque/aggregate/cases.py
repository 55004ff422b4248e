"""Cases in which the three forms of `aggregate` are compared."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque.aggregate import Params, calls, cpu, gpu, noise_shape, reference, vote
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """A tight majority, scattered points (the fallback), one point."""
    listed = (
        ("majority", Params(9, 3, 1.5), 0.3), ("scattered", Params(7, 2, 0.9), 2.0),
        ("scattered, first", Params(6, 2, 0.9, 0.51, "first"), 2.0), ("one point", Params(1, 4, 0.1), 1.0),
    )  # fmt: skip
    return tuple(_case(name, params, spread, seed) for name, params, spread in listed)


def _case(name: str, params: Params, spread: float, seed: int) -> Case:
    stream, size = Stream(seed, f"agree/aggregate/{name}"), params.points * params.dimension

    def inputs(numbers: Integers) -> Array:
        points = spread * stream.normals(numbers, 0, size).reshape(len(numbers), *noise_shape(params))
        points[:, ::3] += 2.0
        return points

    return Case(
        name,
        params,
        operations=2 * params.dimension + 12,
        reference=partial(_trace, params, inputs),
        cpu=lambda trace, dtype: _replay(*cpu(params, inputs(trace.trials), dtype)),
        gpu=lambda trace, dtype, device: _replay(
            *(part.cpu().numpy() for part in gpu(params, inputs(trace.trials), device, dtype))
        ),
        calls=lambda trial: (
            {"gradients": 0, "distances": vote(params, inputs(np.array([trial]))[0]).distances},
            calls(params),
        ),
        bulk=lambda numbers, backend, dtype, device: (
            cpu(params, inputs(numbers), dtype) if backend == "numba" else gpu(params, inputs(numbers), device, dtype)
        ),
    )


def _trace(params: Params, inputs: Any, trials: int) -> Trace:
    numbers = np.arange(trials)
    points = inputs(numbers)
    made = [reference(params, rows) for rows in points]
    after, chosen = np.stack([point for point, _ in made]), np.array([[number] for _, number in made])
    distances = np.sqrt(((points[:, :, None] - points[:, None]) ** 2).sum(axis=-1))
    width = np.abs(points[:, :, None]) + np.abs(points[:, None])
    size = np.sqrt((width**2).sum(axis=-1)).max(axis=(1, 2))
    nearest = np.abs(distances - params.reach).min(axis=(1, 2))
    return Trace(
        numbers, np.zeros_like(numbers), points.reshape(trials, -1), after, np.abs(after), chosen, nearest[:, None],
        size[:, None] + params.reach, after,
    )  # fmt: skip


def _replay(after: Array, chosen: Integers) -> Replay:
    return Replay(after, chosen[:, None], after)
