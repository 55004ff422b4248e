"""The instances on which the three forms of SubERM-sc are compared: call by call, from the reference's x_{i-1}."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms._sub_erm_cases import example_losses, whole_bound
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials
from dpaudit.smoothing import RidgeLosses

if TYPE_CHECKING:
    from dpaudit.algorithms.sub_erm_strongly_convex import Params, Run

Array = NDArray[np.float64]


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Distance bounds below and at 2 r, another centre of the regulariser, the printed variants."""
    from dpaudit.algorithms.sub_erm_strongly_convex import Params  # that file carries the algorithm and names this one

    shared: dict[str, Any] = {"smoothing": 0.9, "lipschitz": 1.5, "regulariser": 4.0}
    practical = Params(centre=(0.1, -0.2), radius=0.3, privacy=2.0, steps=20, constant=0.3, **shared)
    proved = Params(
        centre=(0.2, 0.0, 0.1), radius=0.2, privacy=0.7, steps=9, anchor=(1.0, 0.5, 0.0), returned="next",
        rounding="ceil", **shared,
    )  # fmt: skip
    return tuple(_case(name, p, seed) for name, p in (("constant 0.3", practical), ("constant 16, next", proved)))


def _case(name: str, params: Params, seed: int) -> Case:
    losses, stream = example_losses(seed, params.dimension), Stream(seed, f"agree/strongly convex/{name}")
    return Case(
        name,
        params,
        operations=4 * params.dimension + 40 + params.steps,  # a step of the inner solver, and its sums
        reference=partial(_trace, params, losses, stream),
        cpu=partial(_cpu, params, losses, stream),
        gpu=partial(_gpu, params, losses, stream),
    )


def _trace(params: Params, losses: RidgeLosses, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    runs = [solver.reference(params, losses, stream, trial) for trial in range(trials)]
    before, magnitude = [], []
    for trial, run in enumerate(runs):
        starts = [sub_erm.default_start(params), *run.iterates[:-1]]
        before.extend(starts)
        magnitude.extend(call_bounds(params, losses, stream, trial, starts, run.inner))
    none, count = np.zeros((len(before), 0)), len(runs[0].iterates)
    return Trace(
        np.repeat(np.arange(trials), count), np.tile(np.arange(1, count + 1), trials), np.array(before),
        np.concatenate([run.iterates for run in runs]), np.array(magnitude), none.astype(np.int64), none, none,
        np.stack([run.final for run in runs]),
    )  # fmt: skip


def call_bounds(
    params: Params, losses: RidgeLosses, stream: Stream, trial: int, starts: list[Array], inner: Any
) -> list[Array]:
    """A of x_i for every inner call, each from its exact start."""
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    bounds = []
    for i, call in enumerate(solver.schedule(params, np.array([params.regulariser]))):
        regularised = solver.inner_params(params, call, starts[i])
        inputs = sub_erm.draw_inputs(regularised, losses.records, stream.part(f"call {i + 1}"), trial)
        bounds.append(whole_bound(regularised, losses, inputs, inner[i]))
    return bounds


def run_bound(params: Params, losses: RidgeLosses, stream: Stream, trial: int, run: Run) -> Array:
    """A of the result of a run as a whole, (d,): the calls hand on their errors."""
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    x = sub_erm.default_start(params)
    bound = np.abs(x)
    for i, call in enumerate(solver.schedule(params, np.array([params.regulariser]))):
        regularised = solver.inner_params(params, call, x)
        inputs = sub_erm.draw_inputs(regularised, losses.records, stream.part(f"call {i + 1}"), trial)
        bound = whole_bound(regularised, losses, inputs, run.inner[i], float(np.linalg.norm(bound)))
        x = run.iterates[i]
    return bound


def _replayed(params: Params, stream: Stream, trace: Trace, solve: Any) -> Array:
    """Each call from the reference's start: solve(subproblems, trials, T, beta) for all rows of one call."""
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    after = np.empty_like(trace.after)
    given = sub_erm.subproblems(params, len(trace.trials))
    for i, (steps, privacy, distances) in enumerate(solver.schedule(params, given.regularisers), start=1):
        rows = trace.steps == i
        part = given.continued(trace.before, distances).chosen(rows)
        after[rows] = solve(part, Trials(stream.part(f"call {i}"), trace.trials[rows]), steps, privacy)
    return after


def _cpu(params: Params, losses: RidgeLosses, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    def solve(part: Any, trials: Trials, steps: int, privacy: float) -> Array:
        return np.asarray(sub_erm.solve_cpu(params, losses, part, trials, steps, privacy, dtype=dtype).final)

    whole = solver.cpu(params, losses, Trials(stream, np.arange(len(trace.final))), dtype)
    return Replay(_replayed(params, stream, trace, solve), trace.branches, whole.final)


def _gpu(params: Params, losses: RidgeLosses, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import sub_erm
    from dpaudit.algorithms import sub_erm_strongly_convex as solver

    def solve(part: Any, trials: Trials, steps: int, privacy: float) -> Array:
        done = sub_erm.solve_gpu(params, losses, part, trials, steps, privacy, None, device, dtype)
        return np.asarray(done.final.cpu().numpy())

    whole = solver.gpu(params, losses, Trials(stream, np.arange(len(trace.final))), device, dtype)
    return Replay(_replayed(params, stream, trace, solve), trace.branches, whole.final.cpu().numpy())
