"""DP-SRM: differentially private stochastic recursive momentum, with steps of bounded length.

Source: Wang, Jayaraman, Evans, Gu (2023), "Efficient Privacy-Preserving Stochastic Nonconvex
Optimization", Algorithm 1 (rebuilt from the proofs of its supplement; the noisy estimate v_p is fed back).

Shapes: d coordinates, n records, T noisy estimates. A transcript has shape (T, d): the released
v_p^0, ..., v_p^{T-1}. A batch of trials adds a first axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit import problem_kernels
from dpaudit.algorithm import Algorithm
from dpaudit.algorithms import _srm_kernels
from dpaudit.algorithms._srm_cases import agreement_cases
from dpaudit.algorithms._srm_privacy import coupled_difference, coupled_sensitivity, iterates, queries, sensitivities
from dpaudit.errors import ConfigurationError
from dpaudit.mechanism import Composed, Gaussian, Mechanism, SelfComposed
from dpaudit.noise import Stream, Trials
from dpaudit.noise_torch import load_torch
from dpaudit.parameters import check_choice, check_count, check_number, check_vector
from dpaudit.problems import Problem, TorchProblem

__all__ = [
    "ALGORITHM", "Params", "Run", "agreement_cases", "coupled_difference", "coupled_sensitivity", "cpu", "draw_inputs",
    "gpu", "iterates", "mechanism", "noise_shape", "queries", "reference", "sensitivities",
]  # fmt: skip

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
RELEASES = ("transcript", "final")

ALGORITHM = Algorithm(
    name="srm/ALG-1",
    title="DP-SRM: differentially private stochastic recursive momentum",
    source="Wang, Jayaraman, Evans, Gu (2023), Algorithm 1",
    pseudo_code=(
        "v^0 = grad F_{B_0}(theta^0); "
        "v^t = grad F_{B_t}(theta^t) + (1 - gamma)(v_p^{t-1} - grad F_{B_t}(theta^{t-1})); "
        "v_p^t = v^t + N(0, sigma_t^2 I); eta_t = min(zeta/(n0 L |v_p^t|), 1/(2 n0 L)); "
        "theta^{t+1} = theta^t - eta_t v_p^t; return theta^j, j uniform on 0..T-1"
    ),
    options=(),
    released="every v_p^t, and with them all iterates; batches and noise stay hidden",
    cost="b0 + 2 b (T - 1) gradients of a record",
)


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: theta^0, d finite numbers; steps: T; first_batch: b0, batch: b, from 1 to n = records;
    momentum: gamma in (0, 1]; accuracy: zeta, divisor: n0, smoothness: L, lipschitz: G, all above 0;
    first_noise: sigma_0, noise: sigma, standard deviations at least 0. Raises ConfigurationError.
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

    def __post_init__(self) -> None:
        check_vector("start", self.start)
        check_count("steps", self.steps)
        check_count("records", self.records)
        check_count("first_batch", self.first_batch, 1, self.records)
        check_count("batch", self.batch, 1, self.records)
        check_number("momentum", self.momentum, above=0.0, most=1.0)
        for name in ("accuracy", "divisor", "smoothness", "lipschitz"):
            check_number(name, getattr(self, name), above=0.0)
        check_number("first_noise", self.first_noise, least=0.0)
        check_number("noise", self.noise, least=0.0)

    @property
    def longest(self) -> float:
        """zeta/(n0 L): no step is longer."""
        return self.accuracy / (self.divisor * self.smoothness)

    @property
    def largest_rate(self) -> float:
        """1/(2 n0 L): the rate of short steps."""
        return 1 / (2 * self.divisor * self.smoothness)

    def batch_at(self, step: int) -> int:
        """b0 at step 0, b after."""
        return self.batch if step else self.first_batch

    def noise_at(self, step: int) -> float:
        """sigma_0 at step 0, sigma after."""
        return self.noise if step else self.first_noise


@dataclass(frozen=True)
class Run:
    """final: theta~, (d,); transcript: v_p, (T, d); states: (theta^{t-1}, theta^t, v_p^{t-1}) before every step and
    after the last, (T + 1, 3 d); short: whether the rate was 1/(2 n0 L), (T,); gradients: how many were computed."""

    final: Array
    transcript: Array
    states: Array
    short: NDArray[np.bool_]
    gradients: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(T, d): the normals of one trial."""
    return (params.steps, len(params.start))


