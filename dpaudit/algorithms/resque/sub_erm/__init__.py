"""SubERM: a ball subproblem by noisy subsampled ReSQue gradients in phases of halving length.

ALG-6 (convex) and ALG-7 (regularised) of the specification are one family: the regulariser 0, the
distance bound r and the start xbar, which are the defaults, make ALG-7 ALG-6, bit for bit.

Printed lines that an analysis may need otherwise are options of `BallSolver`: which iterates are
averaged, whether a phase starts from a projected point, whether the output is projected. "log T" in the number of
phases is log2. The generalised centre c of corollary 3 is `anchor`; x_0 is then its projection onto the ball.
Noise parts of the stream, by phase: "indices" (uniforms), "queries" (normals, row by row), "noise" (normals).

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", Algorithms 3 and 4. Shapes: d coordinates, n records, k phases, That - 1 steps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.resque.shared.counted import CountedGradients, check_draws
from dpaudit.algorithms.resque.shared.turns import Points
from dpaudit.algorithms.resque.sub_erm import kernels
from dpaudit.algorithms.resque.sub_erm.canary import (
    canary_divergence,
    canary_law,
    canary_log_likelihood_ratio,
    canary_mechanism,
    canary_shifts,
    hit_weights,
)
from dpaudit.algorithms.resque.sub_erm.params import Params
from dpaudit.algorithms.resque.sub_erm.privacy import promise, promise_as_printed
from dpaudit.algorithms.resque.sub_erm.setting import (
    AVERAGES,
    CONTROLS,
    ESTIMATORS,
    OPTIONS,
    BallSolver,
    Subproblems,
    default_start,
    onto_ball,
    powers_of_two,
    subproblems,
)
from dpaudit.algorithms.resque.sub_erm.tensors import TorchSubErm
from dpaudit.arithmetic.arrays import Array, Flags, Integers
from dpaudit.noise.kernels import Packed
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import ridge_arrays
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError

__all__ = [
    "ALGORITHM", "BallSolver", "Batch", "Params", "Run", "Subproblems", "calls",
    "canary_divergence", "canary_law", "canary_log_likelihood_ratio", "canary_mechanism", "canary_shifts",
    "cpu", "default_start", "draw_inputs", "gpu", "hit_weights", "noise_shape", "onto_ball", "promise",
    "promise_as_printed", "queries", "reference", "solve_cpu", "solve_gpu", "subproblems",
]  # fmt: skip

ALGORITHM = Algorithm(
    name="resque/ALG-6",
    title="SubERM: subsampled ReSQued ERM solver, convex and regularised (ALG-7)",
    source="Carmon et al. (2023), Algorithms 3 and 4",
    pseudo_code=(
        "That = 2^floor(log2 T); k = log2 That; eta = (r'/L) min(1/sqrt T, beta/sqrt d); for i = 1..k: T_i = That/2^i; "
        "eta_i = eta/4^i; sigma_i = L eta_i/beta; y_0 = x_{i-1}; for j = 1..T_i: z uniform, xi ~ N(0, rho^2 I), "
        "G = w(y_{j-1}, xi) grad f^z(xbar + xi), y_j = Pi((y_{j-1} + eta_i lambda c - eta_i G)/(1 + eta_i lambda)); "
        "x_i = average of y_1..y_{T_i} + N(0, sigma_i^2 I); return x_k"
    ),
    options=OPTIONS,
    released="x_1, ..., x_k; indices, queries, iterates and averages stay hidden",
    cost="That - 1 gradients of a record",
    also=("resque/ALG-7",),
)


@dataclass(frozen=True)
class Run:
    """final: (d,); phases: x_1..x_k and averages: ybar_1..ybar_k, each (k, d); before: (y, sum) before every step,
    (That - 1, 2 d); after: (y, sum, x_i or 0), (That - 1, 3 d); sides: whether y was projected, (That - 1,);
    queries: gradients of a record, counted as they are computed."""

    final: Array
    phases: Array
    averages: Array
    before: Array
    after: Array
    sides: Flags
    queries: int


@dataclass(frozen=True)
class Batch:
    """Of m trials. final: (m, d); phases and averages: (m, k, d); queries: gradients that were computed, (m,)."""

    final: Points
    phases: Points
    averages: Points
    queries: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(That, d): the normals of the queries, That - 1 of them, and those of one of the k releases."""
    return (powers_of_two(params.steps)[0], params.dimension)


