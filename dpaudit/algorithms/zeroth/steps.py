"""What the zeroth-order algorithms share: slopes of a frame, and their torch form.

The slope of record i along u, with perturbation xi:

    "two-point"               (l_i(w + xi u) - l_i(w - xi u))/(2 xi)     equation (1); 2 values for each record and u
    "directional derivative"  <grad l_i(w), u>                           its limit xi -> 0 (Nesterov, Spokoiny 2017)
    "forward difference"      (l_i(w + xi u) - l_i(w))/xi                the values at w serve all u
    "one-point"               l_i(w + xi u)/xi                           Flaxman, Kalai, McMahan (2005)

Each slope is clipped to [-Delta, Delta] before the mean over the batch. The numba form is `zeroth.kernels`.

Source: Chien, Chen, Li (2025), equations (1), (64). Shapes: d coordinates, K directions, b records of a batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Protocol, TypeVar

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Batch, SomeProblem
from dpaudit.algorithms.packed import Packed
from dpaudit.algorithms.stepwise import Branches
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.domains import Domain
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import NotNegative, OneOf, Positive, check_fields
from dpaudit.records.validation import check_choice, check_number, check_vector
from dpaudit.sampling.batches import Batches, TorchBatches
from dpaudit.sampling.directions import Directions

ESTIMATORS = ("two-point", "directional derivative", "forward difference", "one-point")


@dataclass(frozen=True)
class Query:
    """How slopes are asked for. estimator: one of ESTIMATORS; perturbation: xi, at least 0, where 0 turns the
    two-point estimator into the directional derivative; clip_norm: Delta, above 0. Raises ConfigurationError."""

    estimator: Annotated[str, OneOf(ESTIMATORS)]
    perturbation: NotNegative
    clip_norm: Positive

    def __post_init__(self) -> None:
        check_fields(self)
        if self.estimator in ESTIMATORS[2:]:
            check_number(f"perturbation of the {self.estimator} estimator", self.perturbation, above=0.0)

    @property
    def kind(self) -> str:
        """The estimator that is computed."""
        return "directional derivative" if self.perturbation == 0 else self.estimator

    @property
    def code(self) -> int:
        """Its number, for kernels."""
        return ESTIMATORS.index(self.kind)

    def calls(self, directions: int, batch: int) -> dict[str, int]:
        """What one frame of K directions and a batch cost; rounds: queries made one after the other."""
        if self.kind == "directional derivative":
            return {"gradients": batch, "values": 0, "rounds": 1}
        rounds = {"two-point": 2 * directions, "forward difference": directions + 1}.get(self.kind, directions)
        return {"gradients": 0, "values": rounds * batch, "rounds": rounds}

    def slopes(self, problem: SomeProblem, point: Vector, frame: Vector, batch: Batch) -> tuple[Vector, Branches]:
        """Mean clipped slopes, shape (K,), and how many of the K b slopes were clipped."""
        slopes, bound = self._record_slopes(problem, point, frame, batch), self.clip_norm
        margins = np.abs(slopes) - bound
        nearest = int(np.argmin(np.abs(margins)))
        clipped = np.minimum(np.maximum(slopes, -bound), bound)
        branch = int((np.abs(slopes) > bound).sum()), margins.reshape(-1)[nearest]
        return clipped.sum(axis=-1) / len(batch), (branch,)

    def _record_slopes(self, problem: SomeProblem, point: Vector, frame: Vector, batch: Batch) -> Vector:
        """Shape (K, b)."""
        if self.kind == "directional derivative":
            return (problem.record_gradients(point, batch) @ frame.T).T
        xi = self.perturbation
        ahead = np.stack([problem.record_values(point + xi * frame[k], batch) for k in range(len(frame))])
        if self.kind == "one-point":
            return ahead / xi
        if self.kind == "forward difference":
            return (ahead - problem.record_values(point, batch)) / xi
        behind = np.stack([problem.record_values(point - xi * frame[k], batch) for k in range(len(frame))])
        return (ahead - behind) / (2 * xi)

    def torch_slopes(self, problem: SomeProblem, point: Tensor, frame: Tensor, batch: Tensor) -> tuple[Tensor, Tensor]:
        """Mean clipped slopes (trials, K) and how many were clipped (trials, 1); point (trials, d), frame (trials, K,
        d), batch (trials, b) or None for all records."""
        slopes, bound = self._torch_record_slopes(problem, point, frame, batch), self.clip_norm
        clipped = (slopes.abs() > bound).sum(dim=(1, 2))[:, None]
        return slopes.clamp(-bound, bound).sum(dim=-1) / slopes.shape[-1], clipped

    def _torch_record_slopes(self, problem: SomeProblem, point: Tensor, frame: Tensor, batch: Tensor) -> Tensor:
        if self.kind == "directional derivative":
            return frame @ problem.record_gradients(point, batch).mT
        trials, count, dimension = frame.shape
        repeated = None if batch is None else batch.repeat_interleave(count, dim=0)

        def values(points: Tensor) -> Tensor:
            return problem.record_values(points.reshape(-1, dimension), repeated).reshape(trials, count, -1)

        xi, centre = self.perturbation, point[:, None, :]
        ahead = values(centre + xi * frame)
        if self.kind == "one-point":
            return ahead / xi
        if self.kind == "forward difference":
            return (ahead - problem.record_values(point, batch)[:, None, :]) / xi
        return (ahead - values(centre - xi * frame)) / (2 * xi)


class Asked(Protocol):
    """Parameters of a run that asks for slopes."""

    @property
    def start(self) -> tuple[float, ...]: ...

    @property
    def steps(self) -> int: ...

    @property
    def batches(self) -> Batches: ...

    @property
    def query(self) -> Query: ...

    @property
    def sampler(self) -> Directions: ...


Q = TypeVar("Q", bound=Asked)


class Queries(stepwise.Constants[Q]):
    """The torch form of what every step starts with: its frame and its slopes."""

    def __init__(self, params: Q, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.batches = TorchBatches(params.batches, stream.part("batches"), device)

    def frame(self, step: int, trials: Integers) -> Tensor:
        """The directions of the step, (trials, K, d)."""
        sampler = self.params.sampler
        normals = self.normals(trials, step, sampler.size, "directions")
        return sampler.torch_frame(normals.reshape(len(trials), sampler.count, sampler.dimension))

    def slopes(
        self, problem: SomeProblem, point: Tensor, frame: Tensor, step: int, trials: Integers
    ) -> tuple[Tensor, Tensor]:
        """Mean clipped slopes (trials, K) of a problem, and how many were clipped (trials, 1)."""
        whole = self.params.batches.kind == "all records"
        batch = None if whole else self.batches.draw(step, trials)[0]
        mean, clipped = self.params.query.torch_slopes(problem, point, frame, batch)
        return mean, clipped


class Machine(Queries[Q], stepwise.Machine[Q]):
    """A step adds what it does with them."""


def draw_frames(params: Asked, stream: Stream, trial: int) -> Array:
    """The normals behind the directions of every step, (T, K, d), from the part "directions" of the stream."""
    sampler = params.sampler
    rows = stepwise.normals(stream, trial, (params.steps, sampler.size), "directions")
    return rows.reshape(params.steps, sampler.count, sampler.dimension)


def asked(query: Query, dtype: str) -> Packed:
    """What kernels are handed of a query: its code, xi, Delta."""
    kind = np.dtype(dtype).type
    return query.code, kind(query.perturbation), kind(query.clip_norm)


def sizes(params: Asked) -> tuple[int, int]:
    """n, d."""
    return params.batches.records, len(params.start)


def check_run(params: Asked, domain: Domain) -> None:
    """Refuse a start outside of the domain, queries and directions that cannot be, and batches of other kinds than
    equations (1) and (64) have."""
    check_vector("start", params.start)
    check_choice("batches", params.batches.kind, ("all records", "without replacement"))
    _ = params.query, params.sampler  # their own checks run when they are made
    domain.check_dimension(len(params.start))
    point = np.array(params.start)
    moved = float(np.linalg.norm(domain.project(point) - point))
    if moved > 1e-12 * (1 + float(np.linalg.norm(point))):
        raise ConfigurationError(f"start must lie in the domain, it is {moved} away; project it first")


def keys(stream: Stream) -> tuple[int, ...]:
    """The keys of noise, directions and batches, for kernels."""
    return stream.keys("noise", "directions", "batches")
