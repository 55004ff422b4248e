"""Cases in which the three forms of `resque_pool` are compared."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms.resque import resque_pool as this
from dpaudit.algorithms.resque.resque_pool import Params, Pool, calls
from dpaudit.algorithms.resque.shared.cases import Calls, Instance, all_kinds
from dpaudit.algorithms.resque.shared.draws import kink_ties, pool_inputs
from dpaudit.algorithms.resque.shared.turns import on_host
from dpaudit.noise.stream import Stream
from dpaudit.problems.smoothing.ridges import Oracle, slopes


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every kind of record, queried as a whole and one at a time, with and without bounded noise; two pieces."""
    rng = np.random.default_rng([seed, 0x2002])
    losses = all_kinds(rng)
    centre = tuple(rng.normal(size=3).tolist())
    listed = (
        ("a drawn record", Oracle(losses, "record", 0.5, (0.6, 0.0, 0.8)), 300),
        ("all records", Oracle(losses), 20),
    )
    return tuple(
        Instance(this, Params(centre, 0.75, draws), oracle, Stream(seed, f"agree/resque_pool/{name}")).case_of_runs(
            name, oracle.losses.records + 2 * len(centre) + 16, _trace, partial(_replay, oracle, centre), _calls
        )
        for name, oracle, draws in listed
    )


def _replay(oracle: Oracle, centre: tuple[float, ...], result: Any) -> Replay:
    values, d = on_host(result), len(centre)
    rows = values.reshape(-1, 2 * d)
    points = np.array(centre) + rows[:, :d].astype(np.float64)
    return Replay(rows, slopes(oracle.losses, points).astype(np.int64), values.reshape(len(values), -1))


def _calls(one: Instance, trial: int) -> Calls:
    pool = _pool(one, trial)
    return {"gradients": pool.queries, "rounds": pool.rounds}, calls(one.params)


def _pool(one: Instance, trial: int) -> Pool:
    inputs = pool_inputs(one.data, one.stream, trial, one.params.draws)
    made: Pool = one.module.reference(one.params, one.data, *inputs)
    return made


def _trace(one: Instance, trials: int) -> Trace:
    params, oracle, pools = one.params, one.data, [_pool(one, trial) for trial in range(trials)]
    after = np.concatenate([np.hstack([pool.draws, pool.gradients]) for pool in pools])
    points = np.array(params.centre) + np.concatenate([pool.draws for pool in pools])
    largest = oracle.losses.lipschitz * np.abs(oracle.losses.directions)
    gradient = (largest.max(axis=0) if oracle.selection == "record" else largest.mean(axis=0)) + oracle.spread
    magnitude = np.hstack([np.abs(after[:, : len(params.centre)]), np.tile(gradient, (len(points), 1))])
    distance, size = kink_ties(oracle.losses, points)
    numbers, steps = np.repeat(np.arange(trials), params.draws), np.tile(np.arange(params.draws), trials)
    return Trace(
        numbers, steps, np.zeros((len(after), 0)), after, magnitude, slopes(oracle.losses, points).astype(np.int64),
        distance, size, after.reshape(trials, -1),
    )  # fmt: skip
