"""What an adversary, or a claim about sensitivity, computes from the transcripts of DP-SkGD."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ConfigurationError

if TYPE_CHECKING:
    from dpaudit.algorithms.rbcd.dp_skgd.params import Params
    from dpaudit.problems.losses import Problem


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
