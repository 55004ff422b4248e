"""STORM: recursive momentum with a rate and a momentum that adapt to the gradients seen; not private.

Source: Cutkosky and Orabona (2019), "Momentum-Based Variance Reduction in Non-Convex SGD", Algorithm 1: the
non-private baseline of Wang, Jayaraman, Evans, Gu (2023). With a momentum and a rate that hardly change (k and w
large) it is DP-SRM without noise, which `dp_srm.reductions` checks.

Shapes: d coordinates, n records, T estimates. A transcript has shape (T, d): the estimates d_t. A batch of trials adds
a first axis. State of a step: (x_{t-1}, x_t, d_{t-1}, drawn iterate, a_t, sum of squared norms), 4 d + 2 numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srm.storm import kernels
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import TorchProblem
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.validation import check_choice, check_count, check_number, check_vector
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches, TorchBatches

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
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: x_1, d finite numbers; steps: T; batches: how xi_t is drawn, of fixed size; rate_factor: k, offset: w,
    momentum_factor: c, all above 0, with c k^2 <= w^(2/3), so that no momentum a_t exceeds 1. Raises
    ConfigurationError.
    """

    start: tuple[float, ...]
    steps: int
    batches: Batches
    rate_factor: float
    offset: float
    momentum_factor: float

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_count("steps", self.steps)
        for name in ("rate_factor", "offset", "momentum_factor"):
            check_number(name, getattr(self, name), above=0.0)
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
    """Batches and output of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    chosen = int(stream.part("output").uniforms(np.array([trial]), 0, 1)[0, 0] * params.steps)
    return Draws(params.batches.draw_all(stream.part("batches"), trial, params.steps), chosen)


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Step t, from 0, from the state (x_{t-1}, x_t, d_{t-1}, drawn iterate, a_t, sum of squared norms)."""
    d = len(params.start)
    previous, x, estimate, drawn, numbers = np.split(state, [d, 2 * d, 3 * d, 4 * d])
    gradient = problem.record_gradients(x, draw.batches).mean(axis=0)
    if t:
        old = problem.record_gradients(previous, draw.batches).mean(axis=0)
        estimate = gradient + (1 - numbers[0]) * (estimate - old)
    else:
        estimate = gradient
    total = numbers[1] + np.sum(gradient**2)
    eta = params.rate_factor * np.exp(np.log(params.offset + total) / -3)  # -3: exact, as 1/3 is not
    momentum = params.momentum_factor * eta**2
    after = [x, x - eta * estimate, estimate, x if t == draw.output else drawn, np.stack([momentum, total])]
    return Step(np.concatenate(after), estimate)


def _start(params: Params) -> Array:
    return np.concatenate([params.start, params.start, np.zeros(2 * len(params.start) + 2)])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d), final (d,), states (T + 1, 4 d + 2)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
    return Run(_final(params, states[-1]), transcript, states, branches, counted.only("gradients"))


def _final(params: Params, state: Any) -> Any:
    d = len(params.start)
    return state[..., 3 * d : 4 * d]


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    said, given = (params.batches.records, len(params.start)), (problem.records, problem.dimension)
    if given != said:
        raise ConfigurationError(
            f"the problem has {given[0]} records of {given[1]} coordinates, the parameters say {said[0]} of {said[1]}"
        )


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or outputs (trials, d).

    Batches and the index of the output come from the parts "batches" and "output" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps if keep else 1, d), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.run(_start(params).astype(dtype), trials.numbers, keep, out, *plan)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, d_t), shape (rows, 5 d + 2), and no branches, (rows, 0).
    """
    rows, width = before.shape
    out = np.empty((rows, width + len(params.start)), dtype=dtype)
    out[:, :width] = before
    kernels.replay(out, steps, trials.numbers, *_plan(params, problem, trials.stream, dtype))
    return out, np.zeros((rows, 0), dtype=np.int64)


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    keys = tuple(word for name in ("batches", "output") for word in stream.part(name).key)
    kind = np.dtype(dtype).type
    numbers = tuple(kind(x) for x in (params.rate_factor, params.offset, params.momentum_factor))
    batches, data = batch_kernels.plan(params.batches), loss_kernels.arrays(problem, dtype)
    return keys, params.steps, numbers, batches, data


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d) or (trials, d)."""
    check_inputs(params, problem)
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.run_torch(
        machine, _start(params), params.steps, trials.numbers, release, lambda state: _final(params, state)
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(stepwise.Machine):
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: Any, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(stream, device, dtype)
        self.params, self.batches = params, TorchBatches(params.batches, stream.part("batches"), device)
        self.problem = TorchProblem(problem, device, dtype) if isinstance(problem, Problem) else problem

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        params, torch, d = self.params, self.torch, len(self.params.start)
        previous, x, estimate, drawn, momentum, total = state.split([d, d, d, d, 1, 1], dim=1)
        uniform = self.stream.part("output").torch_uniforms(trials, 0, 1, self.device)
        drawn = torch.where((uniform * params.steps).to(torch.int64) == step, x, drawn)
        batch, _ = self.batches.draw(step, trials)
        gradient = self.problem.batch_gradient(x, batch)
        if step:
            estimate = gradient + (1 - momentum) * (estimate - self.problem.batch_gradient(previous, batch))
        else:
            estimate = gradient
        total = total + gradient.square().sum(dim=1, keepdim=True)
        eta = params.rate_factor * ((params.offset + total).log() / -3).exp()
        after = torch.cat([x, x - eta * estimate, estimate, drawn, params.momentum_factor * eta.square(), total], dim=1)
        return after, estimate, torch.zeros((len(x), 0), dtype=torch.int64)


# Agreement. -------------------------------------------------------------------------------------
