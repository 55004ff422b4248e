"""What `online_to_batch` equals for some parameters."""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import online_to_batch
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    SMALL,
    TOLERANCE,
    WHY,
    logistic_instance,
    run_reference,
    stated,
)
from dpaudit.sampling.batches import Batches


def reductions(seed: int) -> tuple[Reduction, ...]:
    """The output as the weighted average that it is defined by."""
    says = f"x_T = sum of beta_i w_i/sum of beta_i, w_{{i+1}} = Pi(w_i - step_i hat_i) of the released hat_i ({WHY})"
    return (
        stated(
            "average", "the output is a weighted average", says, "Zhang, Tran, Cutkosky (2022)", partial(_average, seed)
        ),
    )


def _average(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for steps, power in ((1, 1.0), (7, 0.0), (7, 1.0), (7, 3.0)):
        weights, eta = online_to_batch.power_weights(steps, power), (0.4,) * steps
        params = online_to_batch.Params(3, weights, eta, Batches("in order", 13, 1), 0.4, 3.0, domain=SMALL)
        run, visited = run_reference(online_to_batch, params, logistic_instance(seed), seed), [np.zeros(3)]
        for i in range(steps - 1):
            visited.append(SMALL.project(visited[-1] - eta[i] * run.transcript[i]))
        mean = np.array(weights) @ np.array(visited) / sum(weights)
        pairs.append(Pair(f"T = {steps}, k = {power}", run.final, mean, TOLERANCE))
    return tuple(pairs)
