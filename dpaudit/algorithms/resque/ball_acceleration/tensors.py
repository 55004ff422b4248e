"""The torch form of the search for lambda and of ball acceleration: all instances in step, those done left out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, TorchObjective
from dpaudit.algorithms.resque.ball_acceleration.setting import BALL_SLOT, HIGH, LOW, PROXIMAL_SLOT, SLOTS, BallSetting
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch


class Coupling:
    """What an iteration of ball acceleration computes from the answers of its oracles."""

    def __init__(self, params: BallSetting, dimension: int, count: int, device: str, dtype: str) -> None:
        self.torch = load_torch()
        self.params, self.dimension, self.count, self.device = params, dimension, count, device
        self.kind = getattr(self.torch, dtype)

    def tensor(self, values: Tensor) -> Tensor:
        """`values` on the device, of the dtype of the iterates."""
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def step(self, v: Tensor, weights: Tensor, strength: Tensor, y: Tensor, z: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """a, y and the next v from the answer z of the proximal oracle."""
        a = (1.0 + (1.0 + 4.0 * strength * weights).sqrt()) / (2.0 * strength)
        v = v - (0.5 * a * strength)[:, None] * (y - z)
        return a, y, self.project(v, self.torch.zeros_like(v), self.params.radius)

    def mix(self, x: Tensor, v: Tensor, weights: Tensor, strength: Tensor) -> tuple[Tensor, Tensor]:
        """a and y = (A x + a v)/(A + a)."""
        a = (1.0 + (1.0 + 4.0 * strength * weights).sqrt()) / (2.0 * strength)
        return a, (weights[:, None] * x + a[:, None] * v) / (weights + a)[:, None]

    def project(self, points: Tensor, centres: Tensor, radius: float) -> Tensor:
        """Each point onto the ball around its centre."""
        square = ((points - centres) ** 2).sum(1, keepdim=True)
        outside = square > radius * radius
        scale = radius / self.torch.where(outside, square, self.torch.ones_like(square)).sqrt()
        return self.torch.where(outside, centres + (points - centres) * scale, points)


class Accelerator(Coupling, ABC):
    """Ball acceleration over three oracles that a subclass answers; `active` (instances,) says who asks."""

    @abstractmethod
    def search_oracle(self, y: Tensor, strength: Tensor, number: int, call: int, active: Tensor) -> Tensor:
        """O_ls at y (instances, d), lambda (instances,), in call `call` of iteration `number`."""

    @abstractmethod
    def ball_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """O_bo."""

    @abstractmethod
    def proximal_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """O_sp."""

    def search(self, x: Tensor, v: Tensor, weights: Tensor, number: int, active: Tensor) -> tuple[Tensor, Tensor]:
        """lambda and calls, each (instances,); an instance that is not `active` costs nothing and gets lambda_star."""
        torch, params, r = self.torch, self.params, self.params.ball_radius
        low = torch.full_like(weights, params.smallest_strength)
        high, found = torch.full_like(low, params.largest_strength), low.clone()
        calls, open_ = torch.zeros_like(low, dtype=torch.int64), active.clone()
        for call in range(params.search_calls):
            if not bool(open_.any()):
                break
            strength = low if call == 0 else (low * high).sqrt()
            _, y = self.mix(x, v, weights, strength)
            moved = ((self.search_oracle(y, strength, number, call, open_) - y) ** 2).sum(1).sqrt()
            calls = calls + open_
            far, near = moved > HIGH * r, (moved < LOW * r) & (call > 0)
            taken = open_ & ~far & ~near
            found, open_ = torch.where(taken, strength, found), open_ & ~taken
            low = torch.where(far & (call > 0), strength, low)
            high = torch.where(near, strength, high)
        return torch.where(open_, high, found), calls

    def accelerate(self, first_weight: float, last_weight: float, project_end: bool) -> Tensor:
        """Whole runs; shape (instances, 6 + d), columns as in `ball_acceleration`."""
        torch = self.torch
        x = v = torch.zeros(self.count, self.dimension, dtype=self.kind, device=self.device)
        weights = torch.full((self.count,), first_weight, dtype=self.kind, device=self.device)
        numbers = calls = torch.zeros(self.count, dtype=torch.int64, device=self.device)
        lowest, highest = torch.full_like(weights, math.inf), torch.zeros_like(weights)
        for number in range(self.params.most_iterations):
            active = weights < last_weight
            if not bool(active.any()):
                break
            made, strength, _, new_x, new_v, new_weights = self.iterate(x, v, weights, number, active)
            rows = active[:, None]
            x, v = torch.where(rows, new_x, x), torch.where(rows, new_v, v)
            weights, numbers, calls = torch.where(active, new_weights, weights), numbers + active, calls + made
            lowest = torch.where(active, torch.minimum(lowest, strength), lowest)
            highest = torch.where(active, torch.maximum(highest, strength), highest)
        if project_end:
            x = self.project(x, torch.zeros_like(x), self.params.radius)
        columns = (weights, numbers, calls, lowest, highest, weights >= last_weight)
        return torch.cat([torch.stack([column.to(self.kind) for column in columns], dim=1), x], dim=1)

    def iterate(self, x: Tensor, v: Tensor, weights: Tensor, number: int, active: Tensor) -> tuple[Tensor, ...]:
        """Search calls, lambda, y, x, v, A after one iteration."""
        strength, calls = self.search(x, v, weights, number, active)
        _, y = self.mix(x, v, weights, strength)
        x = self.ball_oracle(y, strength, number, active)
        z = self.proximal_oracle(y, strength, number, active)
        a, y, v = self.step(v, weights, strength, y, z)
        return calls, strength, y, x, v, weights + a


class ClosedForm(Accelerator):
    """With oracles in closed form that err as `oracle_error` says; every instance has its own trial of the noise."""

    def __init__(self, params: BallSetting, objective: Objective, trials: Trials, device: str, dtype: str) -> None:
        super().__init__(params, objective.dimension, len(trials), device, dtype)
        self.trials, self.lipschitz = trials, objective.lipschitz
        self.objective = TorchObjective(objective, self.torch, device, dtype)

    def replay(self, before: Array, number: int) -> tuple[Array, Integers]:
        """One iteration from (x, v, A): (lambda, y, x, v, A) and the search calls."""
        state, d = self.tensor(before), self.dimension
        active = self.torch.ones(len(before), dtype=self.torch.bool, device=self.device)
        calls, strength, y, x, v, weights = self.iterate(
            state[:, :d], state[:, d : 2 * d], state[:, 2 * d], number, active
        )
        after = self.torch.cat([strength[:, None], y, x, v, weights[:, None]], dim=1)
        return after.cpu().numpy(), calls.cpu().numpy()

    def search_oracle(self, y: Tensor, strength: Tensor, number: int, call: int, active: Tensor) -> Tensor:
        """The proximal point, moved by the error of the search."""
        error = self.params.oracle_error * self.params.ball_radius / self.params.search_divisor
        z = self.objective.proximal(y, strength, self.params.ball_radius)
        return self._wander(z, self.torch.full_like(strength, error), number * SLOTS + call, True)

    def ball_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """The proximal point, moved within the ball by what costs at most the allowed error."""
        r, z = self.params.ball_radius, self.objective.proximal(y, strength, self.params.ball_radius)
        if self.params.oracle_error == 0:
            return z
        share = self.params.oracle_error * self.params.ball_error
        length = share * strength * r * r / (self.lipschitz + 2.0 * strength * r)
        return self.project(self._wander(z, length, number * SLOTS + BALL_SLOT, True), y, r)

    def proximal_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """The proximal point with bias and normal errors."""
        params, z = self.params, self.objective.proximal(y, strength, self.params.ball_radius)
        bias = self.torch.zeros_like(z)
        bias[:, 0] = params.oracle_error * params.bias / strength
        spread = params.oracle_error * math.sqrt(params.deviation**2 - params.bias**2) / strength
        return self._wander(z + bias, spread, number * SLOTS + PROXIMAL_SLOT, False)

    def _wander(self, points: Tensor, lengths: Tensor, step: int, round_: bool) -> Tensor:
        if self.params.oracle_error == 0:
            return points
        stream = self.trials.stream
        normals = stream.torch_normals(self.trials.numbers, step, self.dimension, self.device, self.kind)
        size = (normals**2).sum(1).sqrt() if round_ else math.sqrt(self.dimension)
        return points + (lengths / size)[:, None] * normals
