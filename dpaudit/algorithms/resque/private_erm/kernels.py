"""One iteration of PrivateERM for all trials at once, the oracles with numba; lambda and A steer the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import bias_reduced_prox, high_probability_erm, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.private_erm.params import Params, subproblem_anchors
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import RidgeLosses

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class NumbaPrivateErm:
    """One iteration of all trials: coordinates relative to the origins, lambda and A in float64."""

    def __init__(self, params: Params, losses: RidgeLosses, trials: Trials, places: tuple[Array, Array]) -> None:
        self.params, self.losses, self.trials = params, losses, trials
        self.origins, self.targets = places

    def given(self, y: Array, strengths: Array, rows: Any = slice(None)) -> Subproblems:
        """The ball subproblems at y with lambda = strengths, for some of the trials."""
        params, centres = self.params, self.origins[rows] + y.astype(np.float64)
        anchors = subproblem_anchors(params.tether, self.targets[rows], centres, strengths)
        starts = sub_erm.onto_ball(anchors, centres, params.ball_radius) if params.tether else centres
        return Subproblems(centres, anchors, starts, strengths + params.tether, np.zeros(len(y)))

    def relative(self, points: Array, rows: Any = slice(None)) -> Array:
        return np.asarray(points - self.origins[rows].astype(points.dtype))

    def mix(self, x: Array, v: Array, weight: Array, strengths: Array) -> tuple[Array, Array]:
        """a and y = (A x + a v)/(A + a)."""
        a = (1 + np.sqrt(1 + 4 * strengths * weight)) / (2 * strengths)
        return a, ((weight[:, None] * x + a[:, None] * v) / (weight + a)[:, None]).astype(x.dtype)

    def moved(self, v: Array, y: Array, z: Array, step: Array) -> Array:
        """v - (a/2) lambda (y - z), projected; step: a lambda."""
        free = v - step[:, None] / 2 * (y - z)
        return sub_erm.onto_ball(free, np.zeros_like(free), self.params.radius).astype(v.dtype)

    def search(self, x: Array, v: Array, weight: Array) -> tuple[Array, Integers, Integers]:
        """lambda, the calls made and the gradients that they took, for every trial."""
        params, m, r = self.params, len(x), self.params.ball_radius
        low, high = np.full(m, params.smallest_strength), np.full(m, params.largest_strength)
        found, calls, queries = high.copy(), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)
        rows = np.arange(m)
        for call in range(params.search_calls):
            lam = low[rows] if call == 0 else np.sqrt(low[rows] * high[rows])
            _, y = self.mix(x[rows], v[rows], weight[rows], lam)
            part = Trials(self.trials.stream.part(f"search {call + 1}"), self.trials.numbers[rows])
            done = high_probability_erm.solve_cpu(
                params.search_oracle(), self.losses, self.given(y, lam, rows), part, x.dtype.name
            )
            away = np.linalg.norm((self.relative(done.final, rows) - y).astype(np.float64), axis=1)
            queries[rows] += done.queries
            calls[rows] += 1
            accepted, far = (away <= HIGH * r) & ((call == 0) | (away >= LOW * r)), away > HIGH * r
            found[rows[accepted]] = lam[accepted]
            if call > 0:
                low[rows[far]], high[rows[~far & ~accepted]] = lam[far], lam[~far & ~accepted]
            rows = rows[~accepted]
            if not len(rows):
                break
        found[rows] = high[rows]
        return found, calls, queries

    def ball(self, y: Array, strengths: Array) -> tuple[Array, Integers]:
        """The answers of O_bo and the gradients that they took."""
        part = Trials(self.trials.stream.part("ball"), self.trials.numbers)
        done = solver.solve_cpu(self.params.ball_oracle(), self.losses, self.given(y, strengths), part, y.dtype.name)
        return self.relative(done.final), done.queries

    def proximal(self, y: Array, strengths: Array) -> tuple[Array, Integers, Integers]:
        """The answers of O_sp, the levels J of its loops, and the gradients that they took."""
        part = Trials(self.trials.stream.part("proximal"), self.trials.numbers)
        given = self.given(y, strengths)
        done = bias_reduced_prox.solve_cpu(self.params.proximal, self.losses, given, part, dtype=y.dtype.name)
        return self.relative(done.final), done.levels, done.queries.sum(axis=1)
