"""DP-SGD: noisy projected gradient descent on batches, with or without clipping.

Source: Bassily, Smith, Thakurta (2014), algorithm 1; Abadi et al. (2016), algorithm 1. Four of the five papers have it
as background or baseline; the parameters that make it each of theirs:

    srgd/ALG-6      batches "all records" or "in order", clip_norm = L
    rbcd/ALG-11     batches "with replacement" of size 1, no clipping, step sizes c/sqrt(t) or c/t, a bounded domain
    srm/ALG-B1      DP-GD (Wang, Ye, Xu 2017): batches "all records"; their output is a uniformly drawn iterate
    srm/ALG-B4      batches "Poisson", clip_norm; the divisor is the expected batch size
    srm/ALG-B6      noise = 0: projected stochastic gradient descent (also the baseline B-SGD of resque)

Shapes: d coordinates, n records, T steps. A transcript has shape (T, d): the noisy gradients; the output has
shape (d,). A batch of trials adds a first axis. A state has 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.srgd.dp_sgd import kernels
from dpaudit.algorithms.stepwise import Branches, Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain, torch_clip
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, Mechanism, PoissonSampled, Promise, SelfComposed
from dpaudit.records.mechanism import WithReplacementSampled as WithReplacement
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import NotNegative, Numbers, OneOf, Positive, PositiveNumbers, check_fields
from dpaudit.records.validation import check_noisy
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches, TorchBatches

OUTPUTS = ("last", "mean", "uniform")

ALGORITHM = Algorithm(
    name="srgd/ALG-6",
    title="DP-SGD: noisy projected gradient descent on batches",
    source="Bassily, Smith, Thakurta (2014), algorithm 1; Abadi et al. (2016), algorithm 1",
    pseudo_code=(
        "for t < T: draw batch_t; g = (1/b) sum over batch_t of clip(grad f(w_t; d), C); y_t = g + N(0, s^2 I); "
        "w_{t+1} = Pi(w_t - eta_t y_t); return w_T, the mean of w_1, ..., w_T, or w_J with J uniform on 0, ..., T - 1"
    ),
    options=(
        ("output", "last", "mean: of w_1, ..., w_T; uniform: w_J, J uniform on 0, ..., T - 1"),
        ("batches.kind", "all records", "without replacement, with replacement, Poisson, in order"),
    ),
    released="every noisy gradient y_t, and with them all iterates; the batches stay hidden",
    cost="T b gradients (the sum of the drawn sizes for Poisson batches) in T rounds",
    also=("rbcd/ALG-11", "srm/ALG-B1", "srm/ALG-B4", "srm/ALG-B6", "resque/B-SGD"),
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; step_sizes: eta_t above 0, one a step; batches: how they are drawn; noise: s,
    standard deviation of every coordinate of y_t, at least 0; lipschitz: L, a bound on |grad f(w; d)| before
    clipping, above 0, used only for the promise; clip_norm: C above 0 or None; domain: where iterates are projected;
    output: "last", "mean" or "uniform". Raises ConfigurationError.
    """

    start: Numbers
    step_sizes: PositiveNumbers
    batches: Batches
    noise: NotNegative
    lipschitz: Positive
    clip_norm: Positive | None = None
    domain: Domain = EVERYTHING
    output: Annotated[str, OneOf(OUTPUTS)] = "last"

    def __post_init__(self) -> None:
        check_fields(self)
        self.batches.check_steps(self.steps)
        self.domain.check_dimension(len(self.start))

    @property
    def steps(self) -> int:
        """T."""
        return len(self.step_sizes)

    @property
    def sensitivity(self) -> float:
        """C/b, or L/b without clipping: what one record adds to the mean gradient."""
        return (self.lipschitz if self.clip_norm is None else self.clip_norm) / self.batches.size


class Draws(NamedTuple):
    """noise: standard normals, (T, d); batches: record numbers of every step; output: J."""

    noise: Array
    batches: tuple[Integers, ...]
    output: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, len(params.start))


