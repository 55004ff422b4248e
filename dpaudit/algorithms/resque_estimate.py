"""ReSQueEstimate: a gradient at xbar + xi, reweighted into a gradient of the smoothed function at x.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", definition 1. The weight is a ratio of two Gaussian densities; only its
logarithm is formed, so that it neither overflows nor divides 0 by 0.

Shapes: points and draws have d numbers, a gradient m numbers (m = d in the paper).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.algorithm import Algorithm
from dpaudit.algorithms import _resque_reductions
from dpaudit.algorithms._resque_counted import CountedOracle, check_draws
from dpaudit.comparison import Case, Reduction, Replay, Trace
from dpaudit.errors import ConfigurationError
from dpaudit.noise import Stream
from dpaudit.noise_kernels import compiled
from dpaudit.noise_torch import load_torch
from dpaudit.parameters import check_number, check_vector
from dpaudit.smoothing import Oracle, Ridge, ridge_losses

Array = NDArray[np.float64]

ALGORITHM = Algorithm(
    name="resque/ALG-1",
    title="ReSQueEstimate: reweighted stochastic query",
    source="Carmon et al. (2023), definition 1 and equation (3)",
    pseudo_code="v = x - xbar; logw = (2<v, xi> - |v|^2)/(2 rho^2); return exp(logw) g(xbar + xi)",
    options=(),
    released="nothing by itself: the estimators that use it add the noise",
    cost="one gradient query per draw",
)


@dataclass(frozen=True)
class Params:
    """point: x; centre: xbar, both of d finite numbers; radius: rho, above 0. Raises ConfigurationError."""

    point: tuple[float, ...]
    centre: tuple[float, ...]
    radius: float

    def __post_init__(self) -> None:
        check_vector("point", self.point)
        check_vector("centre", self.centre, len(self.point))
        check_number("radius", self.radius, above=0.0)

    @property
    def offset(self) -> Array:
        """v = x - xbar, shape (d,)."""
        return np.subtract(self.point, self.centre)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(d,): one draw xi = rho times a standard normal per estimate."""
    return (len(params.point),)


def promise(params: Params) -> None:
    """None: the estimator makes no promise of privacy on its own."""


def calls(params: Params) -> dict[str, int]:
    """One gradient at xbar + xi for one estimate, in one round."""
    return {"gradients": 1, "rounds": 1}


def reference(params: Params, draw: Array, gradient: Array) -> Array:
    """The estimate from one draw xi, shape (d,), and the gradient at xbar + xi, shape (m,); shape (m,)."""
    v = params.offset
    check_draws("draw", draw, v.shape)
    check_draws("gradient", gradient, (np.size(gradient),))
    log_weight = (2 * np.dot(v, draw) - np.dot(v, v)) / (2 * params.radius**2)
    return np.asarray(np.exp(log_weight) * gradient)


def cpu(params: Params, draws: ArrayLike, gradients: ArrayLike, dtype: str = "float64") -> Array:
    """Estimates of many trials with numba: draws (trials, d), gradients (trials, m); shape (trials, m)."""
    xi, g = _checked(params, np.asarray(draws, dtype=dtype), np.asarray(gradients, dtype=dtype))
    point, centre = (np.asarray(values, dtype=dtype) for values in (params.point, params.centre))
    out: Array = np.empty_like(g)
    _kernel(point, centre, params.radius, np.ascontiguousarray(xi), np.ascontiguousarray(g), out)
    return out


@compiled(parallel=True)
def _kernel(point: Array, centre: Array, radius: float, draws: Array, gradients: Array, out: Array) -> None:
    for trial in numba.prange(len(draws)):
        exponent = 0.0
        for j in range(len(point)):
            v = point[j] - centre[j]
            exponent += v * (2.0 * draws[trial, j] - v)
        weight = np.exp(exponent / (2.0 * radius * radius))
        for j in range(gradients.shape[1]):
            out[trial, j] = weight * gradients[trial, j]


def gpu(params: Params, draws: Any, gradients: Any, device: str = "cpu", dtype: str = "float64") -> Any:
    """Estimates of many trials with torch on `device`: draws (trials, d), gradients (trials, m); shape (trials, m)."""
    torch = load_torch()
    kind = getattr(torch, dtype)
    xi, g = (torch.as_tensor(values, dtype=kind, device=device) for values in _checked(params, draws, gradients))
    v = torch.tensor(params.point, dtype=kind, device=device) - torch.tensor(params.centre, dtype=kind, device=device)
    exponent = (2.0 * (xi @ v) - v @ v) / (2.0 * params.radius**2)
    return exponent.exp()[:, None] * g


def _checked(params: Params, draws: Any, gradients: Any) -> tuple[Any, Any]:
    d = len(params.point)
    if draws.ndim != 2 or draws.shape[1] != d:
        raise ConfigurationError(f"draws must have shape (trials, {d}), got {tuple(draws.shape)}")
    if gradients.ndim != 2 or len(gradients) != len(draws):
        raise ConfigurationError(f"gradients must have shape ({len(draws)}, m), got {tuple(gradients.shape)}")
    check_draws("draws", draws, (len(draws), d))
    check_draws("gradients", gradients, tuple(gradients.shape))
    return draws, gradients


def batched(point: ArrayLike, centre: ArrayLike, radius: float, draws: ArrayLike, gradients: ArrayLike) -> Array:
    """`cpu` for a point and centre given as arrays, as claims write it; shape (trials, m)."""
    x, xbar = (tuple(np.asarray(values, dtype=float).tolist()) for values in (point, centre))
    return cpu(Params(x, xbar, float(radius)), draws, gradients)


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


def _inputs(params: Params, stream: Stream, numbers: NDArray[np.int64]) -> tuple[Array, Array]:
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


def reductions(seed: int) -> tuple[Reduction, ...]:
    """At x = xbar and for rho -> oo: the gradient itself."""
    return _resque_reductions.estimate(seed)
