"""What `sub_erm` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.shared.reductions import BALL, into, reduction, stream_of
from dpaudit.algorithms.resque.sub_erm.cases import example_losses
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses, subgradient


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Without a regulariser, with w = 1, and without noise."""
    return (
        reduction(
            "ALG-7", "algorithm 4", "SubERM-reg without a regulariser is SubERM-convex",
            "lambda = 0, r' = r, x_0 = c = xbar", _without_regulariser, seed,
        ),
        reduction(
            "ALG-6", "algorithm 3", "SubERM with w = 1 is localised noisy SGD (Feldman, Koren, Talwar 2020)",
            "on linear records, whose gradients are the same at y and at xbar + xi: phases of halving length with a "
            "quartered step size, their average and noise; to 1e-12, as the formula associates otherwise",
            partial(_localised, privacy=3.0), seed,
        ),
        reduction(
            "ALG-6-noiseless", "algorithm 3", "SubERM with beta -> oo is noiseless",
            "beta = 1e300: step size r/(L sqrt T) and no noise; to 1e-12, as the formula associates otherwise",
            partial(_localised, privacy=1e300), seed,
        ),
    )  # fmt: skip


def _without_regulariser(seed: int) -> tuple[Pair, ...]:
    convex, losses = sub_erm.Params(**BALL, steps=17), example_losses(seed, 2)
    same = replace(convex, regulariser=0.0, distance=0.3, start=convex.centre, anchor=convex.centre)
    inputs = sub_erm.draw_inputs(convex, losses.records, stream_of(seed), 0)
    left, right = (sub_erm.reference(params, losses, *inputs) for params in (same, convex))
    return Pair("phases", left.phases, right.phases), Pair("states", left.after, right.after)


def _localised(seed: int, privacy: float) -> tuple[Pair, ...]:
    params = sub_erm.Params(**{**BALL, "privacy": privacy}, steps=19, estimator="unweighted")
    losses = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.LINEAR, (-1.0, 0.0)), (Ridge.LINEAR, (0.0, 1.0))], 1.5)
    indices, draws, noise = sub_erm.draw_inputs(params, 3, stream_of(seed), 0)
    run, eta = sub_erm.reference(params, losses, indices, draws, noise), 0.3 / 1.5 * min(19**-0.5, privacy / 2**0.5)
    x, phases, used = np.array(params.centre), [], 0
    for i in range(1, 5):
        step, points = eta * 0.25**i, [x]
        for record in indices[used : used + 16 // 2**i]:
            g = subgradient(losses, record, points[-1])
            points.append(into(points[-1] - step * g, np.array(params.centre), 0.3))
        used += 16 // 2**i
        x = np.mean(points[1:], axis=0) + 1.5 * step / privacy * noise[i - 1]
        phases.append(x)
    return (Pair("phases", run.phases, np.array(phases), 1e-12),)
