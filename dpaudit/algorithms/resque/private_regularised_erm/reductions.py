"""What `private_regularised_erm` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import private_erm, private_regularised_erm
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.algorithms.resque.shared.reductions import PULL, reduction, stream_of


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One stage: PrivateERM."""

    def one(seed: int) -> tuple[Pair, ...]:
        params = private_regularised_erm.Params(origin=(0.1, 0.0), records=4, regulariser=5.0, **PULL)
        losses, (stage,) = example_records(seed, 4, 2), private_regularised_erm.stages(params)
        run = private_regularised_erm.reference(params, losses, stream_of(seed), 0)
        alone = private_erm.reference(
            replace(stage.solver, target=(0.1, 0.0)), losses, stream_of(seed).part("stage 1"), 0
        )
        return (Pair("before the projection", run.raw[0], alone.final),)

    return (
        reduction(
            "ALG-18", "corollary 3", "PrivateRegERM on four records is one PrivateERM", "k = ceil(log2 log2 4) = 1",
            one, seed,
        ),
    )  # fmt: skip
