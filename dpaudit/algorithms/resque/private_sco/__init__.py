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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.resque import private_regularised_erm as inner
from dpaudit.algorithms.resque.accounting import proved
from dpaudit.algorithms.resque.accounting.calibration import private_excess
from dpaudit.algorithms.resque.shared.counted import together
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim
from dpaudit.records.validation import check_choice, check_count, check_number

__all__ = [
    "ALGORITHM",
    "Batch",
    "NO_CALLS",
    "Params",
    "Phase",
    "Run",
    "calls",
    "cpu",
    "gpu",
    "noise_shape",
    "part_of",
    "phases",
    "promise",
    "promise_as_printed",
    "reference",
]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
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
)


@dataclass(frozen=True, kw_only=True)
class Params(inner.Params):
    """The numbers of PrivateRegERM: epsilon and delta of the whole, records: n of the whole; regulariser and target
    are those of the phases and not read; step_constant: multiplies eta, above 0; budget and step: see the module;
    least_records: phases with fewer are skipped, at least 3. Raises ConfigurationError."""

    regulariser: float = 0.0
    budget: str = "printed"
    step: str = "quartered"
    step_constant: float = 1.0
    least_records: int = 3

    def __post_init__(self) -> None:
        check_choice("budget", self.budget, ("printed", "parallel"))
        check_choice("step", self.step, ("quartered", "KLL21"))
        check_number("step_constant", self.step_constant, above=0.0)
        check_count("least_records", self.least_records, 3)
        # The whole has no calibration of its own: its numbers are checked by those of the first phase.
        super().__post_init__()

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


@dataclass(frozen=True)
class Batch:
    """Of m trials. final: (m, d); iterates: results of the phases that ran, (m, phases, d); queries: (m,)."""

    final: Any
    iterates: Any
    queries: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(k, d): phases and coordinates; the draws are those of the phases."""
    return (params.phases_wanted, params.dimension)


def promise(params: Params, delta: float | None = None) -> Promise:
    """What is proved of all phase outputs of all oracle calls; a record is read in one phase only.

    delta: where the epsilon is to be least, in (0, 1), by default that of the parameters. Raises ConfigurationError
    where nothing is proved, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed over the calls of theorem 4, corrected"
    runs = [inner.accounted_blocks(phase.solver) for phase in phases(params) if phase.solver is not None]
    return proved.promise(runs, params.delta if delta is None else delta, source)


def promise_as_printed(params: Params) -> PrivacyClaim:
    """Theorem 4: (epsilon, delta)-DP of the parameters, where the calibration of the paper is used as it is."""
    inner.check_as_printed(params)
    guarantee = ApproximateDP(params.epsilon, params.delta)
    source = "Carmon et al. (2023), theorem 4, as printed"
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, params.delta, source)


def calls(params: Params, drawn: Sequence[Sequence[tuple[Integers, Integers]]]) -> dict[str, int]:
    """Of a run whose phases that ran drew `drawn`, as `private_regularised_erm.calls` has them."""
    solvers = [phase.solver for phase in phases(params) if phase.solver is not None]
    return together(NO_CALLS, *(inner.calls(one, its) for one, its in zip(solvers, drawn, strict=True)))


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
    for phase in phases(params):
        if phase.solver is not None:
            placed = replace(phase.solver, target=tuple(x.tolist()))
            run = inner.reference(placed, part_of(losses, phase), stream.part(f"phase {phase.number}"), trial)
            x = run.final
            done.append(run)
    raw = np.reshape([run.final for run in done], (-1, params.dimension))
    return Run(x, raw, tuple(done), sum(run.queries for run in done))


def cpu(params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64") -> Batch:
    """All trials with numba; `final` has shape (trials, d)."""
    _check(params, losses)
    x, iterates = np.tile(params.origin, (len(trials), 1)), []
    used = np.zeros(len(trials), dtype=np.int64)
    for phase in phases(params):
        if phase.solver is not None:
            part = Trials(trials.stream.part(f"phase {phase.number}"), trials.numbers)
            done = inner.cpu(phase.solver, part_of(losses, phase), part, dtype, x)
            x, used = done.final.astype(np.float64), used + done.queries
            iterates.append(done.final)
    empty = np.zeros((len(trials), 0, params.dimension), dtype=dtype)
    return Batch(x.astype(dtype), np.stack(iterates, axis=1) if iterates else empty, used)


def gpu(params: Params, losses: RidgeLosses, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Batch:
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    _check(params, losses)
    torch, used = load_torch(), np.zeros(len(trials), dtype=np.int64)
    x = torch.as_tensor(np.tile(params.origin, (len(trials), 1)), dtype=torch.float64, device=device)
    kind, iterates = getattr(torch, dtype), []
    for phase in phases(params):
        if phase.solver is not None:
            part = Trials(trials.stream.part(f"phase {phase.number}"), trials.numbers)
            done = inner.gpu(phase.solver, part_of(losses, phase), part, device, dtype, x)
            x, used = done.final.double(), used + done.queries
            iterates.append(done.final)
    empty = x.new_zeros((len(trials), 0, params.dimension)).to(kind)
    return Batch(x.to(kind), torch.stack(iterates, dim=1) if iterates else empty, used)

NOT_RECORDED = "calls sub_erm, and adds no noise of its own"
