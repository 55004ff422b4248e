"""ParallelSolver: stochastic convex optimisation with few rounds of queries, the algorithm of theorems 1 and 2.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", theorems 1 and 2. Ball acceleration (`ball_acceleration`) runs on f smoothed with
rho = r = eps/(sqrt(d) L); its oracles are those of `non_private_prox` over EpochSGD (theorem 1, ALG-15) or AC-SA
(theorem 2, ALG-16).
The error is eps from the acceleration and eps from the smoothing: the caller rescales eps. Every constant is a
parameter; with those of the proofs the number of queries is out of reach, with small ones the guarantee is not that of
the theorem. An iteration whose search runs out of calls goes on with the largest strength it tried.

Shapes: d coordinates; a result has 50 + d numbers: those of `ball_acceleration` (A, iterations, search calls, lowest
and highest lambda, finished), those of `non_private_prox` (ball oracle calls, rounds, queries, depth, levels), then the
point.
The runs of a search call are one round; so are the ball and the proximal oracle of an iteration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration, non_private_prox
from dpaudit.algorithms.resque.ball_acceleration.kernels import COLUMNS
from dpaudit.algorithms.resque.ball_acceleration.tensors import Coupling
from dpaudit.algorithms.resque.parallel_solver import kernels
from dpaudit.algorithms.resque.parallel_solver.setting import CALL, LEVELS, OracleSetting
from dpaudit.algorithms.resque.parallel_solver.tensors import TorchSolver
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import oracle_arrays
from dpaudit.problems.smoothing.ridges import Oracle
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, OneOf, Positive, check_fields

ALGORITHM = Algorithm(
    name="resque/ALG-15",
    title="ParallelSolver: ball acceleration over parallel ball oracles (with AC-SA: ALG-16)",
    source="Carmon et al. (2023), theorems 1 and 2",
    pseudo_code=(
        "r = rho = eps/(sqrt(d) L); BallAccel on f smoothed by N(0, rho^2 I), with O_bo = EpochSGD or AC-SA, "
        "O_sp and O_ls by NonPrivateProxAndSearch; return x"
    ),
    options=(
        ("solver", "epoch_sgd", "ac_sa: theorem 2"),
        ("lines", "GL12", "printed: the lines of AC-SA as printed"),
        ("output", "projected", "last: the point returned need not lie in B(R)"),
    ),
    released="the point; the setting is not private",
    cost="one round for each call of the search oracle and one for each iteration",
    also=("resque/ALG-16",),
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params:
    """dimension: d, at least 1; radius: R; lipschitz: L; accuracy: eps, below sqrt(d) L R and at most L R; all above 0.

    solver, lines, output: options; the constants are those of `BallSetting`, `OracleSetting` and
    `ball_acceleration.Params`, above 0. Raises ConfigurationError.
    """

    dimension: Count
    radius: Positive
    lipschitz: Positive
    accuracy: Positive
    solver: str = "epoch_sgd"
    lines: str = "GL12"
    output: Annotated[str, OneOf(("projected", "last"))] = "projected"
    acceleration_constant: Positive = 6.0
    stop_constant: Positive = 4.0
    level_constant: Positive = 1.0
    repetition_constant: Positive = 1.0
    search_accuracy: Positive = 4.0
    search_divisor: Positive = 4.0

    def __post_init__(self) -> None:
        check_fields(self)
        most = kernels.SEARCH_CALL + self.acceleration.search_calls * self.oracles.repetitions
        if not (most < kernels.CALLS and self.acceleration.most_iterations < 1 << 15):
            raise ConfigurationError(
                f"accuracy = {self.accuracy} asks for {most} calls in an iteration and for "
                f"{self.acceleration.most_iterations} iterations, at most {kernels.CALLS - 1} and "
                f"{2**15 - 1}: raise accuracy or lower acceleration_constant"
            )

    @property
    def ball_radius(self) -> float:
        """r = rho = eps/(sqrt(d) L)."""
        return self.accuracy / (math.sqrt(self.dimension) * self.lipschitz)

    @cached_property
    def acceleration(self) -> ball_acceleration.Params:
        """The parameters of the outer loop."""
        return ball_acceleration.Params(
            self.radius, self.ball_radius, self.lipschitz, self.accuracy, self.acceleration_constant,
            self.search_divisor, 0.0, self.stop_constant, self.output,
        )  # fmt: skip

    def ball_tolerance(self, strength: float) -> float:
        """phi: what the ball oracle of an iteration may miss at lambda = strength."""
        return strength * self.ball_radius**2 * self.acceleration.ball_error

    @cached_property
    def oracles(self) -> OracleSetting:
        """The parameters of the oracles; level_constant takes the place of C_ba there."""
        return OracleSetting(
            self.radius, self.ball_radius, self.ball_radius, self.lipschitz, self.accuracy, self.solver, self.lines,
            self.level_constant, self.repetition_constant, self.search_accuracy, self.search_divisor,
        )  # fmt: skip


@dataclass(frozen=True)
class Run:
    """outer: the run of the acceleration; answers: of the proximal oracle, (N, d); searched: the runs that each search
    call joined, (repetitions, d); counted: ball_calls, rounds, queries, depth; levels: how often each was drawn;
    drawn: J of every iteration, 0 above the highest, (N,)."""

    outer: ball_acceleration.Run
    answers: Array
    searched: tuple[Array, ...]
    ball_calls: int
    rounds: int
    queries: int
    depth: int
    levels: Integers
    drawn: Integers


@dataclass(frozen=True)
class Runs:
    """Columns of a batch: outer as in `ball_acceleration`; ball_calls, rounds, queries, depth (trials,); levels."""

    outer: ball_acceleration.Runs
    ball_calls: Integers
    rounds: Integers
    queries: Integers
    depth: Integers
    levels: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(iterations, 65536): places for the calls of the ball oracle; each draws like one run of that solver."""
    return (params.acceleration.most_iterations, kernels.CALLS)


