"""DP-SGD: noisy projected gradient descent on batches, with or without clipping.

Source: Bassily, Smith, Thakurta (2014), algorithm 1; Abadi et al. (2016), algorithm 1. Four of the five papers have it
as background or baseline; the parameters that make it each of theirs:

    srgd/ALG-6      batches "all records" or "in order", clip_norm = L
    rbcd/ALG-11     batches "with replacement" of size 1, no clipping, step sizes c/sqrt(t) or c/t, a bounded domain
    srm/ALG-B1      DP-GD (Wang, Ye, Xu 2017): batches "all records"; their output is a uniformly drawn iterate
    srm/ALG-B4      batches "Poisson", clip_norm; the divisor is the expected batch size
    srm/ALG-B6      noise = 0: projected stochastic gradient descent (also the baseline B-SGD of resque)

Shapes: d coordinates, n records, T steps. A transcript has shape (T, d): the noisy gradients. A batch of trials adds
a first axis. State of a step: (w, sum of the iterates w_1, ..., drawn iterate), 3 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srgd.dp_sgd import kernels
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.domains import EVERYTHING, Domain, torch_clip
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, Mechanism, PoissonSampled, Promise, SelfComposed
from dpaudit.records.mechanism import WithReplacementSampled as WithReplacement
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice, check_number, check_vector
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches, TorchBatches

__all__ = [
    "ALGORITHM",
    "OUTPUTS",
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
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; step_sizes: eta_t above 0, one a step; batches: how they are drawn; noise: s,
    standard deviation of every coordinate of y_t, at least 0; lipschitz: L, a bound on |grad f(w; d)| before
    clipping, above 0, used only for the promise; clip_norm: C above 0 or None; domain: where iterates are projected;
    output: "last", "mean" or "uniform". Raises ConfigurationError.
    """

    start: tuple[float, ...]
    step_sizes: tuple[float, ...]
    batches: Batches
    noise: float
    lipschitz: float
    clip_norm: float | None = None
    domain: Domain = EVERYTHING
    output: str = "last"

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_vector("step_sizes", self.step_sizes, above=0.0)
        check_number("noise", self.noise, least=0.0)
        check_number("lipschitz", self.lipschitz, above=0.0)
        if self.clip_norm is not None:
            check_number("clip_norm", self.clip_norm, above=0.0)
        self.batches.check_steps(self.steps)
        self.domain.check_dimension(len(self.start))
        check_choice("output", self.output, OUTPUTS)

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
    if not params.noise > 0:
        raise ConfigurationError("noise is 0, so the run promises no privacy; raise it")
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
    """Noise, batches and output of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, d) = np.array([trial]), noise_shape(params)
    noise = np.array([stream.part("noise").normals(numbers, t, d)[0] for t in range(steps)])
    chosen = int(stream.part("output").uniforms(numbers, 0, 1)[0, 0] * steps)
    return Draws(noise, params.batches.draw_all(stream.part("batches"), trial, steps), chosen)


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed, from the state (w, sum, drawn iterate); branch: how many were clipped."""
    w, total, drawn = np.split(state, 3)
    gradients = problem.record_gradients(w, draw.batches)
    branches: tuple[tuple[int, Any], ...] = ()
    if params.clip_norm is not None:
        lengths = np.linalg.norm(gradients, axis=-1)
        gradients = gradients * (params.clip_norm / np.maximum(lengths, params.clip_norm))[:, None]
        branches = ((int((lengths > params.clip_norm).sum()), _closest(lengths, params.clip_norm)),)
    y = gradients.sum(axis=0) / params.batches.size + params.noise * draw.noise
    after = params.domain.project(w - params.step_sizes[t] * y)
    return Step(np.concatenate([after, total + after, w if t == draw.output else drawn]), y, branches)


def _closest(lengths: Any, clip_norm: float) -> Any:
    """The distance of the gradient that is nearest to being clipped differently; None for an empty batch."""
    if not len(lengths):
        return None
    margins = lengths - clip_norm
    return margins[int(np.argmin(np.abs(margins)))]


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(2 * len(params.start))])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d), final (d,), states (T + 1, 3 d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
    return Run(_final(params, states[-1]), transcript, states, branches, counted.calls)


def _final(params: Params, state: Any) -> Any:
    d = len(params.start)
    parts = {"last": state[..., :d], "mean": state[..., d : 2 * d] / params.steps, "uniform": state[..., 2 * d :]}
    return parts[params.output]


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    stepwise.check_sizes(problem, params.batches.records, len(params.start))


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or outputs (trials, d).

    Noise, batches and the output's index come from the parts "noise", "batches" and "output" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps, d) if keep else (len(trials), 1, 3 * d), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.run(_start(params).astype(dtype), trials.numbers, keep, out, *plan)
    return out if keep else np.asarray(_final(params, out[:, 0]))


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, y), shape (rows, 4 d), and how many gradients were clipped, (rows, 1), or (rows, 0).
    """
    rows, d = len(before), len(params.start)
    out, clipped = np.empty((rows, 4 * d), dtype=dtype), np.zeros((rows, 1), dtype=np.int64)
    out[:, : 3 * d] = before
    kernels.replay(out, steps, trials.numbers, clipped, *_plan(params, problem, trials.stream, dtype))
    return out, clipped[:, : 0 if params.clip_norm is None else 1]


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    keys = tuple(word for name in ("noise", "batches", "output") for word in stream.part(name).key)
    kind = np.dtype(dtype).type
    clip_norm = kind(math.inf if params.clip_norm is None else params.clip_norm)
    whole = params.batches.kind == "all records" and params.clip_norm is None
    numbers = (np.array(params.step_sizes, dtype=dtype), kind(params.noise), clip_norm, whole, params.batches.width)
    batches, domain = batch_kernels.plan(params.batches), domain_kernels.plan(params.domain, dtype)
    return keys, numbers, batches, domain, loss_kernels.arrays(problem, dtype)


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d) or (trials, d).

    problem: a `Problem` or a `ModuleProblem`.
    """
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
        self.problem = torch_form(problem, device, dtype)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        params, torch = self.params, self.torch
        w, total, drawn = state.chunk(3, dim=1)
        uniform = self.stream.part("output").torch_uniforms(trials, 0, 1, self.device)
        drawn = torch.where((uniform * params.steps).to(torch.int64) == step, w, drawn)
        mean, branches = self.mean_gradient(w, step, trials)
        y = mean + params.noise * self.normals(trials, step, w.shape[1])
        w = params.domain.torch_project(w - params.step_sizes[step] * y)
        return torch.cat([w, total + w, drawn], dim=1), y, branches

    def mean_gradient(self, w: Any, step: int, trials: Integers) -> tuple[Any, Any]:
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


# Agreement. -------------------------------------------------------------------------------------
