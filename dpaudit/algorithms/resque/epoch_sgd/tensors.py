"""The torch form of EpochSGD: all trials at once, each with its own centre, strength and number of epochs."""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque.shared.draws import PIECE, TorchPool
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.tensors import Tensor

FIRST_LENGTH = 16


class Torch:
    """The constants of a run, and one step of all trials."""

    def __init__(self, pool: TorchPool, ball_radius: float, radius: float) -> None:
        self.pool, self.torch, self.ball_radius, self.radius = pool, pool.torch, ball_radius, radius

    def solve(self, centres: Tensor, strengths: Tensor, epochs: Integers, trials: Integers) -> Tensor:
        """The whole runs from x = centres, (trials, d) in float64; strengths (trials,); epochs (trials,) completed."""
        x = centres.to(self.pool.kind).clone()
        for k in range(int(epochs.max(initial=0))):
            rows = np.flatnonzero(epochs > k)
            chosen = self.torch.as_tensor(rows, device=self.pool.device)
            x[chosen] = self._epoch(x[chosen], k, centres[chosen], strengths[chosen], trials[rows])
        return x

    def _epoch(self, x: Tensor, k: int, centres: Tensor, strengths: Tensor, trials: Integers) -> Tensor:
        length, start, total, held = FIRST_LENGTH << k, FIRST_LENGTH * ((1 << k) - 1), x, None
        piece = -1
        for t in range(length):
            number, sample = start + t - 1, None
            if t > 0:
                if number // PIECE != piece:
                    piece = number // PIECE
                    held = self.pool.samples(trials, piece, PIECE, centres, self.radius)
                sample = [part[:, number % PIECE] for part in held or ()]
            x, total, _ = self.advance(x, total, t, k, strengths, centres, sample)
        return x

    def sample(self, trials: Integers, number: int, centres: Tensor) -> Tensor:
        """xi and g of one sample of every trial, each (trials, d)."""
        held = self.pool.samples(trials, number // PIECE, number % PIECE + 1, centres, self.radius)
        return [part[:, -1] for part in held]

    def advance(
        self, x: Tensor, total: Tensor, t: int, k: int, strengths: Tensor, centres: Tensor, sample: Tensor
    ) -> Tensor:
        """Position t of epoch k (from 0): x, the sum of the epoch, and whether each x was projected."""
        centres, strength, length = centres.to(x.dtype), strengths[:, None], FIRST_LENGTH << k
        eta = 1.0 / (4.0 * strength * (1 << k))
        moved = x + eta * strength * centres
        if sample is not None:
            moved = moved - eta * self.pool.estimate(x, centres, sample[0], sample[1], self.radius)
        x, outside = self.pool.project(moved / (1.0 + eta * strength), centres, self.ball_radius)
        total = x if t == 0 else total + x
        return (total / length if t == length - 1 else x), total, outside
