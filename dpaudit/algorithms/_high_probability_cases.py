"""The instances on which the three forms of HighProbERM are compared: one row per trial, all copies and the vote."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dpaudit.algorithms._strongly_convex_cases import run_bound
from dpaudit.algorithms._sub_erm_cases import example_losses
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials
from dpaudit.smoothing import RidgeLosses

if TYPE_CHECKING:
    from dpaudit.algorithms.high_probability_erm import Params


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """A distance between those of the copies, and one that all points share; both roundings of their number."""
    from dpaudit.algorithms.high_probability_erm import Params  # that file carries the algorithm and names this one

    shared: dict[str, Any] = {
        "centre": (0.1, -0.2), "radius": 0.3, "smoothing": 0.9, "lipschitz": 1.5, "regulariser": 4.0, "privacy": 3.0,
        "constant": 0.4,
    }  # fmt: skip
    near = Params(steps=12, failure=0.8, error_constant=0.01, **shared)
    wide = Params(steps=5, failure=0.9, rounding_of_copies="floor", **shared)
    return tuple(_case(name, params, seed) for name, params in (("near", near), ("wide", wide)))


def _case(name: str, params: Params, seed: int) -> Case:
    losses, stream = example_losses(seed, params.dimension), Stream(seed, f"agree/high probability/{name}")
    return Case(
        name,
        params,
        operations=4 * params.dimension + 60 + params.steps,  # a step of the inner solver, its sums, a distance
        reference=partial(_trace, params, losses, stream),
        cpu=partial(_cpu, params, losses, stream),
        gpu=partial(_gpu, params, losses, stream),
    )


def _trace(params: Params, losses: RidgeLosses, stream: Stream, trials: int) -> Trace:
    from dpaudit.algorithms import high_probability_erm

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
    final, copies, chosen = (np.asarray(part) for part in (done.final, done.copies, done.chosen))
    return Replay(np.hstack([copies.reshape(len(copies), -1), final]), chosen[:, None], final)


def _cpu(params: Params, losses: RidgeLosses, stream: Stream, trace: Trace, dtype: str) -> Replay:
    from dpaudit.algorithms import high_probability_erm

    return _replay(high_probability_erm.cpu(params, losses, Trials(stream, trace.trials), dtype))


def _gpu(params: Params, losses: RidgeLosses, stream: Stream, trace: Trace, dtype: str, device: str) -> Replay:
    from dpaudit.algorithms import high_probability_erm

    done = high_probability_erm.gpu(params, losses, Trials(stream, trace.trials), device, dtype)
    parts = {name: getattr(done, name).cpu().numpy() for name in ("final", "copies", "chosen")}
    return _replay(high_probability_erm.Batch(**parts, queries=done.queries))