def queries(params: Params) -> int:
    """That - 1, the number of gradients of a run."""
    return powers_of_two(params.steps)[0] - 1


def calls(params: Params) -> dict[str, int]:
    """That - 1 gradients of a record; none of them is at an iterate."""
    return {"gradients": queries(params)}


def reference(params: Params, losses: RidgeLosses, indices: Integers, draws: Array, noise: Array) -> Run:
    """One trial as the paper prints it.

    indices: record numbers z, (That - 1,), phase after phase; draws: standard normals of the queries, (That - 1, d);
    noise: standard normals of the releases, (k, d).
    """
    _check_inputs(params, losses, indices, draws, noise)
    xbar, lam, d, asked = np.array(params.centre), params.regulariser, params.dimension, CountedGradients(losses)
    c = xbar if params.anchor is None else np.array(params.anchor)
    x = default_start(params) if params.start is None else np.array(params.start)
    phases, averages, before, after, sides, used = [], [], [], [], [], 0
    for i, (steps, eta, sigma) in enumerate(params.phases):
        y = onto_ball(x, xbar, params.radius) if params.project_start == "projected" and i else x
        total, reused = np.zeros(d), used if params.control == "reused_queries" else 0
        for _ in range(steps):
            before.append(np.concatenate([y, total]))
            g = _estimate(params, asked, indices[used], y, params.smoothing * draws[used - reused])
            previous, free = y, (y + eta * lam * c - eta * g) / (1 + eta * lam)
            y = onto_ball(free, xbar, params.radius)
            total = total + (previous if params.average == "regret" else y)
            after.append(np.concatenate([y, total, np.zeros(d)]))
            sides.append(bool((free - xbar) @ (free - xbar) > params.radius**2))
            used += 1
        averages.append(y if params.control == "last_iterate" else total / steps)
        x = averages[-1] + sigma * noise[i]
        phases.append(x)
        after[-1][2 * d :] = x
    final = onto_ball(x, xbar, params.radius) if params.project_output == "projected" else x
    parts = [np.reshape(part, (-1, m * d)) for part, m in ((phases, 1), (averages, 1), (before, 2), (after, 3))]
    return Run(final, parts[0], parts[1], parts[2], parts[3], np.array(sides, dtype=bool), asked.count)


def _check_inputs(params: Params, losses: RidgeLosses, indices: Integers, draws: Array, noise: Array) -> None:
    params.check_losses(losses)
    count, d = queries(params), params.dimension
    check_draws("indices", indices, (count,))
    check_draws("draws", draws, (count, d))
    check_draws("noise", noise, (len(params.phases), d))
    if count and not (indices.min() >= 0 and indices.max() < losses.records):
        raise ConfigurationError(
            f"indices must be from 0 to {losses.records - 1}, got {indices.min()} to {indices.max()}"
        )


def _estimate(params: Params, asked: CountedGradients, record: int | np.integer, y: Array, xi: Array) -> Array:
    """w(y, xi) times the gradient of the record at xbar + xi; the options of `estimator`."""
    xbar, rho = np.array(params.centre), params.smoothing
    v = y - xbar
    w = np.exp((2 * v @ xi - v @ v) / (2 * rho**2)) if params.estimator == "resque" else 1.0
    return np.asarray(w * asked.at(record, y if params.estimator == "plain" else xbar + xi))


