"""SubERM with the rate of strong convexity: the regularised solver called with better and better distance bounds.

Printed lines that do not work as printed are options. The loop makes x_1, ..., x_k and the last line returns
x_{k+1}: `returned` is "last" (x_k) or "next" (one more call, with T_k = T and r_k, which takes the number of
gradients above T). T_{i-1} = 2^(i-1-k) T is no integer in general: `rounding` is "floor" (and at least 1) or
"ceil". "log log T" is `logarithm` "base2" (the proof) or "natural"; the number of calls is never negative.
beta_i is `privacy_schedule` "printed", 2^((k-i)/2) beta, which spoils the printed promise of privacy (proposition 8),
or "equal", beta in every call, its repair. C_cvx, a "universal constant", is `constant`.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", Algorithm 5 and equation (28). Shapes: d coordinates, k calls, m trials.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.accounting import printed, proved
from dpaudit.algorithms.resque.accounting.proved import PRINTED_CONSTANT, Call
from dpaudit.algorithms.resque.shared.turns import Turns, in_turn
from dpaudit.algorithms.resque.sub_erm import BallSolver, Subproblems
from dpaudit.algorithms.resque.sub_erm.privacy import accounted_call, printed_setting
from dpaudit.algorithms.resque.sub_erm.setting import OPTIONS, powers_of_two
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream, Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records import context
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.mechanism import Promise
from dpaudit.records.ranges import OneOf, Positive
from dpaudit.records.validation import check_number

Scheduled = tuple[int, float, Array]

ALGORITHM = Algorithm(
    name="resque/ALG-8",
    title="SubERM-sc: subsampled ReSQued ERM solver, strongly convex",
    source="Carmon et al. (2023), Algorithm 5",
    pseudo_code=(
        "k = ceil(log2 log2 T); E_i = (2 C_cvx^2 L^2/lambda)(sqrt d/(beta_i T_i) + 1/sqrt T_i)^2; "
        "D_i = 4 E_i ((2 L^2/lambda)/(4 E_0))^(2^-i); x_0 = xbar; for i = 1..k: beta_{i-1} = 2^((k-i+1)/2) beta; "
        "T_{i-1} = 2^(i-1-k) T; r_{i-1} = min(2 r, sqrt(2 D_{i-1}/lambda)); "
        "x_i = SubERM-reg(xbar, r, rho, beta_{i-1}, lambda, T_{i-1}, r_{i-1}, x_{i-1}); return x_k"
    ),
    options=(
        ("returned", "last", "next: one more call, with T_k = T"),
        ("rounding", "floor", "ceil: of T_{i-1}, which is at least 1"),
        ("logarithm", "base2", "natural: in the number of calls"),
        ("privacy_schedule", "printed", "equal: beta in every call"),
        *OPTIONS,
    ),
    released="every phase output of every call",
    cost="sum over calls of 2^floor(log2 T_{i-1}) - 1 gradients of a record",
    from_level=context.Level.STANDARD,
)


@dataclass(frozen=True, kw_only=True)
class Params(BallSolver):
    """The numbers of `BallSolver` with regulariser above 0; constant: C_cvx above 0; the options of the module.

    start: x_0 is the projection of `anchor`. Raises ConfigurationError.
    """

    constant: Positive = 16.0
    returned: Annotated[str, OneOf(("last", "next"))] = "last"
    rounding: Annotated[str, OneOf(("floor", "ceil"))] = "floor"
    logarithm: Annotated[str, OneOf(("base2", "natural"))] = "base2"
    privacy_schedule: Annotated[str, OneOf(("printed", "equal"))] = "printed"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("regulariser", self.regulariser, above=0.0)

    @property
    def levels(self) -> int:
        """k: the smallest k >= 0 with 2^(2^k) >= T, exactly, or ceil(ln ln T) at least 0."""
        if self.logarithm == "natural":
            return 0 if self.steps < 3 else max(0, math.ceil(math.log(math.log(self.steps))))
        return next(k for k in range(64) if (self.steps - 1).bit_length() <= 1 << k)


@dataclass(frozen=True)
class Level:
    """steps: T_i, rounded; privacy: beta_i; error: lambda E_i, and gap: lambda D_i, at the unrounded T_i, which do not
    depend on lambda and have the unit of L^2."""

    steps: int
    privacy: float
    error: float
    gap: float


def levels(params: Params) -> tuple[Level, ...]:
    """i = 0..k of equation (28); the last has T_k = T, beta_k = beta."""
    k, d = params.levels, params.dimension
    made: list[Level] = []
    rounded = math.floor if params.rounding == "floor" else math.ceil
    for i in range(k + 1):
        steps, growth = params.steps * 2.0 ** (i - k), 2 ** ((k - i) / 2)
        privacy = params.privacy * (growth if params.privacy_schedule == "printed" else 1.0)
        error = 2 * (params.constant * params.lipschitz) ** 2 * (math.sqrt(d) / (privacy * steps) + steps**-0.5) ** 2
        first = made[0].error if made else error
        gap = 4 * error * (2 * params.lipschitz**2 / (4 * first)) ** (2.0**-i)
        made.append(Level(max(1, rounded(steps)), privacy, error, gap))
    return tuple(made)


def called(params: Params) -> tuple[Level, ...]:
    """The levels at which the inner solver is called: 0..k-1, and k too for returned = "next"."""
    return levels(params) if params.returned == "next" else levels(params)[:-1]


def schedule(params: Params, regularisers: Array) -> list[Scheduled]:
    """(T_{i-1}, beta_{i-1}, r_{i-1}) of every call; the distance bounds for each lambda in `regularisers`, (m,)."""
    return [
        (call.steps, call.privacy, np.minimum(2 * params.radius, np.sqrt(2 * call.gap) / regularisers))
        for call in called(params)
    ]


@dataclass(frozen=True)
class Run:
    """final: (d,); iterates: x_1, ..., (k, d); inner: the runs of the inner calls; queries: gradients counted."""

    final: Array
    iterates: Array
    inner: tuple[sub_erm.Run, ...]
    queries: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(2 T, d): no call draws more normals than this for its queries."""
    return (2 * params.steps, params.dimension)


