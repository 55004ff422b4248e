"""DP-SkGD: differentially private sketched gradient descent, with any random set of coordinates.

Source: Maranjyan, Sadiev, Richtarik (2024), "Differentially Private Random Block Coordinate
Descent", Algorithm 1; random sets: `dpaudit.samplers`; noise and schedules: theorems 4.1, 4.2.

Shapes: d coordinates, n records, T epochs of K inner steps. A transcript has shape (T K, 1 + m)
with m the largest set: the number of the set, then the released values y = I_S(grad f + eta) in
the order of the set's coordinates, filled up with 0. A batch of trials adds a first axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit import problem_kernels
from dpaudit.algorithm import Algorithm
from dpaudit.algorithms import _skgd_kernels
from dpaudit.algorithms._skgd_cases import agreement_cases
from dpaudit.algorithms._skgd_privacy import coupled_sensitivity, transcript_log_likelihood_ratio
from dpaudit.algorithms._skgd_schedules import Schedule, calibrate, convex_schedule, strongly_convex_schedule
from dpaudit.errors import ConfigurationError
from dpaudit.mechanism import Gaussian, Mechanism, SelfComposed
from dpaudit.noise import Stream, Trials
from dpaudit.noise_torch import load_torch
from dpaudit.parameters import check_choice, check_count, check_vector
from dpaudit.problems import Problem, TorchProblem
from dpaudit.samplers import Sampler

__all__ = [
    "ALGORITHM", "Params", "Run", "Schedule", "agreement_cases", "calibrate", "convex_schedule", "coupled_sensitivity",
    "cpu", "draw_inputs", "gpu", "mechanism", "noise_shape", "reference", "strongly_convex_schedule",
    "transcript_log_likelihood_ratio",
]  # fmt: skip

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
RELEASES = ("transcript", "final")

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
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w^0, d finite numbers; step_sizes: gamma_j above 0; epochs: T, inner_steps: K, at least 1;
    sampler: of sets of the d coordinates; noise_scales: sigma_U at least 0, lipschitz: L_U above 0, one
    a set; records: n; noise_param: "std" reads sigma_U as a standard deviation, "var" as a variance.
    Raises ConfigurationError.
    """

    start: tuple[float, ...]
    step_sizes: tuple[float, ...]
    epochs: int
    inner_steps: int
    sampler: Sampler
    noise_scales: tuple[float, ...]
    lipschitz: tuple[float, ...]
    records: int
    noise_param: str = "std"

    def __post_init__(self) -> None:
        check_vector("start", self.start, self.sampler.dimension)
        check_vector("step_sizes", self.step_sizes, self.sampler.dimension, above=0.0)
        check_count("epochs", self.epochs)
        check_count("inner_steps", self.inner_steps)
        check_vector("noise_scales", self.noise_scales, len(self.sampler.sets), least=0.0)
        check_vector("lipschitz", self.lipschitz, len(self.sampler.sets), above=0.0)
        check_count("records", self.records)
        check_choice("noise_param", self.noise_param, ("std", "var"))

    @property
    def steps(self) -> int:
        """T K."""
        return self.epochs * self.inner_steps

    @cached_property
    def deviations(self) -> Array:
        """The standard deviation of eta for every set."""
        scales = np.array(self.noise_scales)
        return scales if self.noise_param == "std" else np.sqrt(scales)

    @cached_property
    def rates(self) -> Array:
        """gamma_j/p_j, shape (d,): the diagonal of Gamma C on the drawn set."""
        return np.array(self.step_sizes) / self.sampler.inclusion


@dataclass(frozen=True)
class Run:
    """final: w^T, (d,); transcript: (T K, 1 + m); states: (theta, sum of the epoch), (T K + 1, 2 d);
    partial_derivatives: how many were computed."""

    final: Array
    transcript: Array
    states: Array
    partial_derivatives: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T K, m): the normals of one trial; only the first |S| of a step are used."""
    return (params.steps, params.sampler.widest)


def mechanism(params: Params) -> Mechanism:
    """T K Gaussian mechanisms; sensitivity 2 L_U/n of the block gradient (replace one record).

    Raises ConfigurationError without noise, which promises nothing.
    """
    multipliers = params.deviations * params.records / (2 * np.array(params.lipschitz))
    if not multipliers.min() > 0:
        raise ConfigurationError("noise_scales has a 0, so the run promises no privacy; see calibrate")
    return SelfComposed(Gaussian(float(multipliers.min())), params.steps)


def reference(params: Params, problem: Problem, noise: Array, sets: Integers) -> Run:
    """One trial as the paper prints it; noise: standard normals, (T K, m); sets: numbers of the drawn sets, (T K,)."""
    sampler, gamma, p = params.sampler, np.array(params.step_sizes), params.sampler.inclusion
    w = np.array(params.start)
    transcript, partial_derivatives = np.zeros((params.steps, 1 + sampler.widest)), 0
    states = [np.concatenate([w, np.zeros(len(w))])]
    for t in range(params.epochs):
        theta, total = w.copy(), np.zeros(len(w))
        for k in range(params.inner_steps):
            step = t * params.inner_steps + k
            s = list(sampler.sets[sets[step]])
            eta = params.deviations[sets[step]] * noise[step, : len(s)]
            released = problem.gradient(theta)[s] + eta
            theta[s] = theta[s] - gamma[s] / p[s] * released
            total = total + theta
            transcript[step, 0], transcript[step, 1 : 1 + len(s)] = sets[step], released
            partial_derivatives += problem.records * len(s)
            states.append(np.concatenate([theta, total]))
        w = total / params.inner_steps
        states[-1][: len(w)] = w  # the next epoch starts from the average, not from theta^K
    return Run(w, transcript, np.array(states), partial_derivatives)


def draw_inputs(params: Params, stream: Stream, trial: int) -> tuple[Array, Integers]:
    """Noise and sets of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, (steps, width) = np.array([trial]), noise_shape(params)
    noise = [stream.part("noise").normals(numbers, step, width)[0] for step in range(steps)]
    uniforms = [stream.part("sets").uniforms(numbers, step, 1)[0, 0] for step in range(steps)]
    return np.array(noise), params.sampler.draw(np.array(uniforms))


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T K, 1 + m), or final iterates w^T (trials, d).

    release: "transcript" or "final". Sets and noise come from the parts "sets" and "noise" of the stream.
    """
    check_inputs(params, problem, release)
    keep = release == "transcript"
    rows = (params.steps, 1 + params.sampler.widest) if keep else (1, len(params.start))
    out = np.empty((len(trials), *rows), dtype=dtype)
    plan, data = _plan(params, dtype), problem_kernels.arrays(problem, dtype)
    keys = trials.stream.part("noise").key + trials.stream.part("sets").key
    _skgd_kernels.run(np.array(params.start, dtype=dtype), params.steps, trials.numbers, keys, plan, data, keep, out)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row: of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (theta, sum, released), shape (rows, 2 d + m), and the numbers of the drawn sets, (rows,).
    """
    keys = trials.stream.part("noise").key + trials.stream.part("sets").key
    out = np.empty((len(before), before.shape[1] + params.sampler.widest), dtype=dtype)
    plan, data = _plan(params, dtype), problem_kernels.arrays(problem, dtype)
    states = np.ascontiguousarray(before, dtype=dtype)
    return out, _skgd_kernels.replay(states, steps, trials.numbers, keys, plan, data, out)


