"""What `independent_gradients` equals for some parameters."""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import accelerated_dp_srgd as accelerated
from dpaudit.algorithms.srgd import dp_sgd, independent_gradients
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    PAPER,
    SMALL,
    TOLERANCE,
    WHY,
    logistic_instance,
    run_reference,
    stated,
)
from dpaudit.sampling.batches import Batches


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Couplings 0 leave DP-SGD."""
    says = f"x_t = y_t is projected descent with step 1/beta on the same noisy gradients ({WHY})"
    return (stated("ALG-6", "couplings 0: DP-SGD", says, f"{PAPER}, section 5.5", partial(_descent, seed)),)


def _descent(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for kind, size, steps in (("in order", 2, 6), ("all records", 13, 4)):
        batches, weights = Batches(kind, 13, size), accelerated.growing_weights(steps)
        params = independent_gradients.Params(3, weights, 2.0, batches, 0.4, 3.0, 0.6, SMALL, (0.0,) * steps)
        other = dp_sgd.Params((0.0,) * 3, (0.5,) * steps, batches, 0.4, 3.0, 0.6, SMALL)
        left, right = (
            run_reference(independent_gradients, params, logistic_instance(seed), seed),
            run_reference(dp_sgd, other, logistic_instance(seed), seed),
        )
        gradients = left.transcript / np.array(weights[:-1])[:, None]
        pairs += [
            Pair(f"outputs, {kind}", left.final, right.final, TOLERANCE),
            Pair(f"noisy gradients, {kind}", gradients, right.transcript, TOLERANCE),
        ]
    return tuple(pairs)
