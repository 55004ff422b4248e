"""Runs of the shipped DP-SRM, by which displays of the proof are tried: cosines with G = L = 1, all steps printed."""

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
