"""DP-GD: noisy full gradient descent with diagonal step sizes, epochs and averages.

Source: Maranjyan, Sadiev, Richtarik (2024), what algorithm 1 is for S = [d] (rbcd/ALG-10).

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, d): the noisy gradients. A
batch of trials adds a first axis. State of a step: (theta, sum of the epoch), 2 d.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.rbcd.dp_gd import kernels
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
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
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w^0, d finite numbers; step_sizes: gamma_j above 0; epochs: T, inner_steps: K, at least 1; noise: standard
    deviation sigma of every coordinate, at least 0; lipschitz: L above 0; records: n. Raises ConfigurationError.
    """

    start: tuple[float, ...]
    step_sizes: tuple[float, ...]
    epochs: int
    inner_steps: int
    noise: float
    lipschitz: float
    records: int

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_vector("step_sizes", self.step_sizes, self.dimension, above=0.0)
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
        """T K."""
        return self.epochs * self.inner_steps


class Draws(NamedTuple):
    """noise: standard normals, (T K, d)."""

    noise: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, d): the normals of one trial."""
    return (params.steps, params.dimension)


def promise(params: Params) -> Promise:
    """T K Gaussian mechanisms of sensitivity 2 L/n (replace one record). ConfigurationError without noise."""
    if not params.noise > 0:
        raise ConfigurationError("noise is 0, so the run promises no privacy; raise it")
    multiplier = params.noise * params.records / (2 * params.lipschitz)
    mechanism = SelfComposed(Gaussian(multiplier), params.steps)
    source = "Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, its steps composed exactly"
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n gradients in each of T K rounds."""
    return {"gradients": params.records * params.steps, "values": 0, "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise of one trial for `reference`: that which `cpu` and `gpu` draw themselves."""
    numbers, (steps, d) = np.array([trial]), noise_shape(params)
    return Draws(np.array([stream.part("noise").normals(numbers, t, d)[0] for t in range(steps)]))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Inner step k = t mod K of epoch t // K, from (theta, sum of the epoch)."""
    theta, total = np.split(state, 2)
    y = problem.gradient(theta) + params.noise * draw.noise
    theta = theta - np.array(params.step_sizes) * y
    total = theta if t % params.inner_steps == 0 else total + theta
    if (t + 1) % params.inner_steps == 0:
        theta = total / params.inner_steps
    return Step(np.concatenate([theta, total]), y)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(params.dimension)])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: final w^T (d,), transcript (T K, d), states (T K + 1, 2 d)."""
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
    """All trials with numba: transcripts (trials, T K, d), or final iterates (trials, d).

    Noise comes from the part "noise" of the stream.
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

    Returns (theta, sum, y), shape (rows, 3 d), and no branches, (rows, 0).
    """
    out = np.empty((len(before), 3 * params.dimension), dtype=dtype)
    out[:, : 2 * params.dimension] = before
    kernels.replay(out, steps, trials.numbers, *_plan(params, problem, trials.stream, dtype))
    return out, np.zeros((len(before), 0), dtype=np.int64)


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    numbers = (np.array(params.step_sizes, dtype=dtype), np.dtype(dtype).type(params.noise), params.inner_steps)
    return stream.part("noise").key, numbers, loss_kernels.arrays(problem, dtype)


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T K, d) or (trials, d)."""
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
        self.step_sizes = self.tensor(params.step_sizes)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        params, (theta, total) = self.params, state.chunk(2, dim=1)
        y = self.problem.gradient(theta) + params.noise * self.normals(trials, step, params.dimension)
        theta = theta - self.step_sizes * y
        total = theta if step % params.inner_steps == 0 else total + theta
        if (step + 1) % params.inner_steps == 0:
            theta = total / params.inner_steps
        return self.torch.cat([theta, total], dim=1), y, self.no_branches(len(trials))
