"""What `rrpsgd` equals for some parameters."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.algorithms.srm.rrpsgd import Params, draw_inputs, reference
from dpaudit.noise.stream import Stream
from dpaudit.problems import losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """Given the round it is DP-SGD on single records."""
    statement = "given R, theta^R is the last iterate of DP-SGD with R - 1 steps on one record drawn with replacement"
    why = " (tolerance 1e-12: a sum over one record there, none here)"
    source = "Zhang, Zheng, Mou, Wang (2017)"
    return (Reduction("srm/RRPSGD", "given the round: DP-SGD", statement + why, source, lambda: _beside_dp_sgd(seed)),)


def _beside_dp_sgd(seed: int) -> tuple[Pair, ...]:
    rng, stream, sides = np.random.default_rng([seed, 0x4457]), Stream(seed, "reduce/rrpsgd"), []
    problem = losses.huber(rng.normal(size=(7, 3)), rng.normal(size=7), 0.5)
    params = Params((0.5, -0.4, 0.3), (0.5, 0.4, 0.3, 0.2, 0.1), 7, 0.3, 3.0, 2.0, 0.6)
    for trial in range(8):
        draws = draw_inputs(params, stream, trial)
        if draws.steps:
            eta = params.step_sizes[: draws.steps]
            other = dp_sgd.Params(params.start, eta, params.batches, 0.3, 3.0, clip_norm=0.6)
            same = dp_sgd.Draws(draws.noise[: draws.steps], draws.records[: draws.steps], 0)
            sides.append((reference(params, problem, draws).final, dp_sgd.reference(other, problem, same).final))
    return (Pair("outputs", np.array([a for a, _ in sides]), np.array([b for _, b in sides]), 1e-12),)
