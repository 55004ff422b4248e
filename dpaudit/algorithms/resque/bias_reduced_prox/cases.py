"""The instances on which the three forms of BiasReducedProx are compared: one row per loop of every trial."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import bias_reduced_prox
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.bias_reduced_prox import Params, Repetition
from dpaudit.algorithms.resque.shared.cases import Calls, Instance, points_of
from dpaudit.algorithms.resque.shared.turns import on_host
from dpaudit.algorithms.resque.sub_erm.cases import example_losses
from dpaudit.algorithms.resque.sub_erm_strongly_convex.cases import run_bound
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import RidgeLosses


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Two levels with levels above them; a single level and another number of loops."""
    shared: dict[str, Any] = {
        "centre": (0.1, -0.2), "radius": 0.3, "smoothing": 0.9, "lipschitz": 1.5, "regulariser": 4.0, "privacy": 3.0,
        "constant": 0.4, "privacy_constant": 2.0,
    }  # fmt: skip
    two = Params(steps=3, records=30, **shared)
    one = Params(steps=4, records=17, repetitions=3, project_output="projected", **shared)
    return tuple(_case(name, params, seed) for name, params in (("two levels", two), ("one level, three loops", one)))


def _case(name: str, params: Params, seed: int) -> Case:
    losses, stream = example_losses(seed, params.dimension), Stream(seed, f"agree/bias reduced/{name}")
    operations = 4 * params.dimension + 60 + (params.steps << params.highest)  # an inner step, its sums, the levels
    instance = Instance(bias_reduced_prox, params, losses, stream)
    return instance.case_of_runs(name, operations, _trace, _replay, _calls)


def _trace(instance: Instance, trials: int) -> Trace:
    params, losses, stream = instance.params, instance.data, instance.stream
    runs = [bias_reduced_prox.reference(params, losses, stream, trial) for trial in range(trials)]
    rows = [
        loop_bound(params, losses, stream.part(f"repetition {k + 1}"), trial, one)
        for trial, run in enumerate(runs)
        for k, one in enumerate(run.repetitions)
    ]
    after, magnitude = (np.array(part) for part in zip(*rows, strict=True))
    levels = np.array([[one.level] for run in runs for one in run.repetitions])
    none = np.zeros((len(rows), 1))
    return Trace(
        np.repeat(np.arange(trials), params.loops), np.tile(np.arange(params.loops), trials), none[:, :0], after,
        magnitude, levels, none + 1, none, np.stack([run.final for run in runs]),
    )  # fmt: skip


def loop_bound(params: Params, losses: RidgeLosses, stream: Stream, trial: int, one: Repetition) -> tuple[Array, Array]:
    """(x0, x_J, x_{J-1}, xhat_k) of a loop and their A."""
    levels = (0, one.level, one.level - 1)
    values, bounds = np.zeros((3, params.dimension)), np.zeros((3, params.dimension))
    for position, (name, run) in enumerate(zip(("base", "finer", "coarser"), _runs(one), strict=True)):
        if run is not None:
            values[position] = run.final
            level = solver.at_level(params, levels[position])
            bounds[position] = run_bound(level, losses, stream.part(name), trial, run)
    factor = 2.0**one.level if one.finer is not None else 0.0
    bound = bounds[0] + factor * (bounds[1] + bounds[2] + np.abs(values[1]) + np.abs(values[2]))
    return np.append(values, one.result), np.append(bounds, bound)


def _runs(one: Repetition) -> tuple[Any, Any, Any]:
    return one.base, one.finer, one.coarser


def _replay(done: Any) -> Replay:
    parts, results = on_host(done.parts), on_host(done.results)
    after = np.concatenate([part.reshape(done.levels.size, -1) for part in (parts, results)], axis=1)
    return Replay(after, done.levels.reshape(-1, 1), points_of(done))


def _calls(instance: Instance, trial: int) -> Calls:
    run = bias_reduced_prox.reference(instance.params, instance.data, instance.stream, trial)
    used = sum(part is not None for loop in run.repetitions for part in _runs(loop))
    counted = {"gradients": run.queries, "SubERM-sc": used}
    return counted, bias_reduced_prox.calls(instance.params, [loop.level for loop in run.repetitions])
