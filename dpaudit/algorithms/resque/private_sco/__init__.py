"""PrivateSCO: population risk by iterative localisation, PrivateRegERM on disjoint batches of halving size.

The paper cites the reduction (proposition 11) and does not list it. Options: `budget` "printed" is the schedule
(eps/2^i, delta/2^i) of the printed count of gradients, "parallel" gives every phase (eps, delta), which suffices since
each record is used in one phase; `step` "quartered" is eta_i = 4^-i eta (Feldman, Koren, Talwar 2020), "KLL21" is
2^(-5 i) eta (Kulkarni, Lee, Liu 2021). The last batches are too small for anything: floor(n/2^k) is 0 for n below
2^k; a phase with fewer than `least_records` is skipped.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", theorem 4 and proposition 11. Shapes: d coordinates, n records, k phases, m trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from dpaudit.algorithms.resque import private_regularised_erm as inner
from dpaudit.algorithms.resque.accounting import proved
from dpaudit.algorithms.resque.accounting.calibration import private_excess
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.algorithms.resque.shared.turns import Turns, in_turn
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import PrivacyClaim
from dpaudit.records.ranges import OneOf, Positive, Range

NO_CALLS = inner.NO_CALLS

ALGORITHM = Algorithm(
    name="resque/ALG-19",
    title="PrivateSCO: private population risk by localisation",
    source="Carmon et al. (2023), theorem 4, proposition 11",
    pseudo_code=(
        "k = ceil(log2 n); x_0 = origin; for i = 1..k: n_i = floor(n/2^i) fresh records, lambda_i = 2/(eta_i n_i), "
        "x_i = PrivateRegERM on their risk + (lambda_i/2)|x - x_{i-1}|^2 with budget (eps_i, delta_i); return x_k"
    ),
    options=(
        ("budget", "printed", "parallel: every phase has the whole budget, its records are its own"),
        ("step", "quartered", "KLL21: eta_i = 2^(-5 i) eta"),
        *inner.ALGORITHM.options,
    ),
    released="the results of all oracle calls of all phases",
    cost="the gradients of k runs of PrivateRegERM",
    from_level=Level.STANDARD,
)

NOT_RECORDED = "calls sub_erm, and adds no noise of its own"


@dataclass(frozen=True, kw_only=True)
class Params(inner.Params):
    """The numbers of PrivateRegERM: epsilon and delta of the whole, records: n of the whole; regulariser and target
    are those of the phases and not read; step_constant: multiplies eta, above 0; budget and step: see the module;
    least_records: phases with fewer are skipped, at least 3. Raises ConfigurationError."""

    regulariser: float = 0.0
    budget: Annotated[str, OneOf(("printed", "parallel"))] = "printed"
    step: Annotated[str, OneOf(("quartered", "KLL21"))] = "quartered"
    step_constant: Positive = 1.0
    least_records: Annotated[int, Range(least=3)] = 3

    @property
    def phases_wanted(self) -> int:
        """k = ceil(log2 n)."""
        return (self.records - 1).bit_length()

    @property
    def step_size(self) -> float:
        """eta = (R/L) min(1/sqrt n, 1/(n private excess)), in the unit of [x]^2/[F]."""
        n = self.records
        private = n * private_excess(n, self.dimension, self.epsilon, self.delta)
        return self.step_constant * self.radius / self.lipschitz * min(1 / math.sqrt(n), 1 / private)


@dataclass(frozen=True)
class Phase:
    """number: i >= 1; first and size: its records first, ..., first + size - 1; step: eta_i; solver: None if the phase
    is skipped, else PrivateRegERM with lambda_i, to be placed at x_{i-1}."""

    number: int
    first: int
    size: int
    step: float
    solver: inner.Params | None


Job = tuple[Phase, inner.Params]


def phases(params: Params) -> tuple[Phase, ...]:
    """Phases 1..k, the skipped ones too."""
    made, first = [], 0
    for i in range(1, params.phases_wanted + 1):
        size = params.records >> i
        eta = params.step_size * (4.0**-i if params.step == "quartered" else 32.0**-i)
        solver = _solver(params, i, size, eta) if size >= params.least_records else None
        made.append(Phase(i, first, size, eta, solver))
        first += size
    return tuple(made)


def _solver(params: Params, i: int, size: int, eta: float) -> inner.Params:
    share = 2.0**-i if params.budget == "printed" else 1.0
    shared = {name: getattr(params, name) for name in inner.Params.__dataclass_fields__}
    return inner.Params(
        **shared
        | {
            "records": size, "regulariser": 2 / (eta * size), "epsilon": params.epsilon * share,
            "delta": params.delta * share, "target": None,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Run:
    """final: x_k, (d,); raw: the results of the phases that ran, (phases, d); phases: their runs; queries: gradients
    counted."""

    final: Array
    raw: Array
    phases: tuple[inner.Run, ...]
    queries: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, d): phases and coordinates; the draws are those of the phases."""
    return (params.phases_wanted, params.dimension)


