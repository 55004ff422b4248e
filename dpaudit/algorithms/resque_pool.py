"""ReSQuePool: all queries of a ball subproblem at once, around its centre.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", algorithms 1 and 2, lines 3 and 4. The query points xbar + xi do not
depend on the iterates, so that one round serves a whole solver; `resque_estimate` reweights the answers.

Shapes: d coordinates, N draws; a pool is (N, 2 d), the draw xi and the gradient g(xbar + xi) side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithm import Algorithm
from dpaudit.algorithms._resque_cases import Calls, Instance, all_kinds, numpy_of
from dpaudit.algorithms._resque_counted import CountedOracle, check_draws
from dpaudit.algorithms._resque_draws import PIECE, TorchPool, check_dimension, kink_ties, pool_inputs
from dpaudit.algorithms._resque_kernels import draw_sample, pool_keys
from dpaudit.comparison import Case, Replay, Trace
from dpaudit.noise import Stream, Trials
from dpaudit.noise_kernels import compiled
from dpaudit.parameters import check_count, check_number, check_vector
from dpaudit.smoothing import Oracle, slopes
from dpaudit.smoothing_kernels import oracle_arrays

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

ALGORITHM = Algorithm(
    name="resque/ALG-2",
    title="ReSQuePool: one round of parallel queries",
    source="Carmon et al. (2023), algorithms 1 and 2, lines 3 and 4",
    pseudo_code="xi_i ~ N(0, rho^2 I), i in [N]; query g(xbar + xi_i) for all i at once; return (xi_i, g_i)",
    options=(),
    released="nothing by itself",
    cost="N gradient queries in 1 round",
)


@dataclass(frozen=True)
class Params:
    """centre: xbar, d finite numbers; radius: rho, above 0; draws: N, at least 1. Raises ConfigurationError."""

    centre: tuple[float, ...]
    radius: float
    draws: int

    def __post_init__(self) -> None:
        check_vector("centre", self.centre)
        check_number("radius", self.radius, above=0.0)
        check_count("draws", self.draws)


@dataclass(frozen=True)
class Pool:
    """draws: xi, (N, d); gradients: g(xbar + xi), (N, d); queries: how many were asked for, in how many rounds."""

    draws: Array
    gradients: Array
    queries: int
    rounds: int


def noise_shape(params: Params) -> tuple[int, ...]:
    """(N, d): the normals of one trial."""
    return (params.draws, len(params.centre))


def promise(params: Params) -> None:
    """None: the setting is not private."""


def calls(params: Params) -> dict[str, int]:
    """N gradients in one round."""
    return {"gradients": params.draws, "rounds": 1}


def reference(params: Params, oracle: Oracle, normals: Array, records: Integers, signs: Array) -> Pool:
    """One trial as the paper prints it: standard normals (N, d), drawn records (N,) and signs (N,) of the oracle."""
    check_draws("normals", normals, noise_shape(params))
    xi, asked = params.radius * normals, CountedOracle(oracle)
    gradients = asked.query(np.array(params.centre) + xi, records, signs)
    return Pool(xi, gradients, asked.gradients, asked.rounds)


def cpu(params: Params, oracle: Oracle, trials: Trials, dtype: str = "float64") -> Array:
    """All trials with numba, drawing from the parts "draws" and "choices" of their stream; shape (trials, N, 2 d)."""
    check_dimension(oracle, params.centre)
    out = np.empty((len(trials), params.draws, 2 * len(params.centre)), dtype=dtype)
    keys = pool_keys(trials.stream)
    _kernel(np.array(params.centre), params.radius, trials.numbers, keys, oracle_arrays(oracle), out)
    return out


@compiled(parallel=True)
def _kernel(centre: Array, radius: float, trials: Integers, keys: Any, oracle: Any, out: Array) -> None:
    d = len(centre)
    for row in numba.prange(len(trials)):
        work = np.zeros((3, d))
        for number in range(out.shape[1]):
            draw_sample(number, trials[row], keys, centre, radius, oracle, work)
            for a in range(d):
                out[row, number, a] = work[1, a]
                out[row, number, d + a] = work[2, a]


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Any:
    """All trials with torch on `device`; shape (trials, N, 2 d)."""
    check_dimension(oracle, params.centre)
    pool = TorchPool(oracle, trials.stream, device, dtype)
    centre = pool.torch.tensor(params.centre, dtype=pool.torch.float64, device=device)
    parts = []
    for start in range(0, params.draws, PIECE):
        count = min(PIECE, params.draws - start)
        both = pool.samples(trials.numbers, start // PIECE, count, centre, params.radius)
        parts.append(pool.torch.cat(both, dim=2))
    return pool.torch.cat(parts, dim=1)


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """Every kind of record, queried as a whole and one at a time, with and without bounded noise; two pieces."""
    from dpaudit.algorithms import resque_pool as this  # the forms as attributes, which a test may replace

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
    values, d = numpy_of(result), len(centre)
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
