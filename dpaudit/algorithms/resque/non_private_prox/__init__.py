"""NonPrivateProxAndSearch: the proximal and the search oracle of ball acceleration from a ball oracle alone.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", proposition 2 and appendix C, which cite Carmon, Hausler (2022), proposition 1 and
algorithm 2. part = "proximal": a multilevel correction with a geometric level removes the bias of the ball oracle
up to that of the highest level. part = "search": independent runs, joined as in lemma 11 (the first point with 0.51 of
them within 2 Delta/3, Delta = r/search_divisor; without one, the first with most).

The proposition asks the search runs for error lambda r^2/C_ba with one constant for everything. Strong convexity turns
error phi into distance sqrt(2 phi/lambda), and lemma 11 needs most runs within r/51: that takes C_ba of at least
2 * 51^2 = 5202 before any allowance for luck. Here search_accuracy is a constant of its own.

Shapes: d coordinates; a result has 44 + d numbers: ball oracle calls, rounds (1), queries, depth (gradient steps in
sequence), how often each level 0, ..., 39 was drawn (0: none), then the point. Noise: see `parallel_solver.setting`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms.resque import ac_sa, aggregate, epoch_sgd
from dpaudit.algorithms.resque.parallel_solver import kernels
from dpaudit.algorithms.resque.parallel_solver.setting import CALL, LEVELS, OracleSetting
from dpaudit.algorithms.resque.parallel_solver.tensors import TorchOracles
from dpaudit.algorithms.resque.shared.draws import check_dimension
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import oracle_arrays
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.ranges import Numbers, OneOf, Positive

ALGORITHM = Algorithm(
    name="resque/ALG-14",
    title="NonPrivateProxAndSearch: oracles from a ball oracle",
    source="Carmon et al. (2023), proposition 2; Carmon, Hausler (2022), algorithm 2",
    pseudo_code=(
        "proximal: J ~ Geom(1/2), phi_0 = lambda r^2/(C_ba log^2(R kappa/r)); x0 = O_bo(phi_0); "
        "if J <= ceil(log2 K + C_ba): x0 + 2^J (O_bo(phi_0/2^J) - O_bo(phi_0/2^(J-1))) else x0; "
        "search: ceil(C log(R kappa/r)) runs of O_bo(lambda r^2/search_accuracy), aggregated with Delta = r/17"
    ),
    options=(("part", "proximal", "search"), ("solver", "epoch_sgd", "ac_sa"), ("lines", "GL12", "printed")),
    released="the point; the setting is not private",
    cost="3 ball oracle calls at most, or ceil(C log(R kappa/r)) of them, in 1 round",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params(OracleSetting):
    """The numbers of `OracleSetting`; centre: y, d finite numbers; strength: lambda above 0; part: "proximal" or
    "search". Raises ConfigurationError."""

    centre: Numbers = (0.0,)
    strength: Positive = 1.0
    part: Annotated[str, OneOf(("proximal", "search"))] = "proximal"


@dataclass(frozen=True)
class Answer:
    """point: (d,); parts: the answers of the ball oracle it was made from, (calls, d); choice: J, or which run was
    taken; counted: calls of the ball oracle, queries, rounds, and depth, gradient steps in sequence."""

    point: Array
    parts: Array
    choice: int
    calls: int
    queries: int
    rounds: int
    depth: int


class Ball(NamedTuple):
    """A run of the ball oracle. point: (d,); counted: queries, rounds, depth."""

    point: Array
    queries: int
    rounds: int
    depth: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(calls,): each call of the ball oracle has the noise of one run of that solver, and a uniform for the level."""
    return (params.repetitions if params.part == "search" else 3,)


def promise(params: Params) -> None:
    """None: the setting is not private."""


def calls(params: OracleSetting, dimension: int, strength: float, level: int | None) -> dict[str, int]:
    """Of one call at lambda = strength: of the proximal oracle that drew J = level (0: above the highest), of the
    search oracle for None. The runs of the ball oracle share a round, and their steps go side by side."""
    errors = [params.search_error(strength)] * params.repetitions
    if level is not None:
        first = params.first_error(strength)
        errors = [first, first / 2.0**level, first / 2.0 ** (level - 1)] if level else [first]
    made = [ball_calls(params, dimension, strength, error) for error in errors]
    widest = {kind: max(one[kind] for one in made) for kind in ("rounds", "steps")}
    return {"ball oracle": len(made), "gradients": sum(one["gradients"] for one in made), **widest}


def ball_calls(params: OracleSetting, dimension: int, strength: float, error: float) -> dict[str, int]:
    """Of one run of the ball oracle."""
    solver = _solver(params, np.zeros(dimension), strength, error)
    return epoch_sgd.calls(solver) if isinstance(solver, epoch_sgd.Params) else ac_sa.calls(solver)


def _solver(params: OracleSetting, y: Array, strength: float, error: float) -> epoch_sgd.Params | ac_sa.Params:
    shared = (tuple(y.tolist()), params.ball_radius, params.smoothing_radius, strength, error, params.lipschitz)
    if params.solver == "epoch_sgd":
        return epoch_sgd.Params(*shared)
    return ac_sa.Params(*shared, index=params.lines, weight=params.lines, linear=params.lines)


