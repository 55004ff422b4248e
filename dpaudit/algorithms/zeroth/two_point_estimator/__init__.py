"""Zeroth-order estimates of a gradient at one point: the two-point estimator and its kin.

Source: Chien, Chen, Li (2025), equation (1), and (64) for batches. The paper names, without formulas, the other
estimators that its results extend to (zeroth/ALG-8); they are options here, in the same units: a slope along u,
clipped record by record, times u. The parameters that make it each of the spec's algorithms:

    zeroth/ALG-1    estimator "two-point", frame "independent", all records
    zeroth/ALG-1b   batches "without replacement"
    zeroth/ALG-8    one-point (Flaxman, Kalai, McMahan 2005; their factor d is `factor`), directional derivative
                    (Nesterov, Spokoiny 2017), forward difference; frame "Gaussian" (Tang et al. 2024)

For a linear loss with gradient g, a sphere and no clipping, the mean of an estimate is factor g/d; with Gaussian
directions it is factor g.

Shapes: d coordinates, n records, T estimates. A transcript has shape (T, 2 d): every estimate and its direction; the
final result (d,) is the mean of the estimates. A batch of trials adds a first axis. State: the sum of the estimates.
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
from dpaudit.algorithms.zeroth.two_point_estimator import kernels
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.domains import EVERYTHING
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.validation import check_choice, check_count, check_number
from dpaudit.sampling import batch_kernels
from dpaudit.sampling.batches import Batches
from dpaudit.sampling.directions import Directions

__all__ = [
    "ALGORITHM",
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
    name="zeroth/ALG-1",
    title="two-point zeroth-order estimator",
    source="Chien, Chen, Li (2025), equations (1), (64)",
    pseudo_code=(
        "s_i = clip((l_i(w + xi u) - l_i(w - xi u))/(2 xi); Delta); return (1/b) sum over the batch of s_i, times u"
    ),
    options=(
        ("estimator", "two-point", "directional derivative, forward difference, one-point"),
        ("frame", "independent", "Gaussian: u from N(0, I); orthonormal: the same as independent for one direction"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
        ("batches.kind", "all records", "without replacement: the mini-batch version (64)"),
    ),
    released="the estimates and their directions; no noise, so no promise of privacy",
    cost="2 b values an estimate; b one-point; b gradients for the directional derivative",
    also=("zeroth/ALG-1b", "zeroth/ALG-8"),
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w, d finite numbers; estimates: T, each with a fresh direction and batch; batches: all records or a subset
    drawn without replacement; perturbation: xi, at least 0; clip_norm: Delta, above 0; estimator: see the module;
    frame: the law of u, a kind of `Directions`; factor: multiplies every estimate, above 0. Raises
    ConfigurationError.
    """

    start: tuple[float, ...]
    estimates: int
    batches: Batches
    perturbation: float
    clip_norm: float
    estimator: str = "two-point"
    frame: str = "independent"
    factor: float = 1.0

    def __post_init__(self) -> None:
        _zeroth.check_run(self, EVERYTHING)
        check_count("estimates", self.estimates)
        check_number("factor", self.factor, above=0.0)

    @cached_property
    def query(self) -> _zeroth.Query:
        """How slopes are asked for."""
        return _zeroth.Query(self.estimator, self.perturbation, self.clip_norm)

    @cached_property
    def sampler(self) -> Directions:
        """The law of one direction."""
        return Directions(self.frame, 1, len(self.start))

    @property
    def steps(self) -> int:
        """T."""
        return self.estimates


class Draws(NamedTuple):
    """directions: standard normals behind u, (T, 1, d); batches: record numbers of every estimate."""

    directions: Array
    batches: tuple[Integers, ...]


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial, all of them behind directions."""
    return (params.estimates, len(params.start))


def promise(params: Params) -> None:
    """None: there is no noise; DPZero and Noisy-ZOGD add it."""


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """T times what one estimate costs."""
    return {name: params.estimates * number for name, number in params.query.calls(1, params.batches.size).items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Directions and batches of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    batches = params.batches.draw_all(stream.part("batches"), trial, params.estimates)
    return Draws(_zeroth.draw_frames(params, stream, trial), batches)


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Estimate t, from the sum of those before; branch: how many slopes were clipped."""
    frame = params.sampler.frame(draw.directions)
    slopes, branches = params.query.slopes(problem, np.array(params.start), frame, draw.batches)
    estimate = params.factor * slopes[0] * frame[0]
    return Step(state + estimate, np.concatenate([estimate, frame[0]]), branches)


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, 2 d), final (d,), states (T + 1, d)."""
    _zeroth.check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, np.zeros(len(params.start)), draws, params.estimates)
    return Run(states[-1] / params.estimates, transcript, states, branches, counted.calls)


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, 2 d), or means of the estimates (trials, d).

    Directions and batches come from the parts "directions" and "batches" of the stream.
    """
    _zeroth.check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.estimates, 2 * d) if keep else (len(trials), 1, d), dtype=dtype)
    kernels.run(trials.numbers, keep, out, *_plan(params, problem, trials.stream, dtype))
    return out if keep else np.asarray(out[:, 0] / np.dtype(dtype).type(params.estimates))


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One estimate of the numba form per row, of trial trials.numbers[i], number steps[i], after the sum before[i].

    Returns (sum, estimate, direction), shape (rows, 3 d), and how many slopes were clipped, (rows, 1).
    """
    rows, d = len(before), len(params.start)
    out, clipped = np.empty((rows, 3 * d), dtype=dtype), np.zeros((rows, 1), dtype=np.int64)
    out[:, :d] = before
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.replay(out, steps, trials.numbers, clipped, *plan)
    return out, clipped


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    kind, query = np.dtype(dtype).type, params.query
    numbers = params.estimates, kind(params.factor), params.sampler.code
    asked = query.code, kind(query.perturbation), kind(query.clip_norm)
    data = loss_kernels.arrays(problem, dtype)
    start = np.array(params.start, dtype=dtype)
    return start, _zeroth.keys(stream), numbers, asked, batch_kernels.plan(params.batches), data


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, 2 d) or (trials, d)."""
    _zeroth.check_inputs(params, problem)
    machine, zero = _Torch(params, problem, trials.stream, device, dtype), np.zeros(len(params.start))
    return stepwise.run_torch(
        machine, zero, params.estimates, trials.numbers, release, lambda state: state / params.estimates
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = _Torch(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)


class _Torch(_zeroth.Machine):
    """One estimate of all trials."""

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        frame = self.frame(step, trials)
        point = self.tensor(self.params.start).expand(len(trials), -1)
        slopes, clipped = self.slopes(self.problem, point, frame, step, trials)
        estimate = self.params.factor * slopes * frame[:, 0]
        return state + estimate, self.torch.cat([estimate, frame[:, 0]], dim=1), clipped


# Agreement. -------------------------------------------------------------------------------------
