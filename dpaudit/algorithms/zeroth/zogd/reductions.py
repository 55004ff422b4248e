"""What `zogd` equals for some parameters."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.zeroth import two_point_estimator
from dpaudit.algorithms.zeroth.zogd import ALGORITHM, Params, draw_inputs, reference
from dpaudit.algorithms.zeroth.zogd.cases import START, instances
from dpaudit.noise.stream import Stream


def reductions(seed: int) -> tuple[Reduction, ...]:
    """A step is one of the mean of K estimates, with the file of the estimator, on three trials."""

    def pairs() -> tuple[Pair, ...]:
        params, problem, sides = Params(START, 1, 6, 3, 0.9, 0.25, 0.4), instances(seed)[0], []
        single = two_point_estimator.Params(START, 3, params.batches, 0.25, 0.4)
        for trial in range(3):
            draws = draw_inputs(params, Stream(seed, "reduce/zogd"), trial)
            given = two_point_estimator.Draws(draws.directions[0][:, None], (np.arange(6),) * 3)
            mean = two_point_estimator.reference(single, problem, given).final
            sides.append((reference(params, problem, draws).final, np.array(START) - 0.9 * mean))
        return (Pair("w_1", np.array([one for one, _ in sides]), np.array([two for _, two in sides]), 1e-14),)

    statement = "w_1 = w_0 - eta (1/K) sum_k ghat(w_0; u_k) (tolerance 1e-14: the two sides round in different orders)"
    return (Reduction("zeroth/RED-ALG-1", "a step is the mean of K estimates", statement, ALGORITHM.source, pairs),)
