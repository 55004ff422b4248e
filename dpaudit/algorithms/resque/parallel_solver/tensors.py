"""The torch form of the non-private oracles and of the parallel solver: all trials at once.

EpochSGD runs trials of different strength and length together; AC-SA, whose loops depend on both, runs one group for
each pair of strength and error.
"""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.resque import ac_sa
from dpaudit.algorithms.resque.ac_sa.tensors import Torch as PoolAveraging
from dpaudit.algorithms.resque.ball_acceleration.setting import BallSetting
from dpaudit.algorithms.resque.ball_acceleration.tensors import Accelerator
from dpaudit.algorithms.resque.epoch_sgd.tensors import Torch as Epochs
from dpaudit.algorithms.resque.parallel_solver.kernels import BALL_CALL, CALLS, COUNTS, PROXIMAL_CALL, SEARCH_CALL
from dpaudit.algorithms.resque.parallel_solver.setting import CALL, LEVELS, OracleSetting
from dpaudit.algorithms.resque.shared.draws import TorchPool
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.smoothing.ridges import Oracle


class TorchOracles:
    """The three oracles. A row of `counts` (rows, 4 + LEVELS): ball oracle calls, rounds, queries, depth, levels."""

    def __init__(self, params: OracleSetting, oracle: Oracle, stream: Stream, device: str, dtype: str) -> None:
        self.params, self.oracle, self.stream = params, oracle, stream
        self.pool = TorchPool(oracle, stream, device, dtype)
        self.torch, self.dtype, self.device = self.pool.torch, dtype, device

    def counts(self, rows: int) -> Array:
        """Zeros to count in."""
        return np.zeros((rows, COUNTS + LEVELS))

    def ball(
        self, y: Tensor, strength: Tensor, errors: Array, trials: Integers, rows: Integers, counts: Array
    ) -> Tensor:
        """Answers of the ball oracle and their depths, for trials `trials`, counted in `rows`."""
        np.add.at(counts[:, 0], rows, 1)
        strengths = strength.double().cpu().numpy()
        if self.params.solver == "epoch_sgd":
            iterations = np.ceil(48 * self.params.lipschitz**2 / (strengths * errors)).astype(np.int64)
            np.add.at(counts[:, 2], rows, 2 * iterations)
            epochs = np.floor(np.log2(iterations / 16 + 1)).astype(np.int64)
            machine = Epochs(self.pool, self.params.ball_radius, self.params.smoothing_radius)
            return machine.solve(y.double(), strength, epochs, trials), 16 * (2**epochs - 1)
        x, depth = self.torch.empty_like(y), np.empty(len(trials), dtype=np.int64)
        for pair in np.unique(np.stack([strengths, errors], axis=1), axis=0):
            group = np.flatnonzero((strengths == pair[0]) & (errors == pair[1]))
            x[group], depth[group] = self._accelerated(y[group], pair, trials[group], rows[group], counts)
        return x, depth

    def _accelerated(
        self, y: Tensor, pair: Array, trials: Integers, rows: Integers, counts: Array
    ) -> tuple[Tensor, int]:
        own, form = self.params, self.params.lines
        params = ac_sa.Params(
            (0.0,) * y.shape[1], own.ball_radius, own.smoothing_radius, float(pair[0]), float(pair[1]), own.lipschitz,
            form, form, form,
        )  # fmt: skip
        machine = PoolAveraging(params, self.pool, self.oracle, self.stream.part("limit"))
        np.add.at(counts[:, 2], rows, params.queries)
        return machine.solve(y.double(), trials), params.loops * params.steps

    def proximal(
        self, y: Tensor, strength: Tensor, trials: Integers, rows: Integers, counts: Array
    ) -> tuple[Tensor, Array]:
        """Bias-reduced answers and their depths."""
        unit = strength.double().cpu().numpy() * self.params.ball_radius**2
        errors = unit / (self.params.acceleration_constant * self.params.log_ratio**2)
        x, depth = self.ball(y, strength, errors, trials, rows, counts)
        levels = self.levels(trials)
        np.add.at(counts, (rows, COUNTS + levels), 1)
        for level in np.unique(levels[levels > 0]).tolist():
            group = np.flatnonzero(levels == level)
            parts = [
                self.ball(
                    y[group], strength[group], errors[group] / 2.0**j, trials[group] + i * CALL, rows[group], counts
                )
                for i, j in ((1, level), (2, level - 1))
            ]
            x[group] = self.combine(x[group], parts[0][0], parts[1][0], level)
            depth[group] = np.maximum(depth[group], np.maximum(parts[0][1], parts[1][1]))
        return x, depth

    def combine(self, base: Tensor, high: Tensor, low: Tensor, level: int) -> Tensor:
        """base + 2^J (high - low)."""
        return base + 2.0**level * (high - low)

    def levels(self, trials: Integers) -> Integers:
        """J of every trial, 0 where it is above the highest level."""
        uniform = self.stream.part("levels").torch_uniforms(trials, 0, 1, self.device)[:, 0].cpu().numpy()
        drawn = (uniform[:, None] <= 2.0 ** -np.arange(1.0, 60.0)).sum(axis=1) + 1
        return np.where(drawn <= self.params.levels, drawn, 0)

    def search(
        self, y: Tensor, strength: Tensor, trials: Integers, rows: Integers, counts: Array
    ) -> tuple[Tensor, Array]:
        """Aggregated answers and their depths; the repetitions of all trials run together."""
        many, count = self.params.repetitions, len(trials)
        errors = strength.double().cpu().numpy() * self.params.ball_radius**2 / self.params.search_accuracy
        numbers = (trials[:, None] + CALL * np.arange(many)).ravel()
        points, depth = self.ball(
            y.repeat_interleave(many, 0), strength.repeat_interleave(many), np.repeat(errors, many), numbers,
            np.repeat(rows, many), counts,
        )  # fmt: skip
        points = points.reshape(count, many, -1)
        best = self.chosen(points)
        return points[self.torch.arange(count, device=self.device), best], depth.reshape(count, many).max(axis=1)

    def chosen(self, points: Tensor) -> Tensor:
        """Which of the points (trials, repetitions, d) is taken, (trials,)."""
        distance = ((points[:, :, None] - points[:, None]) ** 2).sum(-1).sqrt()
        near = (distance <= self.params.reach).sum(-1)
        enough = near >= self.params.needed
        return self.torch.where(enough.any(1), enough.int().argmax(1), near.argmax(1))


