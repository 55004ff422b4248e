"""SkGD: sketched gradient descent with a random set of coordinates, without noise.

Source: Safaryan, Hanzely, Richtarik (2021), the sketch being unbiased and diagonal; the non-private baseline of
Maranjyan, Sadiev, Richtarik (2024) (rbcd/ALG-8), with their diagonal step sizes.

Shapes: d coordinates, n records, T steps. A transcript has shape (T, d): the iterates. A batch of trials adds a first
axis. State of a step: theta, d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.kernels import compiled, uniform_pair
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.validation import check_choice, check_count, check_vector
from dpaudit.sampling.coordinates import Sampler

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
    name="rbcd/ALG-8",
    title="SkGD: sketched gradient descent",
    source="Safaryan, Hanzely, Richtarik (2021), as in Maranjyan, Sadiev, Richtarik (2024)",
    pseudo_code="for t < T: draw S, C = I_S P^-1; theta^{t+1} = theta^t - Gamma C grad f(theta^t); return theta^T",
    options=(),
    released="nothing is private",
    cost="n |S| partial derivatives a step",
)


@dataclass(frozen=True)
class Params:
    """start: theta^0, d finite numbers; step_sizes: gamma_j above 0; steps: T, at least 1; sampler: of sets of the d
    coordinates; records: n. Raises ConfigurationError."""

    start: tuple[float, ...]
    step_sizes: tuple[float, ...]
    steps: int
    sampler: Sampler
    records: int

    def __post_init__(self) -> None:
        check_vector("start", self.start, self.sampler.dimension)
        check_vector("step_sizes", self.step_sizes, self.sampler.dimension, above=0.0)
        check_count("steps", self.steps)
        check_count("records", self.records)

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
    """The sets of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    uniforms = [stream.part("sets").uniforms(np.array([trial]), t, 1)[0, 0] for t in range(params.steps)]
    return Draws(params.sampler.draw(np.array(uniforms)))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """One step; branch: the drawn set."""
    s, moved = list(params.sampler.sets[draw.sets]), state.copy()
    moved[s] = state[s] - params.rates[s] * problem.partial(state, s)
    return Step(moved, moved, ((int(draw.sets), None),))


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: final theta^T (d,), transcript (T, d), states (T + 1, d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, params.start, draws, params.steps)
    return Run(states[-1], transcript, states, branches, counted.only("partial derivatives", "rounds"))


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    stepwise.check_sizes(problem, params.records, params.sampler.dimension)


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or final iterates (trials, d).

    Sets come from the part "sets" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep = release == "transcript"
    out = np.empty((len(trials), params.steps if keep else 1, len(params.start)), dtype=dtype)
    start, plan = np.array(params.start, dtype=dtype), _plan(params, problem, trials.stream, dtype)
    _run(start, params.steps, trials.numbers, keep, out, *plan)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (theta, theta), shape (rows, 2 d), and the numbers of the sets, (rows, 1).
    """
    out, drawn = np.array(before, dtype=dtype), np.empty((len(before), 1), dtype=np.int64)
    _replay(out, steps, trials.numbers, drawn, *_plan(params, problem, trials.stream, dtype))
    return np.hstack([out, out]), drawn


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    sampler = params.sampler
    sets = (sampler.cumulative, sampler.members, sampler.sizes, params.rates.astype(dtype))
    return stream.part("sets").key, sets, loss_kernels.arrays(problem, dtype)


@compiled()
def _advance(theta: Array, work: Array, step: int, trial: int, keys: Any, sets: Any, data: Any) -> Any:
    cumulative, members, sizes, rates = sets
    number = np.searchsorted(cumulative, uniform_pair(keys[0], keys[1], 0, step, trial)[0], side="right")
    chosen, size = members[number], sizes[number]
    loss_kernels.partial(theta, chosen, size, data, work)
    for a in range(size):
        theta[chosen[a]] -= rates[chosen[a]] * work[a]
    return number


@compiled()
def _trial(start: Array, steps: int, trial: int, keep: bool, out: Array, keys: Any, sets: Any, data: Any) -> None:
    theta, work = start.copy(), start.copy()
    for step in range(steps):
        _advance(theta, work, step, trial, keys, sets, data)
        if keep:
            out[step] = theta
    if not keep:
        out[0] = theta


@compiled(parallel=True)
def _run(start: Array, steps: int, trials: Integers, keep: bool, out: Array, keys: Any, sets: Any, data: Any) -> None:
    for row in numba.prange(len(trials)):
        _trial(start, steps, trials[row], keep, out[row], keys, sets, data)


@compiled()
def _replay(out: Array, steps: Integers, trials: Integers, drawn: Any, keys: Any, sets: Any, data: Any) -> None:
    work = out[0].copy()
    for row in range(len(out)):
        drawn[row, 0] = _advance(out[row], work, steps[row], trials[row], keys, sets, data)


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
    return stepwise.run_torch(machine, params.start, params.steps, trials.numbers, release, lambda state: state)


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(stepwise.Machine):
    """The constants of a run as tensors, and one step of all trials."""

    def __init__(self, params: Params, problem: Any, stream: Stream, device: str, dtype: str) -> None:
        super().__init__(stream, device, dtype)
        sampler = params.sampler
        self.problem, self.rates = torch_form(problem, device, dtype), self.tensor(params.rates)
        self.cumulative = self.torch.tensor(sampler.cumulative, device=device)
        inside = np.zeros((len(sampler.sets), sampler.dimension), dtype=bool)
        for row, chosen in zip(inside, sampler.sets, strict=True):
            row[list(chosen)] = True
        self.inside = self.torch.tensor(inside, device=device)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        uniform = self.stream.part("sets").torch_uniforms(trials, step, 1, self.device)
        number = self.torch.searchsorted(self.cumulative, uniform, right=True)
        moved = state - self.rates * self.problem.gradient(state)
        state = self.torch.where(self.inside[number[:, 0]], moved, state)
        return state, state, number
