"""BiasReducedProx: SubERM-sc made almost unbiased by a random level: a private stochastic proximal oracle.

Options: T <= floor(n/(2 C_priv)) is required, so that there is at least one level; C_priv, a "universal
constant", is `privacy_constant`; the number of repetitions, jmax as printed, may be given as `repetitions`.
The level J is public and does not depend on the data: `levels` fixes it, to audit given J. With a uniform u
from the part "levels" of the stream, J is the number with 2^-J <= u < 2^(1-J).

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", Algorithm 6. Shapes: d coordinates, n records, m trials.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.accounting import printed, proved
from dpaudit.algorithms.resque.accounting.proved import PRINTED_CONSTANT, Block, Call, always
from dpaudit.algorithms.resque.shared.counted import check_draws, together
from dpaudit.algorithms.resque.shared.turns import Points
from dpaudit.algorithms.resque.sub_erm import Subproblems
from dpaudit.algorithms.resque.sub_erm.privacy import printed_setting
from dpaudit.arithmetic.arrays import Array, Flags, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.context import Level
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import Count, Range

ALGORITHM = Algorithm(
    name="resque/ALG-9",
    title="BiasReducedProx: the private stochastic proximal oracle",
    source="Carmon et al. (2023), Algorithm 6",
    pseudo_code=(
        "Tmax = floor(n/C_priv); jmax = floor(log2(Tmax/T)); for k = 1..jmax: J ~ Geom(1/2); x0 = SubERM-sc(beta, T); "
        "if J <= jmax: xhat_k = x0 + 2^J (SubERM-sc(2^(-J/2) beta, 2^J T) - SubERM-sc(2^(-(J-1)/2) beta, 2^(J-1) T)), "
        "else xhat_k = x0; return the average of xhat_k"
    ),
    options=(("repetitions", "None", "any number: jmax as printed for None"), *solver.ALGORITHM.options),
    released="J and the results of all calls, with every phase output behind them",
    cost="at most T + 2^J T + 2^(J-1) T gradients in a repetition with J <= jmax, else T",
    from_level=Level.STANDARD,
)


@dataclass(frozen=True, kw_only=True)
class Params(solver.Params):
    """The numbers of SubERM-sc; records: n; privacy_constant: C_priv, at least 1; repetitions: None for jmax.

    n sets the levels; data of another size run too, but the promise is that of n records. Raises ConfigurationError,
    also for T > floor(n/(2 C_priv)).
    """

    records: Count
    privacy_constant: Annotated[float, Range(least=1.0)] = 4.0
    repetitions: Count | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steps > self.records / (2 * self.privacy_constant):
            raise ConfigurationError(
                f"steps must be at most records/(2 privacy_constant) = {self.records / (2 * self.privacy_constant)}, "
                f"got {self.steps}; records is {self.records}"
            )

    @property
    def highest(self) -> int:
        """jmax = floor(log2(Tmax/T)), exactly; at least 1."""
        return (int(self.records / self.privacy_constant) // self.steps).bit_length() - 1

    @property
    def loops(self) -> int:
        """How often a level is drawn."""
        return self.highest if self.repetitions is None else self.repetitions


@dataclass(frozen=True)
class Repetition:
    """level: J; result: xhat_k, (d,); base, finer, coarser: the runs behind it, the last two None for J > jmax."""

    level: int
    result: Array
    base: solver.Run
    finer: solver.Run | None
    coarser: solver.Run | None


@dataclass(frozen=True)
class Run:
    """final: (d,); repetitions: one per loop; queries: gradients counted."""

    final: Array
    repetitions: tuple[Repetition, ...]
    queries: int


@dataclass(frozen=True)
class Batch:
    """Of m trials and jmax loops. final: (m, d); results: xhat_k, parts: x0, x_J, x_{J-1} (0 for J > jmax),
    (m, jmax, 3, d); levels: J, (m, jmax); queries: gradients, (m, jmax)."""

    final: Points
    results: Points
    parts: Points
    levels: Integers
    queries: Integers


def noise_shape(params: Params) -> tuple[int, ...]:
    """(3 jmax, 2 Tmax, d): bounds what all calls draw for their queries."""
    return (3 * params.loops, 2 * (params.steps << params.highest), params.dimension)


def promise(params: Params, delta: float = 1e-5, levels: Sequence[int] | None = None) -> Promise:
    """What is proved of all phase outputs of all calls, with J seen, with the least epsilon at `delta`, in (0, 1).

    J is public and does not see the data: the promise averages over it, or is that given `levels`, J of every loop.
    Raises ConfigurationError where nothing is proved, see `sub_erm.promise`.
    """
    blocks = [accounted_block(params)] if levels is None else [always(_loop(params, level)) for level in levels]
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed with the beta_i of the calls: lemma 10, corrected"
    return proved.promise([blocks], delta, source)


def promise_as_printed(
    params: Params, levels: Sequence[int], delta: float = 1e-5, constant: float = PRINTED_CONSTANT
) -> Promise:
    """Lemma 10 given J of every loop, with C_priv = `constant`; ConfigurationError outside its conditions."""
    one = printed_setting(params)

    def bounds(orders: Sequence[float], failure: float) -> list[printed.Bound]:
        setting = one(failure / len(levels))
        made = (printed.bias_reduced(setting, level, params.highest, orders, "stated", constant) for level in levels)
        return printed.compose(*made)

    return proved.printed_promise(bounds, delta, "Carmon et al. (2023), lemma 10, as printed")


def accounted_block(params: Params, count: int = 1) -> Block:
    """All loops of `count` runs as the accountant reads them: J = 1, ..., jmax, and every J above."""
    levels = range(1, params.highest + 1)
    branches = [(2.0**-level, _loop(params, level)) for level in levels]
    return Block(count * params.loops, (*branches, (2.0**-params.highest, _loop(params, params.highest + 1))))


def _loop(params: Params, level: int) -> tuple[Call, ...]:
    """The calls of a loop with J = level."""
    used = (0, level, level - 1) if level <= params.highest else (0,)
    at = (replace(solver.at_level(params, j), records=params.records) for j in used)
    return tuple(call for one in at for call in solver.accounted_calls(one))


def queries(params: Params, levels: Integers) -> Integers:
    """The number of gradients of loops with levels J, any shape."""
    base = solver.queries(params)
    pairs = [
        solver.queries(solver.at_level(params, j)) + solver.queries(solver.at_level(params, j - 1))
        for j in range(1, params.highest + 1)
    ]
    table = np.array([base, *(base + pair for pair in pairs)])
    return np.asarray(table[np.where(levels <= params.highest, levels, 0)])


def calls(params: Params, levels: Sequence[int]) -> dict[str, int]:
    """Of a run whose loops drew J = levels, (jmax,): one or three calls of SubERM-sc a loop, and their gradients."""
    return together(*(_calls(params, level) for level in levels))


def _calls(params: Params, level: int) -> dict[str, int]:
    gradients = int(queries(params, np.array([level]))[0])
    return {"gradients": gradients, "SubERM-sc": 3 if level <= params.highest else 1}


def draw_levels(params: Params, stream: Stream, trials: Integers) -> Integers:
    """J of every loop, (m, jmax): geometric on 1, 2, ... with halving probabilities."""
    return _geometric(stream.part("levels").uniforms(trials, 0, params.loops))


def _geometric(uniforms: Array) -> Integers:
    return np.asarray(1 - np.frexp(uniforms)[1], dtype=np.int64)


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int, levels: Integers | None = None) -> Run:
    """One trial as the paper prints it, result of shape (d,); loop k draws from the part "repetition k".

    levels: J of every loop instead of drawn ones, (jmax,).
    """
    given = None if levels is None else _checked(np.asarray(levels)[None], 1, params.loops)
    drawn = (draw_levels(params, stream, np.array([trial])) if given is None else given)[0]
    made, at_zero = [], solver.at_level(params, 0)
    for k in range(params.loops):
        part, level = stream.part(f"repetition {k + 1}"), int(drawn[k])
        base, finer, coarser = solver.reference(at_zero, losses, part.part("base"), trial), None, None
        result = base.final
        if level <= params.highest:
            finer = solver.reference(solver.at_level(params, level), losses, part.part("finer"), trial)
            coarser = solver.reference(solver.at_level(params, level - 1), losses, part.part("coarser"), trial)
            result = base.final + 2**level * (finer.final - coarser.final)
        made.append(Repetition(level, result, base, finer, coarser))
    used = sum(run.queries for one in made for run in (one.base, one.finer, one.coarser) if run is not None)
    return Run(np.mean([one.result for one in made], axis=0), tuple(made), used)


def cpu(
    params: Params, losses: RidgeLosses, trials: Trials, levels: Integers | None = None, dtype: str = "float64"
) -> Batch:
    """All trials with numba; `final` has shape (trials, d). levels: J instead of drawn ones, (trials, jmax)."""
    return solve_cpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, levels, dtype)


def solve_cpu(
    params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, levels: Integers | None = None,
    dtype: str = "float64",
) -> Batch:  # fmt: skip
    """`cpu` for another subproblem in every trial: lambda and start are theirs."""
    m, k = len(trials), params.loops
    chosen = draw_levels(params, trials.stream, trials.numbers) if levels is None else _checked(levels, m, k)
    parts, used = np.zeros((m, k, 3, params.dimension), dtype=dtype), np.zeros((m, k), dtype=np.int64)
    for loop, position, level, rows in _jobs(params, chosen):
        part = Trials(trials.stream.part(f"repetition {loop + 1}").part(PARTS[position]), trials.numbers[rows])
        done = solver.solve_cpu(solver.at_level(params, level), losses, given.chosen(rows), part, dtype)
        parts[rows, loop, position] = done.final
        used[rows, loop] += done.queries
    factor = np.where(chosen <= params.highest, 2.0**chosen, 0.0)[..., None]
    results = (parts[:, :, 0] + factor * (parts[:, :, 1] - parts[:, :, 2])).astype(dtype)
    return Batch(results.sum(axis=1) / k, results, parts, chosen, used)


PARTS = ("base", "finer", "coarser")


def _checked(levels: Integers, trials: int, loops: int) -> Integers:
    check_draws("levels", levels, (trials, loops))
    if levels.dtype.kind not in "iu" or (levels.size and levels.min() < 1):
        raise ConfigurationError(f"levels must be integers of at least 1, got {levels.min(initial=1)} ({levels.dtype})")
    return levels


def _jobs(params: Params, levels: Integers) -> list[tuple[int, int, int, Flags]]:
    """(loop, position in `PARTS`, level of the call, rows of the trials that make it): trials of one level together."""
    jobs = []
    for loop in range(params.loops):
        jobs.append((loop, 0, 0, np.ones(len(levels), dtype=bool)))
        for level in range(1, params.highest + 1):
            rows = levels[:, loop] == level
            if rows.any():
                jobs += [(loop, 1, level, rows), (loop, 2, level - 1, rows)]
    return jobs


def gpu(
    params: Params, losses: RidgeLosses, trials: Trials, levels: Integers | None = None, device: str = "cpu",
    dtype: str = "float64",
) -> Batch:  # fmt: skip
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    return solve_gpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, levels, device, dtype)


def solve_gpu(
    params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, levels: Integers | None = None,
    device: str = "cpu", dtype: str = "float64",
) -> Batch:  # fmt: skip
    """`solve_cpu` with torch on `device`; results are tensors, levels and queries are not."""
    torch, m, k = load_torch(), len(trials), params.loops
    if levels is None:
        uniforms = trials.stream.part("levels").torch_uniforms(trials.numbers, 0, k, device)
        levels = (1 - torch.frexp(uniforms).exponent).to(torch.int64).to("cpu").numpy()
    levels = _checked(np.asarray(levels), m, k)
    parts = torch.zeros((m, k, 3, params.dimension), dtype=getattr(torch, dtype), device=device)
    used = np.zeros((m, k), dtype=np.int64)
    for loop, position, level, rows in _jobs(params, levels):
        part = Trials(trials.stream.part(f"repetition {loop + 1}").part(PARTS[position]), trials.numbers[rows])
        done = solver.solve_gpu(solver.at_level(params, level), losses, given.chosen(rows), part, device, dtype)
        parts[torch.as_tensor(rows, device=device), loop, position] = done.final
        used[rows, loop] += done.queries
    drawn = torch.as_tensor(levels, device=device)
    factor = torch.where(drawn <= params.highest, 2.0 ** drawn.to(parts.dtype), 0.0)[..., None]
    results = parts[:, :, 0] + factor * (parts[:, :, 1] - parts[:, :, 2])
    return Batch(results.sum(dim=1) / k, results, parts, levels, used)


NOT_RECORDED = "calls sub_erm, and adds no noise of its own"
