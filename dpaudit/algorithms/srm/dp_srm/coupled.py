"""Coupled runs of DP-SRM on neighbouring data: what one record changes, along released values that are the same."""

from __future__ import annotations

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.dp_srm.params import Params
from dpaudit.algorithms.srm.dp_srm.privacy import sensitivities
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream, Trials
from dpaudit.problems import losses
from dpaudit.problems.losses import Problem


def iterates(params: Params, transcript: Array) -> Array:
    """theta^0, ..., theta^T from released v_p of shape (..., T, d): shape (..., T + 1, d)."""
    if params.step_size is not None:
        moves = -params.step_size * transcript
    else:
        length = np.linalg.norm(transcript, axis=-1, keepdims=True)
        moves = -params.longest / np.maximum(length, 2 * params.accuracy) * transcript
    start = np.broadcast_to(np.array(params.start), (*moves.shape[:-2], 1, moves.shape[-1]))
    return np.cumsum(np.concatenate([start, moves], axis=-2), axis=-2)


def queries(params: Params, problem: Problem, transcript: Array) -> Array:
    """q~_t: (1/b) sum over all n records of grad f_i(theta^t) - (1 - gamma) grad f_i(theta^{t-1}), along a transcript.

    transcript: (..., T, d), same shape out; at t = 0 the second gradient is absent and b is b0. It is what step t
    computes before noise, unclipped, on a batch of all records with the divisor b, the released past taken off.
    """
    points = iterates(params, transcript)[..., :-1, :]
    total = problem.gradient(points) * problem.records
    total[..., 1:, :] -= (1 - params.momentum) * problem.records * problem.gradient(points[..., :-1, :])
    sizes = np.array([params.batches_at(t).size for t in range(params.steps)], dtype=float)
    return np.asarray(total / sizes[:, None])


def coupled_difference(params: Params, problem: Problem, neighbour: Problem, transcript: Array) -> Array:
    """The change of q~_t when one record is replaced, the released past being the same; shape of `transcript`."""
    return queries(params, problem, transcript) - queries(params, neighbour, transcript)


def coupled_sensitivity(stream: Stream, trials: int) -> Array:
    """Largest ratio of the pre-noise change to Delta_0 or Delta_t over coupled neighbouring runs, shape (trials,).

    Both runs take the steps of the numba form from the same states with the same noise and with batches of
    all records, so that the released values differ by the pre-noise change. Half of the pairs have opposite
    linear records of norm G, momentum 1: they attain the bounds; the others random logistic ones.
    """
    first = (trials + 1) // 2
    rng = np.random.default_rng(stream.seeds(np.array([0])))
    others = rng.uniform(-0.5, 0.5, size=(3, 3))
    attained = [losses.linear(np.vstack([[0.0, sign, 0.0], others])) for sign in (1.0, -1.0)]
    features, labels = rng.normal(size=(4, 3)), np.where(rng.random(4) < 0.5, -1.0, 1.0)
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    random = [losses.logistic(rows, labels) for rows in (features, np.vstack([-features[:1], features[1:]]))]
    jobs = ((attained, 1.0, np.arange(first)), (random, 0.4, np.arange(first, trials)))
    return np.concatenate([_largest_ratio(pair, momentum, Trials(stream, rows)) for pair, momentum, rows in jobs])


def _largest_ratio(pair: list[Problem], momentum: float, trials: Trials) -> Array:
    n, d = pair[0].records, pair[0].dimension
    # All features have norm at most 1: G = 1 for both losses, L = 1/4 for the logistic one; 1 is a bound for both.
    params = dp_srm.Params((0.1,) * d, 6, n, n, n, momentum, 0.5, 1.0, 1.0, 1.0, 0.3, 0.3)
    state, largest = np.tile([0.1] * 2 * d + [0.0] * 2 * d, (len(trials), 1)), np.zeros(len(trials))
    for step in range(params.steps):
        steps = np.full(len(trials), step)
        (here, _), (there, _) = (dp_srm.advance_cpu(params, p, trials, steps, state) for p in pair)
        change = np.linalg.norm(here[:, 4 * d :] - there[:, 4 * d :], axis=1)
        largest = np.maximum(largest, change / sensitivities(params)[min(step, 1)])
        state = here[:, : 4 * d]
    return largest
