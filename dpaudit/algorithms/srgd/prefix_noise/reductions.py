"""What `prefix_noise` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.accounting.factorisations import Factorisation, prefixes_from_nodes
from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import prefix_noise
from dpaudit.algorithms.srgd.noisy_sums.instances import (
    PAPER,
    TOLERANCE,
    WHY,
    linear_instance,
    run_reference,
    stated,
    stream,
)
from dpaudit.sampling.batches import Batches


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Tree noise is matrix noise with the tree's factors, and the streaming recursion."""
    says = "factors written down from the intervals of the nodes, and N_t = N_{t - lowbit(t)} + xi_t"
    return (
        stated("tree", "tree noise is matrix noise", f"{says} ({WHY})", f"{PAPER}, section 2.2", partial(_trees, seed)),
    )


def _trees(seed: int) -> tuple[Pair, ...]:
    pairs = []
    for steps in (1, 2, 5, 8, 13):
        params = prefix_noise.Params((0.0,) * 3, steps, Batches("in order", 13, 1), 0.4, 3.0)
        t = np.arange(1, steps + 1)
        covers = ((t[:, None] - (t & -t)[:, None] < t) & (t <= t[:, None])).astype(float)
        ones = np.tril(np.ones((steps, steps)))
        given = replace(params, factorisation=Factorisation("intervals", ones @ np.linalg.inv(covers), covers))
        run, other = (run_reference(prefix_noise, one, linear_instance(seed), seed) for one in (params, given))
        xi = prefix_noise.draw_inputs(params, stream(seed), 0).noise[0]
        streamed = np.cumsum(linear_instance(seed).features[:steps], axis=0) + 0.4 * prefixes_from_nodes(xi)
        pairs += [
            Pair(f"factors, T = {steps}", run.transcript, other.transcript, TOLERANCE),
            Pair(f"streaming, T = {steps}", run.transcript, streamed, TOLERANCE),
        ]
    return tuple(pairs)
