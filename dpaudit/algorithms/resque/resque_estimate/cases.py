"""Cases in which the three forms of `resque_estimate` are compared."""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque.resque_estimate import Params, calls, cpu, gpu, reference
from dpaudit.algorithms.resque.shared.counted import CountedOracle
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Weights near 1, weights over many orders of magnitude, and x = xbar."""
    rng = np.random.default_rng([seed, 0x2E5])
    centre = tuple(rng.normal(size=5).tolist())
    near = tuple(c + 0.1 * s for c, s in zip(centre, rng.normal(size=5).tolist(), strict=True))
    far = tuple(c + 1.5 * s for c, s in zip(centre, rng.normal(size=5).tolist(), strict=True))
    points = (("near the centre", near), ("far from the centre", far), ("at the centre", centre))
    return tuple(_case(name, Params(point, centre, 0.75), seed) for name, point in points)


def _case(name: str, params: Params, seed: int) -> Case:
    d, inputs = len(params.point), partial(_inputs, params, Stream(seed, f"agree/resque/{name}"))

    def parts(trace: Trace) -> tuple[Array, Array]:
        return trace.before[:, :d], trace.before[:, d:]

    def replay(after: Array, trace: Trace) -> Replay:
        return Replay(after, trace.branches, after)

    return Case(
        name,
        params,
        operations=2 * d + 16,
        reference=lambda trials: _trace(params, *inputs(np.arange(trials))),
        cpu=lambda trace, dtype: replay(cpu(params, *parts(trace), dtype), trace),
        gpu=lambda trace, dtype, device: replay(gpu(params, *parts(trace), device, dtype).cpu().numpy(), trace),
        calls=lambda trial: _calls(params, inputs(np.array([trial]))[0][0]),
        bulk=lambda numbers, backend, dtype, device: (
            cpu(params, *inputs(numbers), dtype) if backend == "numba" else gpu(params, *inputs(numbers), device, dtype)
        ),
    )


def _inputs(params: Params, stream: Stream, numbers: Integers) -> tuple[Array, Array]:
    """Draws xi and gradients of trials, each (trials, d)."""
    d = len(params.point)
    return params.radius * stream.normals(numbers, 0, d), stream.part("gradients").normals(numbers, 0, d)


def _calls(params: Params, xi: Array) -> tuple[dict[str, int], dict[str, int]]:
    asked = CountedOracle(Oracle(ridge_losses([(Ridge.ABSOLUTE, np.eye(len(xi))[0])])))
    g = asked.query(np.array(params.centre) + xi[None], np.zeros(1, dtype=np.int64), np.ones(1))
    reference(params, xi, g[0])
    return {"gradients": asked.gradients, "rounds": asked.rounds}, calls(params)


def _trace(params: Params, xi: Array, g: Array) -> Trace:
    numbers, after = np.arange(len(xi)), np.stack([reference(params, *row) for row in zip(xi, g, strict=True)])
    # The exponent e has error at most gamma A_e, so exp(e) has relative error at most exp(gamma A_e) - 1
    # <= 2 gamma A_e while gamma A_e <= 1; then comes the product with g.
    width = np.abs(params.point) + np.abs(params.centre)
    exponent = (2 * np.abs(xi) @ width + width @ width) / (2 * params.radius**2)
    none = np.zeros((len(xi), 0))
    return Trace(
        numbers, np.zeros_like(numbers), np.hstack([xi, g]), after, np.abs(after) * (1 + 2 * exponent[:, None]),
        none.astype(np.int64), none, none, after,
    )  # fmt: skip
