"""AC-SA: an accelerated ball optimisation oracle for the smoothed function, all queries made in one round.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", algorithm 2 and proposition 4 (which takes rho = r); Ghadimi, Lan (2012), "Optimal
stochastic approximation algorithms for strongly convex stochastic composite optimization I". It minimises
fhat_rho(x) + (lambda/2)|x - xbar|^2 over the ball of radius r around xbar to expected error phi.

Three printed lines differ from the cited algorithm, and each has an option, "GL12" or "printed":

    index    GL12: step t of loop k averages its own N_k samples; printed: all T steps average the same N_k samples,
             though T N_k of them are drawn
    weight   of x_{t-1} in x_t^md. GL12: alpha ((1 - alpha) lambda + gamma)/D, so that the weights sum to 1; printed:
             alpha (1 - alpha)(lambda + gamma)/D, D = gamma + (1 - alpha^2) lambda: their sum is below 1, and 0 at t = 1
    linear   GL12: alpha (Ghat + lambda (x_t^md - xbar)); printed: alpha Ghat + lambda (x_t^md - xbar)

Gradients come from the drawn samples ("samples"); in one dimension also from their Hermite moments ("moments", the
same numbers at a cost that does not grow with T) or from the normal limit of a large pool ("limit", see
`series`); "exact" is the gradient of the smoothed function itself, the case N_k = infinity.
If lambda r^2 <= phi there is no loop and xbar is returned.

Shapes: d coordinates, N = T (N_1 + ... + N_K) draws; the state of a step is (x^ag, x), 2 d numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.packed import Packed
from dpaudit.algorithms.resque.ac_sa import kernels
from dpaudit.algorithms.resque.ac_sa.params import FORMS, GRADIENTS, Params
from dpaudit.algorithms.resque.ac_sa.series import ORDER, basis, downdate, hermite, limit_coefficients, limit_law
from dpaudit.algorithms.resque.ac_sa.tensors import Torch
from dpaudit.algorithms.resque.shared.counted import CountedOracle, check_draws
from dpaudit.algorithms.resque.shared.draws import TorchPool, check_dimension, pool_inputs, project
from dpaudit.algorithms.resque.shared.kernels import pool_keys
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import oracle_arrays
from dpaudit.problems.smoothing.ridges import Oracle, smoothed_gradient
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level

__all__ = [
    "ALGORITHM",
    "FORMS",
    "Params",
    "Run",
    "calls",
    "cpu",
    "draw_inputs",
    "gpu",
    "middle_weights",
    "noise_shape",
    "promise",
    "reference",
]  # fmt: skip

ALGORITHM = Algorithm(
    name="resque/ALG-5",
    title="AC-SA: accelerated parallel ball optimisation oracle",
    source="Carmon et al. (2023), algorithm 2",
    pseudo_code=(
        "K = ceil(log2(lambda r^2/phi)), T = ceil(4 sqrt(L/(rho lambda) + 1)); "
        "N_k = ceil(48 2^k L^2/(lambda^2 r^2 T)); query all g(xbar + xi_i) at once; for k <= K, t <= T: "
        "alpha = 2/(t+1), gamma = 4 (L/rho + lambda)/(t(t+1)); x^md = u x^ag + v x; "
        "Ghat = mean of N_k weighted gradients at x^md; x = argmin_B {<alpha (Ghat + "
        "lambda (x^md - xbar)), y> + (gamma + lambda (1 - alpha))/2 |y - x|^2 + lambda alpha/2 |y - x^md|^2}; "
        "x^ag = alpha x + (1 - alpha) x^ag; after T steps x = x^ag; return x^ag"
    ),
    options=(
        ("index", "GL12", "printed: every step of a loop uses the same N_k samples"),
        ("weight", "GL12", "printed: the weight of x_{t-1} is alpha (1 - alpha)(lambda + gamma)/D"),
        ("linear", "GL12", "printed: lambda (x^md - xbar) is not multiplied by alpha"),
        ("gradient", "samples", "moments, limit, exact: how the mean over the pool is computed"),
    ),
    released="x_T^ag of the last loop; the setting is not private",
    cost="T (N_1 + ... + N_K) queries in 1 round",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Run:
    """final: x_T^ag, (d,); states: (x^ag, x), (K T + 1, 2 d); middles: x^md, (K T, d); loops: x_T^ag of each, (K, d);
    counted: queries, in how many rounds (none where `gradient` needs no samples), and used, different samples
    weighted."""

    final: Array
    states: Array
    middles: Array
    loops: Array
    queries: int
    rounds: int
    used: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(N, d): the normals of one trial; (K T, 64) for the limit law. At least one row, also where none is used."""
    if params.gradient == "limit":
        return (max(1, params.loops * params.steps), ORDER)
    return (max(1, params.queries), len(params.centre))