def mechanism(params: Params) -> Mechanism:
    """T Gaussian mechanisms, without amplification by the hidden batches, which only adds privacy.

    Raises ConfigurationError without noise, which promises nothing.
    """
    first, later = sensitivities(params)
    if not (params.first_noise > 0 and (params.noise > 0 or params.steps == 1)):
        raise ConfigurationError("first_noise and noise must be above 0 for a promise of privacy")
    if params.steps == 1:
        return Gaussian(params.first_noise / first)
    later_steps = SelfComposed(Gaussian(params.noise / later), params.steps - 1)
    return Composed((Gaussian(params.first_noise / first), later_steps))


def reference(params: Params, problem: Problem, noise: Array, batches: Integers, chosen: int) -> Run:
    """One trial as the paper prints it.

    noise: standard normals, (T, d); batches: record numbers, (T, max(b0, b)), of which b0 or b are used;
    chosen: the index of the output, from 0 to T - 1.
    """
    theta = previous = np.array(params.start)
    fed_back = np.zeros(len(theta))
    states, transcript, short, gradients, visited = [np.concatenate([previous, theta, fed_back])], [], [], 0, []
    for t in range(params.steps):
        visited.append(theta)
        b = batches[t, : params.batch_at(t)]
        v = problem.record_gradients(theta)[b].mean(axis=0)
        if t > 0:
            v = v + (1 - params.momentum) * (fed_back - problem.record_gradients(previous)[b].mean(axis=0))
        fed_back = v + params.noise_at(t) * noise[t]
        length = np.sqrt(fed_back @ fed_back)
        eta = params.largest_rate if length <= 2 * params.accuracy else params.longest / length
        previous, theta = theta, theta - eta * fed_back
        states.append(np.concatenate([previous, theta, fed_back]))
        transcript.append(fed_back)
        short.append(length <= 2 * params.accuracy)
        gradients += len(b) * (2 if t else 1)
    return Run(visited[chosen], np.array(transcript), np.array(states), np.array(short), gradients)


def draw_inputs(params: Params, stream: Stream, trial: int) -> tuple[Array, Integers, int]:
    """Noise, batches and output index of one trial for `reference`: those that `cpu` and `gpu` draw themselves.

    A batch is drawn without replacement by Floyd's method (Bentley, Floyd 1987).
    """
    numbers, d, n = np.array([trial]), len(params.start), params.records
    noise = [stream.part("noise").normals(numbers, t, d)[0] for t in range(params.steps)]
    batches = np.zeros((params.steps, max(params.first_batch, params.batch)), dtype=np.int64)
    for t in range(params.steps):
        size, taken = params.batch_at(t), []
        for a, u in enumerate(stream.part("batches").uniforms(numbers, t, size)[0]):
            candidate = int(u * (n - size + a + 1))
            taken.append(n - size + a if candidate in taken else candidate)
        batches[t, :size] = taken
    return np.array(noise), batches, int(stream.part("output").uniforms(numbers, 0, 1)[0, 0] * params.steps)


def cpu(params: Params, problem: Problem, trials: Trials, release: str = "transcript", dtype: str = "float64") -> Array:
    """All trials with numba: transcripts (trials, T, d), or outputs theta~ (trials, d).

    release: "transcript" or "final". Noise, batches and the index of the output come from the parts
    "noise", "batches" and "output" of the stream.
    """
    check_inputs(params, problem, release)
    keep, d = release == "transcript", len(params.start)
    out = np.empty((len(trials), params.steps if keep else 1, d), dtype=dtype)
    start, data = np.array(params.start, dtype=dtype), problem_kernels.arrays(problem, dtype)
    _srm_kernels.run(start, trials.numbers, _keys(trials.stream), _plan(params), data, keep, out)
    return out if keep else out[:, 0]


