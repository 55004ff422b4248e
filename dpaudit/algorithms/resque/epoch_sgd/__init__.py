"""EpochSGD: a ball optimisation oracle for the smoothed function whose queries are all made in one round.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", algorithm 1 and proposition 3 (which takes rho = r). It minimises
fhat_rho(x) + (lambda/2)|x - xbar|^2 over the ball of radius r around xbar to expected error phi.

The pool holds 2 T samples as printed, of which m completed epochs use 16 (2^m - 1) - m <= T; below T = 16 there is
no epoch and xbar is returned. `cpu` and `gpu` draw the samples that are used only.

Shapes: d coordinates, 2 T draws; the state of a step is (x_k^t, sum of the epoch), 2 d numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpaudit.algorithms.resque.epoch_sgd import kernels
from dpaudit.algorithms.resque.epoch_sgd.tensors import FIRST_LENGTH, Torch
from dpaudit.algorithms.resque.shared.counted import CountedOracle, check_draws
from dpaudit.algorithms.resque.shared.draws import TorchPool, check_dimension, pool_inputs, project
from dpaudit.algorithms.resque.shared.kernels import pool_keys
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import oracle_arrays
from dpaudit.problems.smoothing.ridges import Oracle
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Numbers, Positive, check_fields

MOST_ITERATIONS = 1 << 39

ALGORITHM = Algorithm(
    name="resque/ALG-4",
    title="EpochSGD: parallel ball optimisation oracle",
    source="Carmon et al. (2023), algorithm 1",
    pseudo_code=(
        "eta_1 = 1/(4 lambda), T_1 = 16, T = ceil(48 L^2/(lambda phi)); query g(xbar + xi_i), i in [2T], at once; "
        "while T_1 + ... + T_k <= T: x_k^1 = argmin_B {eta_k lambda/2 |x - xbar|^2 + |x - x_k^0|^2/2}; "
        "for t < T_k: i = T_1 + ... + T_{k-1} + t; G = w(x_k^t, xi_i) g(xbar + xi_i); "
        "x_k^{t+1} = argmin_B {eta_k <G, x> + eta_k lambda/2 |x - xbar|^2 + |x - x_k^t|^2/2}; "
        "x_{k+1}^0 = mean_t x_k^t, T_{k+1} = 2 T_k, eta_{k+1} = eta_k/2; return x_k^0"
    ),
    options=(),
    released="x_k^0; the setting is not private",
    cost="2 ceil(48 L^2/(lambda phi)) queries in 1 round",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """centre: xbar, d finite numbers; ball_radius: r, smoothing_radius: rho, strength: lambda, tolerance: phi,
    lipschitz: L with E|g|^2 <= L^2, all above 0. Raises ConfigurationError, also where T reaches 2^39."""

    centre: Numbers
    ball_radius: Positive
    smoothing_radius: Positive
    strength: Positive
    tolerance: Positive
    lipschitz: Positive

    def __post_init__(self) -> None:
        check_fields(self)
        if not 48 * self.lipschitz**2 < MOST_ITERATIONS * self.strength * self.tolerance:
            raise ConfigurationError("48 L^2/(lambda phi) reaches 2^39; raise tolerance or strength")

    @property
    def iterations(self) -> int:
        """T = ceil(48 L^2/(lambda phi))."""
        return math.ceil(48 * self.lipschitz**2 / (self.strength * self.tolerance))

    @property
    def queries(self) -> int:
        """2 T."""
        return 2 * self.iterations

    @cached_property
    def schedule(self) -> Array:
        """Rows (samples before the epoch, T_k, eta_k) of the epochs that are run, shape (m, 3)."""
        return epochs(self.strength, self.iterations)


def epochs(strength: float, iterations: int) -> Array:
    """The rows of `Params.schedule`: all epochs with T_1 + ... + T_k <= `iterations`, shape (m, 3)."""
    rows, start, length, eta = [], 0, FIRST_LENGTH, 1 / (4 * strength)
    while start + length <= iterations:
        rows.append((float(start), float(length), eta))
        start, length, eta = start + length, 2 * length, eta / 2
    return np.array(rows).reshape(-1, 3)


@dataclass(frozen=True)
class Run:
    """final: x_k^0, (d,); states: (steps + 1, 2 d); epochs: m; counted: queries, in how many rounds, and used, the
    samples that were weighted."""

    final: Array
    states: Array
    epochs: int
    queries: int
    rounds: int
    used: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(2 T, d): the normals of one trial."""
    return (params.queries, len(params.centre))


def promise(params: Params) -> None:
    """None: the setting is not private."""