def promise(params: Params) -> None:
    """None: the setting is not private."""


def calls(params: Params) -> dict[str, int]:
    """T (N_1 + ... + N_K) gradients in one round, none of both where `gradient` needs no samples; steps: K T."""
    asked = params.queries if params.gradient in ("samples", "moments") else 0
    return {"gradients": asked, "rounds": int(asked > 0), "steps": params.loops * params.steps}


def middle_weights(params: Params, t: int) -> tuple[float, float]:
    """Line b: the weights of x_{t-1}^ag and of x_{t-1} in x_t^md, t >= 1."""
    lam, alpha = params.strength, 2 / (t + 1)
    gamma = 4 * (params.lipschitz / params.smoothing_radius + lam) / (t * (t + 1))
    below = gamma + (1 - alpha**2) * lam
    printed = alpha * (1 - alpha) * (lam + gamma) / below
    cited = alpha * ((1 - alpha) * lam + gamma) / below
    return (1 - alpha) * (lam + gamma) / below, printed if params.weight == "printed" else cited


def reference(params: Params, oracle: Oracle, normals: Array, records: Integers, signs: Array) -> Run:
    """One trial as the paper prints it: normals (N, d), records and signs (N,); see `draw_inputs`."""
    xbar, rho, lam = np.array(params.centre), params.smoothing_radius, params.strength
    pool = _Pool(params, oracle, normals, records, signs)
    ag, x = xbar.copy(), xbar.copy()
    states, middles, loops, base, used = [np.concatenate([ag, x])], [], [], 0, 0
    for k, size in enumerate(params.sizes):
        for t in range(1, params.steps + 1):
            alpha, gamma = 2 / (t + 1), 4 * (params.lipschitz / rho + lam) / (t * (t + 1))
            first, second = middle_weights(params, t)
            md = first * ag + second * x
            own = 0 if params.index == "printed" else t - 1
            estimate = pool.estimate(md, base + own * size, size, k * params.steps + own)
            pull = lam if params.linear == "printed" else alpha * lam
            c = alpha * estimate + pull * (md - xbar)
            p, q = gamma + lam * (1 - alpha), lam * alpha
            x = project((p * x + q * md - c) / (p + q), xbar, params.ball_radius)
            ag = alpha * x + (1 - alpha) * ag
            middles.append(md)
            states.append(np.concatenate([ag, x]))
        x = ag
        states[-1][len(xbar) :] = x
        loops.append(ag)
        used += size * (1 if params.index == "printed" else params.steps)
        base += params.steps * size
    shape = (-1, len(xbar))
    return Run(
        ag, np.array(states), np.array(middles).reshape(shape), np.array(loops).reshape(shape), pool.asked.gradients,
        pool.asked.rounds, used,
    )  # fmt: skip


class _Pool:
    """Line c: the mean of the weighted gradients of some samples, computed as `params.gradient` says."""

    def __init__(self, params: Params, oracle: Oracle, normals: Array, records: Integers, signs: Array) -> None:
        check_dimension(oracle, params.centre)
        self.params, self.oracle, self.xbar, self.rho = params, oracle, np.array(params.centre), params.smoothing_radius
        self.normals, self.xi, self.g, self.asked = normals, np.zeros(0), np.zeros(0), CountedOracle(oracle)
        if params.gradient in ("samples", "moments"):
            check_draws("normals", normals, (params.queries, len(params.centre)))
            self.xi = self.rho * normals
            self.g = self.asked.query(self.xbar + self.xi, records, signs)

    def estimate(self, point: Array, first: int, size: int, block: int) -> Array:
        v, rows = point - self.xbar, slice(first, first + size)
        if self.params.gradient == "exact":
            return smoothed_gradient(self.oracle.losses, point, self.rho)
        if self.params.gradient == "samples":
            weights = np.exp((2 * self.xi[rows] @ v - v @ v) / (2 * self.rho**2))
            return np.asarray((weights[:, None] * self.g[rows]).mean(axis=0))
        if self.params.gradient == "moments":
            coefficients = (self.g[rows] * hermite(self.normals[rows, 0])).mean(axis=0)
        else:
            law = limit_law(self.oracle, self.params.centre[0], self.rho)
            coefficients = limit_coefficients(*law, size, self.normals[block])
        return np.array([basis(v[0] / self.rho) @ coefficients])