def advance_cpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row: of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns the states after, shape (rows, 3 d), and 1 where the rate was 1/(2 n0 L), (rows,).
    """
    out, data = np.array(before, dtype=dtype), problem_kernels.arrays(problem, dtype)
    return out, _srm_kernels.replay(out, steps, trials.numbers, _keys(trials.stream), _plan(params), data)


def check_inputs(params: Params, problem: Problem, release: str) -> None:
    """Refuse a problem of other sizes than `params` says, and an unknown release."""
    check_choice("release", release, RELEASES)
    if (problem.records, problem.dimension) != (params.records, len(params.start)):
        raise ConfigurationError(
            f"the problem has {problem.records} records of {problem.dimension} coordinates, "
            f"the parameters say {params.records} of {len(params.start)}"
        )


def _keys(stream: Stream) -> tuple[int, ...]:
    return tuple(word for name in ("noise", "batches", "output") for word in stream.part(name).key)


def _plan(params: Params) -> tuple[Any, ...]:
    rates = (params.longest, params.largest_rate, 2 * params.accuracy)
    sizes = (params.steps, params.records, params.first_batch, params.batch)
    return (*sizes, 1 - params.momentum, *rates, params.first_noise, params.noise)


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(
    params: Params,
    problem: Problem,
    trials: Trials,
    release: str = "transcript",
    device: str = "cpu",
    dtype: str = "float64",
) -> Any:
    """All trials with torch on `device`, the results of `cpu` as a tensor: (trials, T, d) or (trials, d)."""
    check_inputs(params, problem, release)
    machine = _Torch(params, problem, trials.stream, device, dtype)
    theta = machine.tensor(np.tile(params.start, (len(trials), 1)))
    previous, fed_back, visited, transcript = theta, theta * 0.0, [], []
    for step in range(params.steps):
        visited.append(theta)
        previous, theta, fed_back, _ = machine.advance(previous, theta, fed_back, step, trials.numbers)
        transcript.append(fed_back)
    if release == "transcript":
        return machine.torch.stack(transcript, dim=1)
    uniform = trials.stream.part("output").torch_uniforms(trials.numbers, 0, 1, device)[:, 0]
    chosen = (uniform * params.steps).to(machine.torch.int64)
    return machine.torch.stack(visited, dim=1)[machine.torch.arange(len(trials), device=device), chosen]


def advance_gpu(
    params: Params, problem: Problem, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine, d = _Torch(params, problem, trials.stream, device, dtype), before.shape[1] // 3
    out, short = np.empty_like(before), np.empty(len(before), dtype=np.int64)
    for step in np.unique(steps):
        rows = steps == step
        state = machine.tensor(before[rows])
        previous, theta, fed_back = state.split(d, dim=1)
        *parts, was_short = machine.advance(previous, theta, fed_back, int(step), trials.numbers[rows])
        out[rows], short[rows] = machine.torch.cat(parts, dim=1).cpu().numpy(), was_short.cpu().numpy()
    return out, short


class _Torch:
    """The constants of a run, and one step of all trials."""

    def __init__(self, params: Params, problem: Problem, stream: Stream, device: str, dtype: str) -> None:
        self.torch = load_torch()
        self.params, self.device, self.kind = params, device, getattr(self.torch, dtype)
        self.noise, self.batches = stream.part("noise"), stream.part("batches")
        self.problem = TorchProblem(problem, device, dtype)

    def tensor(self, values: Any) -> Any:
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def batch(self, step: int, trials: Integers) -> Any:
        """Record numbers by Floyd's method, all trials at once, shape (trials, b)."""
        size, n = self.params.batch_at(step), self.params.records
        uniforms = self.batches.torch_uniforms(trials, step, size, self.device)
        taken = self.torch.zeros((len(trials), n), dtype=self.torch.bool, device=self.device)
        rows, listed = self.torch.arange(len(trials), device=self.device), []
        for a in range(size):
            candidate = (uniforms[:, a] * (n - size + a + 1)).to(self.torch.int64)
            record = self.torch.where(taken[rows, candidate], n - size + a, candidate)
            taken[rows, record] = True
            listed.append(record)
        return self.torch.stack(listed, dim=1)

    def advance(self, previous: Any, theta: Any, fed_back: Any, step: int, trials: Integers) -> tuple[Any, ...]:
        params, batch = self.params, self.batch(step, trials)
        v = self.problem.batch_gradient(theta, batch)
        if step > 0:
            v = v + (1 - params.momentum) * (fed_back - self.problem.batch_gradient(previous, batch))
        normals = self.noise.torch_normals(trials, step, theta.shape[1], self.device, self.kind)
        fed_back = v + params.noise_at(step) * normals
        length = (fed_back * fed_back).sum(dim=1, keepdim=True).sqrt()
        short = length <= 2 * params.accuracy
        eta = self.torch.where(short, params.largest_rate, params.longest / length)
        return theta, theta - eta * fed_back, fed_back, short[:, 0]