def promise(params: Params, delta: float = 1e-5) -> Promise:
    """What is proved of all phase outputs of all calls with the least epsilon at `delta`, in (0, 1).

    Raises ConfigurationError where nothing is, see `sub_erm.promise`.
    """
    source = "Carmon et al. (2023), lemmas 3, 5 and 7, composed with the beta_i of the calls: proposition 8, corrected"
    return proved.promise([[proved.always(accounted_calls(params))]], delta, source)


def promise_as_printed(params: Params, delta: float = 1e-5, constant: float = PRINTED_CONSTANT) -> Promise:
    """Proposition 8 with C_priv = `constant`, which is false for large T; ConfigurationError outside its conditions."""
    one = printed_setting(params)
    return proved.printed_promise(
        lambda orders, failure: printed.strongly_convex(one(failure), orders, "stated", constant),
        delta,
        "Carmon et al. (2023), proposition 8, as printed",
    )


def accounted_calls(params: Params) -> tuple[Call, ...]:
    """The calls as the accountant reads them; each starts from the noisy result of the one before."""
    made, noisy = [], False
    for level in called(params):
        made.append(accounted_call(params, level.steps, level.privacy, noisy_start=noisy))
        noisy = noisy or (level.steps > 1 and params.project_output == "printed")
    return tuple(made)


def queries(params: Params) -> int:
    """The number of gradients of a run."""
    return sum(powers_of_two(call.steps)[0] - 1 for call in called(params))


def calls(params: Params) -> dict[str, int]:
    """k calls of SubERM and That_{i-1} - 1 gradients of each."""
    return {"gradients": queries(params), "SubERM": len(called(params))}


def inner_params(params: Params, call: tuple[int, float, Array], start: Array) -> sub_erm.Params:
    """The regularised solver of one call of `schedule` for one trial."""
    steps, privacy, distance = call
    names = [field for field in BallSolver.__dataclass_fields__ if field not in ("steps", "privacy")]
    shared = {name: getattr(params, name) for name in names}
    return sub_erm.Params(
        **shared, steps=steps, privacy=privacy, distance=float(distance[0]), start=tuple(start.tolist())
    )


def reference(params: Params, losses: RidgeLosses, stream: Stream, trial: int) -> Run:
    """One trial as the paper prints it, x_k of shape (d,); call i draws from the part "call i" of the stream."""
    x, iterates, inner = sub_erm.default_start(params), [], []
    for i, call in enumerate(schedule(params, np.array([params.regulariser])), start=1):
        regularised = inner_params(params, call, x)
        drawn = sub_erm.draw_inputs(regularised, losses.records, stream.part(f"call {i}"), trial)
        inner.append(sub_erm.reference(regularised, losses, *drawn))
        x = inner[-1].final
        iterates.append(x)
    used = sum(run.queries for run in inner)
    return Run(x, np.reshape(iterates, (-1, params.dimension)), tuple(inner), used)


