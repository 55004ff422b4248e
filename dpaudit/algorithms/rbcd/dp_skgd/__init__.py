"""DP-SkGD: differentially private sketched gradient descent, with any random set of coordinates.

Source: Maranjyan, Sadiev, Richtarik (2024), "Differentially Private Random Block Coordinate Descent", Algorithm 1;
random sets: `dpaudit.sampling.coordinates`; noise and schedules: theorems 4.1, 4.2. With the block samplers it is
DP-SkGD-BS (section 4.2.1; rbcd/ALG-7).

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, 1 + m)
with m the largest set: the number of the set, then the released values y = I_S(grad f + eta) in
the order of the set's coordinates, filled up with 0. A batch of trials adds a first axis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import Counted
from dpaudit.algorithms.rbcd.dp_skgd import kernels
from dpaudit.algorithms.rbcd.dp_skgd.params import Array, Draws, Integers, Params
from dpaudit.algorithms.rbcd.dp_skgd.privacy import transcript_log_likelihood_ratio
from dpaudit.algorithms.rbcd.dp_skgd.schedules import Schedule, calibrate, convex_schedule, strongly_convex_schedule
from dpaudit.algorithms.stepwise import Run, Step
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import loss_kernels
from dpaudit.problems.loss_tensors import torch_form
from dpaudit.problems.losses import Problem
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise, SelfComposed
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.validation import check_choice

__all__ = [
    "ALGORITHM", "Draws", "Params", "Schedule", "advance_cpu", "advance_gpu", "calibrate", "calls",
    "convex_schedule", "cpu", "draw_inputs", "gpu", "noise_shape", "promise",
    "reference", "step", "strongly_convex_schedule", "transcript_log_likelihood_ratio",
]  # fmt: skip


ALGORITHM = Algorithm(
    name="rbcd/ALG-1",
    title="DP-SkGD: differentially private sketched gradient descent",
    source="Maranjyan, Sadiev, Richtarik (2024), Algorithm 1",
    pseudo_code=(
        "for t < T: theta^0 = w^t; for k < K: draw S, C = I_S P^-1; eta ~ N(0, sigma_S^2 I); "
        "theta^{k+1} = theta^k - Gamma C (grad f(theta^k) + eta); w^{t+1} = (theta^1 + ... + theta^K)/K; return w^T"
    ),
    options=(("noise_param", "std", "var: line 6 prints N(0, sigma_S), read as the variance"),),
    released="the sets S and the noisy gradient coordinates of every step; w^T follows from them",
    cost="n |S| partial derivatives per inner step, n K T sum_j p_j expected",
    also=("rbcd/ALG-7",),
)


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, m): the normals of one trial; only the first |S| of a step are used."""
    return (params.steps, params.sampler.widest)


def promise(params: Params) -> Promise:
    """T K Gaussian mechanisms; sensitivity 2 L_U/n of the block gradient (replace one record).

    Raises ConfigurationError without noise, which promises nothing.
    """
    multipliers = params.deviations * params.records / (2 * np.array(params.lipschitz))
    if not multipliers.min() > 0:
        raise ConfigurationError("noise_scales has a 0, so the run promises no privacy; see calibrate")
    mechanism = SelfComposed(Gaussian(float(multipliers.min())), params.steps)
    source = "Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, its steps composed exactly"
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def calls(params: Params, draws: Draws) -> dict[str, int]:
    """n |S| partial derivatives in each of T K rounds."""
    sizes = params.sampler.sizes[draws.sets]
    return {"partial derivatives": params.records * int(sizes.sum()), "rounds": params.steps}


