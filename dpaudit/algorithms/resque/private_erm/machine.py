"""PrivateERM for all trials at once, as its numba and its torch form go; lambda and A are on the host and steer it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np

from dpaudit.algorithms.resque import bias_reduced_prox, high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.algorithms.resque.shared.turns import Points, on_host, rounded
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.smoothing.ridges import RidgeLosses

Rows = Integers | Tensor
Done: TypeAlias = Any
"""The batch of any of the three oracles, which have `final` and `queries` in common."""


@dataclass(frozen=True)
class Batch:
    """Of m trials. final: (m, d); strengths: lambda, (m, N), nan where a run had stopped; points and proximal: x and z
    of every iteration, (m, N, d); search_calls: (m, N); queries: by oracle, (m, 3); levels: J of the proximal oracle,
    (m, N, jmax), 0 where a run had stopped; iterations: (m,)."""

    final: Points
    strengths: Array
    points: Points
    proximal: Points
    search_calls: Integers
    queries: Integers
    levels: Integers
    iterations: Integers


class Machine(ABC):
    """All runs in coordinates relative to their origins; a form says how points are kept and which solvers it has.

    origins, targets: (m, d), float64, as the form keeps points.
    """

    origins: Points
    targets: Points

    def __init__(self, params: Params, losses: RidgeLosses, dtype: str) -> None:
        self.params, self.losses, self.dtype = params, losses, dtype

    @abstractmethod
    def points(self, values: Array) -> Points:
        """In the precision of the run."""

    @abstractmethod
    def column(self, values: Array) -> Points:
        """A host vector as a float64 column."""

    @abstractmethod
    def rows(self, numbers: Integers) -> Rows:
        """An index of points."""

    @abstractmethod
    def distances(self, answers: Points, y: Points, rows: Rows) -> Array:
        """How far absolute `answers` for the trials `rows` are from y, (m,), float64, on the host."""

    @abstractmethod
    def onto_ball(self, points: Points) -> Points:
        """Onto the ball of radius R around 0."""

    @abstractmethod
    def given(self, y: Points, strengths: Array, rows: Rows) -> Subproblems:
        """The ball subproblems at y with lambda = strengths of the trials `rows`."""

    @abstractmethod
    def solved(self, oracle: ModuleType, params: solver.Params, given: Subproblems, trials: Trials) -> Done:
        """The batch of runs of an oracle in this form."""

    def run(self, trials: Trials) -> Batch:
        """Every iteration of all trials that are not done."""
        params, m, d, most = self.params, len(trials), self.params.dimension, self.params.most_iterations
        x, v = (self.points(np.zeros((m, d))) for _ in range(2))
        points, proximal = (self.points(np.zeros((m, most, d))) for _ in range(2))
        weight, strengths = np.full(m, params.first_weight), np.full((m, most), np.nan)
        shapes = ((m, most), (m, 3), (m, most, params.proximal.loops))
        calls, queries, levels = (np.zeros(shape, dtype=np.int64) for shape in shapes)
        for number in range(most):
            open_ = np.flatnonzero(weight < params.last_weight)
            if not len(open_):
                break
            part = Trials(trials.stream.part(f"iteration {number + 1}"), trials.numbers[open_])
            rows = self.rows(open_)
            lam, calls[open_, number], search_used = self.search(x[rows], v[rows], weight[open_], part, rows)
            a, y = self.mix(x[rows], v[rows], weight[open_], lam)
            x[rows], ball_used = self.ball(y, lam, part, rows)
            z, levels[open_, number], proximal_used = self.proximal(y, lam, part, rows)
            queries[open_] += np.stack([search_used, ball_used, proximal_used], axis=1)
            v[rows] = self.moved(v[rows], y, z, a * lam)
            weight[open_] += a
            strengths[open_, number], points[rows, number], proximal[rows, number] = lam, x[rows], z
        final = self.onto_ball(x) if params.output == "projected" else x
        final = final + rounded(self.origins, self.dtype)
        return Batch(final, strengths, points, proximal, calls, queries, levels, np.isfinite(strengths).sum(axis=1))

    def mix(self, x: Points, v: Points, weight: Array, strengths: Array) -> tuple[Array, Points]:
        """a and y = (A x + a v)/(A + a)."""
        a = (1 + np.sqrt(1 + 4 * strengths * weight)) / (2 * strengths)
        mixed = (self.column(weight) * x + self.column(a) * v) / self.column(weight + a)
        return a, rounded(mixed, self.dtype)

    def moved(self, v: Points, y: Points, z: Points, step: Array) -> Points:
        """v - (a/2) lambda (y - z), projected; step: a lambda."""
        return rounded(self.onto_ball(v - self.column(step) / 2 * (y - z)), self.dtype)

    def search(
        self, x: Points, v: Points, weight: Array, trials: Trials, whole: Rows
    ) -> tuple[Array, Integers, Integers]:
        """lambda, the calls made and the gradients that they took, for every trial."""
        params, m, r = self.params, len(trials), self.params.ball_radius
        low, high = np.full(m, params.smallest_strength), np.full(m, params.largest_strength)
        found, calls, used, open_ = high.copy(), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64), np.arange(m)
        for call in range(params.search_calls):
            lam, rows = low[open_] if call == 0 else np.sqrt(low[open_] * high[open_]), self.rows(open_)
            _, y = self.mix(x[rows], v[rows], weight[open_], lam)
            part = Trials(trials.stream.part(f"search {call + 1}"), trials.numbers[open_])
            given = self.given(y, lam, whole[rows])
            done = self.solved(high_probability_erm, params.search_oracle(), given, part)
            away = self.distances(done.final, y, whole[rows])
            used[open_] += done.queries
            calls[open_] += 1
            accepted, far = (away <= HIGH * r) & ((call == 0) | (away >= LOW * r)), away > HIGH * r
            found[open_[accepted]] = lam[accepted]
            if call > 0:
                low[open_[far]], high[open_[~far & ~accepted]] = lam[far], lam[~far & ~accepted]
            open_ = open_[~accepted]
            if not len(open_):
                break
        found[open_] = high[open_]
        return found, calls, used

    def ball(self, y: Points, strengths: Array, trials: Trials, rows: Rows) -> tuple[Points, Integers]:
        """The answers of O_bo and the gradients that they took."""
        part = Trials(trials.stream.part("ball"), trials.numbers)
        done = self.solved(solver, self.params.ball_oracle(), self.given(y, strengths, rows), part)
        return done.final - rounded(self.origins[rows], self.dtype), done.queries

    def proximal(self, y: Points, strengths: Array, trials: Trials, rows: Rows) -> tuple[Points, Integers, Integers]:
        """The answers of O_sp, the levels J of its loops, and the gradients that they took."""
        part = Trials(trials.stream.part("proximal"), trials.numbers)
        done = self.solved(bias_reduced_prox, self.params.proximal, self.given(y, strengths, rows), part)
        return done.final - rounded(self.origins[rows], self.dtype), done.levels, done.queries.sum(axis=1)

    def replay(self, before: Array, trials: Trials) -> tuple[Array, Integers]:
        """See `private_erm.advance_cpu`, for rows of one iteration."""
        d = self.params.dimension
        x, v, y, z = (self.points(part) for part in np.split(before[:, : 4 * d], 4, axis=1))
        weight, lam, rows = before[:, -2], before[:, -1], self.rows(np.arange(len(before)))
        a, mixed = self.mix(x, v, weight, lam)
        _, calls, _ = self.search(x, v, weight, trials, rows)
        answers = self.ball(y, lam, trials, rows)[0], self.proximal(y, lam, trials, rows)[0]
        parts = [on_host(part) for part in (mixed, self.moved(v, y, z, a * lam), *answers)]
        return np.hstack([a[:, None], (weight + a)[:, None], *parts]), calls
