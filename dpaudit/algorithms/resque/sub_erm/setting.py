"""What the ball solvers share: the public numbers of a ball subproblem, and batches of subproblems."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, check_fields
from dpaudit.records.validation import check_vector

ESTIMATORS = ("resque", "unweighted", "plain")
AVERAGES = ("printed", "regret")
PROJECTIONS = ("printed", "projected")
CONTROLS = ("none", "tenth_noise", "reused_queries", "last_iterate")

OPTIONS = (
    ("average", "printed", "regret: of y_0..y_{T-1}, where gradients are taken"),
    ("project_start", "printed", "projected: y_0 of the second and later phases"),
    ("project_output", "printed", "projected: x_k onto the ball"),
    ("estimator", "resque", "unweighted: w = 1; plain: w = 1 and the gradient at y"),
    ("control", "none", "tenth_noise, reused_queries, last_iterate: broken on purpose, for audits"),
)
"""The options of every solver that calls SubERM, as `Algorithm.options` lists them."""


@dataclass(frozen=True, kw_only=True)
class BallSolver:
    """What is public in a subproblem: minimise F(x) + (lambda/2)|x - c|^2 over the ball of radius r around xbar.

    centre: xbar, d numbers [x]; radius: r, smoothing: rho, both above 0 [x]; lipschitz: L above 0 [F/x];
    privacy: beta above 0, no unit, larger is less noise; steps: T, at least 1; regulariser: lambda, at least 0
    [F/x^2]; anchor: c, d numbers, anywhere (None: xbar).

    estimator: "resque"; "unweighted": w = 1, the limit rho -> oo; "plain": w = 1 and the gradient taken at y.
    average: "printed", of y_1..y_T; "regret", of y_0..y_{T-1}, the points where gradients are taken.
    project_start: "printed", y_0 = x_{i-1} as it is; "projected", onto the ball, from the second phase on.
    project_output: "printed", x_k as it is; "projected", onto the ball.
    records: n, which the data must then have; a promise of privacy asks for it (None: not fixed).
    control: "none", or a broken variant that audits must notice: "tenth_noise" (a tenth of the noise),
    "reused_queries" (the xi of the first phase in every phase), "last_iterate" (y_T released, not the average).

    Raises ConfigurationError.
    """

    centre: Numbers
    radius: Positive
    smoothing: Positive
    privacy: Positive
    steps: Count
    lipschitz: Positive = 1.0
    regulariser: NotNegative = 0.0
    anchor: tuple[float, ...] | None = None
    estimator: Annotated[str, OneOf(ESTIMATORS)] = "resque"
    average: Annotated[str, OneOf(AVERAGES)] = "printed"
    project_start: Annotated[str, OneOf(PROJECTIONS)] = "printed"
    project_output: Annotated[str, OneOf(PROJECTIONS)] = "printed"
    control: Annotated[str, OneOf(CONTROLS)] = "none"
    records: Count | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if self.anchor is not None:
            check_vector("anchor", self.anchor, len(self.centre))

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.centre)

    def check_losses(self, losses: RidgeLosses) -> None:
        """Refuse records of another number or dimension, or steeper than L."""
        if self.records not in (None, losses.records):
            raise ConfigurationError(f"the data have {losses.records} records, the parameters say {self.records}")
        if losses.dimension != self.dimension:
            raise ConfigurationError(f"the records have {losses.dimension} coordinates, centre has {self.dimension}")
        if losses.lipschitz > self.lipschitz:
            raise ConfigurationError(f"lipschitz must be at least {losses.lipschitz}, got {self.lipschitz}")

    def is_weightless(self, losses: RidgeLosses) -> bool:
        """Whether w = 1 and no gradient depends on where it is taken."""
        return self.estimator != "resque" and bool((losses.kinds <= Ridge.LINEAR).all())

    def needs_queries(self, losses: RidgeLosses) -> bool:
        """Whether any step depends on xi; skipping unused draws changes no result."""
        return self.estimator != "plain" and not self.is_weightless(losses)


@dataclass(frozen=True, eq=False)
class Subproblems:
    """One ball subproblem per trial. centres: xbar, anchors: c, starts: x_0, each (m, d); regularisers: lambda,
    distances: r', each (m,)."""

    centres: Array
    anchors: Array
    starts: Array
    regularisers: Array
    distances: Array

    def __len__(self) -> int:
        return len(self.centres)

    def chosen(self, rows: Flags) -> Subproblems:
        """The rows for which `rows`, (m,), holds."""
        parts = (self.centres, self.anchors, self.starts, self.regularisers, self.distances)
        return Subproblems(*(part[rows] for part in parts))

    def continued(self, starts: Array, distances: Array) -> Subproblems:
        """The same subproblems from other starting points (m, d) with other distance bounds (m,)."""
        return Subproblems(self.centres, self.anchors, starts, self.regularisers, distances)


def subproblems(solver: BallSolver, trials: int, start: ArrayLike | None = None, distance: float = 0.0) -> Subproblems:
    """The subproblem of `solver` for every trial; start: x_0, (d,) or (trials, d), by default `default_start`."""
    centre = np.array(solver.centre)
    anchor = centre if solver.anchor is None else np.array(solver.anchor)
    first = default_start(solver) if start is None else np.asarray(start, dtype=float)
    centres, anchors, starts = (np.array(np.broadcast_to(p, (trials, len(centre)))) for p in (centre, anchor, first))
    return Subproblems(centres, anchors, starts, np.full(trials, solver.regulariser), np.full(trials, distance))


def default_start(solver: BallSolver) -> Array:
    """Pi(c) onto the ball, shape (d,): xbar where the regulariser is centred there."""
    centre = np.array(solver.centre)
    return centre if solver.anchor is None else onto_ball(np.array(solver.anchor), centre, solver.radius)


def onto_ball(points: Array, centres: Array, radius: float) -> Array:
    """Projections of points (..., d) onto balls around centres (..., d)."""
    away = points - centres
    lengths = np.sqrt((away**2).sum(axis=-1, keepdims=True))
    factor = np.divide(radius, lengths, out=np.ones_like(lengths), where=lengths > radius)
    return np.asarray(np.where(lengths > radius, centres + factor * away, points))


def powers_of_two(steps: int) -> tuple[int, int]:
    """(That, k): That = 2^floor(log2 T), k = log2 That, exactly for every integer T >= 1."""
    k = steps.bit_length() - 1
    return 1 << k, k


def step_size(distance: float, lipschitz: float, steps: int, privacy: float, dimension: int) -> float:
    """eta = (r'/L) min(1/sqrt T, beta/sqrt d)."""
    return distance / lipschitz * min(1 / math.sqrt(steps), privacy / math.sqrt(dimension))
