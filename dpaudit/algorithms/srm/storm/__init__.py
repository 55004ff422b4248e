"""STORM: recursive momentum with a rate and a momentum that adapt to the gradients seen; not private.

Source: Cutkosky and Orabona (2019), "Momentum-Based Variance Reduction in Non-Convex SGD", Algorithm 1: the
non-private baseline of Wang, Jayaraman, Evans, Gu (2023). With a momentum and a rate that hardly change (k and w
large) it is DP-SRM without noise, which `dp_srm.reductions` checks.

Shapes: d coordinates, n records, T estimates. A transcript has shape (T, d): the estimates d_t. The output has shape
(d,). A batch of trials adds a first axis. A state has 4 d + 2 numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.srm.storm import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import Count, Numbers, Positive, check_fields
from dpaudit.records.validation import check_choice
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches, TorchBatches

ALGORITHM = Algorithm(
    name="srm/ALG-B5",
    title="STORM: stochastic recursive momentum with an adaptive schedule",
    source="Cutkosky and Orabona (2019), Algorithm 1",
    pseudo_code=(
        "d_1 = grad f(x_1; xi_1); for t = 1..T: G_t = |grad f(x_t; xi_t)|; eta_t = k/(w + sum_{i<=t} G_i^2)^{1/3}; "
        "x_{t+1} = x_t - eta_t d_t; a_{t+1} = c eta_t^2; "
        "d_{t+1} = grad f(x_{t+1}; xi_{t+1}) + (1 - a_{t+1})(d_t - grad f(x_t; xi_{t+1})); "
        "return x_j, j uniform on 1..T"
    ),
    options=(("batches.kind", "with replacement, size 1", "any kind and size of fixed size"),),
    released="nothing is private: the data decide every d_t without noise",
    cost="b + 2 b (T - 1) gradients of a record",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: x_1, d finite numbers; steps: T; batches: how xi_t is drawn, of fixed size; rate_factor: k, offset: w,
    momentum_factor: c, all above 0, with c k^2 <= w^(2/3), so that no momentum a_t exceeds 1. Raises
    ConfigurationError.
    """

    start: Numbers
    steps: Count
    batches: Batches
    rate_factor: Positive
    offset: Positive
    momentum_factor: Positive

    def __post_init__(self) -> None:
        check_fields(self)
        check_choice("batches.kind", self.batches.kind, ("with replacement", "without replacement", "all records"))
        most = (math.cbrt(self.offset) / self.rate_factor) ** 2
        if self.momentum_factor > most:
            raise ConfigurationError(
                f"momentum_factor must be at most w^(2/3)/k^2 = {most:.6g}, so that a_t <= 1, "
                f"got {self.momentum_factor}; lower it or raise offset"
            )


class Draws(NamedTuple):
    """batches: record numbers of every step; output: j, from 0."""

    batches: tuple[Integers, ...]
    output: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(): there is no noise."""
    return ()


def promise(params: Params) -> Promise | None:
    """None: STORM adds no noise and promises no privacy."""
    return None


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """b + 2 b (T - 1) gradients of a record: both points of a step see the same batch."""
    return {"gradients": params.batches.size * (2 * params.steps - 1)}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Batches and output of one trial for `reference`: from the parts of its stream of these names."""
    batches = params.batches.draw_all(stream.part("batches"), trial, params.steps)
    return Draws(batches, stepwise.picked(stream, trial, params.steps))


class State(NamedTuple):
    """x_{t-1}, x_t, d_{t-1} and the drawn iterate, (d,) each; then two numbers: a_t, and the sum of squared norms."""

    previous: Vector
    x: Vector
    estimate: Vector
    drawn: Vector
    momentum: Vector
    total: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t, from 0."""
    previous, x, estimate, drawn, momentum, total = stepwise.unpack(State, state, numbers=2)
    gradient = problem.record_gradients(x, draw.batches).mean(axis=0)
    if t:
        old = problem.record_gradients(previous, draw.batches).mean(axis=0)
        estimate = gradient + (1 - momentum[0]) * (estimate - old)
    else:
        estimate = gradient
    seen = total[0] + np.sum(gradient**2)
    eta = params.rate_factor * np.exp(np.log(params.offset + seen) / -3)  # -3: exact, as 1/3 is not
    kept, momentum = x if t == draw.output else drawn, params.momentum_factor * eta**2
    after = State(x, x - eta * estimate, estimate, kept, np.stack([momentum]), np.stack([seen]))
    return Step(stepwise.pack(after), estimate)


class _Torch(stepwise.Machine[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.batches = TorchBatches(params.batches, stream.part("batches"), device)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params = self.params
        previous, x, estimate, drawn, momentum, total = stepwise.unpack(State, state, numbers=2)
        drawn = self.torch.where(self.picked(trials, 0, params.steps, "output") == step, x, drawn)
        batch, _ = self.batches.draw(step, trials)
        gradient = self.problem.batch_gradient(x, batch)
        if step:
            estimate = gradient + (1 - momentum) * (estimate - self.problem.batch_gradient(previous, batch))
        else:
            estimate = gradient
        total = total + gradient.square().sum(dim=1, keepdim=True)
        eta = params.rate_factor * ((params.offset + total).log() / -3).exp()
        after = State(x, x - eta * estimate, estimate, drawn, params.momentum_factor * eta.square(), total)
        return self.pack(after), estimate, self.no_branches(len(x))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("batches", "output")
    kind = np.dtype(dtype).type
    numbers = tuple(kind(x) for x in (params.rate_factor, params.offset, params.momentum_factor))
    return keys, params.steps, numbers, batch_kernels.packed(params.batches), loss_kernels.arrays(problem, dtype)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, params.start, np.zeros(2 * len(params.start) + 2)])


STEPWISE = stepwise.Stepwise(
    step,
    start=_start,
    final=lambda params, state: stepwise.unpack(State, state, numbers=2).drawn,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.batches.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    kinds=("gradients",),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
