"""The torch form of algorithms that are driven by noisy sums of gradients; `noisy_sums.form` says what they do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.srgd.noisy_sums import kernels
from dpaudit.algorithms.srgd.noisy_sums.form import COLUMNS, NoisySums, mixed
from dpaudit.algorithms.stepwise import Tensor
from dpaudit.arithmetic.arrays import Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems.domains import torch_clip
from dpaudit.sampling.batches import TorchBatches


class Machine(stepwise.Machine[NoisySums]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, sums: NoisySums, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(sums, problem, stream, device, dtype)
        self.schedule = [dict(zip(COLUMNS, row, strict=True)) for row in sums.schedule.tolist()]
        self.batches = TorchBatches(sums.batches, stream.part("batches"), device)
        self.start, self.noise = self.tensor(sums.start), _MixedNoise(self, sums.mixing, len(sums.start))
        self.offsets = None if sums.offsets is None else self.tensor(sums.offsets)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        sums, now = self.params, self.schedule[step]
        points = dict(zip(sums.rows, state.chunk(len(sums.rows), dim=1), strict=True))
        x = points.get(kernels.X, self.start.expand(len(trials), -1))
        total, branches = self._difference(x, points.get(kernels.BEFORE), step, trials)
        g = now["keep"] * points[kernels.SUM] + total if kernels.SUM in points and now["keep"] else total
        shift = now["noise"] * self.noise.at(step, trials)
        if self.offsets is not None:
            shift = shift + self.offsets[step]
        hat, other = g + shift, g + now["ratio"] * shift
        points |= {kernels.SUM: g, kernels.HAT: hat, kernels.BEFORE: x}
        points |= self._moved(points, x, hat, other, now)
        released = self.torch.cat([hat, other], dim=1) if sums.pair else hat
        return self.torch.cat([points[row] for row in sums.rows], dim=1), released, branches

    def _moved(
        self, points: dict[int, Tensor], x: Tensor, hat: Tensor, other: Tensor, now: dict[str, float]
    ) -> dict[int, Tensor]:
        move, project = self.params.move, self.params.domain.torch_project
        if move == "stay":
            return {}
        if move == "step":
            return {kernels.X: project(x - now["y_step"] * hat)}
        if move == "lazy":
            z = points[kernels.Z] - now["z_step"] * hat
            return {kernels.Z: z, kernels.X: project(z)}
        z = project(points[kernels.Z] - now["z_step"] * other)
        y = project(x - now["y_step"] * hat) if move == "accelerate" else x
        return {kernels.Z: z, kernels.Y: y, kernels.X: (1 - now["tau"]) * y + now["tau"] * z}

    def _difference(self, x: Tensor, before: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor]:
        now = self.schedule[step]
        recursive = bool(now["eta_before"])
        if self.params.clip_norm is None:
            total = now["eta"] * self._mean_gradient(x, step, trials)
            if recursive:
                total = total - now["eta_before"] * self._mean_gradient(before, step, trials)
            return total, self.no_branches(len(x))
        batch, _ = self.batches.draw(step, trials)
        parts = now["eta"] * self.problem.record_gradients(x, batch)
        if recursive:
            parts = parts - now["eta_before"] * self.problem.record_gradients(before, batch)
        clipped = (parts.square().sum(dim=2).sqrt() > now["clip"]).sum(dim=1, keepdim=True)
        return torch_clip(parts, now["clip"]).mean(dim=1), clipped

    def _mean_gradient(self, point: Tensor, step: int, trials: Integers) -> Tensor:
        if self.params.batches.kind == "all records":
            return self.problem.gradient(point)
        return self.problem.batch_gradient(point, self.batches.draw(step, trials)[0])


class _MixedNoise:
    """The mixed noise of one step after the other; a step out of turn begins at step 0 again."""

    def __init__(
        self, machine: stepwise.Machine[NoisySums], matrix: NDArray[np.float64 | np.int64], dimension: int
    ) -> None:
        self.machine, self.matrix, self.how, self.dimension = machine, matrix, mixed(matrix)[0], dimension
        self.step, self.trials, self.memory = -1, np.zeros(0, dtype=np.int64), dict[int, Tensor]()
        self.latest: Tensor = None

    def at(self, step: int, trials: Integers) -> Tensor:
        """The noise of `step`, shape (trials, d)."""
        if step != self.step + 1 or not np.array_equal(trials, self.trials):
            self.step, self.trials, self.memory = -1, trials, {}
        for t in range(self.step + 1, step + 1):
            self._advance(t)
        return self.latest

    def _advance(self, t: int) -> None:
        drawn, depth = self.machine.normals(self.trials, t, self.dimension), (t + 1).bit_count()
        if self.how == kernels.DENSE:
            self.memory[t] = drawn
            self.latest = sum(float(c) * self.memory[u] for u, c in enumerate(self.matrix[t]) if c)
        else:
            place = {kernels.CURRENT: 1, kernels.RUNNING: 1, kernels.TREE: depth}[self.how]
            previous = 1 if self.how == kernels.RUNNING else place - 1
            self.latest = self.memory.get(previous, 0.0) + drawn
            self.memory[place] = self.latest
        self.step = t