def draw_inputs(params: Params, oracle: Oracle, stream: Stream, trial: int) -> tuple[Array, Integers, Array]:
    """Normals, records and signs of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    if params.gradient in ("samples", "moments"):
        return pool_inputs(oracle, stream, trial, params.queries)
    rows, width = noise_shape(params)
    part, numbers = stream.part("limit"), np.array([trial])
    normals = np.zeros((0, width))
    if params.gradient == "limit":
        normals = np.concatenate([part.normals(numbers, step, width) for step in range(rows)])
    return normals, np.zeros(0, dtype=np.int64), np.zeros(0)


def cpu(params: Params, oracle: Oracle, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba: x_T^ag, shape (trials, d). Samples come from the parts "draws", "choices", "limit"."""
    check_dimension(oracle, params.centre)
    d, first = len(params.centre), np.zeros(len(trials), dtype=np.int64)
    states = np.tile(np.array([*params.centre, *params.centre], dtype=dtype), (len(trials), 1))
    _run(params, oracle, trials, first, states, params.loops * params.steps)
    return np.ascontiguousarray(states[:, :d])


def advance_cpu(
    params: Params, oracle: Oracle, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row, of trial trials.numbers[i], step steps[i], from the state before[i].

    Returns (x^md, x^ag, x), shape (rows, 3 d), and 1 where x was projected, (rows,).
    """
    states = np.array(before, dtype=dtype, order="C")
    middles, outside = _run(params, oracle, trials, steps, states, 1)
    return np.hstack([middles, states]), outside


def _run(
    params: Params, oracle: Oracle, trials: Trials, first: Integers, states: Array, count: int
) -> tuple[Array, Integers]:
    """`count` steps of every row in place: x^md, (rows, d), and whether x was projected, (rows,), of the last one."""
    middles, outside = np.zeros((len(states), len(params.centre)), states.dtype), np.zeros(len(states), dtype=np.int64)
    rows = (states, middles, first, trials.numbers, outside)
    share_rows(kernels.run, rows, count, *kernel_inputs(params, oracle, trials.stream))
    return middles, outside


def kernel_inputs(
    params: Params, oracle: Oracle, stream: Stream
) -> tuple[Packed, Array, Packed, Integers, Packed, Packed]:
    """Keys, centre, plan, sizes, source and oracle: what the kernels read."""
    scales = (params.ball_radius, params.smoothing_radius, params.strength, params.lipschitz)
    printed = tuple(getattr(params, name) == "printed" for name in ("index", "weight", "linear"))
    plan = (*(float(value) for value in scales), params.steps, *printed)
    mean, size = np.zeros(ORDER), 0.0
    if params.gradient == "limit":
        mean, size = limit_law(oracle, params.centre[0], params.smoothing_radius)
    source = (GRADIENTS.index(params.gradient), mean, *downdate(mean, size), float(size))
    keys = pool_keys(stream) + stream.keys("limit")
    return keys, np.array(params.centre), plan, np.array(params.sizes, dtype=np.int64), source, oracle_arrays(oracle)


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All trials with torch on `device`: x_T^ag, shape (trials, d)."""
    check_dimension(oracle, params.centre)
    machine = Torch(params, TorchPool(oracle, trials.stream, device, dtype), oracle, trials.stream.part("limit"))
    return machine.solve(machine.centres(len(trials)), trials.numbers)


def advance_gpu(
    params: Params, oracle: Oracle, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    machine = Torch(params, TorchPool(oracle, trials.stream, device, dtype), oracle, trials.stream.part("limit"))
    d, out, flags = len(params.centre), [], np.empty(len(before), dtype=np.int64)
    after = np.empty((len(before), 3 * d))
    for step in np.unique(steps):
        rows = steps == step
        state = machine.pool.tensor(before[rows])
        where = (int(step) // params.steps, int(step) % params.steps + 1)
        *out, outside = machine.advance(
            state[:, :d], state[:, d:], *where, machine.centres(int(rows.sum())), trials.numbers[rows]
        )
        after[rows], flags[rows] = machine.torch.cat(out, dim=1).cpu().numpy(), outside.cpu().numpy()
    return after, flags


NOT_RECORDED = "adds no privacy noise and promises nothing"
