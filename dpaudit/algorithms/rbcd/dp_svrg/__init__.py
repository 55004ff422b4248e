"""DP-SVRG: proximal descent with variance-reduced, noisy gradients.

Source: Wang, Ye, Xu (2017), "Differentially Private Empirical Risk Minimization Revisited: Faster and More General",
algorithm 1; a row of table 1 of Maranjyan, Sadiev, Richtarik (2024) (rbcd/ALG-12). The absolute constant of its noise
is not specified there, so the noise is a parameter.

Shapes: d coordinates, n records, T epochs of m inner steps. A transcript has shape (T m, d): the noisy gradients;
the output w_T has shape (d,). A batch of trials adds a first axis. A state has 4 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.rbcd.dp_svrg import kernels
from dpaudit.algorithms.stepwise import Packed, Step, Tensor, Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.problems.prox import NOTHING, Regulariser
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Composed, Gaussian, Promise, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, NotNegative, Numbers, Positive, check_fields
from dpaudit.records.validation import check_noisy

ALGORITHM = Algorithm(
    name="rbcd/ALG-12",
    title="DP-SVRG: noisy variance-reduced proximal descent",
    source="Wang, Ye, Xu (2017), algorithm 1",
    pseudo_code=(
        "for s < T: a = w_s; v = grad f(a); x_0 = a; for t < m: i uniform on [n]; u ~ N(0, sigma^2 I); "
        "y = grad f_i(x_t) - grad f_i(a) + v + u; x_{t+1} = prox_{eta psi}(x_t - eta y); "
        "w_{s+1} = (x_1 + ... + x_m)/m; return w_T"
    ),
    options=(("regulariser.kind", "none", "l1: soft threshold; ridge; box: the coordinates stay in an interval"),),
    released="every y; all iterates follow from them; the drawn records stay hidden",
    cost="n T + 2 T m gradients",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; step_size: eta above 0; epochs: T, inner_steps: m, at least 1; noise: standard
    deviation sigma of every coordinate, at least 0; lipschitz: L above 0; records: n; regulariser: psi.
    Raises ConfigurationError.
    """

    start: Numbers
    step_size: Positive
    epochs: Count
    inner_steps: Count
    noise: NotNegative
    lipschitz: Positive
    records: Count
    regulariser: Regulariser = NOTHING

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def dimension(self) -> int:
        """d."""
        return len(self.start)

    @property
    def steps(self) -> int:
        """T m."""
        return self.epochs * self.inner_steps


class Draws(NamedTuple):
    """noise: standard normals, (T m, d); chosen: numbers of the drawn records, (T m,)."""

    noise: Array
    chosen: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T m, d): the normals of one trial."""
    return (params.steps, params.dimension)


def promise(params: Params) -> Promise:
    """Two mechanisms a step that share the noise: y is the sum of v + N(0, sigma^2/2 I), in which one replaced record
    moves 2 L/n, and of grad f_i(x) - grad f_i(a) + N(0, sigma^2/2 I), in which it moves 4 L if it is the drawn one.

    The sum follows from the pair, so that the composition bounds it. ConfigurationError without noise.
    """
    check_noisy(params.noise)
    half = params.noise / math.sqrt(2) / params.lipschitz
    drawn = WithReplacementSampled(1, params.records, Gaussian(half / 4))
    both = Composed((Gaussian(half * params.records / 2), drawn))
    source = "composition of the steps with the noise split in two equal parts, this package"
    return Promise(SelfComposed(both, params.steps), Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n gradients an epoch in one query, and 2 a step in two queries."""
    gradients = params.epochs * params.records + 2 * params.steps
    return {"gradients": gradients, "values": 0, "rounds": params.epochs + 2 * params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise and records of one trial for `reference`: from its parts "noise" and "batches"."""
    drawn = stepwise.uniforms(stream, trial, params.steps, "batches") * params.records
    return Draws(stepwise.normals(stream, trial, noise_shape(params)), drawn.astype(np.int64))


class State(NamedTuple):
    """x, the anchor, the gradient there, the sum of the epoch, (d,) each."""

    x: Vector
    anchor: Vector
    slope: Vector
    total: Vector


def step(params: Params, problem: Counted, state: Vector, t: int, draw: Draws) -> Step:
    """Inner step t mod m of epoch t // m; branch: the drawn record."""
    (x, anchor, v, total), i = stepwise.unpack(State, state), np.array([draw.chosen])
    if t % params.inner_steps == 0:
        anchor, v, total = x, problem.gradient(x), np.zeros_like(x)
    change = problem.record_gradients(x, i)[0] - problem.record_gradients(anchor, i)[0]
    y = change + v + params.noise * draw.noise
    x = params.regulariser.prox(x - params.step_size * y, params.step_size)
    total = total + x
    if (t + 1) % params.inner_steps == 0:
        x = total / params.inner_steps
    return Step(stepwise.pack(State(x, anchor, v, total)), y, ((int(draw.chosen), None),))


class _Torch(stepwise.Machine[Params]):
    """One inner step of all trials."""

    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        params, (x, anchor, v, total) = self.params, stepwise.unpack(State, state)
        if step % params.inner_steps == 0:
            anchor, v, total = x, self.problem.gradient(x), self.torch.zeros_like(x)
        i = self.picked(trials, step, params.records, "batches")
        change = (self.problem.record_gradients(x, i) - self.problem.record_gradients(anchor, i))[:, 0]
        y = change + v + params.noise * self.normals(trials, step, params.dimension)
        x = params.regulariser.torch_prox(x - params.step_size * y, params.step_size)
        total = total + x
        if (step + 1) % params.inner_steps == 0:
            x = total / params.inner_steps
        return self.pack(State(x, anchor, v, total)), y, i


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    kind, regulariser = np.dtype(dtype).type, params.regulariser
    keys = stream.keys("noise", "batches")
    sizes = (params.inner_steps, params.records, regulariser.code)
    numbers = (kind(params.step_size), kind(params.noise), kind(regulariser.strength), *sizes)
    return keys, numbers, loss_kernels.arrays(problem, dtype)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(3 * params.dimension)])


STEPWISE = stepwise.Stepwise(
    step,
    start=_start,
    final=lambda params, state: stepwise.unpack(State, state).x,
    columns=lambda params: params.dimension,
    sizes=lambda params: (params.records, params.dimension),
    kernels=kernels,
    packed=_packed,
    machine=_Torch,
    choices=lambda params: (0,),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_moves(params: Params, seen: Array) -> Array:
    """The two mechanisms of a step have half of the variance each; a record is in the first of every step."""
    half = params.noise / math.sqrt(2) / params.lipschitz
    mean, drawn = 1.0 / (half * params.records / 2), 1.0 / (half / 4)
    return np.asarray((mean + seen * drawn) / np.sqrt(2.0))


PRIVATE = ("slope",)
RECORDED = stepwise.Recorded(
    stepwise.same_noise, State, PRIVATE, used=lambda params, t, draw: np.array([draw.chosen]), moves=declared_moves
)
