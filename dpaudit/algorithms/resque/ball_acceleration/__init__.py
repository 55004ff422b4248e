"""BallAccel: accelerated proximal point steps within balls, with exact oracles or with oracles that err.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", proposition 1 and appendix B; the listing is algorithm 4 of Asi, Carmon,
Jambulapati, Jin, Sidford (2021), which the paper only cites. Exact oracles solve objectives of `objectives` in
closed form; `oracle_error` makes them err within what proposition 1 allows (see `setting`).
`reference` also runs with any three oracles. The potential is A (F(x) - F(x*)) + |v - x*|^2.

Shapes: instances by d coordinates; a result has 6 + d numbers: A, iterations, calls of the search oracle, lowest and
highest lambda, 1 where A reached C_stop R^2/eps, then the point. The ball and the proximal oracle are called once an
iteration. The state of a step is (x, v, A), 2 d + 1 numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from dpaudit.algorithms.resque import lambda_search
from dpaudit.algorithms.resque.ball_acceleration import kernels
from dpaudit.algorithms.resque.ball_acceleration.objectives import Objective, Shape
from dpaudit.algorithms.resque.ball_acceleration.setting import BALL_SLOT, PROXIMAL_SLOT, SLOTS, BallSetting
from dpaudit.algorithms.resque.ball_acceleration.tensors import ClosedForm
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.algorithms.resque.shared.draws import project
from dpaudit.arithmetic.arrays import Array, Flags, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import OneOf, Positive

__all__ = [
    "ALGORITHM", "Objective", "Oracles", "Params", "Run", "Runs", "Shape", "calls",
    "closed_form_oracles", "cpu", "gpu", "noise_shape", "promise", "reference", "runs",
]  # fmt: skip

Answer = Callable[[Array, float, int, int], Array]

ALGORITHM = Algorithm(
    name="resque/ALG-12",
    title="BallAccel: accelerated proximal point steps within balls",
    source="Carmon et al. (2023), proposition 1; Asi et al. (2021), algorithm 4",
    pseudo_code=(
        "x = v = 0, A = R/L; at most ceil(C_ba K log kappa) times, until A >= C_stop R^2/eps: "
        "lam = LambdaSearch(x, v, A); lam a^2 = A + a; y = (A x + a v)/(A + a); "
        "x' = O_bo(y, lam); g = lam (y - O_sp(y, lam)); v = Pi_B(R)(v - a g/2); x = x', A = A + a; return x"
    ),
    options=(("output", "last", "projected: the point returned is projected on B(R)"),),
    released="lambda, x' and the answers of the proximal oracle of every iteration",
    cost="one ball oracle and one proximal oracle an iteration, ceil(C_ba log(R kappa/r)) search oracles at most",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True)
class Params(BallSetting):
    """The numbers of `BallSetting`; stop_constant: C_stop above 0; output: "last" or "projected" on B(R).

    Raises ConfigurationError.
    """

    stop_constant: Positive = 4.0
    output: Annotated[str, OneOf(("last", "projected"))] = "last"

    @property
    def first_weight(self) -> float:
        """A = R/L."""
        return self.radius / self.lipschitz

    @property
    def last_weight(self) -> float:
        """C_stop R^2/eps: the run stops when A reaches it."""
        return self.stop_constant * self.radius**2 / self.accuracy


@dataclass(frozen=True)
class Oracles:
    """Answers (d,) to (y, lambda, iteration from 0, call from 0): search O_ls, ball O_bo, proximal O_sp."""

    search: Answer
    ball: Answer
    proximal: Answer


@dataclass(frozen=True)
class Run:
    """One run. point: (d,); states: (x, v, A), (N + 1, 2 d + 1); strengths: lambda, (N,); centres: y, (N, d);
    tried: what each search tried, (calls, 2) with lambda and movement; finished: whether A reached its target."""

    point: Array
    states: Array
    strengths: Array
    centres: Array
    tried: tuple[Array, ...]
    finished: bool

    @property
    def calls(self) -> Integers:
        """Of the search oracle, (N,)."""
        return np.array([len(rows) for rows in self.tried], dtype=np.int64)


@dataclass(frozen=True)
class Runs:
    """Columns of a batch of runs, each (instances,), but points (instances, d)."""

    weights: Array
    iterations: Integers
    search_calls: Integers
    lowest: Array
    highest: Array
    finished: Flags
    points: Array


def noise_shape(params: Params) -> tuple[int, ...]:
    """(iterations, 1024): steps of the noise of one run; a step has d normals, used where oracle_error is above 0."""
    return (params.most_iterations, SLOTS)


def promise(params: Params) -> None:
    """None: what a run promises is the composition of what its oracles promise."""


def calls(params: Params, strengths: Array, tried: Sequence[Array]) -> dict[str, int]:
    """Of a run with lambda = strengths, (N,), and searches `tried`: iterations until A reaches C_stop R^2/eps or the
    cap, each with one ball and one proximal oracle, and the calls of its search."""
    weight, count = params.first_weight, 0
    for lam in strengths.tolist():
        if weight >= params.last_weight or count == params.most_iterations:
            break
        weight, count = weight + lambda_search.weight_step(lam, weight), count + 1
    searches = together({"search oracle": 0}, *(lambda_search.calls(params, rows[:, 1]) for rows in tried))
    return {**searches, "ball oracle": count, "proximal oracle": count}


def reference(params: Params, dimension: int, oracles: Oracles) -> Run:
    """One run with any oracles on B(R) in `dimension` coordinates, as the listing has it; the point has shape (d,)."""
    x, v, weight, origin = np.zeros(dimension), np.zeros(dimension), params.first_weight, np.zeros(dimension)
    states, strengths, centres, tried = [np.concatenate([x, v, [weight]])], [], [], []
    for number in range(params.most_iterations):
        if weight >= params.last_weight:
            break
        counted = iter(range(SLOTS))

        def search(y: Array, lam: float, number: int = number, counted: Any = counted) -> Array:
            return oracles.search(y, lam, number, next(counted))

        found = lambda_search.reference(params, x, v, weight, search)
        lam = found.strength
        a = lambda_search.weight_step(lam, weight)
        y = (weight * x + a * v) / (weight + a)
        x = oracles.ball(y, lam, number, 0)
        g = lam * (y - oracles.proximal(y, lam, number, 0))
        v = project(v - a / 2 * g, origin, params.radius)
        weight = weight + a
        states.append(np.concatenate([x, v, [weight]]))
        strengths.append(lam)
        centres.append(y)
        tried.append(found.tried)
    point = project(x, origin, params.radius) if params.output == "projected" else x
    return Run(
        point, np.array(states), np.array(strengths), np.array(centres).reshape(-1, dimension),
        tuple(tried), weight >= params.last_weight,
    )  # fmt: skip


def closed_form_oracles(
    params: BallSetting, objective: Objective, instance: int, stream: Stream, trial: int
) -> Oracles:
    """The oracles of one instance, with the errors that `oracle_error` asks for, drawn from `stream`."""
    made = _ClosedForm(params, objective, instance, stream, trial)
    return Oracles(made.search, made.ball, made.proximal)


@dataclass(frozen=True)
class _ClosedForm:
    params: BallSetting
    objective: Objective
    instance: int
    stream: Stream
    trial: int

    def search(self, y: Array, lam: float, number: int, call: int) -> Array:
        length = self.params.oracle_error * self.params.ball_radius / self.params.search_divisor
        return self._exact(y, lam) + length * self._direction(number, call)

    def ball(self, y: Array, lam: float, number: int, call: int) -> Array:
        r, share = self.params.ball_radius, self.params.oracle_error * self.params.ball_error
        length = share * lam * r**2 / (self.objective.lipschitz + 2 * lam * r)
        return project(self._exact(y, lam) + length * self._direction(number, BALL_SLOT), y, r)

    def proximal(self, y: Array, lam: float, number: int, call: int) -> Array:
        share, z = self.params.oracle_error / lam, self._exact(y, lam).copy()
        if share > 0:
            z[0] += share * self.params.bias
            spread = share * np.sqrt(self.params.deviation**2 - self.params.bias**2)
            z = z + spread * self._normals(number, PROXIMAL_SLOT) / np.sqrt(len(z))
        return z

    def _exact(self, y: Array, lam: float) -> Array:
        return self.objective.proximal(self.instance, y, lam, self.params.ball_radius)

    def _normals(self, number: int, slot: int) -> Array:
        address = number * SLOTS + slot
        return np.asarray(self.stream.normals(np.array([self.trial]), address, self.objective.dimension)[0])

    def _direction(self, number: int, slot: int) -> Array:
        """A random unit vector, 0 for exact oracles."""
        if self.params.oracle_error == 0:
            return np.zeros(self.objective.dimension)
        step = self._normals(number, slot)
        return step / np.linalg.norm(step)


def cpu(params: Params, objective: Objective, trials: Trials, dtype: str = "float64") -> Array:
    """All instances with numba, one trial of the noise for each; shape (instances, 6 + d), see `runs`."""
    _check(objective, trials)
    out = np.empty((len(trials), kernels.COLUMNS + objective.dimension), dtype=dtype)
    centres, shape = kernels.objective_arrays(objective, dtype)
    plan, end = kernels.plan_of(params, params.last_weight), params.output == "projected"
    given = (trials.stream.key, shape, plan, float(params.first_weight), end)
    share_rows(kernels.run, (trials.numbers, centres, out), *given)
    return out


def runs(values: Array) -> Runs:
    """The columns of what `cpu` and `gpu` return, as NumPy arrays."""
    integers, columns = values[:, 1:3].astype(np.int64), values.astype(np.float64)
    return Runs(
        columns[:, 0], integers[:, 0], integers[:, 1], columns[:, 3], columns[:, 4], columns[:, 5] > 0,
        columns[:, kernels.COLUMNS :],
    )  # fmt: skip


def advance_cpu(
    params: Params, objective: Objective, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """One iteration of the numba form per row, iteration steps[i] from the state before[i] of instance i.

    Returns (lambda, y, x, v, A), shape (rows, 3 d + 2), and the search calls, (rows,).
    """
    _check(objective, trials)
    out, calls = np.empty((len(before), 3 * objective.dimension + 2), dtype), np.empty(len(before), dtype=np.int64)
    centres, shape = kernels.objective_arrays(objective, dtype)
    plan, states = kernels.plan_of(params, params.last_weight), np.ascontiguousarray(before, dtype=dtype)
    rows = (states, steps, trials.numbers, centres, out, calls)
    share_rows(kernels.replay, rows, trials.stream.key, shape, plan)
    return out, calls


def gpu(params: Params, objective: Objective, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
    """All instances with torch on `device`; shape (instances, 6 + d)."""
    _check(objective, trials)
    return ClosedForm(params, objective, trials, device, dtype).accelerate(
        params.first_weight, params.last_weight, params.output == "projected"
    )


def advance_gpu(
    params: Params, objective: Objective, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    _check(objective, trials)
    out, calls = np.empty((len(before), 3 * objective.dimension + 2)), np.empty(len(before), dtype=np.int64)
    for step in np.unique(steps):
        rows = np.flatnonzero(steps == step)
        part = Trials(trials.stream, trials.numbers[rows])
        machine = ClosedForm(params, objective.of(rows), part, device, dtype)
        out[rows], calls[rows] = machine.replay(before[rows], int(step))
    return out, calls


def _check(objective: Objective, trials: Trials) -> None:
    if len(objective.centres) != len(trials):
        raise ConfigurationError(f"the objective has {len(objective.centres)} instances, the trials {len(trials)}")


NOT_RECORDED = "adds no privacy noise and promises nothing"
