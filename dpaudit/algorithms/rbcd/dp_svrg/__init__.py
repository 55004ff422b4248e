"""DP-SVRG: proximal descent with variance-reduced, noisy gradients.

Source: Wang, Ye, Xu (2017), "Differentially Private Empirical Risk Minimization Revisited: Faster and More General",
algorithm 1; a row of table 1 of Maranjyan, Sadiev, Richtarik (2024) (rbcd/ALG-12). The absolute constant of its noise
is not specified there, so the noise is a parameter.

Shapes: d coordinates, n records, T epochs of m inner steps. A transcript has shape (T m, d): the noisy gradients. A
batch of trials adds a first axis. State of a step: (x, anchor, gradient at the anchor, sum of the epoch), 4 d.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.rbcd.dp_svrg import kernels
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.problems.prox import NOTHING, Regulariser
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, Gaussian, Promise, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice, check_count, check_number, check_vector

__all__ = [
    "ALGORITHM",
    "Draws",
    "Params",
    "advance_cpu",
    "advance_gpu",
    "calls",
    "check_inputs",
    "cpu",
    "draw_inputs",
    "gpu",
    "noise_shape",
    "promise",
    "reference",
    "step",
]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

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
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; step_size: eta above 0; epochs: T, inner_steps: m, at least 1; noise: standard
    deviation sigma of every coordinate, at least 0; lipschitz: L above 0; records: n; regulariser: psi.
    Raises ConfigurationError.
    """

    start: tuple[float, ...]
    step_size: float
    epochs: int
    inner_steps: int
    noise: float
    lipschitz: float
    records: int
    regulariser: Regulariser = NOTHING

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_number("step_size", self.step_size, above=0.0)
        check_count("epochs", self.epochs)
        check_count("inner_steps", self.inner_steps)
        check_number("noise", self.noise, least=0.0)
        check_number("lipschitz", self.lipschitz, above=0.0)
        check_count("records", self.records)

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
    if not params.noise > 0:
        raise ConfigurationError("noise is 0, so the run promises no privacy; raise it")
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
    """Noise and records of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, d) = np.array([trial]), noise_shape(params)
    noise = [stream.part("noise").normals(numbers, t, d)[0] for t in range(steps)]
    uniforms = [stream.part("batches").uniforms(numbers, t, 1)[0, 0] for t in range(steps)]
    return Draws(np.array(noise), (np.array(uniforms) * params.records).astype(np.int64))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Inner step t mod m of epoch t // m; branch: the drawn record."""
    (x, anchor, v, total), i = np.split(state, 4), np.array([draw.chosen])
    if t % params.inner_steps == 0:
        anchor, v, total = x, problem.gradient(x), np.zeros_like(x)
    change = problem.record_gradients(x, i)[0] - problem.record_gradients(anchor, i)[0]
    y = change + v + params.noise * draw.noise
    x = params.regulariser.prox(x - params.step_size * y, params.step_size)
    total = total + x
    if (t + 1) % params.inner_steps == 0:
        x = total / params.inner_steps
    return Step(np.concatenate([x, anchor, v, total]), y, ((int(draw.chosen), None),))


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(3 * params.dimension)])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: final w^T (d,), transcript (T m, d), states (T m + 1, 4 d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
    return Run(states[-1][: params.dimension], transcript, states, branches, counted.calls)


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    stepwise.check_sizes(problem, params.records, params.dimension)


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T m, d), or final iterates (trials, d).

    Noise and records come from the parts "noise" and "batches" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep = release == "transcript"
    out = np.empty((len(trials), params.steps if keep else 1, params.dimension), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.run(np.array(params.start, dtype=dtype), params.steps, trials.numbers, keep, out, *plan)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, y), shape (rows, 5 d), and the drawn records, (rows, 1).
    """
    out, drawn = np.empty((len(before), 5 * params.dimension), dtype=dtype), np.empty((len(before), 1), dtype=np.int64)
    out[:, : 4 * params.dimension] = before
    kernels.replay(out, steps, trials.numbers, drawn, *_plan(params, problem, trials.stream, dtype))
    return out, drawn


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    kind, regulariser = np.dtype(dtype).type, params.regulariser
    keys = stream.part("noise").key + stream.part("batches").key
    sizes = (params.inner_steps, params.records, regulariser.code)
    numbers = (kind(params.step_size), kind(params.noise), kind(regulariser.strength), *sizes)
    return keys, numbers, loss_kernels.arrays(problem, dtype)


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T m, d) or (trials, d)."""
    check_inputs(params, problem)
    machine, d = _Torch(params, problem, trials.stream, device, dtype), params.dimension
    return stepwise.run_torch(
        machine, _start(params), params.steps, trials.numbers, release, lambda state: state[:, :d]
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(stepwise.Machine):
    """The constants of a run as tensors, and one inner step of all trials."""

    def __init__(self, params: Params, problem: Any, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(stream, device, dtype)
        self.params, self.problem = params, torch_form(problem, device, dtype)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        params, (x, anchor, v, total) = self.params, state.chunk(4, dim=1)
        if step % params.inner_steps == 0:
            anchor, v, total = x, self.problem.gradient(x), self.torch.zeros_like(x)
        uniform = self.stream.part("batches").torch_uniforms(trials, step, 1, self.device)
        i = (uniform * params.records).to(self.torch.int64)
        change = (self.problem.record_gradients(x, i) - self.problem.record_gradients(anchor, i))[:, 0]
        y = change + v + params.noise * self.normals(trials, step, params.dimension)
        x = params.regulariser.torch_prox(x - params.step_size * y, params.step_size)
        total = total + x
        if (step + 1) % params.inner_steps == 0:
            x = total / params.inner_steps
        return self.torch.cat([x, anchor, v, total], dim=1), y, i
