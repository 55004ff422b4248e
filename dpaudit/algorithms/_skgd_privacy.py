"""What an adversary, or a claim about sensitivity, computes from the transcripts of DP-SkGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpaudit import problems, samplers
from dpaudit.errors import ConfigurationError
from dpaudit.noise import Stream, Trials

if TYPE_CHECKING:
    from dpaudit.algorithms.dp_skgd import Params
    from dpaudit.problems import Problem

Array = NDArray[np.float64]


def transcript_log_likelihood_ratio(params: Params, data: Problem, neighbour: Problem, transcript: Array) -> Array:
    """log p(transcript | data) - log p(transcript | neighbour); transcripts (trials, T K, 1 + m), result (trials,).

    The sum over steps of (|y - I_S grad f'|^2 - |y - I_S grad f|^2)/(2 sigma_S^2); the sets have the same law
    under both and cancel, the iterates follow from the transcript. Where every step has the same ratio of
    sensitivity to noise it is N(mu^2/2, mu^2) under data, N(-mu^2/2, mu^2) under neighbour.
    Raises ConfigurationError for a set without noise.
    """
    if not params.deviations.min() > 0:
        raise ConfigurationError("noise_scales has a 0: the likelihood ratio of an exact release is infinite")
    theta = np.tile(np.array(params.start), (len(transcript), 1))
    total, ratio = np.zeros_like(theta), np.zeros(len(transcript))
    used_of = np.arange(params.sampler.widest) < params.sampler.sizes[:, None]
    for step in range(params.steps):
        number = transcript[:, step, 0].astype(np.int64)
        chosen, used, y = params.sampler.members[number], used_of[number], transcript[:, step, 1:]
        here, there = (np.take_along_axis(p.gradient(theta), chosen, axis=1) for p in (data, neighbour))
        # |y - h'|^2 - |y - h|^2 = <h - h', 2 y - h - h'>: no cancellation of large squares.
        change = ((here - there) * (2 * y - here - there) * used).sum(axis=1)
        ratio += change / (2 * params.deviations[number] ** 2)
        rows = np.arange(len(theta))[:, None]
        np.subtract.at(theta, (rows, chosen), np.where(used, params.rates[chosen] * y, 0.0))
        total = theta.copy() if step % params.inner_steps == 0 else total + theta
        if (step + 1) % params.inner_steps == 0:
            theta = total / params.inner_steps
    return ratio


def coupled_sensitivity(stream: Stream, trials: int) -> Array:
    """Ratios of the pre-noise change to its declared bound 2 L_U/n over coupled neighbouring runs, shape (trials,).

    Both runs of a pair take the steps of the numba form from the same states on the same sets and
    noise, so that the released values differ by the pre-noise change. Half of the pairs have
    opposite linear records, which attain the bound; the others random logistic ones.
    """
    first = (trials + 1) // 2
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    sampler = samplers.tau_nice(4, 2)
    direction = np.full(4, 0.5)
    others = rng.uniform(-0.5, 0.5, size=(5, 4))
    attained = [problems.linear(np.vstack([sign * direction, others])) for sign in (1, -1)]
    features, labels = rng.normal(size=(6, 4)), np.where(rng.random(6) < 0.5, -1.0, 1.0)
    swapped = np.vstack([-features[:1], features[1:]])
    random = [problems.logistic(rows, labels) for rows in (features, swapped)]
    parts = [
        _largest_ratio(pair, sampler, Trials(stream, numbers))
        for pair, numbers in ((attained, np.arange(first)), (random, np.arange(first, trials)))
    ]
    return np.concatenate(parts)


def _largest_ratio(pair: list[Problem], sampler: samplers.Sampler, trials: Trials) -> Array:
    from dpaudit.algorithms import dp_skgd  # that file carries the algorithm and names this one

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