def check_inputs(params: Params, problem: Problem, release: str) -> None:
    """Refuse a problem of other sizes than `params` says, and an unknown release."""
    check_choice("release", release, RELEASES)
    for name, given, said in (
        ("records", problem.records, params.records),
        ("coordinates", problem.dimension, len(params.start)),
    ):
        if given != said:
            raise ConfigurationError(f"the problem has {given} {name}, the parameters say {said}")


def _plan(params: Params, dtype: str) -> tuple[Any, ...]:
    sampler = params.sampler
    floats = (params.deviations.astype(dtype), params.rates.astype(dtype))
    return (sampler.cumulative, sampler.members, sampler.sizes, *floats, params.inner_steps)


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Problem,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T K, 1 + m) or (trials, d)."""
    check_inputs(params, problem, release)
    machine = _Torch(params, problem, trials.stream, device, dtype)
    theta = machine.tensor(np.tile(params.start, (len(trials), 1)))
    total, transcript = machine.torch.zeros_like(theta), []
    for step in range(params.steps):
        theta, total, released, number = machine.advance(theta, total, step, trials.numbers)
        if release == "transcript":
            transcript.append(machine.torch.cat([number[:, None].to(released.dtype), released], dim=1))
    return machine.torch.stack(transcript, dim=1) if release == "transcript" else theta


def advance_gpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine, d = _Torch(params, problem, trials.stream, device, dtype), before.shape[1] // 2
    out = np.empty((len(before), before.shape[1] + params.sampler.widest))
    numbers = np.empty(len(before), dtype=np.int64)
    for step in np.unique(steps):
        rows = steps == step
        state = machine.tensor(before[rows])
        *parts, number = machine.advance(state[:, :d], state[:, d:], int(step), trials.numbers[rows])
        out[rows], numbers[rows] = machine.torch.cat(parts, dim=1).cpu().numpy(), number.cpu().numpy()
    return out, numbers


class _Torch:
    """The constants of a run as tensors, and one inner step of all trials."""

    def __init__(self, params: Params, problem: Problem, stream: Stream, device: str, dtype: str) -> None:
        self.torch = load_torch()
        self.device, self.kind = device, getattr(self.torch, dtype)
        self.noise, self.sets, self.inner_steps = stream.part("noise"), stream.part("sets"), params.inner_steps
        self.problem = TorchProblem(problem, device, dtype)
        sampler = params.sampler
        self.cumulative = self.torch.tensor(sampler.cumulative, device=device)
        self.members = self.torch.tensor(sampler.members, device=device)
        self.used = self.tensor(np.arange(sampler.widest) < sampler.sizes[:, None])
        self.deviations, self.rates = self.tensor(params.deviations), self.tensor(params.rates)

    def tensor(self, values: Any) -> Any:
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def advance(self, theta: Any, total: Any, step: int, trials: Integers) -> tuple[Any, Any, Any, Any]:
        uniform = self.sets.torch_uniforms(trials, step, 1, self.device)[:, 0]
        number = self.torch.searchsorted(self.cumulative, uniform, right=True)
        chosen, used = self.members[number], self.used[number]
        eta = self.deviations[number][:, None] * self.noise.torch_normals(
            trials, step, chosen.shape[1], self.device, self.kind
        )
        released = (self.problem.gradient(theta).gather(1, chosen) + eta) * used
        theta = theta.scatter_add(1, chosen, -(self.rates[chosen] * released))
        total = theta if step % self.inner_steps == 0 else total + theta
        if (step + 1) % self.inner_steps == 0:
            theta = total / self.inner_steps
        return theta, total, released, number
