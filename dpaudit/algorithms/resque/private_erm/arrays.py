"""PrivateERM with arrays, its oracles with numba."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.private_erm.machine import Done, Machine
from dpaudit.algorithms.resque.private_erm.params import Params, subproblem_anchors
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import RidgeLosses


class ArrayMachine(Machine):
    """places: origins and targets, each (m, d)."""

    def __init__(self, params: Params, losses: RidgeLosses, places: tuple[Array, Array], dtype: str) -> None:
        super().__init__(params, losses, dtype)
        self.origins, self.targets = places

    def points(self, values: Array) -> Array:
        return values.astype(self.dtype)

    def column(self, values: Array) -> Array:
        return values[:, None]

    def rows(self, numbers: Integers) -> Integers:
        return numbers

    def distances(self, answers: Array, y: Array, rows: Integers) -> Array:
        away = answers - self.origins[rows].astype(self.dtype) - y
        return np.asarray(np.linalg.norm(away.astype(np.float64), axis=1))

    def onto_ball(self, points: Array) -> Array:
        return sub_erm.onto_ball(points, np.zeros_like(points), self.params.radius)

    def given(self, y: Array, strengths: Array, rows: Integers) -> Subproblems:
        params, centres = self.params, self.origins[rows] + y.astype(np.float64)
        anchors = subproblem_anchors(params.tether, self.targets[rows], centres, strengths)
        starts = sub_erm.onto_ball(anchors, centres, params.ball_radius) if params.tether else centres
        return Subproblems(centres, anchors, starts, strengths + params.tether, np.zeros(len(y)))

    def solved(self, oracle: ModuleType, params: solver.Params, given: Subproblems, trials: Trials) -> Done:
        return oracle.solve_cpu(params, self.losses, given, trials, dtype=self.dtype)
