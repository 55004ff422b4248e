"""What `epoch_sgd` equals for some parameters."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import epoch_sgd
from dpaudit.algorithms.resque.shared.reductions import into, reduction, stream_of
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """For rho -> oo: composite SGD in epochs."""
    return (
        reduction(
            "ALG-4", "algorithm 1", "EpochSGD with w = 1 is composite epoch SGD",
            "for rho -> oo (1e150) on records whose slopes are constant it is SGD in epochs of doubling length with "
            "composite steps; to 1e-12, as the formula associates sums otherwise", _composite, seed,
        ),
    )  # fmt: skip


def _composite(seed: int) -> tuple[Pair, ...]:
    losses = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.LINEAR, (-1.0, 0.0))], 1.5)
    params = epoch_sgd.Params((0.4, -0.1), 0.5, 1e150, 1.3, 1.5, 1.5)
    oracle = Oracle(losses, "record")
    normals, records, signs = epoch_sgd.draw_inputs(params, oracle, stream_of(seed), 0)
    run = epoch_sgd.reference(params, oracle, normals, records, signs)
    x = c = np.array(params.centre)
    for start, length, eta in params.schedule:
        points = [into((x + eta * 1.3 * c) / (1 + eta * 1.3), c, 0.5)]
        for t in range(int(length) - 1):
            g = 1.5 * losses.directions[records[int(start) + t]]
            points.append(into((points[-1] - eta * (g - 1.3 * c)) / (1 + eta * 1.3), c, 0.5))
        x = np.mean(points, axis=0)
    return (Pair("two epochs", run.final, x, 1e-12),)
