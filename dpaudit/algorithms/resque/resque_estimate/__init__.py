"""ReSQueEstimate: a gradient at xbar + xi, reweighted into a gradient of the smoothed function at x.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", definition 1. The weight is a ratio of two Gaussian densities; only its
logarithm is formed, so that it neither overflows nor divides 0 by 0.

Shapes: points and draws have d numbers, a gradient m numbers (m = d in the paper).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.algorithms.resque.resque_estimate import kernels
from dpaudit.algorithms.resque.shared.counted import check_draws
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.noise.threads import share_rows
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Numbers, Positive, check_fields
from dpaudit.records.validation import check_vector

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

    point: Numbers
    centre: tuple[float, ...]
    radius: Positive

    def __post_init__(self) -> None:
        check_fields(self)
        check_vector("centre", self.centre, len(self.point))

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
    rows = (np.ascontiguousarray(xi), np.ascontiguousarray(g), out)
    share_rows(kernels.reweigh, rows, point, centre, float(params.radius))
    return out


def gpu(params: Params, draws: Tensor, gradients: Tensor, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """Estimates of many trials with torch on `device`: draws (trials, d), gradients (trials, m); shape (trials, m)."""
    torch = load_torch()
    kind = getattr(torch, dtype)
    xi, g = (torch.as_tensor(values, dtype=kind, device=device) for values in _checked(params, draws, gradients))
    v = torch.tensor(params.point, dtype=kind, device=device) - torch.tensor(params.centre, dtype=kind, device=device)
    exponent = (2.0 * (xi @ v) - v @ v) / (2.0 * params.radius**2)
    return exponent.exp()[:, None] * g


def _checked(params: Params, draws: Tensor, gradients: Tensor) -> tuple[Tensor, Tensor]:
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


NOT_RECORDED = "adds no privacy noise and promises nothing"
