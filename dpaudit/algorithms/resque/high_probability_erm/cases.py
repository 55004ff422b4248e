"""The instances on which the three forms of HighProbERM are compared: one row per trial, all copies and the vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import high_probability_erm
from dpaudit.algorithms.resque.high_probability_erm import Params
from dpaudit.algorithms.resque.shared.cases import Calls, Instance
from dpaudit.algorithms.resque.shared.turns import on_host
from dpaudit.algorithms.resque.sub_erm.cases import example_losses
from dpaudit.algorithms.resque.sub_erm_strongly_convex.cases import run_bound
from dpaudit.noise.stream import Stream


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """A distance between those of the copies, and one that all points share; both roundings of their number."""
    shared: dict[str, Any] = {
        "centre": (0.1, -0.2), "radius": 0.3, "smoothing": 0.9, "lipschitz": 1.5, "regulariser": 4.0, "privacy": 3.0,
        "constant": 0.4, "records": 6,
    }  # fmt: skip
    near = Params(steps=12, failure=0.8, error_constant=0.01, **shared)
    wide = Params(steps=5, failure=0.9, rounding_of_copies="floor", **shared)
    return tuple(_case(name, params, seed) for name, params in (("near", near), ("wide", wide)))


def _case(name: str, params: Params, seed: int) -> Case:
    losses, stream = example_losses(seed, params.dimension), Stream(seed, f"agree/high probability/{name}")
    operations = 4 * params.dimension + 60 + params.steps  # a step of the inner solver, its sums, a distance
    return Instance(high_probability_erm, params, losses, stream).case_of_runs(
        name, operations, _trace, _replay, _calls
    )


def _trace(instance: Instance, trials: int) -> Trace:
    params, losses, stream = instance.params, instance.data, instance.stream
    runs = [high_probability_erm.reference(params, losses, stream, trial) for trial in range(trials)]
    points = np.array([[copy.final for copy in run.copies] for run in runs])
    bounds = np.array(
        [
            [run_bound(params, losses, stream.part(f"copy {i + 1}"), trial, copy) for i, copy in enumerate(run.copies)]
            for trial, run in enumerate(runs)
        ]
    )
    final, chosen = np.stack([run.final for run in runs]), np.array([[run.chosen] for run in runs])
    distances = np.sqrt(((points[:, :, None] - points[:, None]) ** 2).sum(axis=-1))
    width = np.sqrt(((bounds[:, :, None] + bounds[:, None]) ** 2).sum(axis=-1)).max(axis=(1, 2))
    nearest = np.abs(distances - params.vote.reach).min(axis=(1, 2))
    numbers = np.arange(trials)
    return Trace(
        numbers, np.zeros_like(numbers), np.zeros((trials, 0)), np.hstack([points.reshape(trials, -1), final]),
        np.hstack([bounds.reshape(trials, -1), bounds[numbers, chosen[:, 0]]]), chosen, nearest[:, None],
        width[:, None] + params.vote.reach, final,
    )  # fmt: skip


def _replay(done: Any) -> Replay:
    final, copies, chosen = (on_host(part) for part in (done.final, done.copies, done.chosen))
    return Replay(np.hstack([copies.reshape(len(copies), -1), final]), chosen[:, None], final)


def _calls(instance: Instance, trial: int) -> Calls:
    run = high_probability_erm.reference(instance.params, instance.data, instance.stream, trial)
    inner = sum(len(copy.inner) for copy in run.copies)
    counted = {"gradients": run.queries, "SubERM": inner, "SubERM-sc": len(run.copies)}
    return counted, high_probability_erm.calls(instance.params)
