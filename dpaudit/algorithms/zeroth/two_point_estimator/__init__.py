"""Zeroth-order estimates of a gradient at one point: the two-point estimator and its kin.

Source: Chien, Chen, Li (2025), equation (1), and (64) for batches. The paper names, without formulas, the other
estimators that its results extend to (zeroth/ALG-8); they are options here, in the same units: a slope along u,
clipped record by record, times u. The parameters that make it each of the spec's algorithms:

    zeroth/ALG-1    estimator "two-point", frame "independent", all records
    zeroth/ALG-1b   batches "without replacement"
    zeroth/ALG-8    one-point (Flaxman, Kalai, McMahan 2005; their factor d is `factor`), directional derivative
                    (Nesterov, Spokoiny 2017), forward difference; frame "Gaussian" (Tang et al. 2024)

For a linear loss with gradient g, a sphere and no clipping, the mean of an estimate is factor g/d; with Gaussian
directions it is factor g.

Shapes: d coordinates, n records, T estimates. A transcript has shape (T, 2 d): every estimate and its direction; the
output (d,) is the mean of the estimates. A batch of trials adds a first axis. State: the sum of the estimates, d.
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
from dpaudit.algorithms.zeroth.two_point_estimator import kernels
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import EVERYTHING
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.ranges import Count, Positive, check_fields
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

ALGORITHM = Algorithm(
    name="zeroth/ALG-1",
    title="two-point zeroth-order estimator",
    source="Chien, Chen, Li (2025), equations (1), (64)",
    pseudo_code=(
        "s_i = clip((l_i(w + xi u) - l_i(w - xi u))/(2 xi); Delta); return (1/b) sum over the batch of s_i, times u"
    ),
    options=(
        ("estimator", "two-point", "directional derivative, forward difference, one-point"),
        ("frame", "independent", "Gaussian: u from N(0, I); orthonormal: the same as independent for one direction"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
        ("batches.kind", "all records", "without replacement: the mini-batch version (64)"),
    ),
    released="the estimates and their directions; no noise, so no promise of privacy",
    cost="2 b values an estimate; b one-point; b gradients for the directional derivative",
    also=("zeroth/ALG-1b", "zeroth/ALG-8"),
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w, d finite numbers; estimates: T, each with a fresh direction and batch; batches: all records or a subset
    drawn without replacement; perturbation: xi, at least 0; clip_norm: Delta, above 0; estimator: see the module;
    frame: the law of u, a kind of `Directions`; factor: multiplies every estimate, above 0. Raises
    ConfigurationError.
    """

    start: tuple[float, ...]
    estimates: Count
    batches: Batches
    perturbation: float
    clip_norm: float
    estimator: str = "two-point"
    frame: str = "independent"
    factor: Positive = 1.0

    def __post_init__(self) -> None:
        check_fields(self)
        _zeroth.check_run(self, EVERYTHING)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query(self.estimator, self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of one direction."""
        return Directions(self.frame, 1, len(self.start))

    @property
    def steps(self) -> int:
        """T."""
        return self.estimates


class Draws(NamedTuple):
    """directions: standard normals behind u, (T, 1, d); batches: record numbers of every estimate."""

    directions: Array
    batches: tuple[Integers, ...]


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial, all of them behind directions."""
    return (params.estimates, len(params.start))


def promise(params: Params) -> None:
    """None: there is no noise; DPZero and Noisy-ZOGD add it."""


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """T times what one estimate costs."""
    return {name: params.estimates * number for name, number in params.query.calls(1, params.batches.size).items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Directions and batches of one trial for `reference`: from its parts of these names."""
    batches = params.batches.draw_all(stream.part("batches"), trial, params.estimates)
    return Draws(_zeroth.draw_frames(params, stream, trial), batches)


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Estimate t, added to the sum of those before; branch: how many slopes were clipped."""
    frame = params.sampler.frame(draw.directions)
    slopes, branches = params.query.slopes(problem, np.array(params.start), frame, draw.batches)
    estimate = params.factor * slopes[0] * frame[0]
    return Step(state + estimate, np.concatenate([estimate, frame[0]]), branches)


class _Torch(_zeroth.Machine[Params]):
    """One estimate of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        frame = self.frame(step, trials)
        point = self.tensor(self.params.start).expand(len(trials), -1)
        slopes, clipped = self.slopes(self.problem, point, frame, step, trials)
        estimate = self.params.factor * slopes * frame[:, 0]
        return state + estimate, self.torch.cat([estimate, frame[:, 0]], dim=1), clipped


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    numbers = np.dtype(dtype).type(params.factor), params.sampler.code
    query, data = _zeroth.asked(params.query, dtype), loss_kernels.arrays(problem, dtype)
    start, batches = np.array(params.start, dtype=dtype), batch_kernels.packed(params.batches)
    return _zeroth.keys(stream), numbers, start, query, batches, data


STEPWISE = stepwise.Stepwise(
    step,
    start=lambda params: np.zeros(len(params.start)),
    final=lambda params, state: state / params.estimates,
    columns=lambda params: 2 * len(params.start),
    sizes=_zeroth.sizes,
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
)

reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
