"""Noisy-ZOGD: K directions a step, noise along them and in all of space; its mini-batch and i.i.d. variants.

Source: Chien, Chen, Li (2025), equation (3); (63) and (64) for batches; appendix B for independent directions. The
parameters that make it each of the spec's algorithms:

    zeroth/ALG-4   batches "all records", frame "orthonormal"
    zeroth/ALG-5   Noisy-ZOSGD: batches "without replacement", the same batch for all K directions of a step
    zeroth/ALG-6   frame "independent": K points of the sphere, where K may exceed d

The paper prints the split of the noise in two ways, both called beta_t. Here `variance_share` is a fraction of the
variance sigma^2, and `noise_split` says of which part: "directions" (beta_t of theorem 3.2, corollary 3.3, theorem
A.3) or "isotropic" (beta_t of equation (3), theorem 3.1, appendix A.10). With b the share of the directions, the noise
of a step is (eta/sqrt(K)) sqrt(b) sigma sum_k G_k u_k + (eta/sqrt(d)) sqrt(1 - b) sigma G, of mean energy eta^2 sigma^2
for every b and every orthonormal frame.

Appendix B writes the sphere as S^d; the directions have d coordinates, so it is S^(d-1). A run of no step, T = 0, is
refused: it would release w_0, which does not depend on the data.

Shapes: d coordinates, n records, K directions, T steps. A transcript has shape (T, d + K d): every iterate w_{t+1} and
the rows of the frame that led to it. A batch of trials adds a first axis. State: w.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.algorithms.zeroth import steps as _zeroth
from dpaudit.algorithms.zeroth.noisy_zogd import kernels
from dpaudit.algorithms.zeroth.noisy_zogd.params import Array, Draws, Integers, Params
from dpaudit.algorithms.zeroth.noisy_zogd.privacy import hidden_state_promise as hidden_state_promise
from dpaudit.algorithms.zeroth.noisy_zogd.privacy import promise as promise
from dpaudit.algorithms.zeroth.noisy_zogd.privacy import setting as setting
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import domain_kernels, loss_kernels
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.validation import check_choice
from dpaudit.sampling import batch_kernels

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
    "reference",
    "step",
]

ALGORITHM = Algorithm(
    name="zeroth/ALG-4",
    title="Noisy-ZOGD: zeroth-order descent with split noise",
    source="Chien, Chen, Li (2025), equation (3)",
    pseudo_code=(
        "for t < T: draw U = (u_1, ..., u_K) and a batch; s_k = (1/b) sum over the batch of clip((l_i(w + xi u_k) - "
        "l_i(w - xi u_k))/(2 xi); Delta); w = Pi(w - (eta/K) sum_k s_k u_k + (eta/sqrt(K)) sum_k G_k u_k + "
        "(eta/sqrt(d)) G), G_k from N(0, b_dir sigma^2), G from N(0, (1 - b_dir) sigma^2 I); return w"
    ),
    options=(
        ("noise_split", "directions", "isotropic: variance_share is the share of the isotropic noise, as (3) prints"),
        ("frame", "orthonormal", "independent: appendix B and prior work"),
        ("batches.kind", "all records", "without replacement: Noisy-ZOSGD"),
        ("perturbation", "above 0", "0, which (1) prints and cannot divide by: the directional derivative"),
    ),
    released="every iterate and every frame (`promise`), or the last iterate only (`hidden_state_promise`)",
    cost="2 b K T values; b T gradients for perturbation 0",
    also=("zeroth/ALG-5", "zeroth/ALG-6"),
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d + K): the normals of one trial beside those of its directions."""
    return (params.steps, len(params.start) + params.directions)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """2 b K T values, or b T gradients."""
    once = params.query.calls(params.directions, params.batches.size)
    return {name: params.steps * number for name, number in once.items()}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise, directions and batches of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, count) = np.array([trial]), noise_shape(params)
    noise = np.array([stream.part("noise").normals(numbers, t, count)[0] for t in range(steps)])
    batches = params.batches.draw_all(stream.part("batches"), trial, steps)
    return Draws(noise, _zeroth.draw_frames(params, stream, trial), batches)


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Step t of the algorithm as printed, from the state w; branch: how many slopes were clipped."""
    frame, d = params.sampler.frame(draw.directions), len(params.start)
    slopes, branches = params.query.slopes(problem, state, frame, draw.batches)
    along, across = params.deviations(t)
    moves = along * draw.noise[d:] - params.step_size / params.directions * slopes
    after = params.domain.project(state + moves @ frame + across * draw.noise[:d])
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

    Noise, directions and batches come from the parts "noise", "directions" and "batches" of the stream.
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
    spreads = np.array([params.deviations(t) for t in range(params.steps)], dtype=dtype)
    numbers = params.sampler.code, kind(params.step_size / params.directions), spreads
    asked = query.code, kind(query.perturbation), kind(query.clip_norm)
    batches, domain = batch_kernels.plan(params.batches), domain_kernels.plan(params.domain, dtype)
    start = np.array(params.start, dtype=dtype)
    frame = np.empty((params.directions, len(start)), dtype=dtype)
    return start, frame, _zeroth.keys(stream), numbers, asked, batches, domain, loss_kernels.arrays(problem, dtype)


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
        params, frame, d = self.params, self.frame(step, trials), state.shape[1]
        slopes, clipped = self.slopes(self.problem, state, frame, step, trials)
        noise, (along, across) = self.normals(trials, step, d + params.directions), params.deviations(step)
        moves = along * noise[:, d:] - params.step_size / params.directions * slopes
        after = state + (moves[:, None, :] @ frame)[:, 0] + across * noise[:, :d]
        after = params.domain.torch_project(after)
        return after, self.torch.cat([after, frame.flatten(1)], dim=1), clipped