def cpu(params: Params, losses: RidgeLosses, trials: Trials, dtype: str = "float64") -> Turns:
    """All trials with numba; `final` has shape (trials, d)."""
    return solve_cpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, dtype)


def solve_cpu(params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, dtype: str = "float64") -> Turns:
    """`cpu` for another subproblem in every trial: lambda and start are theirs, their distances are not read."""

    def solve(call: Scheduled, part: Trials, x: Array) -> tuple[Array, Integers]:
        steps, privacy, distances = call
        done = sub_erm.solve_cpu(params, losses, given.continued(x, distances), part, steps, privacy, dtype=dtype)
        return done.final, done.queries

    return in_turn(given.starts.astype(dtype), _named(params, given), trials, solve, dtype)


def gpu(params: Params, losses: RidgeLosses, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Turns:
    """All trials with torch on `device`, the results of `cpu` as tensors; `final` has shape (trials, d)."""
    return solve_gpu(params, losses, sub_erm.subproblems(params, len(trials)), trials, device, dtype)


def solve_gpu(
    params: Params, losses: RidgeLosses, given: Subproblems, trials: Trials, device: str = "cpu", dtype: str = "float64"
) -> Turns:
    """`solve_cpu` with torch on `device`; results are tensors."""

    def solve(call: Scheduled, part: Trials, x: Tensor) -> tuple[Tensor, Integers]:
        steps, privacy, distances = call
        nearer = given.continued(x, distances)
        done = sub_erm.solve_gpu(params, losses, nearer, part, steps, privacy, None, device, dtype)
        return done.final, done.queries

    torch = load_torch()
    starts = torch.as_tensor(given.starts, dtype=getattr(torch, dtype), device=device)
    return in_turn(starts, _named(params, given), trials, solve, dtype)


def _named(params: Params, given: Subproblems) -> Iterator[tuple[str, Scheduled]]:
    """The calls, each with the part of the stream that it draws from."""
    return ((f"call {i}", call) for i, call in enumerate(schedule(params, given.regularisers), start=1))


def advance_cpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str = "float64"
) -> tuple[Array, Integers]:
    """Call steps[i] >= 1 of the numba form per row, from x_{steps[i]-1} = before[i]; x_{steps[i]}, (rows, d), and no
    branches, (rows, 0)."""
    after = np.empty_like(before)
    for rows, given, part, (length, privacy) in _placed(params, trials, steps, before):
        after[rows] = sub_erm.solve_cpu(params, losses, given, part, length, privacy, dtype=dtype).final
    return after, np.zeros((len(before), 0), dtype=np.int64)


def advance_gpu(
    params: Params, losses: RidgeLosses, trials: Trials, steps: Integers, before: Array, dtype: str, device: str
) -> tuple[Array, Integers]:
    """`advance_cpu` with the torch form on `device`."""
    after = np.empty_like(before)
    for rows, given, part, (length, privacy) in _placed(params, trials, steps, before):
        done = sub_erm.solve_gpu(params, losses, given, part, length, privacy, None, device, dtype)
        after[rows] = done.final.cpu().numpy()
    return after, np.zeros((len(before), 0), dtype=np.int64)


def _placed(params: Params, trials: Trials, steps: Integers, before: Array) -> Iterator[tuple[Any, ...]]:
    """Of every call: its rows, their subproblems and trials, (T, beta)."""
    given = sub_erm.subproblems(params, len(before))
    for i, (length, privacy, distances) in enumerate(schedule(params, given.regularisers), start=1):
        rows = steps == i
        part = Trials(trials.stream.part(f"call {i}"), trials.numbers[rows])
        yield rows, given.continued(before, distances).chosen(rows), part, (length, privacy)


def at_level(params: Params, level: int) -> Params:
    """The parameters of level j of the bias reduction, 2^j T gradients and 2^(-j/2) beta, whatever is built on them.

    Their `records` are None: for the bias reduction n is a number of its schedule.
    """
    shared = {name: getattr(params, name) for name in Params.__dataclass_fields__}
    made = {"steps": params.steps << level, "privacy": params.privacy * 2 ** (-level / 2), "records": None}
    return Params(**shared | made)


NOT_RECORDED = "calls sub_erm, and adds no noise of its own"