def promise(params: Params) -> None:
    """None: the setting is not private."""


def calls(params: Params, strengths: Array, tried: Sequence[Array], drawn: Integers) -> dict[str, int]:
    """Of a run with lambda = strengths, (N,), searches `tried` and J = drawn, (N,), as `ball_acceleration` has them: a
    call of the search oracle is a round; the ball and the proximal oracle of an iteration share one."""
    setting, d, outer = params.oracles, params.dimension, params.acceleration
    made = ball_acceleration.calls(outer, strengths, tried)
    parts = [non_private_prox.calls(setting, d, lam, None) for rows in tried for lam in rows[:, 0].tolist()]
    for lam, level in zip(strengths.tolist(), drawn.tolist(), strict=True):
        ball = non_private_prox.ball_calls(setting, d, lam, params.ball_tolerance(lam))
        proximal = non_private_prox.calls(setting, d, lam, level)
        widest = {kind: max(ball[kind], proximal[kind]) for kind in ("rounds", "steps")}
        counts = {kind: proximal[kind] + one for kind, one in (("ball oracle", 1), ("gradients", ball["gradients"]))}
        parts.append({**counts, **widest})
    nothing = dict.fromkeys(("ball oracle", "gradients", "rounds", "steps"), 0)
    return {"search oracle": made["search oracle"], **together(nothing, *parts)}


def reference(params: Params, oracle: Oracle, stream: Stream, trial: int) -> Run:
    """One run: the reference form of the acceleration over those of its oracles; the point has shape (d,)."""
    made = _Oracles(params, oracle, stream, trial)
    oracles = ball_acceleration.Oracles(made.search, made.ball, made.proximal)
    outer = ball_acceleration.reference(params.acceleration, params.dimension, oracles)
    answers = np.array(made.answers).reshape(-1, params.dimension)
    counts, drawn = (made.calls, made.rounds, made.queries, made.depth), np.array(made.drawn, dtype=np.int64)
    return Run(outer, answers, tuple(made.searched), *counts, np.bincount(drawn, minlength=LEVELS), drawn)


class _Oracles:
    """The three oracles of one run, and what they have cost."""

    def __init__(self, params: Params, oracle: Oracle, stream: Stream, trial: int) -> None:
        self.params, self.setting, self.oracle = params, params.oracles, oracle
        self.stream, self.trial = stream, trial
        self.calls = self.rounds = self.queries = self.depth = 0
        self.answers: list[Array] = []
        self.searched: list[Array] = []
        self.drawn: list[int] = []
        self.beside: non_private_prox.Ball | None = None

    def search(self, y: Array, lam: float, number: int, call: int) -> Array:
        where = self._at(number, kernels.SEARCH_CALL + call * self.setting.repetitions)
        found = non_private_prox.search_answer(self.setting, self.oracle, self.stream, where, y, lam)
        self.searched.append(found.parts)
        self._count(found.calls, found.queries, found.rounds, found.depth)
        return found.point

    def ball(self, y: Array, lam: float, number: int, call: int) -> Array:
        where, error = self._at(number, kernels.BALL_CALL), self.params.ball_tolerance(lam)
        made = non_private_prox.ball_answer(self.setting, self.oracle, self.stream, where, y, lam, error)
        self._count(1, made.queries, rounds=0, depth=0)  # in one round with the proximal oracle, which is asked next
        self.beside = made
        return made.point

    def proximal(self, y: Array, lam: float, number: int, call: int) -> Array:
        where = self._at(number, kernels.PROXIMAL_CALL)
        found = non_private_prox.proximal_answer(self.setting, self.oracle, self.stream, where, y, lam)
        self.drawn.append(found.choice)
        self.answers.append(found.point)
        rounds, depth = (found.rounds, found.depth)
        if self.beside is not None:
            rounds, depth = max(rounds, self.beside.rounds), max(depth, self.beside.depth)
        self._count(found.calls, found.queries, rounds, depth)
        return found.point

    def _at(self, number: int, call: int) -> int:
        return self.trial + (number * kernels.CALLS + call) * CALL

    def _count(self, calls: int, queries: int, rounds: int, depth: int) -> None:
        self.calls, self.queries = self.calls + calls, self.queries + queries
        self.rounds, self.depth = self.rounds + rounds, self.depth + depth


