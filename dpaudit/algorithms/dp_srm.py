"""DP-SRM: differentially private stochastic recursive momentum, with steps of bounded length, and its clipped version.

Source: Wang, Jayaraman, Evans, Gu (2023), "Efficient Privacy-Preserving Stochastic Nonconvex
Optimization", Algorithm 1 (rebuilt from the proofs of its supplement; the noisy estimate v_p is fed back). The
parameters that make it each entry of the specification:

    srm/ALG-1   as printed; the supplement's G and L must bound the gradients and their differences
    srm/ALG-2   gradient_clip = C1, difference_clip = C2, most often with step_rule "constant": the experiments
    srm/ALG-3   `calibrate`: the noise of (2.3) and (2.5) where theorem 5.1 applies; `claims`: its accounting

Shapes: d coordinates, n records, T noisy estimates. A transcript has shape (T, d): the released
v_p^0, ..., v_p^{T-1}. A batch of trials adds a first axis. State of a step: (theta^{t-1}, theta^t, v_p^{t-1}, drawn
iterate), 4 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpaudit import batch_kernels, problem_kernels
from dpaudit.algorithm import Algorithm
from dpaudit.algorithms import _srm_kernels, _steps
from dpaudit.algorithms._counted import Counted
from dpaudit.algorithms._srm_cases import agreement_cases
from dpaudit.algorithms._srm_coupled import coupled_difference, coupled_sensitivity, iterates, queries
from dpaudit.algorithms._srm_privacy import calibrate, claims, promise, sensitivities
from dpaudit.algorithms._srm_reductions import reductions
from dpaudit.algorithms._srm_torch import Machine
from dpaudit.algorithms._steps import Run, Step
from dpaudit.batches import Batches
from dpaudit.domains import clip
from dpaudit.errors import ConfigurationError
from dpaudit.noise import Stream, Trials
from dpaudit.parameters import check_choice, check_count, check_number, check_vector
from dpaudit.problems import Problem

__all__ = [
    "ALGORITHM", "Draws", "Params", "Run", "advance_cpu", "advance_gpu", "agreement_cases", "calibrate", "calls",
    "claims", "coupled_difference", "coupled_sensitivity", "cpu", "draw_inputs", "gpu", "iterates", "noise_shape",
    "promise", "queries", "reductions", "reference", "sensitivities", "step",
]  # fmt: skip

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
STEP_RULES = ("printed", "constant")

ALGORITHM = Algorithm(
    name="srm/ALG-1",
    title="DP-SRM: differentially private stochastic recursive momentum",
    source="Wang, Jayaraman, Evans, Gu (2023), Algorithm 1",
    pseudo_code=(
        "v^0 = grad F_{B_0}(theta^0); "
        "v^t = grad F_{B_t}(theta^t) + (1 - gamma)(v_p^{t-1} - grad F_{B_t}(theta^{t-1})); "
        "v_p^t = v^t + N(0, sigma_t^2 I); eta_t = min(zeta/(n0 L |v_p^t|), 1/(2 n0 L)); "
        "theta^{t+1} = theta^t - eta_t v_p^t; return theta^j, j uniform on 0..T-1. "
        "Clipped: v^t = (1 - gamma) v_p^{t-1} + mean over B_t of gamma clip(grad f_i(theta^t), C1) "
        "+ (1 - gamma) clip(grad f_i(theta^t) - grad f_i(theta^{t-1}), C2)"
    ),
    options=(
        ("step_rule", "printed", "constant: eta_t = step_size, tuned, as in the experiments"),
        ("gradient_clip, difference_clip", "None: no clipping", "C1 and C2 of the experiments, for every record"),
    ),
    released="every v_p^t, and with them all iterates; batches and noise stay hidden",
    cost="b0 + 2 b (T - 1) gradients of a record",
    also=("srm/ALG-2",),
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: theta^0, d finite numbers; steps: T; first_batch: b0, batch: b, from 1 to n = records;
    momentum: gamma in [0, 1] (the paper has gamma > 0; 0 is the recursion of SPIDER); accuracy: zeta, divisor: n0,
    smoothness: L, lipschitz: G, all above 0; first_noise: sigma_0, noise: sigma, standard deviations at least 0;
    gradient_clip: C1, difference_clip: C2, both above 0 or both None; step_rule: "printed" or "constant";
    step_size: eta above 0 of the constant rule, None for the printed one. Raises ConfigurationError.
    """

    start: tuple[float, ...]
    steps: int
    records: int
    first_batch: int
    batch: int
    momentum: float
    accuracy: float
    divisor: float
    smoothness: float
    lipschitz: float
    first_noise: float
    noise: float
    gradient_clip: float | None = None
    difference_clip: float | None = None
    step_rule: str = "printed"
    step_size: float | None = None

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_count("steps", self.steps)
        check_count("records", self.records)
        check_count("first_batch", self.first_batch, 1, self.records)
        check_count("batch", self.batch, 1, self.records)
        check_number("momentum", self.momentum, least=0.0, most=1.0)
        for name in ("accuracy", "divisor", "smoothness", "lipschitz"):
            check_number(name, getattr(self, name), above=0.0)
        check_number("first_noise", self.first_noise, least=0.0)
        check_number("noise", self.noise, least=0.0)
        check_choice("step_rule", self.step_rule, STEP_RULES)
        if (self.step_size is None) is (self.step_rule == "constant"):
            raise ConfigurationError(
                f"step_size is for the constant step_rule alone, got {self.step_size} with {self.step_rule!r}"
            )
        if (self.gradient_clip is None) is not (self.difference_clip is None):
            raise ConfigurationError("gradient_clip and difference_clip must be both given or both None")
        for name in ("gradient_clip", "difference_clip", "step_size"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name), above=0.0)

    @property
    def longest(self) -> float:
        """zeta/(n0 L): no step of the printed rule is longer."""
        return self.accuracy / (self.divisor * self.smoothness)

    @property
    def clips(self) -> tuple[float, float] | None:
        """(C1, C2), or None without clipping."""
        if self.gradient_clip is None or self.difference_clip is None:
            return None
        return self.gradient_clip, self.difference_clip

    def batches_at(self, step: int) -> Batches:
        """b0 different records at step 0, b after."""
        size = self.batch if step else self.first_batch
        return Batches("all records" if size == self.records else "without replacement", self.records, size)

    def noise_at(self, step: int) -> float:
        """sigma_0 at step 0, sigma after."""
        return self.noise if step else self.first_noise


