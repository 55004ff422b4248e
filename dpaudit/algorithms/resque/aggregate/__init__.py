"""Aggregate: of k points of which most lie close together, one that lies close to them.

The paper calls it without a listing; the lines are those of the cited claim: the first point with at
least 0.51 k points within 2 Delta/3 of it. Without such a point the guarantee is void, and the point with
most neighbours (the first of them) is returned, or the first point at all: option `fallback`.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", Lemma 11, after Kelner et al. (2022), claim 1. Shapes: k points of d coordinates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.algorithms.resque.aggregate import kernels
from dpaudit.algorithms.resque.shared.counted import check_draws
from dpaudit.algorithms.resque.shared.turns import Points
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.noise.threads import share_rows
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, NotNegative, OneOf, Range, check_fields

ALGORITHM = Algorithm(
    name="resque/ALG-10",
    title="Aggregate: a point close to most of the points",
    source="Carmon et al. (2023), Lemma 11",
    pseudo_code=(
        "c_i = |{j : |x_j - x_i| <= 2 Delta/3}|; return the first x_i with c_i >= 0.51 k; "
        "without one, the first x_i with the largest c_i"
    ),
    options=(("fallback", "most", "first"),),
    released="nothing by itself: a function of points that are released already",
    cost="k^2 distances, no gradient",
)


@dataclass(frozen=True)
class Params:
    """points: k, dimension: d, at least 1; distance: Delta, at least 0, in the unit of the points;
    share: of the points that must be near, in (0, 1]; fallback: "most" or "first". Raises ConfigurationError."""

    points: Count
    dimension: Count
    distance: NotNegative
    share: Annotated[float, Range(above=0.0, most=1.0)] = 0.51
    fallback: Annotated[str, OneOf(("most", "first"))] = "most"

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def needed(self) -> int:
        """The least count that is at least share k, the share read as a decimal number."""
        return math.ceil(Fraction(str(self.share)) * self.points)

    @property
    def reach(self) -> float:
        """2 Delta/3."""
        return 2 * self.distance / 3


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, d): no noise is drawn, this is the shape of the points."""
    return (params.points, params.dimension)


def promise(params: Params) -> None:
    """None: post-processing of its inputs."""


def calls(params: Params) -> dict[str, int]:
    """k^2 distances; no gradient."""
    return {"gradients": 0, "distances": params.points**2}


def reference(params: Params, points: Array) -> tuple[Array, int]:
    """One trial: the chosen point, (d,), of `points`, (k, d), and its number."""
    made = vote(params, points)
    return made.point, made.number


@dataclass(frozen=True)
class Vote:
    """point: (d,); number: which it is; distances: how many were computed."""

    point: Array
    number: int
    distances: int


def vote(params: Params, points: Array) -> Vote:
    """The lines of the reference, with the distances counted."""
    _check(params, points, 2)
    distances = np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1))
    counts = (distances <= params.reach).sum(axis=1)
    for i in range(params.points):
        if counts[i] >= params.needed:
            return Vote(points[i], i, distances.size)
    i = int(np.argmax(counts)) if params.fallback == "most" else 0
    return Vote(points[i], i, distances.size)


def cpu(
    params: Params, points: ArrayLike, dtype: str = "float64", distances: Array | None = None
) -> tuple[Array, Integers]:
    """All trials with numba: chosen points (m, d) of `points`, (m, k, d), and their numbers (m,).

    distances: another Delta for every trial, (m,).
    """
    rows = np.ascontiguousarray(points, dtype=dtype)
    _check(params, rows, 3)
    chosen = np.empty(len(rows), dtype=np.int64)
    reach = _reach(params, len(rows), distances)
    share_rows(kernels.choose, (rows, reach, chosen), params.needed, params.fallback == "most")
    return rows[np.arange(len(rows)), chosen], chosen


def gpu(
    params: Params, points: Tensor, device: str = "cpu", dtype: str = "float64", distances: Array | None = None
) -> tuple[Tensor, Tensor]:
    """All trials with torch on `device`, the results of `cpu` as tensors: (m, d) and (m,)."""
    torch = load_torch()
    rows = torch.as_tensor(points, dtype=getattr(torch, dtype), device=device)
    _check(params, rows, 3)
    away = rows[:, :, None, :] - rows[:, None, :, :]
    reach = _reach(params, len(rows), distances)
    near = (away * away).sum(-1).sqrt() <= torch.as_tensor(reach, device=device)[:, None, None]
    counts = near.sum(-1)
    enough = counts >= params.needed
    # argmax of integers gives any of the largest: an order by position makes it the first.
    order = torch.arange(params.points, 0, -1, device=device)
    fallback = (counts * (params.points + 1) + order).argmax(1) if params.fallback == "most" else order[:1] * 0
    chosen = torch.where(enough.any(1), (enough * order).argmax(1), fallback)
    return rows[torch.arange(len(rows), device=device), chosen], chosen


def _reach(params: Params, trials: int, distances: Array | None) -> Array:
    """2 Delta/3 of every trial."""
    if distances is None:
        return np.full(trials, params.reach)
    check_draws("distances", distances, (trials,))
    if trials and not distances.min() >= 0:
        raise ConfigurationError(f"distances must be at least 0, got {distances.min()}")
    return np.asarray(2 * distances / 3)


def _check(params: Params, points: Points, axes: int) -> None:
    shape = tuple(points.shape)
    if len(shape) != axes or shape[-2:] != noise_shape(params):
        raise ConfigurationError(f"points must have shape (..., {params.points}, {params.dimension}), got {shape}")
    check_draws("points", points, shape)


NOT_RECORDED = "adds no privacy noise and promises nothing"
