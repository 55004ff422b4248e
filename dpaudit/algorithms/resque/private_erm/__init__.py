"""PrivateERM: ball acceleration of the smoothed empirical risk with private oracles.

The three oracles are HighProbERM (search, T_1), SubERM-sc (ball, T_2) and BiasReducedProx (proximal, T_3). What
the algorithm promises is the composition of all calls up to the caps of iterations and of search calls, which are
public. `from_calibration` takes the numbers of equations (30) to (34); what they print for kappa near 1, where log
kappa is 0, is an option of `accounting.calibration.Calibration`.

For corollary 3 the objective may have a quadratic (tether/2)|x - target|^2 of its own: the subproblem at y
with strength lambda then has strength lambda + tether and centre (lambda y + tether target)/(lambda + tether), and
starts from the projection of that centre. The domain is the ball of radius R around `origin`.
Parts of the stream: "iteration i", in it "search j", "ball", "proximal", then those of the oracles.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", theorem 3. Shapes: d coordinates, m trials, N iterations at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration, bias_reduced_prox, high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.accounting.calibration import Calibration
from dpaudit.algorithms.resque.private_erm.arrays import ArrayMachine
from dpaudit.algorithms.resque.private_erm.machine import Batch, Machine
from dpaudit.algorithms.resque.private_erm.params import Params
from dpaudit.algorithms.resque.private_erm.privacy import accounted_blocks, promise, promise_as_printed
from dpaudit.algorithms.resque.private_erm.tensors import TensorMachine
from dpaudit.algorithms.resque.shared.counted import check_draws
from dpaudit.algorithms.resque.shared.turns import Points
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError

__all__ = [
    "ALGORITHM", "Params", "Run", "accounted_blocks", "advance_cpu", "advance_gpu", "calls",
    "cpu", "from_calibration", "gpu", "noise_shape", "promise", "promise_as_printed", "reference",
]  # fmt: skip

ORACLES = ("search", "ball", "proximal")

ALGORITHM = Algorithm(
    name="resque/ALG-17",
    title="PrivateERM: private ball acceleration of the empirical risk",
    source="Carmon et al. (2023), theorem 3",
    pseudo_code=(
        "BallAccel on the empirical risk smoothed with rho, balls of radius r, at most ceil(C_ba K log kappa) "
        "iterations, with O_ls = HighProbERM(T_1, zeta), O_bo = SubERM-sc(T_2), O_sp = BiasReducedProx(T_3)"
    ),
    options=(
        ("output", "projected", "last: the point returned need not lie in B(R), as the theorem needs"),
        ("estimator", "resque", "unweighted: w = 1; plain: w = 1 and the gradient at y"),
    ),
    released="the results of all oracle calls, with every phase output behind them",
    cost="the gradients of all oracle calls",
    from_level=Level.STANDARD,
)


def from_calibration(
    made: Calibration, origin: tuple[float, ...], **others: Any
) -> Params:  # each field has a type of its own
    """Parameters by equations (30) to (34), numbers of steps rounded up; others: any further fields of `Params`."""
    given: dict[str, Any] = {
        "radius": made.radius, "ball_radius": made.ball_radius, "lipschitz": made.lipschitz,
        "accuracy": made.accuracy, "acceleration_constant": made.acceleration_constant, "records": made.records,
        "smoothing": made.smoothing, "privacy": made.privacy, "search_steps": math.ceil(made.search_steps),
        "ball_steps": math.ceil(made.ball_steps), "proximal_steps": math.ceil(made.proximal_steps),
        "failure": made.failure,
    }  # fmt: skip
    return Params(origin=origin, **(given | others))


@dataclass(frozen=True)
class Run:
    """final: (d,); outer: the run of ball acceleration, relative to `origin`; proximal: z of every iteration, (N, d),
    relative too; levels: J of the proximal oracle, (N, jmax); counted, of the search, ball and proximal oracle: asked,
    how often, and queries, their gradients, each (3,)."""

    final: Array
    outer: ball_acceleration.Run
    proximal: Array
    levels: Integers
    asked: Integers
    queries: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(N, d): iterations at most, and coordinates; the draws are those of the oracles."""
    return (params.most_iterations, params.dimension)


