"""DP-SRM: differentially private stochastic recursive momentum, with steps of bounded length, and its clipped version.

Source: Wang, Jayaraman, Evans, Gu (2023), "Efficient Privacy-Preserving Stochastic Nonconvex
Optimization", Algorithm 1 (rebuilt from the proofs of its supplement; the noisy estimate v_p is fed back). The
parameters that make it each entry of the specification:

    srm/ALG-1   as printed; the supplement's G and L must bound the gradients and their differences
    srm/ALG-2   gradient_clip = C1, difference_clip = C2, most often with step_rule "constant": the experiments
    srm/ALG-3   `calibrate`: the noise of (2.3) and (2.5) where theorem 5.1 applies; `claims`: its accounting

Shapes: d coordinates, n records, T noisy estimates. A transcript has shape (T, d): the released
v_p^0, ..., v_p^{T-1}. The output has shape (d,). A batch of trials adds a first axis. A state
has 4 d numbers.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.srm.dp_srm import kernels
from dpaudit.algorithms.srm.dp_srm.params import Draws, Params, State, step
from dpaudit.algorithms.srm.dp_srm.privacy import calibrate, claims, promise, sensitivities
from dpaudit.algorithms.srm.dp_srm.tensors import Machine
from dpaudit.algorithms.stepwise import Packed
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems import loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.sampling import batch_kernels

__all__ = [
    "ALGORITHM", "RECORDED", "STEPWISE", "Draws", "Params", "State", "advance_cpu", "advance_gpu", "calibrate",
    "calls", "claims", "cpu", "draw_inputs", "gpu", "noise_shape", "promise", "reference", "sensitivities", "step",
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
    from_level=Level.STANDARD,
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, len(params.start))


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """b0 + 2 b (T - 1) gradients of a record: both points of a step see the same batch."""
    return {"gradients": params.first_batch + 2 * params.batch * (params.steps - 1)}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, batches and output of one trial for `reference`: from the parts of its stream of these names."""
    batches = tuple(params.batches_at(t).draw(stream.part("batches"), trial, t) for t in range(params.steps))
    noise = stepwise.normals(stream, trial, noise_shape(params))
    return Draws(noise, batches, stepwise.picked(stream, trial, params.steps))


def _packed(params: Params, problem: Problem, stream: Stream, dtype: str) -> Packed:
    keys = stream.keys("noise", "batches", "output")
    kind = np.dtype(dtype).type
    clips = params.clips or (math.inf, math.inf)
    rates = (params.longest, 2 * params.accuracy, params.step_size or 0.0)
    numbers = tuple(kind(x) for x in (params.momentum, 1 - params.momentum, *clips, *rates))
    noises = (kind(params.first_noise), kind(params.noise))
    options = (params.steps, params.clips is not None, params.step_rule == "constant")
    first, later = (batch_kernels.packed(params.batches_at(t)) for t in (0, 1))
    data = loss_kernels.arrays(problem, dtype)
    return keys, numbers, noises, options, first, later, data


def _start(params: Params) -> Array:
    return np.concatenate([params.start, params.start, np.zeros(2 * len(params.start))])


STEPWISE = stepwise.Stepwise(
    step,
    start=_start,
    final=lambda params, state: stepwise.unpack(State, state).drawn,
    columns=lambda params: len(params.start),
    sizes=lambda params: (params.records, len(params.start)),
    kernels=kernels,
    packed=_packed,
    machine=Machine,
    choices=lambda params: [0] * (params.step_rule == "printed") + [1, 2] * (params.clips is not None),
    kinds=("gradients",),
)
reference, cpu, gpu = STEPWISE.reference, STEPWISE.cpu, STEPWISE.gpu
advance_cpu, advance_gpu = STEPWISE.advance_cpu, STEPWISE.advance_gpu


def declared_noise(params: Params, t: int, draw: Draws, columns: int) -> Array:
    """The same independent noise on every column."""
    return np.asarray(params.noise_at(t) * np.eye(columns))


RECORDED = stepwise.Recorded(
    declared_noise,
    used=lambda params, t, draw: draw.batches,
    drawn="batches",
    batches=lambda params, t: params.batches_at(t),
)