def draw_inputs(params: Params, records: int, stream: Stream, trial: int) -> tuple[Integers, Array, Array]:
    """Indices, draws and noise of one trial for `reference`: those that `cpu` and `gpu` draw themselves."""
    numbers, d = np.array([trial]), params.dimension
    parts = {name: stream.part(name) for name in ("indices", "queries", "noise")}
    uniforms, draws, noise = [np.zeros(0)], [np.zeros((0, d))], [np.zeros((0, d))]
    for i, (steps, _, _) in enumerate(params.phases, start=1):
        uniforms.append(parts["indices"].uniforms(numbers, i, steps)[0])
        draws.append(parts["queries"].normals(numbers, i, steps * d).reshape(steps, d))
        noise.append(parts["noise"].normals(numbers, i, d))
    indices = (np.concatenate(uniforms) * records).astype(np.int64)
    return indices, np.concatenate(draws), np.concatenate(noise)


def cpu(
    params: Params, losses: RidgeLosses, trials: Trials, indices: Integers | None = None, dtype: str = "float64"
) -> Batch:
    """All trials with numba; `final` has shape (trials, d).

    indices: record numbers instead of drawn ones, (That - 1,) for all trials or (trials, That - 1). Two data
    sets of one size run on the same noise, and so on the same indices and queries, for the same `trials`.
    """
    given = subproblems(params, len(trials), params.start, params.moved)
    return solve_cpu(params, losses, given, trials, params.steps, params.privacy, indices, dtype)


def solve_cpu(
    solver: BallSolver, losses: RidgeLosses, given: Subproblems, trials: Trials, steps: int, privacy: float,
    indices: Integers | None = None, dtype: str = "float64",
) -> Batch:  # fmt: skip
    """`cpu` for another subproblem in every trial, with T = steps and beta = privacy, as the other solvers call it."""
    solver.check_losses(losses)
    horizon, k = powers_of_two(steps)
    fixed = np.zeros((0, 0), dtype=np.int64) if indices is None else np.atleast_2d(indices).astype(np.int64)
    if indices is not None and (fixed.shape[1] != horizon - 1 or len(fixed) not in (1, len(trials))):
        raise ConfigurationError(f"indices must have shape ({horizon - 1},) or one such row a trial, got {fixed.shape}")
    if fixed.size and not (fixed.min() >= 0 and fixed.max() < losses.records):
        raise ConfigurationError(f"indices must be from 0 to {losses.records - 1}")
    m, d = len(trials), solver.dimension
    final, phases, averages = (np.empty(shape, dtype=dtype) for shape in ((m, d), (m, k, d), (m, k, d)))
    counted = np.empty(m, dtype=np.int64)
    rows = (*arrays(given, dtype), trials.numbers, lists_of(fixed, m), final, phases, averages, counted)
    share_rows(
        kernels.run, rows, keys(trials.stream), plan(solver, losses, steps, privacy), ridge_arrays(losses, dtype), fixed
    )
    return Batch(final, phases, averages, counted)


