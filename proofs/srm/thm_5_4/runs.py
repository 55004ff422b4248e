"""Runs of the shipped DP-SRM, by which displays of the proof are tried: cosines with G = L = 1, all steps printed."""

import itertools

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.dp_srm.coupled import iterates
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems import losses
from dpaudit.problems.families import cosine_toy


def paths(params, problem, stream, trials):
    """Released v_p^t, gradients of F at theta^t, (trials, T, d) each, and values of F at theta^0 and theta^T."""
    released = dp_srm.cpu(params, problem, Trials(stream, np.arange(trials)))
    points = iterates(params, released)
    return released, problem.gradient(points[:, :-1]), problem.value(points[:, 0]), problem.value(points[:, -1])


def descent_runs(stream, trials):
    """Left by right side of (2.7), first line, which holds on every path. Half of the runs have n0 = 1/2 and one noisy
    step from the minimum of Huber's loss: v_p = 2 zeta attains the bound; the others ten steps on cosines."""
    ratios = []
    near = dp_srm.Params((0.0,), 1, 1, 1, 1, 0.5, 0.1, 0.5, 1.0, 1.0, 0.2, 0.2)
    far = dp_srm.Params((0.3, -0.2, 0.1), 10, 8, 4, 2, 0.3, 0.2, 1.0, 1.0, 1.0, 0.3, 0.2)
    for params, problem in ((near, losses.huber([[1.0]], [0.0], 1.0)), (far, cosine_toy(7, 8, 3))):
        v_p, slopes, first, last = paths(params, problem, stream.part(f"T = {params.steps}"), trials // 2)
        scale, zeta = 4 * params.divisor * params.smoothness, params.accuracy
        error = ((v_p - slopes) ** 2).sum(axis=(1, 2))
        left = zeta * np.linalg.norm(v_p, axis=2).sum(axis=1) / scale
        ratios.append(left / (first - last + error / scale + 2 * params.steps * zeta**2 / scale))
    return np.concatenate(ratios)


# Two estimates for (2.13) and four for (2.14): two records, batches of one, d = G = L = n0 = 1 and gamma = 1/2.
PAIR = losses.cosine([[1.0], [1.0]], [0.0, 2.9])
SHORT = {steps: dp_srm.Params((1.5,), steps, 2, 1, 1, 0.5, 0.2, 1.0, 1.0, 1.0, 0.3, 0.3) for steps in (2, 4)}
NOISE = 0.3**2
"""d sigma^2."""
STEP_LIMIT = 2 * 0.5**2 * 0.2**2 + 2 * 0.5**2 + NOISE
SUM_LIMIT = (4 * STEP_LIMIT + 1 + NOISE) / 0.5
# Fourth moments: of two records |D| <= zeta/n0 and |E| <= G, and E|u|^4 = 3 sigma^4; by Minkowski's inequality the
# fourth root of E|e_t|^4 is at most (1 - gamma) times the one before and (1 - gamma) zeta/n0 + gamma G + 3^(1/4) sigma.
ROOT = 3**0.25 * 0.3
ROOTS = tuple(itertools.accumulate(range(3), lambda root, _: 0.5 * root + 0.5 * 0.2 + 0.5 + ROOT, initial=1 + ROOT))
STEP_VARIANCE = ROOTS[1] ** 4 + 0.5**4 * ROOTS[0] ** 4
SUM_VARIANCE = sum(root**2 for root in ROOTS) ** 2


def _squared_errors(steps, stream, trials):
    """|v_p^t - grad F(theta^t)|^2, shape (trials, T)."""
    v_p, slopes, _, _ = paths(SHORT[steps], PAIR, stream, trials)
    return ((v_p - slopes) ** 2).sum(axis=2)


def one_step(stream, trials):
    """|v_p^1 - grad F(theta^1)|^2 - (1 - gamma)^2 |v_p^0 - grad F(theta^0)|^2, gamma = 1/2: at most `STEP_LIMIT`."""
    errors = _squared_errors(2, stream, trials)
    return errors[:, 1] - 0.25 * errors[:, 0]


def sum_of_errors(stream, trials):
    """The sum of (2.14) over four estimates: at most `SUM_LIMIT`."""
    return _squared_errors(4, stream, trials).sum(axis=1)
