"""What `bias_reduced_prox` equals for some parameters."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import bias_reduced_prox
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.shared.reductions import STRONG, reduction, stream_of
from dpaudit.algorithms.resque.sub_erm.cases import example_losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Above its highest level: a mean of SubERM-sc."""

    def above(seed: int) -> tuple[Pair, ...]:
        losses = example_losses(seed, 2)
        params = bias_reduced_prox.Params(**STRONG, steps=9, records=100, privacy_constant=2.0, repetitions=3)
        run = bias_reduced_prox.reference(params, losses, stream_of(seed), 0, np.full(3, params.highest + 1))
        parts = [stream_of(seed).part(f"repetition {k}").part("base") for k in (1, 2, 3)]
        plain = solver.Params(**STRONG, steps=9)
        runs = [solver.reference(plain, losses, part, 0).final for part in parts]
        return (Pair("J above jmax", run.final, np.mean(runs, axis=0)),)

    return (
        reduction(
            "ALG-9", "algorithm 6", "BiasReducedProx above its highest level averages SubERM-sc",
            "J > jmax in every loop", above, seed,
        ),
    )  # fmt: skip