def advance_cpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One step of the numba form per row: of trial trials.numbers[i], step steps[i] of all phases, from before[i].

    Returns (y, sum, x_i or 0), shape (rows, 3 d), and record, projected or not, slope, shape (rows, 3).
    """
    phase, j, last = locate(params, steps)
    m, d = len(before), params.dimension
    states, ways = np.hstack([before, np.zeros((m, d))]).astype(dtype), np.empty((m, 3), dtype=np.int64)
    given = subproblems(params, m, params.start, params.moved)
    centres, anchors, _, regularisers, distances = arrays(given, dtype)
    rows = (states, phase, j, last, centres, anchors, regularisers, distances, trials.numbers, ways)
    made = plan(params, losses, params.steps, params.privacy)
    share_rows(kernels.replay, rows, keys(trials.stream), made, ridge_arrays(losses, dtype))
    return states, ways


def lists_of(fixed: Integers, rows: int) -> Integers:
    """Which row of `fixed` every trial reads: each its own, or all the same."""
    return np.arange(rows) % max(1, len(fixed))


def locate(params: Params, steps: Integers) -> tuple[Integers, Integers, Flags]:
    """Phase i >= 1, position j >= 0 in it, and whether it is the last, of step numbers counted over all phases."""
    lengths = np.array([length for length, _, _ in params.phases])
    phase = np.searchsorted(np.cumsum(lengths), steps, side="right")
    j = steps - (np.cumsum(lengths) - lengths)[phase]
    return phase + 1, j, j == lengths[phase] - 1


def plan(solver: BallSolver, losses: RidgeLosses, steps: int, privacy: float) -> Packed:
    """What the kernels read: T, beta, r, rho, L, estimator, average over y_0.., project the start, project the output,
    control, whether queries are drawn."""
    estimator = "unweighted" if solver.is_weightless(losses) else solver.estimator
    switches = (
        ESTIMATORS.index(estimator), solver.average == AVERAGES[1], solver.project_start == "projected",
        solver.project_output == "projected", CONTROLS.index(solver.control), solver.needs_queries(losses),
    )  # fmt: skip
    return (float(steps), float(privacy), solver.radius, solver.smoothing, solver.lipschitz, *switches)


def keys(stream: Stream) -> tuple[int, ...]:
    """The key words of the parts of the stream, two each: indices, queries, noise."""
    return stream.keys("indices", "queries", "noise")


def arrays(given: Subproblems, dtype: str) -> tuple[Array, ...]:
    """What kernels are handed of the subproblems: centres, anchors and starts, (m, d) in `dtype`; regularisers and
    distances, (m,) in float64."""
    parts = (given.centres, given.anchors, given.starts)
    rows = tuple(np.ascontiguousarray(part, dtype=dtype) for part in parts)
    scalars = (np.ascontiguousarray(part, dtype=np.float64) for part in (given.regularisers, given.distances))
    return (*rows, *scalars)


def gpu(
    params: Params, losses: RidgeLosses, trials: Trials, indices: Integers | None = None, device: str = "cpu",
    dtype: str = "float64",
) -> Batch:  # fmt: skip
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    given = subproblems(params, len(trials), params.start, params.moved)
    return solve_gpu(params, losses, given, trials, params.steps, params.privacy, indices, device, dtype)


def solve_gpu(
    solver: BallSolver, losses: RidgeLosses, given: Subproblems, trials: Trials, steps: int, privacy: float,
    indices: Integers | None = None, device: str = "cpu", dtype: str = "float64",
) -> Batch:  # fmt: skip
    """`solve_cpu` with torch on `device`; results are tensors."""
    solver.check_losses(losses)
    machine = TorchSubErm(solver, losses, given, device, dtype)
    final, phases, averages, counted = machine.solve(trials, steps, privacy, indices)
    return Batch(final, phases, averages, np.full(len(trials), counted, dtype=np.int64))


def advance_gpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    phase, j, last = locate(params, steps)
    out, branches = np.empty((len(before), 3 * params.dimension)), np.empty((len(before), 3), dtype=np.int64)
    for step in np.unique(steps):
        rows = steps == step
        part, one = Trials(trials.stream, trials.numbers[rows]), int(np.flatnonzero(rows)[0])
        given = subproblems(params, len(part), params.start, params.moved)
        machine = TorchSubErm(params, losses, given, device, dtype)
        i, eta = int(phase[one]), machine.step_sizes(params.steps, params.privacy) / 4.0 ** int(phase[one])
        after, ways = machine.replay(
            machine.tensor(before[rows]), i, int(j[one]), bool(last[one]), eta, params.privacy, part
        )
        out[rows], branches[rows] = after.cpu().numpy(), ways.cpu().numpy()
    return out, branches


NOT_RECORDED = "its averages have no sensitivity that holds for every draw: theirs is bounded on an event only"
