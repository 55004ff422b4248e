"""The torch form of PrivateERM: all trials at once; lambda and A stay on the host, since they steer the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import bias_reduced_prox, high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.ball_acceleration.setting import HIGH, LOW
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


class TorchPrivateErm:
    """One run of every trial, in coordinates relative to its origin; places: origins and targets, each (m, d)."""

    def __init__(
        self, params: Params, losses: RidgeLosses, places: tuple[Tensor, Tensor], device: str, dtype: str
    ) -> None:
        self.torch = load_torch()
        self.params, self.losses, self.device, self.dtype = params, losses, device, dtype
        self.origins, self.targets = (
            self.torch.as_tensor(part, dtype=self.torch.float64, device=device) for part in places
        )

    def tensor(self, values: Tensor) -> Tensor:
        return self.torch.as_tensor(values, dtype=getattr(self.torch, self.dtype), device=self.device)

    def column(self, values: Array) -> Tensor:
        """A host vector as a float64 column."""
        return self.torch.as_tensor(values, dtype=self.torch.float64, device=self.device)[:, None]

    def rows(self, numbers: Integers) -> Tensor:
        return self.torch.as_tensor(numbers, device=self.device)

    def run(self, trials: Trials) -> dict[str, Any]:
        """The fields of `private_erm.Batch`."""
        params, m, d = self.params, len(trials), self.params.dimension
        most, loops = params.most_iterations, params.proximal.loops
        x, v = (self.tensor(np.zeros((m, d))) for _ in range(2))
        points, proximal = (self.tensor(np.zeros((m, most, d))) for _ in range(2))
        weight, strengths = np.full(m, params.first_weight), np.full((m, most), np.nan)
        calls, queries = np.zeros((m, most), dtype=np.int64), np.zeros((m, 3), dtype=np.int64)
        levels = np.zeros((m, most, loops), dtype=np.int64)
        for number in range(most):
            open_ = np.flatnonzero(weight < params.last_weight)
            if not len(open_):
                break
            part = Trials(trials.stream.part(f"iteration {number + 1}"), trials.numbers[open_])
            rows = self.rows(open_)
            lam, calls[open_, number], used = self.search(x[rows], v[rows], weight[open_], part, rows)
            a, y = self.mix(x[rows], v[rows], weight[open_], lam)
            x[rows], ball_used = self.ball(y, lam, part, rows)
            z, levels[open_, number], proximal_used = self.proximal(y, lam, part, rows)
            queries[open_] += np.stack([used, ball_used, proximal_used], axis=1)
            v[rows] = self.moved(v[rows], y, z, a * lam)
            weight[open_] += a
            strengths[open_, number], points[rows, number], proximal[rows, number] = lam, x[rows], z
        final = self.onto_ball(x) if params.output == "projected" else x
        return {
            "final": final + self.origins.to(final.dtype), "strengths": strengths, "points": points,
            "proximal": proximal, "search_calls": calls, "queries": queries, "levels": levels,
            "iterations": np.isfinite(strengths).sum(axis=1),
        }  # fmt: skip

    def onto_ball(self, points: Tensor) -> Tensor:
        """Onto the ball of radius R around 0."""
        lengths = (points * points).sum(1, keepdim=True).sqrt()
        radius = self.params.radius
        return self.torch.where(lengths > radius, points * (radius / lengths), points)

    def mix(self, x: Tensor, v: Tensor, weight: Array, strengths: Array) -> tuple[Array, Tensor]:
        """a and y = (A x + a v)/(A + a)."""
        a = (1 + np.sqrt(1 + 4 * strengths * weight)) / (2 * strengths)
        mixed = (self.column(weight) * x + self.column(a) * v) / self.column(weight + a)
        return a, mixed.to(x.dtype)

    def moved(self, v: Tensor, y: Tensor, z: Tensor, step: Array) -> Tensor:
        """v - (a/2) lambda (y - z), projected; step: a lambda."""
        return self.onto_ball(v - self.column(step) / 2 * (y - z)).to(v.dtype)

    def given(self, y: Tensor, strengths: Array, rows: Tensor) -> Subproblems:
        """The ball subproblems at y with lambda = strengths of the trials `rows`."""
        params, centres = self.params, y.double() + self.origins[rows]
        anchors = starts = centres
        if params.tether:
            lam = self.column(strengths)
            anchors = (lam * centres + params.tether * self.targets[rows]) / (lam + params.tether)
            away = anchors - centres
            lengths = (away * away).sum(1, keepdim=True).sqrt()
            inside = lengths <= params.ball_radius
            starts = self.torch.where(inside, anchors, centres + params.ball_radius / lengths * away)
        return Subproblems(centres, anchors, starts, strengths + params.tether, np.zeros(len(strengths)))

    def search(
        self, x: Tensor, v: Tensor, weight: Array, trials: Trials, whole: Tensor
    ) -> tuple[Array, Integers, Integers]:
        """lambda, the calls made and the gradients that they took, for every trial."""
        params, m, r = self.params, len(trials), self.params.ball_radius
        low, high = np.full(m, params.smallest_strength), np.full(m, params.largest_strength)
        found, calls, used, open_ = high.copy(), np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64), np.arange(m)
        for call in range(params.search_calls):
            lam, rows = low[open_] if call == 0 else np.sqrt(low[open_] * high[open_]), self.rows(open_)
            _, y = self.mix(x[rows], v[rows], weight[open_], lam)
            part = Trials(trials.stream.part(f"search {call + 1}"), trials.numbers[open_])
            done = high_probability_erm.solve_gpu(
                params.search_oracle(), self.losses, self.given(y, lam, whole[rows]), part, self.device, self.dtype
            )
            away = (done.final - self.origins[whole[rows]] - y).double()
            distance = (away * away).sum(1).sqrt().cpu().numpy()
            used[open_] += done.queries
            calls[open_] += 1
            accepted, far = (distance <= HIGH * r) & ((call == 0) | (distance >= LOW * r)), distance > HIGH * r
            found[open_[accepted]] = lam[accepted]
            if call > 0:
                low[open_[far]], high[open_[~far & ~accepted]] = lam[far], lam[~far & ~accepted]
            open_ = open_[~accepted]
            if not len(open_):
                break
        found[open_] = high[open_]
        return found, calls, used

    def ball(self, y: Tensor, strengths: Array, trials: Trials, rows: Tensor) -> tuple[Tensor, Integers]:
        """The answers of O_bo and the gradients that they took."""
        part = Trials(trials.stream.part("ball"), trials.numbers)
        done = solver.solve_gpu(
            self.params.ball_oracle(), self.losses, self.given(y, strengths, rows), part, self.device, self.dtype
        )
        return done.final - self.origins[rows].to(done.final.dtype), done.queries

    def proximal(self, y: Tensor, strengths: Array, trials: Trials, rows: Tensor) -> tuple[Tensor, Integers, Integers]:
        """The answers of O_sp, the levels J of its loops, and the gradients that they took."""
        part = Trials(trials.stream.part("proximal"), trials.numbers)
        done = bias_reduced_prox.solve_gpu(
            self.params.proximal, self.losses, self.given(y, strengths, rows), part, None, self.device, self.dtype
        )
        return done.final - self.origins[rows].to(done.final.dtype), done.levels, done.queries.sum(axis=1)

    def replay(self, before: Array, trials: Trials) -> tuple[Array, Integers]:
        """See `private_erm.advance_cpu`, for rows of one iteration."""
        d = self.params.dimension
        x, v, y, z = (self.tensor(part) for part in np.split(before[:, : 4 * d], 4, axis=1))
        weight, lam, rows = before[:, -2], before[:, -1], self.rows(np.arange(len(before)))
        a, mixed = self.mix(x, v, weight, lam)
        _, calls, _ = self.search(x, v, weight, trials, rows)
        answers = self.ball(y, lam, trials, rows)[0], self.proximal(y, lam, trials, rows)[0]
        tensors = (mixed, self.moved(v, y, z, a * lam), *answers)
        parts = [part.cpu().numpy() for part in tensors]
        return np.hstack([a[:, None], (weight + a)[:, None], *parts]), calls
