"""HighProbERM: independent copies of SubERM-sc, of which one close to most is returned: a line search oracle.

Options: the number of copies 20 log(1/zeta) is `rounding_of_copies` "ceil" or "floor" (and at least 1), with the
20 in `factor`; the constant C_sc of the distance is `error_constant` (None: 32 C_cvx^2, what the proof of the
solver's rate collects).

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", Algorithm 7. Shapes: d coordinates, k copies, m trials.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from dpaudit.algorithms.resque import aggregate, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.accounting import printed, proved
from dpaudit.algorithms.resque.accounting.proved import PRINTED_CONSTANT, Block, always
from dpaudit.algorithms.resque.shared.counted import times
from dpaudit.algorithms.resque.shared.turns import Points, Turns
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.algorithms.resque.sub_erm.privacy import printed_setting
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import OneOf, Positive, Range

ALGORITHM = Algorithm(
    name="resque/ALG-11",
    title="HighProbERM: the private line search oracle",
    source="Carmon et al. (2023), Algorithm 7",
    pseudo_code=(
        "k = ceil(20 log(1/zeta)); x_i = SubERM-sc(xbar, r, rho, beta, lambda, T) for i = 1..k, independent; return "
        "Aggregate({x_i}, (9 sqrt(2 C_sc) L/lambda) (d/(beta^2 T^2) + 1/T)^(1/2))"
    ),
    options=(("rounding_of_copies", "ceil", "floor: of 20 log(1/zeta), at least 1"), *solver.ALGORITHM.options),
    released="all x_i, with every phase output behind them",
    cost="k times the gradients of SubERM-sc",
    from_level=Level.STANDARD,
)

NOT_RECORDED = "calls sub_erm, and adds no noise of its own"


@dataclass(frozen=True, kw_only=True)
class Params(solver.Params):
    """The numbers of SubERM-sc; failure: zeta in (0, 1); factor: 20, above 0; error_constant: C_sc above 0 or None;
    rounding_of_copies: "ceil" or "floor". Raises ConfigurationError."""

    failure: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)]
    factor: Positive = 20.0
    error_constant: Positive | None = None
    rounding_of_copies: Annotated[str, OneOf(("ceil", "floor"))] = "ceil"

    @property
    def copies(self) -> int:
        """k, at least 1."""
        exact = self.factor * -math.log(self.failure)
        return max(1, math.ceil(exact) if self.rounding_of_copies == "ceil" else math.floor(exact))

    @property
    def scaled_distance(self) -> float:
        """lambda Delta, which does not depend on lambda."""
        constant = 32 * self.constant**2 if self.error_constant is None else self.error_constant
        rate = self.dimension / (self.privacy * self.steps) ** 2 + 1 / self.steps
        return 9 * math.sqrt(2 * constant) * self.lipschitz * math.sqrt(rate)

    @property
    def vote(self) -> aggregate.Params:
        """Aggregate with this number of copies; its distance is for the lambda of these parameters."""
        return aggregate.Params(self.copies, self.dimension, self.scaled_distance / self.regulariser)


@dataclass(frozen=True)
class Run:
    """final: (d,); chosen: its number; copies: the runs of SubERM-sc; queries: gradients counted."""

    final: Array
    chosen: int
    copies: tuple[solver.Run, ...]
    queries: int


@dataclass(frozen=True)
class Batch:
    """Of m trials. final: (m, d); copies: x_1..x_k, (m, k, d); chosen: numbers, (m,); queries: gradients, (m,)."""

    final: Points
    copies: Points
    chosen: Points
    queries: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, 2 T, d): bounds what the copies draw for their queries."""
    return (params.copies, *solver.noise_shape(params))


def promise(params: Params, delta: float = 1e-5) -> Promise:
    """What is proved of all phase outputs of all copies with the least epsilon at `delta`, in (0, 1).

    Raises ConfigurationError where nothing is, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed with the beta_i of the calls: proposition 10, corrected"
    return proved.promise([[accounted_block(params)]], delta, source)


def promise_as_printed(params: Params, delta: float = 1e-5, constant: float = PRINTED_CONSTANT) -> Promise:
    """Proposition 10 with C_priv = `constant`; ConfigurationError outside its conditions."""
    one, zeta, factor = printed_setting(params), params.failure, params.factor
    return proved.printed_promise(
        lambda orders, failure: printed.high_probability(one(failure), zeta, orders, "stated", constant, factor),
        delta,
        "Carmon et al. (2023), proposition 10, as printed",
    )


def accounted_block(params: Params, count: int = 1) -> Block:
    """All copies of `count` runs as the accountant reads them."""
    return always(solver.accounted_calls(params), count * params.copies)


def queries(params: Params) -> int:
    """The number of gradients of a run."""
    return params.copies * solver.queries(params)


def calls(params: Params) -> dict[str, int]:
    """k runs of SubERM-sc and their gradients and calls of SubERM."""
    return times(params.copies, {**solver.calls(params), "SubERM-sc": 1})


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int) -> Run:
    """One trial as the paper prints it, result of shape (d,); copy i draws from the part "copy i" of the stream."""
    runs = [solver.reference(params, losses, stream.part(f"copy {i + 1}"), trial) for i in range(params.copies)]
    final, chosen = aggregate.reference(params.vote, np.stack([run.final for run in runs]))
    return Run(final, chosen, tuple(runs), sum(run.queries for run in runs))


def cpu(params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64") -> Batch:
    """All trials with numba; `final` has shape (trials, d)."""
    return solve_cpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, dtype)


def solve_cpu(params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, dtype: str = "float64") -> Batch:
    """`cpu` for another subproblem in every trial: lambda and start are theirs."""
    copies, used = _copies(params, trials, lambda part: solver.solve_cpu(params, losses, given, part, dtype))
    points = np.stack(copies, axis=1)
    final, chosen = aggregate.cpu(params.vote, points, dtype, params.scaled_distance / given.regularisers)
    return Batch(final, points, chosen, used)


def gpu(params: Params, losses: RidgeLosses, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Batch:
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    return solve_gpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, device, dtype)


def solve_gpu(
    params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, device: str = "cpu", dtype: str = "float64"
) -> Batch:
    """`solve_cpu` with torch on `device`; results are tensors."""
    copies, used = _copies(params, trials, lambda part: solver.solve_gpu(params, losses, given, part, device, dtype))
    points = load_torch().stack(copies, dim=1)
    final, chosen = aggregate.gpu(params.vote, points, device, dtype, params.scaled_distance / given.regularisers)
    return Batch(final, points, chosen, used)


def _copies(params: Params, trials: Trials, solve: Callable[[Trials], Turns]) -> tuple[list[Points], Integers]:
    """The results of all copies, each in its part of the stream, and the gradients that they took."""
    names = (f"copy {i + 1}" for i in range(params.copies))
    runs = [solve(Trials(trials.stream.part(name), trials.numbers)) for name in names]
    return [run.final for run in runs], np.sum([run.queries for run in runs], axis=0)
