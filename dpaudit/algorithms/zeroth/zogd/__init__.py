"""ZOGD: zeroth-order gradient descent without noise, the baseline that DPZero and Noisy-ZOGD make private.

Source: Chien, Chen, Li (2025), equation (1). The paper leaves the law of the directions open ("isotropic"); here they
are independent on the sphere (default), orthonormal, or Gaussian.

Shapes: d coordinates, n records, K directions, T steps. A transcript has shape (T, d + K d): every iterate w_{t+1} and
the rows of the frame that led to it. The output w_T has shape (d,). A batch of trials adds a first
axis. State: w, d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.zogd import kernels
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.ranges import Count, Positive, check_fields
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

ALGORITHM = Algorithm(
    name="zeroth/ALG-2",
    title="ZOGD: zeroth-order gradient descent",
    source="Chien, Chen, Li (2025), equation (1)",
    pseudo_code="for t < T: draw u_1, ..., u_K; w_{t+1} = Pi(w_t - (eta/K) sum_k ghat(w_t; u_k)); return w_T",
    options=(
        ("frame", "independent", "orthonormal; Gaussian"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
    ),
    released="iterates and directions; no noise, so no promise of privacy",
    cost="2 n K T values; n T gradients for perturbation 0",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0 in the domain, d finite numbers; steps: T; records: n; directions: K, at most d where orthonormal;
    step_size: eta, above 0; perturbation: xi, at least 0; clip_norm: Delta, above 0; domain: where iterates are
    projected; frame: the law of the directions. Raises ConfigurationError.
    """

    start: tuple[float, ...]
    steps: Count
    records: Count
    directions: int
    step_size: Positive
    perturbation: float
    clip_norm: float
    domain: Domain = EVERYTHING
    frame: str = "independent"

    def __post_init__(self) -> None:
        check_fields(self)
        _zeroth.check_run(self, self.domain)

    @property
    def batches(self) -> Batches:
        """All records, every step."""
        return Batches("all records", self.records, self.records)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query("two-point", self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of a frame."""
        return Directions(self.frame, self.directions, len(self.start))


class Draws(NamedTuple):
    """directions: standard normals behind the frames, (T, K, d)."""

    directions: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, K, d): the normals of one trial, all of them behind directions."""
    return (params.steps, params.directions, len(params.start))


def promise(params: Params) -> None:
    """None: there is no noise; DPZero and Noisy-ZOGD add it."""


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """2 n K T values, or n T gradients."""
    return {name: params.steps * size for name, size in params.query.calls(params.directions, params.records).items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Directions of one trial for `reference`: from its part "directions"."""
    return Draws(_zeroth.draw_frames(params, stream, trial))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed; branch: how many slopes were clipped."""
    frame = params.sampler.frame(draw.directions)
    slopes, branches = params.query.slopes(problem, state, frame, np.arange(params.records))
    after = params.domain.project(state - params.step_size / params.directions * (slopes @ frame))
    return Step(after, np.concatenate([after, frame.reshape(-1)]), branches)


class _Torch(_zeroth.Machine[Params]):
    """One step of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, frame = self.params, self.frame(step, trials)
        slopes, clipped = self.slopes(self.problem, state, frame, step, trials)
        drift = (slopes[:, None, :] @ frame)[:, 0]
        after = params.domain.torch_project(state - params.step_size / params.directions * drift)
        return after, self.torch.cat([after, frame.flatten(1)], dim=1), clipped


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    pace, every = np.dtype(dtype).type(params.step_size / params.directions), np.arange(params.records)
    numbers = params.directions, pace, params.sampler.code
    domain, data = domain_kernels.packed(params.domain, dtype), loss_kernels.arrays(problem, dtype)
    return _zeroth.keys(stream), numbers, every, _zeroth.asked(params.query, dtype), domain, data


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: len(params.start) + params.sampler.size,
    sizes=_zeroth.sizes,
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
)

reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
