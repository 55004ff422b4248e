"""RRPSGD: private stochastic gradient descent on single records, stopped at a random round.

Source: Zhang, Zheng, Mou, Wang (2017), "Efficient Private ERM for Smooth Objectives", the algorithm for nonconvex
objectives; a baseline of Wang, Jayaraman, Evans, Gu (2023). The law of the round, which the specification leaves open,
is that of Ghadimi and Lan (2013), (2.3), unless another is named; the paper takes T = n^2 rounds.

Shapes: d coordinates, n records, T rounds, of which at most T - 1 make a step. A transcript has shape (T - 1, d): the
noisy gradients, 0 after the stop. The output theta^R has shape (d,). A batch of trials adds a first axis. State:
theta^t, d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.srm.rrpsgd import kernels
from dpaudit.algorithms.stepwise import Branches, Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import clip, torch_clip
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Numbers, OneOf, Positive, PositiveNumbers, check_fields
from dpaudit.records.validation import check_count, check_noisy, check_number
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches, TorchBatches

LAWS = ("2 eta - L eta^2", "eta", "uniform")

ALGORITHM = Algorithm(
    name="srm/ALG-B3",
    title="RRPSGD: random round private stochastic gradient descent",
    source="Zhang, Zheng, Mou, Wang (2017), random round private SGD",
    pseudo_code=(
        "draw R from 1..T; for t = 1..R-1: draw i uniformly; y_t = grad f_i(theta^t) + N(0, sigma^2 I); "
        "theta^{t+1} = theta^t - eta_t y_t; return theta^R"
    ),
    options=(
        ("round_law", "2 eta - L eta^2", "eta: weights eta_t; uniform: all rounds alike"),
        ("noise", "any", "printed_noise: 4 G sqrt(3 log(n/delta) log(2/delta))/epsilon"),
        ("clip_norm", "None: the gradients are bounded by G", "a number: every gradient is clipped to it"),
    ),
    released="theta^R; the promise covers every noisy gradient up to round R",
    cost="R - 1 gradients of a record",
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: theta^1, d finite numbers; step_sizes: eta_1, ..., eta_T above 0, two or more; records: n; noise: sigma,
    a standard deviation, at least 0; lipschitz: G, a bound on the gradients; smoothness: L, above 0, for the law "2 eta
    - L eta^2", which needs every eta_t below 2/L; clip_norm: above 0 or None; round_law: weights of the rounds.
    Raises ConfigurationError.
    """

    start: Numbers
    step_sizes: PositiveNumbers
    records: Count
    noise: NotNegative
    lipschitz: Positive
    smoothness: Positive
    clip_norm: Positive | None = None
    round_law: Annotated[str, OneOf(LAWS)] = "2 eta - L eta^2"

    def __post_init__(self) -> None:
        check_fields(self)
        if len(self.step_sizes) < 2:
            raise ConfigurationError("step_sizes must have two or more numbers: one round makes no step")
        if self.round_law == LAWS[0] and not max(self.step_sizes) * self.smoothness < 2:
            raise ConfigurationError(
                f"step_sizes must be below 2/L = {2 / self.smoothness:.6g} for the round_law {LAWS[0]!r}, "
                f"got {max(self.step_sizes)}"
            )

    @property
    def steps(self) -> int:
        """T - 1: the most steps that a run makes."""
        return len(self.step_sizes) - 1

    @property
    def batches(self) -> Batches:
        """One uniform record a step."""
        return Batches("with replacement", self.records, 1)

    @cached_property
    def round_law_sums(self) -> Array:
        """P(R <= 1), ..., P(R <= T - 1), shape (T - 1,)."""
        eta = np.array(self.step_sizes)
        weights = {LAWS[0]: 2 * eta - self.smoothness * eta**2, LAWS[1]: eta, LAWS[2]: np.ones(len(eta))}
        sums = np.cumsum(weights[self.round_law])
        return np.asarray(sums[:-1] / sums[-1])


