"""The torch form of SubERM: all trials at once, one subproblem per trial, any device."""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.resque.sub_erm.setting import BallSolver, Subproblems, powers_of_two
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.problems.smoothing.tensors import TorchRidge

DRAWS_AT_ONCE = 1 << 24
"""Normals of one phase that are held in memory; more trials are run in pieces."""


class TorchSubErm:
    """The constants of a run as tensors; one row per trial."""

    def __init__(self, solver: BallSolver, losses: RidgeLosses, given: Subproblems, device: str, dtype: str) -> None:
        self.torch = load_torch()
        self.solver, self.losses, self.device, self.kind = solver, losses, device, getattr(self.torch, dtype)
        self.ridge, self.queried = TorchRidge(losses, device, dtype), solver.needs_queries(losses)
        self.centres, self.anchors, self.starts = map(self.tensor, (given.centres, given.anchors, given.starts))
        self.regularisers, self.distances = (
            self.torch.as_tensor(part, dtype=self.torch.float64, device=device)[:, None]
            for part in (given.regularisers, given.distances)
        )

    def tensor(self, values: Tensor) -> Tensor:
        """`values` on the device, in the dtype of the run."""
        return self.torch.as_tensor(values, dtype=self.kind, device=self.device)

    def solve(self, trials: Trials, steps: int, privacy: float, indices: Tensor = None) -> Tensor:
        """Final points (m, d), phase outputs and averages (m, k, d), and the number of queries of a trial."""
        torch, (horizon, k) = self.torch, powers_of_two(steps)
        fixed = None if indices is None else torch.as_tensor(np.atleast_2d(indices), device=self.device)
        eta = self.step_sizes(steps, privacy)
        x, phases, averages, used = self.starts, [], [], 0
        for i in range(1, k + 1):
            length, eta = horizon >> i, eta / 4.0
            y = self.onto_ball(x)[0] if self.solver.project_start == "projected" and i > 1 else x
            x, average = self.phase(y, i, length, eta, trials, privacy, fixed, used)
            used += length
            phases.append(x)
            averages.append(average)
        final = self.onto_ball(x)[0] if self.solver.project_output == "projected" else x
        empty = x.new_zeros((len(trials), 0, x.shape[1]))
        stacked = [torch.stack(part, dim=1) if part else empty for part in (phases, averages)]
        return final, stacked[0], stacked[1], used

    def step_sizes(self, steps: int, privacy: float) -> Tensor:
        """eta of every trial, (m, 1), float64."""
        d = self.centres.shape[1]
        return self.distances / self.solver.lipschitz * min(1.0 / math.sqrt(steps), privacy / math.sqrt(d))

    def phase(
        self, y: Tensor, i: int, length: int, eta: Tensor, trials: Trials, privacy: float, fixed: Tensor, used: int
    ) -> tuple[Tensor, Tensor]:
        """x_i and the average that it hides, from y_0 = y."""
        torch, total, d = self.torch, self.torch.zeros_like(y), y.shape[1]
        rows = max(1, DRAWS_AT_ONCE // (length * d))
        ends = []
        for piece in torch.split(torch.arange(len(y), device=self.device), rows):
            numbers = trials.numbers[piece.cpu().numpy()]
            records, queries = self.draw(trials, numbers, i, length)
            if fixed is not None:
                records = fixed[piece % len(fixed), used : used + length]
            ends.append(self._steps(y[piece], total[piece], records, queries, eta[piece], piece))
        y, total = (torch.cat(part) for part in zip(*ends, strict=True))
        return self.release(y, total, i, length, eta, privacy, trials, trials.numbers)

    def _steps(
        self, y: Tensor, total: Tensor, records: Tensor, queries: Tensor, eta: Tensor, rows: Tensor
    ) -> tuple[Tensor, Tensor]:
        for j in range(records.shape[1]):
            query = None if queries is None else queries[:, j]
            previous, (y, _) = y, self.advance(y, records[:, j], query, eta, rows)
            total = total + (previous if self.solver.average == "regret" else y)
        return y, total

    def draw(self, trials: Trials, numbers: Integers, i: int, length: int) -> tuple[Tensor, Tensor]:
        """Record numbers (rows, length) and xi, (rows, length, d), or None where none is needed."""
        uniforms = trials.stream.part("indices").torch_uniforms(numbers, i, length, self.device)
        records = (uniforms * self.losses.records).to(self.torch.int64)
        if not self.queried:
            return records, None
        d, step = self.centres.shape[1], 1 if self.solver.control == "reused_queries" else i
        normals = trials.stream.part("queries").torch_normals(numbers, step, length * d, self.device, self.kind)
        return records, self.solver.smoothing * normals.reshape(len(numbers), length, d)

    def advance(self, y: Tensor, records: Tensor, query: Tensor, eta: Tensor, rows: Tensor) -> tuple[Tensor, Tensor]:
        """One step: the new y, and whether it was projected, (rows, 1)."""
        solver, centre = self.solver, self.centres[rows]
        point = y if query is None else centre + query
        g = self.ridge.subgradient(records, point)
        if solver.estimator == "resque":
            v = y - centre
            exponent = (v * (2.0 * query - v)).sum(1, keepdim=True)
            g = g * (exponent / (2.0 * solver.smoothing**2)).exp()
        shrink = eta * self.regularisers[rows]
        pulled = (y.double() + shrink * self.anchors[rows] - eta * g) / (1.0 + shrink)
        return self.onto_ball(pulled.to(self.kind), rows)

    def replay(
        self, before: Tensor, i: int, j: int, last: bool, eta: Tensor, privacy: float, trials: Trials
    ) -> tuple[Tensor, Tensor]:
        """Step j of phase i of every trial from its state (y, sum): (y, sum, x_i or 0) and the branches taken."""
        d, everything = self.centres.shape[1], self.torch.arange(len(before), device=self.device)
        y, total = before.split(d, dim=1)
        records, queries = self.draw(trials, trials.numbers, i, j + 1)
        query = None if queries is None else queries[:, j]
        moved, outside = self.advance(y, records[:, j], query, eta, everything)
        total = total + (y if self.solver.average == "regret" else moved)
        x = self.torch.zeros_like(y)
        if last:
            x, _ = self.release(moved, total, i, j + 1, eta, privacy, trials, trials.numbers)
        point = y if query is None or self.solver.estimator == "plain" else self.centres + query
        slopes = self.ridge.slopes(point).gather(1, records[:, j : j + 1])
        branches = self.torch.cat([records[:, j : j + 1], outside.long(), slopes.long()], dim=1)
        return self.torch.cat([moved, total, x], dim=1), branches

    def onto_ball(self, points: Tensor, rows: Tensor = None) -> tuple[Tensor, Tensor]:
        """The projections and which of them moved, (rows, 1)."""
        centre = self.centres if rows is None else self.centres[rows]
        away, radius = points - centre, self.solver.radius
        square = (away * away).sum(1, keepdim=True)
        outside = square > radius**2
        return self.torch.where(outside, centre + radius / square.sqrt() * away, points), outside

    def release(
        self,
        y: Tensor,
        total: Tensor,
        i: int,
        length: Tensor,
        eta: Tensor,
        privacy: float,
        trials: Trials,
        numbers: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """x_i = average + noise, and the average."""
        solver, d = self.solver, y.shape[1]
        normals = trials.stream.part("noise").torch_normals(numbers, i, d, self.device, self.kind)
        sigma = solver.lipschitz * eta / privacy * (0.1 if solver.control == "tenth_noise" else 1.0)
        average = y if solver.control == "last_iterate" else total / length
        return (average.double() + sigma * normals).to(self.kind), average