def promise(params: Params, delta: float | None = None) -> Promise:
    """What is proved of all phase outputs of all oracle calls; a record is read in one phase only.

    delta: where the epsilon is to be least, in (0, 1), by default that of the parameters. Raises ConfigurationError
    where nothing is proved, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed over the calls of theorem 4, corrected"
    runs = [inner.accounted_blocks(solver) for _, (_, solver) in _named(params)]
    return proved.promise(runs, params.delta if delta is None else delta, source)


def promise_as_printed(params: Params) -> PrivacyClaim:
    """Theorem 4: (epsilon, delta)-DP of the parameters, where the calibration of the paper is used as it is."""
    return inner.printed_claim(params, "theorem 4")


def calls(params: Params, drawn: Sequence[Sequence[tuple[Integers, Integers]]]) -> dict[str, int]:
    """Of a run whose phases that ran drew `drawn`, as `private_regularised_erm.calls` has them."""
    pairs = zip(_named(params), drawn, strict=True)
    return together(NO_CALLS, *(inner.calls(solver, its) for (_, (_, solver)), its in pairs))


def part_of(losses: RidgeLosses, phase: Phase) -> RidgeLosses:
    """The records of a phase."""
    rows = slice(phase.first, phase.first + phase.size)
    return RidgeLosses(losses.kinds[rows], losses.directions[rows], losses.offsets[rows], losses.lipschitz)


def _check(params: Params, losses: RidgeLosses) -> None:
    if losses.records != params.records:
        raise ConfigurationError(f"the data have {losses.records} records, the parameters say {params.records}")


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int) -> Run:
    """One trial, result of shape (d,); phase i draws from the part "phase i" of the stream."""
    _check(params, losses)
    x, done = np.array(params.origin), []
    for name, (phase, solver) in _named(params):
        placed = replace(solver, target=tuple(x.tolist()))
        done.append(inner.reference(placed, part_of(losses, phase), stream.part(name), trial))
        x = done[-1].final
    raw = np.reshape([run.final for run in done], (-1, params.dimension))
    return Run(x, raw, tuple(done), sum(run.queries for run in done))


def cpu(params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64") -> Turns:
    """All trials with numba; `final` has shape (trials, d)."""
    _check(params, losses)

    def solve(job: Job, part: Trials, x: Array) -> tuple[Array, Integers]:
        phase, solver = job
        done = inner.cpu(solver, part_of(losses, phase), part, dtype, x)
        return done.final.astype(np.float64), done.queries

    return in_turn(np.tile(params.origin, (len(trials), 1)), _named(params), trials, solve, dtype)


def gpu(params: Params, losses: RidgeLosses, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Turns:
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    _check(params, losses)

    def solve(job: Job, part: Trials, x: Tensor) -> tuple[Tensor, Integers]:
        phase, solver = job
        done = inner.gpu(solver, part_of(losses, phase), part, device, dtype, x)
        return done.final.double(), done.queries

    torch = load_torch()
    start = torch.as_tensor(np.tile(params.origin, (len(trials), 1)), dtype=torch.float64, device=device)
    return in_turn(start, _named(params), trials, solve, dtype)


def _named(params: Params) -> Iterator[tuple[str, Job]]:
    """The phases that run, each with the part of the stream that it draws from."""
    for phase in phases(params):
        if phase.solver is not None:
            yield f"phase {phase.number}", (phase, phase.solver)
