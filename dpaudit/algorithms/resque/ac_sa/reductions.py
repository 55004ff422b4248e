"""What `ac_sa` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import ac_sa
from dpaudit.algorithms.resque.shared.reductions import reduction, stream_of
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, ridge_losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """In one dimension: the Hermite series of the weights."""

    def moments(seed: int) -> tuple[Pair, ...]:
        oracle, made = Oracle(ridge_losses([(Ridge.ABSOLUTE, (1.0,), 0.3)])), []
        for index in ac_sa.FORMS:
            params = ac_sa.Params((0.1,), 0.8, 0.8, 1.2, 0.3, 1.0, index)
            inputs = ac_sa.draw_inputs(params, oracle, stream_of(seed), 0)
            both = (params, replace(params, gradient="moments"))
            left, right = (ac_sa.reference(one, oracle, *inputs).states for one in both)
            made.append(Pair(f"{index} indices", left, right, 1e-10))
        return tuple(made)

    return (
        reduction(
            "ALG-5", "algorithm 2", "the mean over the pool is its Hermite series",
            "in one dimension the weights generate the Hermite polynomials; to 1e-10, where the series is cut off",
            moments, seed,
        ),
    )  # fmt: skip
