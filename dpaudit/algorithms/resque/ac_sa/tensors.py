"""The torch form of AC-SA: all trials at once, every trial may have its own centre."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dpaudit.algorithms.resque.ac_sa import series
from dpaudit.algorithms.resque.ac_sa.params import Params
from dpaudit.algorithms.resque.shared.draws import PIECE, TorchPool
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.smoothing.ridges import Oracle
from dpaudit.problems.smoothing.tensors import TorchRidge


class Torch:
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, pool: TorchPool, oracle: Oracle, limit: Stream) -> None:
        self.params, self.pool, self.torch, self.limit = params, pool, pool.torch, limit
        self.exact = TorchRidge(oracle.losses, pool.device, "float64" if pool.kind is pool.torch.float64 else "float32")
        self.law = series.limit_law(oracle, params.centre[0], params.smoothing_radius) \
            if params.gradient == "limit" else None  # fmt: skip
        self._held: Tensor = (None, -1, None)
        self._coefficients: Tensor = (None, -1, None)

    def centres(self, count: int) -> Tensor:
        """xbar for `count` trials, (count, d), float64."""
        centre = self.torch.tensor(self.params.centre, dtype=self.torch.float64, device=self.pool.device)
        return centre.expand(count, -1)

    def solve(self, centres: Tensor, trials: Integers) -> Tensor:
        """The whole run from x = x^ag = centres; x_T^ag, (trials, d)."""
        ag = x = centres.to(self.pool.kind)
        for k in range(self.params.loops):
            for t in range(1, self.params.steps + 1):
                _, ag, x, _ = self.advance(ag, x, k, t, centres, trials)
        return ag

    def advance(self, ag: Tensor, x: Tensor, k: int, t: int, centres: Tensor, trials: Integers) -> Tensor:
        """x^md, x^ag, x of (trials, d) after step t of loop k (from 0), and whether each x was projected."""
        params, lam, alpha = self.params, self.params.strength, 2.0 / (t + 1.0)
        gamma = 4.0 * (params.lipschitz / params.smoothing_radius + lam) / (t * (t + 1.0))
        below = gamma + (1.0 - alpha * alpha) * lam
        inner = (1.0 - alpha) * (lam + gamma) if params.weight == "printed" else (1.0 - alpha) * lam + gamma
        md = ((1.0 - alpha) * (lam + gamma) / below) * ag + (alpha * inner / below) * x
        estimate = self._gradient(md, k, t, centres, trials)
        centre = centres.to(x.dtype)
        pull = lam if params.linear == "printed" else alpha * lam
        near, far = gamma + lam * (1.0 - alpha), lam * alpha
        moved = (near * x + far * md - (alpha * estimate + pull * (md - centre))) / (near + far)
        x, outside = self.pool.project(moved, centre, params.ball_radius)
        ag = alpha * x + (1.0 - alpha) * ag
        return md, ag, (ag if t == params.steps else x), outside

    def _gradient(self, md: Tensor, k: int, t: int, centres: Tensor, trials: Integers) -> Tensor:
        params = self.params
        own = 0 if params.index == "printed" else t - 1
        size, radius = params.sizes[k], params.smoothing_radius
        first, block = params.steps * sum(params.sizes[:k]) + own * size, k * params.steps + own
        if params.gradient == "exact":
            return self.exact.smoothed_gradient(md, radius)
        if params.gradient == "samples":
            total, centre = self.torch.zeros_like(md), centres.to(md.dtype)[:, None]
            for xi, g in self._samples(first, size, centres, trials):
                total = total + self.pool.estimate(md[:, None], centre, xi, g, radius).sum(1)
            return total / size
        if self._coefficients[0] is not trials or self._coefficients[1] != block:
            made = self._moments if params.gradient == "moments" else self._limits
            self._coefficients = (trials, block, made(first, block, size, centres, trials))
        return self._series((md - centres.to(md.dtype)) / radius, self._coefficients[2])

    def _samples(self, first: int, size: int, centres: Tensor, trials: Integers) -> Iterator[Tensor]:
        """xi and g, each (trials, up to PIECE, d), of `size` samples from `first` on; the last piece is kept."""
        for piece in range(first // PIECE, (first + size - 1) // PIECE + 1):
            if self._held[0] is not trials or self._held[1] != piece:
                made = self.pool.samples(trials, piece, PIECE, centres, self.params.smoothing_radius)
                self._held = (trials, piece, made)
            low, high = max(0, first - piece * PIECE), min(PIECE, first + size - piece * PIECE)
            yield tuple(part[:, low:high] for part in self._held[2])

    def _moments(self, first: int, block: int, size: int, centres: Tensor, trials: Integers) -> Tensor:
        total = self.torch.zeros(len(trials), series.ORDER, dtype=self.torch.float64, device=self.pool.device)
        for xi, g in self._samples(first, size, centres, trials):
            z, here = xi[..., 0].double() / self.params.smoothing_radius, g[..., 0].double()
            before = self.torch.zeros_like(here)
            for j in range(series.ORDER):
                total[:, j] += here.sum(1)
                before, here = here, (z * here - math.sqrt(j) * before) / math.sqrt(j + 1.0)
        return total / size

    def _limits(self, first: int, block: int, size: int, centres: Tensor, trials: Integers) -> Tensor:
        assert self.law is not None
        (mean, scale), torch = self.law, self.torch
        normals = self.limit.torch_normals(trials, block, series.ORDER, self.pool.device)
        a, kappa = series.downdate(mean, scale)
        mean, a = (torch.tensor(values, device=self.pool.device) for values in (mean, a))
        spread = normals - kappa * (normals @ a)[:, None] * a
        return mean + scale * spread / math.sqrt(size)

    def _series(self, t: Tensor, coefficients: Tensor) -> Tensor:
        torch, power = self.torch, self.torch.ones_like(t)
        total = torch.zeros_like(t)
        for j in range(series.ORDER):
            total = total + coefficients[:, j, None].to(t.dtype) * power
            power = power * t / math.sqrt(j + 1.0)
        return torch.where(t.abs() <= series.REACH, total, torch.full_like(t, np.nan))