def draw_inputs(params: Params, stream: Stream, trial: int) -> Draws:
    """Noise and sets of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, width) = np.array([trial]), noise_shape(params)
    noise = [stream.part("noise").normals(numbers, step, width)[0] for step in range(steps)]
    uniforms = [stream.part("sets").uniforms(numbers, step, 1)[0, 0] for step in range(steps)]
    return Draws(np.array(noise), params.sampler.draw(np.array(uniforms)))


def step(params: Params, problem: Any, state: Any, t: int, draw: Draws) -> Step:
    """Inner step k = t mod K of epoch t // K as printed, from (theta, sum of the epoch); branch: the drawn set.

    What is released: the number of the set, then y in the order of its coordinates, filled up with 0.
    """
    sampler, (theta, total) = params.sampler, np.split(state, 2)
    if t % params.inner_steps == 0:
        total = np.zeros_like(total)
    s = list(sampler.sets[draw.sets])
    y = problem.partial(theta, s) + params.deviations[draw.sets] * draw.noise[: len(s)]
    moved = theta.copy()
    moved[s] = theta[s] - params.rates[s] * y
    total = total + moved
    if (t + 1) % params.inner_steps == 0:
        moved = total / params.inner_steps  # the next epoch starts from the average, not from theta^K
    released = np.concatenate([np.array([draw.sets]), y, np.zeros(sampler.widest - len(s))])
    return Step(np.concatenate([moved, total]), released, ((int(draw.sets), None),))


def _start(params: Params) -> Array:
    return np.concatenate([params.start, np.zeros(len(params.start))])


def reference(params: Params, problem: Problem, draws: Draws) -> Run:
    """One trial as the paper prints it: final w^T (d,), transcript (T K, 1 + m), states (T K + 1, 2 d)."""
    check_inputs(params, problem)
    counted = Counted(problem)

    def one(state: Array, t: int, draw: Draws) -> Step:
        return step(params, counted, state, t, draw)

    states, transcript, branches = stepwise.walk(one, _start(params), draws, params.steps)
    made = counted.only("partial derivatives", "rounds")
    return Run(states[-1][: len(params.start)], transcript, states, branches, made)


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T K, 1 + m), or final iterates w^T (trials, d).

    release: "transcript" or "final". Sets and noise come from the parts "sets" and "noise" of the stream.
    """
    check_inputs(params, problem)
    check_choice("release", release, stepwise.RELEASES)
    keep = release == "transcript"
    rows = (params.steps, 1 + params.sampler.widest) if keep else (1, len(params.start))
    out = np.empty((len(trials), *rows), dtype=dtype)
    plan, data = _plan(params, dtype), loss_kernels.arrays(problem, dtype)
    keys = trials.stream.part("noise").key + trials.stream.part("sets").key
    kernels.run(np.array(params.start, dtype=dtype), params.steps, trials.numbers, keys, plan, data, keep, out)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row: of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (theta, sum, number of the set, released), (rows, 2 d + 1 + m), and the numbers of the sets, (rows, 1).
    """
    keys = trials.stream.part("noise").key + trials.stream.part("sets").key
    out = np.empty((len(before), before.shape[1] + 1 + params.sampler.widest), dtype=dtype)
    plan, data = _plan(params, dtype), loss_kernels.arrays(problem, dtype)
    states = np.ascontiguousarray(before, dtype=dtype)
    return out, kernels.replay(states, steps, trials.numbers, keys, plan, data, out)[:, None]


def check_inputs(params: Params, problem: Any) -> None:
    """Refuse a problem of other sizes than `params` says."""
    stepwise.check_sizes(problem, params.records, len(params.start))


def _plan(params: Params, dtype: str) -> tuple[Any, ...]:
    sampler = params.sampler
    floats = (params.deviations.astype(dtype), params.rates.astype(dtype))
    return (sampler.cumulative, sampler.members, sampler.sizes, *floats, params.inner_steps)


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Any,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T K, 1 + m) or (trials, d)."""
    check_inputs(params, problem)
    machine, d = _Torch(params, problem, trials.stream, device, dtype), len(params.start)
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
        self.inner_steps, self.problem = params.inner_steps, torch_form(problem, device, dtype)
        sampler = params.sampler
        self.cumulative = self.torch.tensor(sampler.cumulative, device=device)
        self.members = self.torch.tensor(sampler.members, device=device)
        self.used = self.tensor(np.arange(sampler.widest) < sampler.sizes[:, None])
        self.deviations, self.rates = self.tensor(params.deviations), self.tensor(params.rates)

    def advance(self, state: Any, step: int, trials: Integers) -> tuple[Any, Any, Any]:
        theta, total = state.chunk(2, dim=1)
        uniform = self.stream.part("sets").torch_uniforms(trials, step, 1, self.device)
        number = self.torch.searchsorted(self.cumulative, uniform, right=True)
        chosen, used = self.members[number[:, 0]], self.used[number[:, 0]]
        eta = self.deviations[number] * self.normals(trials, step, chosen.shape[1])
        y = (self.problem.gradient(theta).gather(1, chosen) + eta) * used
        theta = theta.scatter_add(1, chosen, -(self.rates[chosen] * y))
        total = theta if step % self.inner_steps == 0 else total + theta
        if (step + 1) % self.inner_steps == 0:
            theta = total / self.inner_steps
        released = self.torch.cat([number.to(y.dtype), y], dim=1)
        return self.torch.cat([theta, total], dim=1), released, number