def cpu(params: Params, oracle: Oracle, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba; shape (trials, 50 + d), float64 but for the rounding of the point; see `runs`."""
    _check(params, oracle, trials)
    columns = np.empty((len(trials), COLUMNS + kernels.COUNTS + LEVELS))
    out = np.empty((len(trials), params.dimension), dtype=dtype)
    outer = params.acceleration
    setting, keys = kernels.setting_of(params.oracles), kernels.keys_of(trials.stream)
    bounds = (
        float(params.radius), outer.smallest_strength, outer.largest_strength, outer.last_weight, outer.search_calls,
        outer.most_iterations, outer.ball_error,
    )  # fmt: skip
    share_rows(
        kernels.run, (trials.numbers, columns, out), keys, setting, bounds, oracle_arrays(oracle),
        float(outer.first_weight), params.output == "projected",
    )  # fmt: skip
    return np.hstack([columns, out])


def advance_cpu(params: Params, before: Array, dtype: str = "float64") -> Array:
    """The numba form of an iteration around the oracles: rows (x, v, A, lambda, z), z from the proximal oracle.

    Returns (y, v, A), shape (rows, 2 d + 1).
    """
    out = np.empty((len(before), 2 * params.dimension + 1), dtype=dtype)
    share_rows(kernels.replay, (np.ascontiguousarray(before, dtype=dtype), out), float(params.radius))
    return out


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All trials with torch on `device`; shape (trials, 50 + d)."""
    _check(params, oracle, trials)
    machine, outer = (
        TorchSolver(params.acceleration, params.oracles, oracle, trials, device, dtype),
        params.acceleration,
    )
    made = machine.accelerate(outer.first_weight, outer.last_weight, params.output == "projected")
    counts = machine.torch.tensor(machine.counts, device=device)
    return machine.torch.cat([made[:, :COLUMNS].double(), counts, made[:, COLUMNS:].double()], dim=1)


def advance_gpu(params: Params, before: Array, dtype: str, device: str) -> Array:
    """`advance_cpu` with the torch form on `device`."""
    machine = Coupling(params.acceleration, params.dimension, len(before), device, dtype)
    state, d = machine.tensor(before), params.dimension
    v, weights, strength = state[:, d : 2 * d], state[:, 2 * d], state[:, 2 * d + 1]
    _, y = machine.mix(state[:, :d], v, weights, strength)
    a, y, v = machine.step(v, weights, strength, y, state[:, 2 * d + 2 :])
    return np.asarray(machine.torch.cat([y, v, (weights + a)[:, None]], dim=1).cpu().numpy())


def runs(values: Array) -> Runs:
    """The columns of what `cpu` and `gpu` return, as NumPy arrays."""
    first, second = COLUMNS, COLUMNS + kernels.COUNTS
    outer = ball_acceleration.runs(np.hstack([values[:, :first], values[:, second + LEVELS :]]))
    counted = values[:, first:second].astype(np.int64)
    levels = values[:, second : second + LEVELS].astype(np.int64)
    return Runs(outer, counted[:, 0], counted[:, 1], counted[:, 2], counted[:, 3], levels)


def _check(params: Params, oracle: Oracle, trials: Trials) -> None:
    if oracle.losses.dimension != params.dimension:
        raise ConfigurationError(f"dimension is {params.dimension}, the oracle has {oracle.losses.dimension}")
    if trials.numbers.size and not trials.numbers.max() < CALL:
        raise ConfigurationError("trial numbers must be below 2^32: the upper half numbers the calls")


NOT_RECORDED = "adds no privacy noise and promises nothing"