class Draws(NamedTuple):
    """noise: standard normals, (T - 1, d); records: one number a step, each of shape (1,); steps: R - 1."""

    noise: Array
    records: tuple[Integers, ...]
    steps: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T - 1, d): the normals of one trial."""
    return (params.steps, len(params.start))


def promise(params: Params) -> Promise:
    """What theta^R promises when one record is replaced, and every noisy gradient up to round R with it.

    R does not see the data, so that a run is a mixture of compositions of at most T - 1 steps, none of which is less
    private than T - 1 steps. Raises ConfigurationError without noise.
    """
    check_noisy(params.noise)
    largest = params.lipschitz if params.clip_norm is None else params.clip_norm
    once = WithReplacementSampled(1, params.records, Gaussian(params.noise / (2 * largest)))
    return Promise(
        SelfComposed(once, params.steps),
        Neighbours.REPLACE_ONE,
        View.TRANSCRIPT,
        "Dong, Roth, Su (2022), composition of the sampled steps in the place of the paper's constant",
    )


def printed_noise(lipschitz: float, records: int, epsilon: float, delta: float) -> float:
    """sigma = 4 G sqrt(3 log(n/delta) log(2/delta))/epsilon, printed for (epsilon, delta)-DP of T = n^2 rounds.

    What it promises is `promise` of the parameters that carry it: far less than epsilon is spent.
    """
    check_number("lipschitz", lipschitz, above=0.0)
    check_count("records", records)
    check_number("epsilon", epsilon, above=0.0)
    if not 0 < check_number("delta", delta) < 1:
        raise ConfigurationError(f"delta must be in (0, 1), got {delta}")
    return 4 * lipschitz * math.sqrt(3 * math.log(records / delta) * math.log(2 / delta)) / epsilon


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """R - 1 gradients of a record."""
    return {"gradients": draws.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, records and round of one trial for `reference`, from its parts "noise", "batches", "output"."""
    made = int((params.round_law_sums <= stepwise.uniforms(stream, trial, 1, "output")[0]).sum())
    records = params.batches.draw_all(stream.part("batches"), trial, params.steps)
    return Draws(stepwise.normals(stream, trial, noise_shape(params)), records, made)


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Step t, from 0, of the algorithm as printed, nothing after the stop; branch: whether the gradient was clipped."""
    if t >= draw.steps:
        return Step(state, np.zeros(len(params.start)), () if params.clip_norm is None else ((0, None),))
    gradient = problem.record_gradients(state, draw.records)[0]
    ways: Branches = ()
    if params.clip_norm is not None:
        margin = np.linalg.norm(gradient) - params.clip_norm
        ways, gradient = ((int(margin > 0), margin),), clip(gradient, params.clip_norm)
    y = gradient + params.noise * draw.noise
    return Step(state - params.step_sizes[t] * y, y, ways)


class _Torch(stepwise.Machine[Params]):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.batches = TorchBatches(params.batches, stream.part("batches"), device)
        self.sums = self.torch.tensor(params.round_law_sums, device=device)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, torch = self.params, self.torch
        goes_on = (self.sums <= self.uniforms(trials, 0, "output")).sum(dim=1, keepdim=True) > step
        batch, _ = self.batches.draw(step, trials)
        gradient = self.problem.record_gradients(state, batch)[:, 0]
        ways = self.no_branches(len(state))
        if params.clip_norm is not None:
            long = gradient.square().sum(dim=1, keepdim=True).sqrt() > params.clip_norm
            ways, gradient = (long & goes_on).to(torch.int64), torch_clip(gradient, params.clip_norm)
        y = torch.where(goes_on, gradient + params.noise * self.normals(trials, step, state.shape[1]), 0.0)
        return state - params.step_sizes[step] * y, y, ways


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("noise", "batches", "output")
    kind = np.dtype(dtype).type
    numbers = (np.array(params.step_sizes, dtype=dtype), kind(params.noise), kind(params.clip_norm or math.inf))
    batches = batch_kernels.packed(params.batches)
    return keys, params.round_law_sums, numbers, batches, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: () if params.clip_norm is None else (0,),
    kinds=("gradients",),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


RECORDED = stepwise.Recorded(
    stepwise.same_noise,
    used=lambda params, t, draw: draw.records,
    drawn="records",
    batches=lambda params, t: params.batches,
    steps=lambda draws: draws.steps,
)
