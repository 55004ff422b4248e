"""What `high_probability_erm` equals for some parameters."""

from __future__ import annotations

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import high_probability_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.algorithms.resque.shared.reductions import STRONG, reduction, stream_of
from dpaudit.algorithms.resque.sub_erm.cases import example_losses


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One copy: SubERM-sc."""

    def one(seed: int) -> tuple[Pair, ...]:
        losses = example_losses(seed, 2)
        run = high_probability_erm.reference(
            high_probability_erm.Params(**STRONG, steps=9, failure=0.96), losses, stream_of(seed), 0
        )
        alone = solver.reference(solver.Params(**STRONG, steps=9), losses, stream_of(seed).part("copy 1"), 0)
        return (Pair("one copy", run.final, alone.final),)

    return (
        reduction(
            "ALG-11", "algorithm 7", "HighProbERM with one copy is SubERM-sc", "ceil(20 log(1/zeta)) = 1", one, seed
        ),
    )  # fmt: skip
