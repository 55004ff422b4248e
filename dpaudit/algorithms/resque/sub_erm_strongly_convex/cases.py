"""The instances on which the three forms of SubERM-sc are compared: call by call, from the reference's x_{i-1}."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Trace
from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.shared.cases import Calls, Instance
from dpaudit.algorithms.resque.sub_erm.cases import example_losses, whole_bound
from dpaudit.algorithms.resque.sub_erm_strongly_convex import Params, Run
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import RidgeLosses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Distance bounds below and at 2 r, another centre of the regulariser, the printed variants."""
    shared: dict[str, Any] = {"smoothing": 0.9, "lipschitz": 1.5, "regulariser": 4.0, "records": 6}
    practical = Params(centre=(0.1, -0.2), radius=0.3, privacy=2.0, steps=20, constant=0.3, **shared)
    proved = Params(
        centre=(0.2, 0.0, 0.1), radius=0.2, privacy=0.7, steps=9, anchor=(1.0, 0.5, 0.0), returned="next",
        rounding="ceil", **shared,
    )  # fmt: skip
    equal = replace(practical, privacy_schedule="equal", logarithm="natural", smoothing=30.0, steps=50)
    listed = (("constant 0.3", practical), ("constant 16, next", proved), ("equal, natural", equal))
    return tuple(
        Instance(
            solver, params, example_losses(seed, params.dimension), Stream(seed, f"agree/strongly convex/{name}")
        ).case(name, 4 * params.dimension + 40 + params.steps, _trace, _calls)  # a step of the inner solver, its sums
        for name, params in listed
    )


def _trace(one: Instance, trials: int) -> Trace:
    params, losses, stream = one.params, one.data, one.stream
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
    params: Params, losses: RidgeLosses, stream: Stream, trial: int, starts: list[Array], inner: tuple[sub_erm.Run, ...]
) -> list[Array]:
    """A of x_i for every inner call, each from its exact start."""
    bounds = []
    for i, call in enumerate(solver.schedule(params, np.array([params.regulariser]))):
        regularised = solver.inner_params(params, call, starts[i])
        inputs = sub_erm.draw_inputs(regularised, losses.records, stream.part(f"call {i + 1}"), trial)
        bounds.append(whole_bound(regularised, losses, inputs, inner[i]))
    return bounds


def run_bound(params: Params, losses: RidgeLosses, stream: Stream, trial: int, run: Run) -> Array:
    """A of the result of a run as a whole, (d,): the calls hand on their errors."""
    x = sub_erm.default_start(params)
    bound = np.abs(x)
    for i, call in enumerate(solver.schedule(params, np.array([params.regulariser]))):
        regularised = solver.inner_params(params, call, x)
        inputs = sub_erm.draw_inputs(regularised, losses.records, stream.part(f"call {i + 1}"), trial)
        bound = whole_bound(regularised, losses, inputs, run.inner[i], float(np.linalg.norm(bound)))
        x = run.iterates[i]
    return bound


def _calls(one: Instance, trial: int) -> Calls:
    run = solver.reference(one.params, one.data, one.stream, trial)
    return {"gradients": run.queries, "SubERM": len(run.inner)}, solver.calls(one.params)