class Draws(NamedTuple):
    """noise: standard normals, (T, d); batches: record numbers of every step, b0 or b; output: j."""

    noise: Array
    batches: tuple[Integers, ...]
    output: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, len(params.start))


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """b0 + 2 b (T - 1) gradients of a record: both points of a step see the same batch."""
    return {"gradients": params.first_batch + 2 * params.batch * (params.steps - 1)}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, batches and output of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, d) = np.array([trial]), noise_shape(params)
    noise = np.array([stream.part("noise").normals(numbers, t, d)[0] for t in range(steps)])
    batches = tuple(params.batches_at(t).draw(stream.part("batches"), trial, t) for t in range(steps))
    return Draws(noise, batches, int(stream.part("output").uniforms(numbers, 0, 1)[0, 0] * steps))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Step t as printed, from the state (theta^{t-1}, theta^t, v_p^{t-1}, drawn iterate).

    Branches: whether the printed rate is 1/(2 n0 L); how many gradients and how many differences were clipped.
    """
    previous, theta, fed_back, drawn = np.split(state, 4)
    ways: list[tuple[int, Any]] = []
    if params.clips is not None:
        v, ways = _clipped_estimate(params, problem, state, t, draw, params.clips)
    else:
        v = problem.record_gradients(theta, draw.batches).mean(axis=0)
        if t:
            v = v + (1 - params.momentum) * (fed_back - problem.record_gradients(previous, draw.batches).mean(axis=0))
    v_p = v + params.noise_at(t) * draw.noise
    eta: Any = params.step_size
    if params.step_rule == "printed":
        # zeta/(n0 L |v|) and 1/(2 n0 L) meet at |v| = 2 zeta; written so, their minimum never divides by 0.
        length = np.linalg.norm(v_p)
        eta = params.longest / np.maximum(length, 2 * params.accuracy)
        ways = [(int(length <= 2 * params.accuracy), length - 2 * params.accuracy), *ways]
    after = np.concatenate([theta, theta - eta * v_p, v_p, theta if t == draw.output else drawn])
    return Step(after, v_p, tuple(ways))


def _clipped_estimate(
    params: Params, problem: Any, state: Any, t: int, draw: Draws, clips: tuple[float, float]
) -> tuple[Any, list[tuple[int, Any]]]:
    """v^t of the clipped version, and how many gradients and differences are longer than C1 and C2."""
    previous, theta, fed_back, _ = np.split(state, 4)
    gradient_clip, difference_clip = clips
    gradients = problem.record_gradients(theta, draw.batches)
    if not t:
        return clip(gradients, gradient_clip).mean(axis=0), [_longer(gradients, gradient_clip), (0, None)]
    changes = gradients - problem.record_gradients(previous, draw.batches)
    keep = 1 - params.momentum
    mean = (params.momentum * clip(gradients, gradient_clip) + keep * clip(changes, difference_clip)).mean(axis=0)
    return keep * fed_back + mean, [_longer(gradients, gradient_clip), _longer(changes, difference_clip)]


def _longer(vectors: Any, bound: float) -> tuple[int, Any]:
    """How many rows are longer than `bound`, and by how much the row does that is nearest to it."""
    margins = np.linalg.norm(vectors, axis=-1) - bound
    return int((margins > 0).sum()), margins[int(np.argmin(np.abs(margins)))]


def _start(params: Params) -> Array:
    return np.concatenate([params.start, params.start, np.zeros(2 * len(params.start))])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d), final (d,), states (T + 1, 4 d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = _steps.walk(one, _start(params), draws, params.steps)
    return Run(_final(params, states[-1]), transcript, states, branches, counted.only("gradients"))


def _final(params: Params, state: Any) -> Any:
    return state[..., 3 * len(params.start) :]


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    if (problem.records, problem.dimension) != (params.records, len(params.start)):
        raise ConfigurationError(
            f"the problem has {problem.records} records of {problem.dimension} coordinates, "
            f"the parameters say {params.records} of {len(params.start)}"
        )


# numba: one trial after the other, trials in parallel. ------------------------------------------


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or outputs theta~ (trials, d).

    release: "transcript" or "final". Noise, batches and the index of the output come from the parts
    "noise", "batches" and "output" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, _steps.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps if keep else 1, d), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    _srm_kernels.run(_start(params).astype(dtype), trials.numbers, keep, out, *plan)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row: of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (state, v_p), shape (rows, 5 d), and the ways taken that `step` lists, (rows, choices).
    """
    rows, d = len(before), len(params.start)
    out, ways = np.empty((rows, 5 * d), dtype=dtype), np.zeros((rows, 3), dtype=np.int64)
    out[:, : 4 * d] = before
    _srm_kernels.replay(out, steps, trials.numbers, ways, *_plan(params, problem, trials.stream, dtype))
    return out, ways[:, _choices(params)]


