"""Two runs on neighbouring data, coupled by the same indices, queries and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.sub_erm import kernels
from dpaudit.algorithms.resque.sub_erm.params import Params
from dpaudit.arithmetic.arrays import Array, Flags, Integers
from dpaudit.noise.stream import Trials
from dpaudit.noise.threads import share_rows
from dpaudit.problems.smoothing.kernels import ridge_arrays
from dpaudit.problems.smoothing.ridges import RidgeLosses
from dpaudit.records.errors import ConfigurationError

LONGEST_LAW = 512
"""Steps of a phase whose law of s_i is still computed: the cost grows with the cube."""


@dataclass(frozen=True)
class Coupled:
    """Of m coupled runs, in units of eta_i L (which are in `scales`, (k,)).

    drift: |ybar_i - ybar'_i|, (m, k); hits: b_i, how often a differing record was drawn, (m, k); path: Phi_j =
    |y_j - y'_j|^2 after every step of all phases, (m, That - 1), or (m, 0) if it was not asked for.
    """

    drift: Array
    hits: Integers
    path: Array
    scales: Array


def coupled(
    params: Params, losses: RidgeLosses, neighbour: RidgeLosses, trials: Trials, indices: Integers | None = None,
    keep_path: bool = False,
) -> Coupled:  # fmt: skip
    """D = losses and D' = neighbour on the same indices, queries and noise; each phase starts both from one point,
    the x_{i-1} of D. indices: fixed record numbers, (That - 1,) or (m, That - 1), instead of drawn ones."""
    params.check_losses(losses)
    params.check_losses(neighbour)
    if neighbour.records != losses.records:
        raise ConfigurationError(f"neighbour must have {losses.records} records, got {neighbour.records}")
    k, m, steps = len(params.phases), len(trials), sub_erm.queries(params)
    fixed = np.zeros((0, 0), dtype=np.int64) if indices is None else np.atleast_2d(indices).astype(np.int64)
    if indices is not None and (fixed.shape[1] != steps or len(fixed) not in (1, m)):
        raise ConfigurationError(f"indices must have shape ({steps},) or ({m}, {steps}), got {fixed.shape}")
    path, drift = np.empty((m, steps if keep_path else 0)), np.empty((m, k))
    hits, queried = np.zeros((m, k), dtype=np.int64), params.needs_queries(losses) or params.needs_queries(neighbour)
    wilder = neighbour if params.is_weightless(losses) else losses
    plan = (*sub_erm.plan(params, wilder, params.steps, params.privacy)[:-1], queried)
    given = sub_erm.subproblems(params, m, params.start, params.moved)
    rows = (*sub_erm.arrays(given, "float64"), trials.numbers, sub_erm.lists_of(fixed, m), path, drift, hits)
    share_rows(
        kernels.coupled, rows, sub_erm.keys(trials.stream), plan, ridge_arrays(losses), ridge_arrays(neighbour), fixed,
        differing(losses, neighbour),
    )  # fmt: skip
    scales = np.array([eta * params.lipschitz for _, eta, _ in params.phases])
    if keep_path:
        path /= np.repeat(scales, [length for length, _, _ in params.phases]) ** 2
    return Coupled(drift / scales, hits, path, scales)


def differing(losses: RidgeLosses, neighbour: RidgeLosses) -> Flags:
    """Which records differ, (n,)."""
    same = (losses.kinds == neighbour.kinds) & (losses.offsets == neighbour.offsets)
    return np.asarray(~(same & (losses.directions == neighbour.directions).all(axis=1)))
