"""ReSQuePool: all queries of a ball subproblem at once, around its centre.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private
Stochastic Convex Optimization", algorithms 1 and 2, lines 3 and 4. The query points xbar + xi do not
depend on the iterates, so that one round serves a whole solver; `resque_estimate` reweights the answers.

Shapes: d coordinates, N draws; a pool is (N, 2 d), the draw xi and the gradient g(xbar + xi) side by side.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.resque.resque_pool import kernels
from dpaudit.algorithms.resque.shared.counted import CountedOracle, check_draws
from dpaudit.algorithms.resque.shared.draws import PIECE, TorchPool, check_dimension
from dpaudit.algorithms.resque.shared.kernels import pool_keys
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import oracle_arrays
from dpaudit.problems.smoothing.ridges import Oracle
from dpaudit.records.algorithm import Algorithm
from dpaudit.records.ranges import Count, Numbers, Positive, check_fields

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

    centre: Numbers
    radius: Positive
    draws: Count

    def __post_init__(self) -> None:
        check_fields(self)


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
    given = (np.array(params.centre), float(params.radius), pool_keys(trials.stream), oracle_arrays(oracle))
    share_rows(kernels.draw_pools, (trials.numbers, out), *given)
    return out


def gpu(params: Params, oracle: Oracle, trials: Trials, device: str = "cpu", dtype: str = "float64") -> Tensor:
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


NOT_RECORDED = "adds no privacy noise and promises nothing"
