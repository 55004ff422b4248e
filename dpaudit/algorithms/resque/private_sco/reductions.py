"""What `private_sco` equals for some parameters."""

from __future__ import annotations

from dataclasses import replace

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.algorithms.resque import private_regularised_erm, private_sco
from dpaudit.algorithms.resque.private_erm.cases import example_records
from dpaudit.algorithms.resque.shared.reductions import PULL, reduction, stream_of


def reductions(seed: int) -> tuple[Reduction, ...]:
    """One phase: PrivateRegERM."""

    def one(seed: int) -> tuple[Pair, ...]:
        params = private_sco.Params(origin=(0.1, 0.0), records=8, step_constant=20.0, least_records=4, **PULL)
        losses = example_records(seed, 8, 2)
        phase, run = private_sco.phases(params)[0], private_sco.reference(params, losses, stream_of(seed), 0)
        assert phase.solver is not None
        placed, part = replace(phase.solver, target=(0.1, 0.0)), stream_of(seed).part("phase 1")
        alone = private_regularised_erm.reference(placed, private_sco.part_of(losses, phase), part, 0)
        return (Pair("one phase", run.final, alone.final),)

    return (
        reduction(
            "ALG-19", "theorem 4", "PrivateSCO with one phase is PrivateRegERM on half of the records",
            "8 records, phases with fewer than 4 left out", one, seed,
        ),
    )  # fmt: skip
