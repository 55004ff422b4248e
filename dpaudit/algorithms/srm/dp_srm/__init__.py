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
from typing import Any

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.srm.dp_srm import kernels
from dpaudit.algorithms.srm.dp_srm.params import Array, Draws, Integers, Params, step
from dpaudit.algorithms.srm.dp_srm.privacy import calibrate, claims, promise, sensitivities
from dpaudit.algorithms.srm.dp_srm.tensors import Machine
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice
from dpaudit.sampling import batch_kernels

__all__ = [
    "ALGORITHM", "Draws", "Params", "Run", "advance_cpu", "advance_gpu", "calibrate", "calls",
    "claims", "cpu", "draw_inputs", "gpu", "noise_shape",
    "promise", "reference", "sensitivities", "step",
]  # fmt: skip


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


def _start(params: Params) -> Array:
    return np.concatenate([params.start, params.start, np.zeros(2 * len(params.start))])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: transcript (T, d), final (d,), states (T + 1, 4 d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
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
    check_choice("release", release, stepwise.RELEASES)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps if keep else 1, d), dtype=dtype)
    plan = _plan(params, problem, trials.stream, dtype)
    kernels.run(_start(params).astype(dtype), trials.numbers, keep, out, *plan)
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
    kernels.replay(out, steps, trials.numbers, ways, *_plan(params, problem, trials.stream, dtype))
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
    return keys, numbers, noises, options, first, later, loss_kernels.arrays(problem, dtype)


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
    return stepwise.run_torch(
        machine, _start(params), params.steps, trials.numbers, release, lambda state: _final(params, state)
    )


def advance_gpu(
    params: Params, problem: Any, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Machine(params, problem, trials.stream, device, dtype)
    return stepwise.replay_torch(machine, trials.numbers, steps, before)
