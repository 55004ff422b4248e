"""DP-GD: noisy full gradient descent with diagonal step sizes, epochs and averages.

Source: Maranjyan, Sadiev, Richtarik (2024), what algorithm 1 is for S = [d] (rbcd/ALG-10).

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, d): the noisy gradients;
the output w^T has shape (d,). A batch of trials adds a first axis. A state has 2 d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted, SomeProblem
from dpaudit.algorithms.rbcd.dp_gd import kernels
from dpaudit.algorithms.rbcd.epochs import Epochs, State, first_state, output
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Positive
from dpaudit.records.validation import check_noisy

ALGORITHM = Algorithm(
    name="rbcd/ALG-10",
    title="DP-GD: noisy full gradient descent",
    source="Maranjyan, Sadiev, Richtarik (2024), algorithm 1 with S = [d]",
    pseudo_code=(
        "for t < T: theta^0 = w^t; for k < K: eta ~ N(0, sigma^2 I); "
        "theta^{k+1} = theta^k - Gamma (grad f(theta^k) + eta); w^{t+1} = (theta^1 + ... + theta^K)/K; return w^T"
    ),
    options=(),
    released="the noisy gradients; all iterates follow from them",
    cost="n gradients in each of T K rounds",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params(Epochs):
    """Everything public about a run.

    start: w^0, d finite numbers; step_sizes: gamma_j above 0; epochs: T, inner_steps: K, at least 1; noise: standard
    deviation sigma of every coordinate, at least 0; lipschitz: L above 0; records: n. Raises ConfigurationError.
    """

    noise: NotNegative
    lipschitz: Positive
    records: Count


class Draws(NamedTuple):
    """noise: standard normals, (T K, d)."""

    noise: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, d): the normals of one trial."""
    return (params.steps, params.dimension)


def promise(params: Params) -> Promise:
    """T K Gaussian mechanisms of sensitivity 2 L/n (replace one record). ConfigurationError without noise."""
    check_noisy(params.noise)
    multiplier = params.noise * params.records / (2 * params.lipschitz)
    mechanism = SelfComposed(Gaussian(multiplier), params.steps)
    source = "Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, its steps composed exactly"
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n gradients in each of T K rounds."""
    return {"gradients": params.records * params.steps, "values": 0, "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`: from its part "noise"."""
    return Draws(stepwise.normals(stream, trial, noise_shape(params)))


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Inner step k = t mod K of epoch t // K."""
    theta, total = stepwise.unpack(State, state)
    y = problem.gradient(theta) + params.noise * draw.noise
    theta = theta - np.array(params.step_sizes) * y
    total = theta if t % params.inner_steps == 0 else total + theta
    if (t + 1) % params.inner_steps == 0:
        theta = total / params.inner_steps
    return Step(stepwise.pack(State(theta, total)), y)


class _Torch(stepwise.Machine[Params]):
    """The constants of a run as tensors, and one inner step of all trials."""

    def __init__(self, params: Params, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(params, problem, stream, device, dtype)
        self.step_sizes = self.tensor(params.step_sizes)

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (theta, total) = self.params, stepwise.unpack(State, state)
        y = self.problem.gradient(theta) + params.noise * self.normals(trials, step, params.dimension)
        theta = theta - self.step_sizes * y
        total = theta if step % params.inner_steps == 0 else total + theta
        if (step + 1) % params.inner_steps == 0:
            theta = total / params.inner_steps
        return self.pack(State(theta, total)), y, self.no_branches(len(trials))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    numbers = (np.array(params.step_sizes, dtype=dtype), np.dtype(dtype).type(params.noise), params.inner_steps)
    return stream.part("noise").key, numbers, loss_kernels.arrays(problem, dtype)


STEPWISE = stepwise.Stepwise(
    step,
    start=first_state,
    final=output,
    columns=lambda params: params.dimension,
    sizes=lambda params: (params.records, params.dimension),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


RECORDED = stepwise.Recorded(stepwise.same_noise)
