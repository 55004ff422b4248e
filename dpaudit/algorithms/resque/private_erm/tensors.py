"""PrivateERM with torch on any device."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.private_erm.machine import Done, Machine
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses


class TensorMachine(Machine):
    """places: origins and targets, each (m, d)."""

    def __init__(
        self, params: Params, losses: RidgeLosses, places: tuple[Tensor, Tensor], device: str, dtype: str
    ) -> None:
        super().__init__(params, losses, dtype)
        self.torch, self.device = load_torch(), device
        self.origins, self.targets = (
            self.torch.as_tensor(part, dtype=self.torch.float64, device=device) for part in places
        )

    def points(self, values: Array) -> Tensor:
        return self.torch.as_tensor(values, dtype=getattr(self.torch, self.dtype), device=self.device)

    def column(self, values: Array) -> Tensor:
        return self.torch.as_tensor(values, dtype=self.torch.float64, device=self.device)[:, None]

    def rows(self, numbers: Integers) -> Tensor:
        return self.torch.as_tensor(numbers, device=self.device)

    def distances(self, answers: Tensor, y: Tensor, rows: Tensor) -> Array:
        away = (answers - self.origins[rows] - y).double()
        return np.asarray((away * away).sum(1).sqrt().cpu().numpy())

    def onto_ball(self, points: Tensor) -> Tensor:
        lengths = (points * points).sum(1, keepdim=True).sqrt()
        radius = self.params.radius
        return self.torch.where(lengths > radius, points * (radius / lengths), points)

    def given(self, y: Tensor, strengths: Array, rows: Tensor) -> Subproblems:
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

    def solved(self, oracle: ModuleType, params: solver.Params, given: Subproblems, trials: Trials) -> Done:
        return oracle.solve_gpu(params, self.losses, given, trials, device=self.device, dtype=self.dtype)