def _choices(params: Params) -> list[int]:
    """Which of (short, clipped gradients, clipped differences) are choices of this run."""
    return [0] * (params.step_rule == "printed") + [1, 2] * (params.clips is not None)


def _plan(params: Params, problem: Problem, stream: Stream, dtype: str) -> Any:
    keys = tuple(word for name in ("noise", "batches", "output") for word in stream.part(name).key)
    kind = np.dtype(dtype).type
    clips = params.clips or (math.inf, math.inf)
    rates = (params.longest, 2 * params.accuracy, params.step_size or 0.0)
    numbers = tuple(kind(x) for x in (params.momentum, 1 - params.momentum, *clips, *rates))
    noises = (kind(params.first_noise), kind(params.noise))
    options = (params.steps, params.clips is not None, params.step_rule == "constant")
    first, later = (batch_kernels.plan(params.batches_at(t)) for t in (0, 1))
    return keys, numbers, noises, options, first, later, problem_kernels.arrays(problem, dtype)


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

    problem: a `Problem`, or an object with the methods of `TorchProblem`, such as a `ModuleProblem`.
    """
    check_inputs(params, problem)
    machine = Machine(params, problem, trials.stream, device, dtype)
    return _steps.run_torch(
        machine, _start(params), params.steps, trials.numbers, release, lambda state: _final(params, state)
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Machine(params, problem, trials.stream, device, dtype)
    return _steps.replay_torch(machine, trials.numbers, steps, before)
