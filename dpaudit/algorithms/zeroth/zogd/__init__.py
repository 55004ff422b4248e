"""ZOGD: zeroth-order gradient descent without noise, the baseline that DPZero and Noisy-ZOGD make private.

Source: Chien, Chen, Li (2025), equation (1). The paper leaves the law of the directions open ("isotropic"); here they
are independent on the sphere (default), orthonormal, or Gaussian.

Shapes: d coordinates, n records, K directions, T steps. A transcript has shape (T, d + K d): every iterate w_{t+1} and
the rows of the frame that led to it. A batch of trials adds a first axis. State: w.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.zogd import kernels
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import domain_kernels, loss_kernels, losses
from dpaudit.problems.domains import EVERYTHING, Domain
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.validation import check_choice, check_count, check_number
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

__all__ = [
    "ALGORITHM",
    "START",
    "Draws",
    "Params",
    "advance_cpu",
    "advance_gpu",
    "calls",
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
    name="zeroth/ALG-2",
    title="ZOGD: zeroth-order gradient descent",
    source="Chien, Chen, Li (2025), equation (1)",
    pseudo_code="for t < T: draw u_1, ..., u_K; w_{t+1} = Pi(w_t - (eta/K) sum_k ghat(w_t; u_k)); return w_T",
    options=(
        ("frame", "independent", "orthonormal; Gaussian"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
    ),
    released="iterates and directions; no noise, so no promise of privacy",
    cost="2 n K T values; n T gradients for perturbation 0",
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0 in the domain, d finite numbers; steps: T; records: n; directions: K, at most d where orthonormal;
    step_size: eta, above 0; perturbation: xi, at least 0; clip_norm: Delta, above 0; domain: where iterates are
    projected; frame: the law of the directions. Raises ConfigurationError.
    """

    start: tuple[float, ...]
    steps: int
    records: int
    directions: int
    step_size: float
    perturbation: float
    clip_norm: float
    domain: Domain = EVERYTHING
    frame: str = "independent"

    def __post_init__(self) -> None:
        check_count("steps", self.steps)
        check_count("records", self.records)
        check_number("step_size", self.step_size, above=0.0)
        _zeroth.check_run(self, self.domain)

    @property
    def batches(self) -> Batches:
        """All records, every step."""
        return Batches("all records", self.records, self.records)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query("two-point", self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of a frame."""
        return Directions(self.frame, self.directions, len(self.start))


class Draws(NamedTuple):
    """directions: standard normals behind the frames, (T, K, d)."""

    directions: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, K, d): the normals of one trial, all of them behind directions."""
    return (params.steps, params.directions, len(params.start))


def promise(params: Params) -> None:
    """None: there is no noise; DPZero and Noisy-ZOGD add it."""


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """2 n K T values, or n T gradients."""
    return {name: params.steps * size for name, size in params.query.calls(params.directions, params.records).items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Directions of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    return Draws(_zeroth.draw_frames(params, stream, trial))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed, from the state w; branch: how many slopes were clipped."""
    frame = params.sampler.frame(draw.directions)
    slopes, branches = params.query.slopes(problem, state, frame, np.arange(params.records))
    after = params.domain.project(state - params.step_size / params.directions * (slopes @ frame))
    return Step(after, np.concatenate([after, frame.reshape(-1)]), branches)


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d + K d), final (d,), states (T + 1, d)."""
    _zeroth.check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, params.start, draws, params.steps)
    return Run(states[-1], transcript, states, branches, counted.calls)


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d + K d), or last iterates (trials, d).

    Directions come from the part "directions" of the stream.
    """
    _zeroth.check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps, d + params.sampler.size) if keep else (len(trials), 1, d), dtype=dtype)
    kernels.run(trials.numbers, keep, out, *_plan(params, problem, trials.stream, dtype))
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (w, w, frame), shape (rows, 2 d + K d), and how many slopes were clipped, (rows, 1).
    """
    rows, d = len(before), len(params.start)
    out, clipped = np.empty((rows, 2 * d + params.sampler.size), dtype=dtype), np.zeros((rows, 1), dtype=np.int64)
    out[:, :d] = before
    kernels.replay(out, steps, trials.numbers, clipped, *_plan(params, problem, trials.stream, dtype))
    return out, clipped


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    kind, query = np.dtype(dtype).type, params.query
    pace = kind(params.step_size / params.directions)
    numbers = params.steps, params.directions, pace, params.sampler.code, params.records
    asked = query.code, kind(query.perturbation), kind(query.clip_norm)
    domain, data = domain_kernels.plan(params.domain, dtype), loss_kernels.arrays(problem, dtype)
    return np.array(params.start, dtype=dtype), _zeroth.keys(stream), numbers, asked, domain, data


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d + K d) or (trials, d).

    problem: a `Problem`, or an object with the methods of `TorchProblem`.
    """
    _zeroth.check_inputs(params, problem)
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.run_torch(machine, params.start, params.steps, trials.numbers, release, lambda state: state)


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(_zeroth.Machine):
    """One step of all trials."""

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        params, frame = self.params, self.frame(step, trials)
        slopes, clipped = self.slopes(self.problem, state, frame, step, trials)
        drift = (slopes[:, None, :] @ frame)[:, 0]
        after = params.domain.torch_project(state - params.step_size / params.directions * drift)
        return after, self.torch.cat([after, frame.flatten(1)], dim=1), clipped


# Agreement. -------------------------------------------------------------------------------------


START = (0.3, -0.2, 0.1, 0.4)


def _instances(seed: int) -> tuple[Problem, Problem, Problem]:
    rng = np.random.default_rng([seed, 0x206D])
    features, labels = rng.normal(size=(6, 4)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    curved = losses.quadratic_minus_linear(np.diag([1.0, 0.5, 0.2, 2.0]), features)
    return losses.logistic(features, labels), losses.log_cosh(features, labels), curved