def ball_answer(
    params: OracleSetting, oracle: Oracle, stream: Stream, trial: int, y: Array, strength: float, error: float
) -> Ball:
    """One run of the solver in its reference form."""
    solver = _solver(params, y, strength, error)
    run: epoch_sgd.Run | ac_sa.Run
    if isinstance(solver, epoch_sgd.Params):
        run = epoch_sgd.reference(solver, oracle, *epoch_sgd.draw_inputs(solver, oracle, stream, trial))
    else:
        run = ac_sa.reference(solver, oracle, *ac_sa.draw_inputs(solver, oracle, stream, trial))
    return Ball(run.final, run.queries, run.rounds, len(run.states) - 1)


def proximal_answer(
    params: OracleSetting, oracle: Oracle, stream: Stream, trial: int, y: Array, strength: float
) -> Answer:
    """The bias-reduced proximal oracle at y, (d,)."""
    error = params.first_error(strength)
    uniform = float(stream.part("levels").uniforms(np.array([trial]), 0, 1)[0, 0])
    level = next(j for j in range(1, 60) if uniform > 2.0**-j)
    errors = [error]
    if level <= params.levels:
        errors += [error / 2.0**level, error / 2.0 ** (level - 1)]
    made = [ball_answer(params, oracle, stream, trial + i * CALL, y, strength, e) for i, e in enumerate(errors)]
    points = np.array([one.point for one in made])
    point = points[0] + 2.0**level * (points[1] - points[2]) if len(made) == 3 else points[0]
    return _answer(point, points, level if len(made) == 3 else 0, made)


def _answer(point: Array, points: Array, choice: int, made: list[Ball]) -> Answer:
    """The queries of all runs are made in one round, side by side."""
    rounds, depth = (max(values) for values in zip(*((one.rounds, one.depth) for one in made), strict=True))
    return Answer(point, points, choice, len(made), sum(one.queries for one in made), rounds, depth)


def search_answer(
    params: OracleSetting, oracle: Oracle, stream: Stream, trial: int, y: Array, strength: float
) -> Answer:
    """The search oracle at y, (d,)."""
    error = params.search_error(strength)
    made = [
        ball_answer(params, oracle, stream, trial + i * CALL, y, strength, error) for i in range(params.repetitions)
    ]
    points = np.array([one.point for one in made])
    joined = aggregate.Params(len(points), points.shape[1], params.ball_radius / params.search_divisor)
    point, choice = aggregate.reference(joined, points)
    return _answer(point, points, choice, made)


def reference(params: Params, oracle: Oracle, stream: Stream, trial: int) -> Answer:
    """One call of the oracle that `params.part` names, at the centre; the point has shape (d,)."""
    answer = proximal_answer if params.part == "proximal" else search_answer
    return answer(params, oracle, stream, trial, np.array(params.centre), params.strength)


def cpu(params: Params, oracle: Oracle, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba; shape (trials, 44 + d), float64 but for the rounding of the point."""
    check_dimension(oracle, params.centre)
    tally = np.zeros((len(trials), kernels.COUNTS + LEVELS))
    out = np.empty((len(trials), len(params.centre)), dtype=dtype)
    setting, keys = kernels.setting_of(params), kernels.keys_of(trials.stream)
    y, search = np.array(params.centre, dtype=dtype), params.part == "search"
    given = (y, float(params.strength), search, keys, setting, oracle_arrays(oracle))
    share_rows(kernels.run_oracle, (trials.numbers, tally, out), *given)
    return np.hstack([tally, out])


def join_cpu(params: Params, parts: Array, trials: Trials, dtype: str = "float64") -> tuple[Array, Integers]:
    """The numba form of what follows the ball oracle: rows of its answers (rows, calls, d), 3 calls for "proximal".

    Returns the points (rows, d) and the choices: J (0: none) or which run was taken, (rows,).
    """
    out = np.empty((len(parts), parts.shape[2]), dtype=dtype)
    setting, keys = kernels.setting_of(params), kernels.keys_of(trials.stream)
    rows, choices = np.ascontiguousarray(parts, dtype=dtype), np.zeros(len(parts), dtype=np.int64)
    share_rows(kernels.join, (rows, trials.numbers, out, choices), params.part == "search", setting, keys)
    return out, choices


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All trials with torch on `device`; shape (trials, 44 + d)."""
    check_dimension(oracle, params.centre)
    machine = TorchOracles(params, oracle, trials.stream, device, dtype)
    y = machine.pool.tensor(np.tile(params.centre, (len(trials), 1)))
    strength = machine.pool.tensor(np.full(len(trials), params.strength))
    counts = machine.counts(len(trials))
    answer = machine.search if params.part == "search" else machine.proximal
    x, depth = answer(y, strength, trials.numbers, np.arange(len(trials)), counts)
    counts[:, 1], counts[:, 3] = 1, depth
    return machine.torch.cat([machine.torch.tensor(counts, device=device), x.double()], dim=1)


def join_gpu(params: Params, parts: Array, trials: Trials, dtype: str, device: str) -> tuple[Array, Integers]:
    """`join_cpu` with the torch form on `device`."""
    machine = TorchOracles(params, Oracle(ridge_losses([(Ridge.ZERO, params.centre)])), trials.stream, device, dtype)
    rows = machine.pool.tensor(parts)
    if params.part == "search":
        choices = machine.chosen(rows)
        points = rows[machine.torch.arange(len(rows), device=device), choices]
        return points.cpu().numpy(), choices.cpu().numpy()
    choices, points = machine.levels(trials.numbers), rows[:, 0].clone()
    for row, level in enumerate(choices.tolist()):
        if level > 0:
            points[row] = machine.combine(rows[row, 0], rows[row, 1], rows[row, 2], level)
    return points.cpu().numpy(), choices


NOT_RECORDED = "adds no privacy noise and promises nothing"