def promise(params: Params) -> Promise:
    """What the transcript promises; one record changes the mean gradient by C/b when it is zeroed out or
    added (Poisson), by 2 C/b when it is replaced.

    Zero-out for all records and one pass (one step sees the record), add-or-remove for Poisson batches, replace-one
    for random subsets and draws with replacement. Raises ConfigurationError without noise.
    """
    check_noisy(params.noise)
    multiplier, batches = params.noise / params.sensitivity, params.batches
    once: Mechanism = Gaussian(multiplier)
    neighbours = Neighbours.ZERO_OUT
    if batches.kind == "Poisson":
        once, neighbours = PoissonSampled(batches.rate, once), Neighbours.ADD_OR_REMOVE
    elif batches.kind == "without replacement":
        once = FixedSizeSampled(batches.size, batches.records, Gaussian(multiplier / 2))
        neighbours = Neighbours.REPLACE_ONE
    elif batches.kind == "with replacement":
        once = WithReplacement(batches.size, batches.records, Gaussian(multiplier / 2))
        neighbours = Neighbours.REPLACE_ONE
    whole = once if batches.kind == "in order" else SelfComposed(once, params.steps)
    return Promise(whole, neighbours, View.TRANSCRIPT, "composition of the steps, Dong, Roth, Su (2022)")


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """T rounds with one gradient for each record of the batch."""
    return {"gradients": sum(map(len, draws.batches)), "values": 0, "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, batches and output of one trial for `reference`: from the parts of its stream of these names."""
    batches = params.batches.draw_all(stream.part("batches"), trial, params.steps)
    noise = stepwise.normals(stream, trial, noise_shape(params))
    return Draws(noise, batches, stepwise.picked(stream, trial, params.steps))


class State(NamedTuple):
    """w, the sum of the iterates w_1, ..., and the drawn iterate, (d,) each."""

    w: Vector
    total: Vector
    drawn: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed; branch: how many were clipped."""
    w, total, drawn = stepwise.unpack(State, state)
    gradients = problem.record_gradients(w, draw.batches)
    branches: Branches = ()
    if params.clip_norm is not None:
        lengths = np.linalg.norm(gradients, axis=-1)
        gradients = gradients * (params.clip_norm / np.maximum(lengths, params.clip_norm))[:, None]
        branches = ((int((lengths > params.clip_norm).sum()), _closest(lengths, params.clip_norm)),)
    y = gradients.sum(axis=0) / params.batches.size + params.noise * draw.noise
    after = params.domain.project(w - params.step_sizes[t] * y)
    return Step(stepwise.pack(State(after, total + after, w if t == draw.output else drawn)), y, branches)


def _closest(lengths: Vector, clip_norm: float) -> Vector:
    """The distance of the gradient that is nearest to being clipped differently; None for an empty batch."""
    if not len(lengths):
        return None
    margins = lengths - clip_norm
    return margins[int(np.argmin(np.abs(margins)))]


class _Torch(stepwise.Machine[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.batches = TorchBatches(params.batches, stream.part("batches"), device)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (w, total, drawn) = self.params, stepwise.unpack(State, state)
        drawn = self.torch.where(self.picked(trials, 0, params.steps, "output") == step, w, drawn)
        mean, branches = self.mean_gradient(w, step, trials)
        y = mean + params.noise * self.normals(trials, step, w.shape[1])
        w = params.domain.torch_project(w - params.step_sizes[step] * y)
        return self.pack(State(w, total + w, drawn)), y, branches

    def mean_gradient(self, w: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor]:
        """The mean of the clipped gradients of the batch, (trials, d), and how many were clipped."""
        params = self.params
        if params.clip_norm is None and params.batches.kind == "all records":
            return self.problem.gradient(w), self.no_branches(len(w))
        batch, counted = self.batches.draw(step, trials)
        gradients = self.problem.record_gradients(w, batch) * counted[:, :, None]
        if params.clip_norm is None:
            return gradients.sum(dim=1) / params.batches.size, self.no_branches(len(w))
        clipped = (gradients.square().sum(dim=2).sqrt() > params.clip_norm).sum(dim=1, keepdim=True)
        return torch_clip(gradients, params.clip_norm).sum(dim=1) / params.batches.size, clipped


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("noise", "batches", "output")
    kind = np.dtype(dtype).type
    clip_norm = kind(math.inf if params.clip_norm is None else params.clip_norm)
    whole = params.batches.kind == "all records" and params.clip_norm is None
    numbers = (np.array(params.step_sizes, dtype=dtype), kind(params.noise), clip_norm, whole, params.batches.width)
    batches, domain = batch_kernels.packed(params.batches), domain_kernels.packed(params.domain, dtype)
    return keys, numbers, batches, domain, loss_kernels.arrays(problem, dtype)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(2 * len(params.start))])


def _final(params: Params, state: Vector) -> Vector:
    w, total, drawn = stepwise.unpack(State, state)
    return {"last": w, "mean": total / params.steps, "uniform": drawn}[params.output]


STEPWISE = stepwise.Stepwise(
    step,
    start=_start,
    final=_final,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.batches.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: () if params.clip_norm is None else (0,),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


RECORDED = stepwise.Recorded(
    stepwise.same_noise,
    used=lambda params, t, draw: draw.batches,
    drawn="batches",
    batches=lambda params, t: params.batches,
)