class TorchSolver(Accelerator):
    """Ball acceleration whose oracles are `TorchOracles`; `counts` as there, one row a trial."""

    def __init__(
        self, ball: BallSetting, setting: OracleSetting, oracle: Oracle, trials: Trials, device: str, dtype: str
    ) -> None:
        super().__init__(ball, oracle.losses.dimension, len(trials), device, dtype)
        self.oracles, self.trials = TorchOracles(setting, oracle, trials.stream, device, dtype), trials
        self.counts = self.oracles.counts(len(trials))
        self._depth = np.zeros(len(trials))

    def search_oracle(self, y: Tensor, strength: Tensor, number: int, call: int, active: Tensor) -> Tensor:
        """The aggregate of independent runs, one round."""
        rows, numbers = self._rows(active, number, SEARCH_CALL + call * self.oracles.params.repetitions)
        z = y.clone()
        z[rows], depth = self.oracles.search(y[rows], strength[rows], numbers, rows, self.counts)
        self.counts[rows, 1] += 1
        self.counts[rows, 3] += depth
        return z

    def ball_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """One run of the solver; shares its round with the proximal oracle."""
        rows, numbers = self._rows(active, number, BALL_CALL)
        errors = strength[rows].double().cpu().numpy() * self.params.ball_radius**2 * self.params.ball_error
        z = y.clone()
        z[rows], self._depth[rows] = self.oracles.ball(y[rows], strength[rows], errors, numbers, rows, self.counts)
        return z

    def proximal_oracle(self, y: Tensor, strength: Tensor, number: int, active: Tensor) -> Tensor:
        """The bias-reduced answer."""
        rows, numbers = self._rows(active, number, PROXIMAL_CALL)
        z = y.clone()
        z[rows], depth = self.oracles.proximal(y[rows], strength[rows], numbers, rows, self.counts)
        self.counts[rows, 1] += 1
        self.counts[rows, 3] += np.maximum(depth, self._depth[rows])
        return z

    def _rows(self, active: Tensor, number: int, call: int) -> tuple[Integers, Integers]:
        rows = np.flatnonzero(active.cpu().numpy())
        return rows, self.trials.numbers[rows] + (number * CALLS + call) * CALL
