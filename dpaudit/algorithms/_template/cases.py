"""The instances on which the three forms of the template are compared."""

from __future__ import annotations

import numpy as np

from dpaudit.agreement.cases import Case, Replay, Trace
from dpaudit.algorithms._template import Params, calls, cpu, gpu, reference
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream, Trials


def agreement_cases(seed: int) -> tuple[Case, ...]:
    """The instances on which the forms are compared; one is enough here."""
    records = np.random.default_rng([seed, 0x7E]).normal(size=(6, 3))
    params, stream = Params(3, 0.5, 2.0), Stream(seed, "agree/template")

    def run_reference(trials: int) -> Trace:
        numbers, zeros = np.arange(trials), np.zeros((trials, 0))
        noise = stream.normals(numbers, 0, 3)
        after = np.stack([reference(params, records, row) for row in noise])
        magnitude = np.abs(records).mean(axis=0) + params.noise * np.abs(noise)
        steps = np.zeros(trials, dtype=np.int64)
        return Trace(numbers, steps, zeros, after, magnitude, zeros.astype(np.int64), zeros, zeros, after)

    def replay(after: Array, trace: Trace) -> Replay:
        return Replay(after, trace.branches, after)

    def trials_of(trace: Trace) -> Trials:
        return Trials(stream, trace.trials)

    def counted(trial: int) -> tuple[dict[str, int], dict[str, int]]:
        return {"records": sum(1 for _ in records)}, calls(params, records)

    return (
        Case(
            "normal records",
            params,
            operations=len(records) + 6,  # the sum, the division, noise, product, casts
            reference=run_reference,
            cpu=lambda trace, dtype: replay(cpu(params, records, trials_of(trace), dtype), trace),
            gpu=lambda trace, dtype, device: replay(
                gpu(params, records, trials_of(trace), device, dtype).cpu().numpy(), trace
            ),
            calls=counted,
        ),
    )