def calls(params: Params) -> dict[str, int]:
    """2 T gradients in one round; steps: T_1 + ... + T_m of the m epochs with a sum of at most T, in sequence."""
    epochs_run = (params.iterations // FIRST_LENGTH + 1).bit_length() - 1
    return {"gradients": 2 * params.iterations, "rounds": 1, "steps": FIRST_LENGTH * (2**epochs_run - 1)}


def reference(params: Params, oracle: Oracle, normals: Array, records: Integers, signs: Array) -> Run:
    """One trial as the paper prints it: standard normals (2 T, d), records and signs (2 T,); see `draw_inputs`."""
    check_dimension(oracle, params.centre)
    check_draws("normals", normals, noise_shape(params))
    xbar, r, rho, lam = np.array(params.centre), params.ball_radius, params.smoothing_radius, params.strength
    xi, asked = rho * normals, CountedOracle(oracle)
    g = asked.query(xbar + xi, records, signs)
    eta, length, before, used, k = 1 / (4 * lam), FIRST_LENGTH, 0, 0, 0
    x0, states = xbar, [np.concatenate([xbar, np.zeros_like(xbar)])]
    while before + length <= params.iterations:
        x = project((x0 + eta * lam * xbar) / (1 + eta * lam), xbar, r)
        total = x.copy()
        states.append(np.concatenate([x, total]))
        for t in range(1, length):
            i = before + t - 1  # the paper counts samples from 1
            v = x - xbar
            estimate = np.exp((2 * v @ xi[i] - v @ v) / (2 * rho**2)) * g[i]
            x = project((x + eta * lam * xbar - eta * estimate) / (1 + eta * lam), xbar, r)
            total, used = total + x, used + 1
            states.append(np.concatenate([x, total]))
        x0 = total / length
        states[-1][: len(xbar)] = x0
        before, length, eta, k = before + length, 2 * length, eta / 2, k + 1
    return Run(x0, np.array(states), k, asked.gradients, asked.rounds, used)


def draw_inputs(params: Params, oracle: Oracle, stream: Stream, trial: int) -> tuple[Array, Integers, Array]:
    """Normals, records and signs of the 2 T samples of one trial; `cpu` and `gpu` draw the first of them."""
    return pool_inputs(oracle, stream, trial, params.queries)


def cpu(params: Params, oracle: Oracle, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba; samples come from the parts "draws" and "choices" of the stream; shape (trials, d)."""
    check_dimension(oracle, params.centre)
    d, first = len(params.centre), np.zeros(len(trials), dtype=np.int64)
    states = np.tile(np.array([*params.centre, *np.zeros(d)], dtype=dtype), (len(trials), 1))
    _run(params, oracle, trials, first, states, int(params.schedule[:, 1].sum()))
    return np.ascontiguousarray(states[:, :d])


def advance_cpu(
    params: Params, oracle: Oracle, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (x, sum), shape (rows, 2 d), and 1 where x was projected, (rows,).
    """
    states = np.array(before, dtype=dtype, order="C")
    return states, _run(params, oracle, trials, steps, states, 1)


def _run(params: Params, oracle: Oracle, trials: Trials, first: Integers, states: Array, count: int) -> Integers:
    """`count` steps of every row in place; whether the last one projected x, (rows,)."""
    outside = np.zeros(len(states), dtype=np.int64)
    given = (params.schedule, pool_keys(trials.stream), np.array(params.centre), plan_of(params), oracle_arrays(oracle))
    share_rows(kernels.run, (states, first, trials.numbers, outside), count, *given)
    return outside


def plan_of(params: Params) -> tuple[float, float, float]:
    """r, rho, lambda: what the kernels read."""
    return (float(params.ball_radius), float(params.smoothing_radius), float(params.strength))


# torch: all trials at once, on any device. ------------------------------------------------------


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All trials with torch on `device`; shape (trials, d)."""
    check_dimension(oracle, params.centre)
    machine = Torch(TorchPool(oracle, trials.stream, device, dtype), params.ball_radius, params.smoothing_radius)
    centres, strengths = _same_for_all(machine, params, len(trials))
    return machine.solve(centres, strengths, np.full(len(trials), len(params.schedule)), trials.numbers)


def advance_gpu(
    params: Params, oracle: Oracle, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Torch(TorchPool(oracle, trials.stream, device, dtype), params.ball_radius, params.smoothing_radius)
    out, flags, d = np.empty(before.shape), np.empty(len(before), dtype=np.int64), len(params.centre)
    for step in np.unique(steps):
        k = int(np.searchsorted(params.schedule[:, 0], step, side="right")) - 1
        rows, t = steps == step, int(step - params.schedule[k, 0])
        centres, strengths = _same_for_all(machine, params, int(rows.sum()))
        state = machine.pool.tensor(before[rows])
        sample = machine.sample(trials.numbers[rows], int(step) - 1, centres) if t > 0 else None
        x, total, outside = machine.advance(state[:, :d], state[:, d:], t, k, strengths, centres, sample)
        out[rows], flags[rows] = machine.torch.cat([x, total], dim=1).cpu().numpy(), outside.cpu().numpy()
    return out, flags


def _same_for_all(machine: Torch, params: Params, count: int) -> tuple[Tensor, Tensor]:
    centre = machine.torch.tensor(params.centre, dtype=machine.torch.float64, device=machine.pool.device)
    return centre.expand(count, -1), machine.pool.tensor([params.strength] * count)


NOT_RECORDED = "adds no privacy noise and promises nothing"