def calls(params: Params, searches: Integers, levels: Integers) -> dict[str, int]:
    """Of a run of N iterations with `searches`, (N,), calls of the search oracle and J = levels, (N, jmax)."""
    asked, count = int(searches.sum()), len(searches)
    gradients = asked * high_probability_erm.queries(params.search_oracle())
    gradients += count * solver.queries(params.ball_oracle())
    gradients += int(bias_reduced_prox.queries(params.proximal, levels).sum())
    return {"gradients": gradients, "search oracle": asked, "ball oracle": count, "proximal oracle": count}


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int) -> Run:
    """One trial: ball acceleration with the private oracles; the result has shape (d,)."""
    check_inputs(params, losses)
    origin, proximal, levels = np.array(params.origin), [], []
    counted = np.zeros((2, 3), dtype=np.int64)  # how often, and gradients

    def at(number: int) -> Stream:
        return stream.part(f"iteration {number + 1}")

    def search(y: Array, lam: float, number: int, call: int) -> Array:
        oracle, part = params.search_oracle(origin + y, lam), at(number).part(f"search {call + 1}")
        run = high_probability_erm.reference(oracle, losses, part, trial)
        counted[:, 0] += 1, run.queries
        return np.asarray(run.final - origin)

    def ball(y: Array, lam: float, number: int, call: int) -> Array:
        run = solver.reference(params.ball_oracle(origin + y, lam), losses, at(number).part("ball"), trial)
        counted[:, 1] += 1, run.queries
        return np.asarray(run.final - origin)

    def prox(y: Array, lam: float, number: int, call: int) -> Array:
        oracle = params.proximal_oracle(origin + y, lam)
        run = bias_reduced_prox.reference(oracle, losses, at(number).part("proximal"), trial)
        counted[:, 2] += 1, run.queries
        proximal.append(run.final - origin)
        levels.append([loop.level for loop in run.repetitions])
        return np.asarray(run.final - origin)

    outer = ball_acceleration.reference(params, params.dimension, ball_acceleration.Oracles(search, ball, prox))
    drawn = np.array(levels, dtype=np.int64).reshape(-1, params.proximal.loops)
    return Run(origin + outer.point, outer, np.reshape(proximal, (-1, params.dimension)), drawn, *counted)


def check_inputs(params: Params, losses: RidgeLosses) -> None:
    """Refuse data of another size than the parameters say."""
    if (losses.records, losses.dimension) != (params.records, params.dimension):
        raise ConfigurationError(
            f"the data have {losses.records} records of {losses.dimension} coordinates, "
            f"the parameters say {params.records} of {params.dimension}"
        )


def cpu(
    params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64",
    places: tuple[Array, Array] | None = None,
) -> Batch:  # fmt: skip
    """All trials at once, the oracles with numba; `final` has shape (trials, d).

    places: another origin and target for every trial, each (trials, d), as the solvers built on this one need.
    """
    check_inputs(params, losses)
    return ArrayMachine(params, losses, checked_places(params, len(trials), places), dtype).run(trials)


def checked_places(params: Params, trials: int, places: tuple[Points, Points] | None) -> tuple[Points, Points]:
    """`places`, of the right shape and finite, or those of `params`."""
    for name, part in zip(("origins", "targets"), places or (), strict=False):
        check_draws(name, part, (trials, params.dimension))
    return places or default_places(params, trials)


def default_places(params: Params, trials: int) -> tuple[Array, Array]:
    """The origin and the target of `params` for every trial, each (trials, d)."""
    target = params.origin if params.target is None else params.target
    return np.tile(params.origin, (trials, 1)), np.tile(target, (trials, 1))


def advance_cpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One iteration per row in its parts, iteration steps[i] from before[i] = (x, v, y, z, A, lambda).

    Returns (a, A', y, v', O_bo(y), O_sp(y)), shape (rows, 4 d + 2), and the search calls, (rows,).
    """
    return _replayed(
        lambda count: ArrayMachine(params, losses, default_places(params, count), dtype), trials, steps, before
    )


def gpu(
    params: Params, losses: RidgeLosses, trials: Trials, device: str = "cpu", dtype: str = "float64",
    places: tuple[Points, Points] | None = None,
) -> Batch:  # fmt: skip
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    check_inputs(params, losses)
    return TensorMachine(params, losses, checked_places(params, len(trials), places), device, dtype).run(trials)


def advance_gpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    return _replayed(
        lambda count: TensorMachine(params, losses, default_places(params, count), device, dtype), trials, steps, before
    )


def _replayed(
    machine_for: Callable[[int], Machine], trials: Trials, steps: Integers, before: Array
) -> tuple[Array, Integers]:
    """The rows of each iteration together, in their part of the stream."""
    out, calls = np.empty(before.shape), np.empty(len(before), dtype=np.int64)
    for step in np.unique(steps):
        rows = steps == step
        part = Trials(trials.stream.part(f"iteration {step + 1}"), trials.numbers[rows])
        out[rows], calls[rows] = machine_for(len(part)).replay(before[rows], part)
    return out, calls


NOT_RECORDED = "calls sub_erm, and adds no noise of its own"
