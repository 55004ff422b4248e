"""The sensitivity of one step, measured on coupled runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.sampling import coordinates

if TYPE_CHECKING:
    from dpaudit.problems.losses import Problem


def coupled_sensitivity(stream: Stream, trials: int) -> Array:
    """Ratios of the pre-noise change to its declared bound 2 L_U/n over coupled neighbouring runs, shape (trials,).

    Both runs of a pair take the steps of the numba form from the same states on the same sets and
    noise, so that the released values differ by the pre-noise change. Half of the pairs have
    opposite linear records, which attain the bound; the others random logistic ones.
    """
    first = (trials + 1) // 2
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    sampler = coordinates.tau_nice(4, 2)
    direction = np.full(4, 0.5)
    others = rng.uniform(-0.5, 0.5, size=(5, 4))
    attained = [losses.linear(np.vstack([sign * direction, others])) for sign in (1, -1)]
    features, labels = rng.normal(size=(6, 4)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    swapped = np.vstack([-features[:1], features[1:]])
    random = [losses.logistic(rows, labels) for rows in (features, swapped)]
    parts = [
        _largest_ratio(pair, sampler, Trials(stream, numbers))
        for pair, numbers in ((attained, np.arange(first)), (random, np.arange(first, trials)))
    ]
    return np.concatenate(parts)


def _largest_ratio(pair: list[Problem], sampler: coordinates.Sampler, trials: Trials) -> Array:
    n, d = pair[0].records, pair[0].dimension
    bounds = tuple(max(both) for both in zip(*(p.lipschitz(sampler.sets) for p in pair), strict=True))
    params = dp_skgd.Params((0.1,) * d, (0.3,) * d, 2, 3, sampler, (0.2,) * len(sampler.sets), bounds, n)
    state, largest = np.tile([0.1] * d + [0.0] * d, (len(trials), 1)), np.zeros(len(trials))
    for step in range(params.steps):
        steps = np.full(len(trials), step)
        (here, number), (there, _) = (dp_skgd.advance_cpu(params, p, trials, steps, state) for p in pair)
        change = np.linalg.norm(here[:, 2 * d + 1 :] - there[:, 2 * d + 1 :], axis=1)
        largest = np.maximum(largest, change * n / (2 * np.array(bounds)[number[:, 0]]))
        state = here[:, : 2 * d]
    return largest
