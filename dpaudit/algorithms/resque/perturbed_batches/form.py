"""Mini-batches whose records are each asked at a perturbed point of their own: one round of queries.

The mean over the batch of grad f^i(x + rho z_i), z_i standard normal, is an unbiased estimate of the gradient of the
empirical risk smoothed by N(0, rho^2 I) (Duchi, Bartlett, Wainwright 2012, section 2); with rho = 0 it is the plain
mean gradient. The points do not depend on each other, so that a whole batch counts as one round. The numba form is in
`perturbed_batches.kernels`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Batch, Counted, SomeProblem
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.sampling.batches import Batches, TorchBatches


class Rounds(Counted):
    """A counted problem that can be asked for several records at once, each at its own point."""

    def gradients_at(self, points: Vector, batch: Batch) -> Vector:
        """Record batch[a] at points[a], for points of shape (size, d): as many gradients, one round; same shape."""
        self._count("gradients", len(batch))
        rows = [self._problem.record_gradients(points[a], batch[a : a + 1])[0] for a in range(len(batch))]
        return np.stack(rows)


def mean_gradient(problem: SomeProblem, point: Vector, radius: float, normals: Vector, batch: Batch) -> Vector:
    """(1/m) sum over the batch, (m,), of grad f^i(point + radius z_i); point (d,), normals z (m, d); shape (d,)."""
    rounds = problem if isinstance(problem, Rounds) else Rounds(problem)
    return rounds.gradients_at(point + radius * normals, batch).sum(axis=0) / len(batch)


def check_batches(batches: Batches, steps: int) -> None:
    """Refuse batches without a fixed size, and more steps than one pass has."""
    if batches.kind == "Poisson":
        raise ConfigurationError(
            "batches must have a fixed size, got 'Poisson'; take 'with replacement' or 'without replacement'"
        )
    batches.check_steps(steps)


class Perturbed(Protocol):
    """Parameters of a run in T steps from a start of d coordinates, with batches."""

    @property
    def start(self) -> tuple[float, ...]: ...

    @property
    def steps(self) -> int: ...

    @property
    def batches(self) -> Batches: ...


class Draws(NamedTuple):
    """noise: standard normals of the perturbations, (T, b, d); batches: record numbers of every step."""

    noise: Array
    batches: tuple[Integers, ...]


def noise_shape(params: Perturbed) -> tuple[int, ...]:
    """(T, b, d): the normals of one trial."""
    return (params.steps, params.batches.size, len(params.start))


def promise(params: Perturbed) -> Promise | None:
    """None: there is no privacy noise."""
    return None


def calls(params: Perturbed, draws: Draws) -> dict[str, int]:
    """One round a step, with one gradient for each record of its batch."""
    return {"gradients": params.steps * params.batches.size, "values": 0, "rounds": params.steps}


def draw_inputs(params: Perturbed, stream: Stream, trial: int) -> Draws:
    """Perturbations and batches of one trial for `reference`: from its parts "noise" and "batches"."""
    steps, size, d = noise_shape(params)
    noise = stepwise.normals(stream, trial, (steps, size * d)).reshape(steps, size, d)
    return Draws(noise, params.batches.draw_all(stream.part("batches"), trial, steps))


P = TypeVar("P", bound=Perturbed)


class Torch(stepwise.Machine[P]):
    """What the torch forms share: the mean gradient of all trials."""

    def __init__(self, params: P, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.batches = TorchBatches(params.batches, stream.part("batches"), device)
        self.whole = params.batches.kind == "all records"

    def mean_gradient(self, points: Tensor, radius: float, step: int, trials: Integers) -> Tensor:
        """The mean over every trial's batch at points (trials, d); same shape."""
        if self.whole and not radius:
            return self.problem.gradient(points)
        batch, _ = self.batches.draw(step, trials)
        (count, size), d = batch.shape, points.shape[1]
        normals = self.normals(trials, step, size * d).reshape(count, size, d) if radius else 0.0
        moved = (points[:, None, :] + radius * normals).expand(count, size, d)
        gradients = self.problem.record_gradients(moved.reshape(-1, d), batch.reshape(-1, 1))
        return gradients.reshape(count, size, d).sum(dim=1) / size
