"""SkGD: sketched gradient descent with a random set of coordinates, without noise.

Source: Safaryan, Hanzely, Richtarik (2021), the sketch being unbiased and diagonal; the non-private baseline of
Maranjyan, Sadiev, Richtarik (2024) (rbcd/ALG-8), with their diagonal step sizes.

Shapes: d coordinates, n records, T steps. A transcript has shape (T, d): the iterates; the output
theta^T has shape (d,). A batch of trials adds a first axis. State: theta, d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.rbcd.skgd import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.ranges import Count, check_fields
from dpaudit.records.validation import check_vector
from dpaudit.sampling.coordinates import Sampler

ALGORITHM = Algorithm(
    name="rbcd/ALG-8",
    title="SkGD: sketched gradient descent",
    source="Safaryan, Hanzely, Richtarik (2021), as in Maranjyan, Sadiev, Richtarik (2024)",
    pseudo_code="for t < T: draw S, C = I_S P^-1; theta^{t+1} = theta^t - Gamma C grad f(theta^t); return theta^T",
    options=(),
    released="nothing is private",
    cost="n |S| partial derivatives a step",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """start: theta^0, d finite numbers; step_sizes: gamma_j above 0; steps: T, at least 1; sampler: of sets of the d
    coordinates; records: n. Raises ConfigurationError."""

    start: tuple[float, ...]
    step_sizes: tuple[float, ...]
    steps: Count
    sampler: Sampler
    records: Count

    def __post_init__(self) -> None:
        check_fields(self)
        check_vector("start", self.start, self.sampler.dimension)
        check_vector("step_sizes", self.step_sizes, self.sampler.dimension, above=0.0)

    @cached_property
    def rates(self) -> Array:
        """gamma_j/p_j, shape (d,)."""
        return np.array(self.step_sizes) / self.sampler.inclusion


class Draws(NamedTuple):
    """sets: numbers of the drawn sets, (T,)."""

    sets: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, 1): the uniforms of one trial; there is no noise."""
    return (params.steps, 1)


def promise(params: Params) -> None:
    """None: nothing is random but the sets."""


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n |S| partial derivatives in each of T rounds."""
    sizes = params.sampler.sizes[draws.sets]
    return {"partial derivatives": params.records * int(sizes.sum()), "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """The sets of one trial for `reference`: from its part "sets"."""
    return Draws(params.sampler.draw(stepwise.uniforms(stream, trial, params.steps, "sets")))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """One step; branch: the drawn set."""
    s, moved = list(params.sampler.sets[draw.sets]), state.copy()
    moved[s] = state[s] - params.rates[s] * problem.partial(state, s)
    return Step(moved, moved, ((int(draw.sets), None),))


class _Torch(stepwise.Machine[Params]):
    """The constants of a run as tensors, and one step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        sampler, self.rates = params.sampler, self.tensor(params.rates)
        self.cumulative = self.torch.tensor(sampler.cumulative, device=device)
        inside = np.zeros((len(sampler.sets), sampler.dimension), dtype=bool)
        for row, chosen in zip(inside, sampler.sets, strict=True):
            row[list(chosen)] = True
        self.inside = self.torch.tensor(inside, device=device)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        number = self.torch.searchsorted(self.cumulative, self.uniforms(trials, step, "sets"), right=True)
        moved = state - self.rates * self.problem.gradient(state)
        state = self.torch.where(self.inside[number[:, 0]], moved, state)
        return state, state, number


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    sampler = params.sampler
    sets = (sampler.cumulative, sampler.members, sampler.sizes, params.rates.astype(dtype))
    return stream.part("sets").key, sets, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.records, params.sampler.dimension),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
    kinds=("partial derivatives", "rounds"),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu

NOT_RECORDED = "adds no privacy noise and promises nothing"
