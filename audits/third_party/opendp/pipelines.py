"""Pipelines of OpenDP 0.16.0: count, sum, mean and variance of clamped records, with Laplace noise.

What: transformations chained with `make_laplace`, as in OpenDP's guide: clamp, resize, aggregate, add noise.
Why: the map of a chain multiplies stabilities and sensitivities, with an allowance for the roundings of floats.
Worst-case neighbours: a record beyond the bounds, infinite where floats are, that is there or not; of mean and variance
the size is fixed, so that it takes the place of another record, most of the time.
The adversary sees the released number.
OpenDP draws from the operating system: no trial can be made again from its seed.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from dpaudit.adapters.release import Release
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import claim
from dpaudit.records.target import TrialPlan

TRIALS = TrialPlan(smoke=4_000, standard=40_000, deep=400_000)
SIZE = 5


@cache
def measurement(kind: str) -> Any:
    """The chain of the last part of the target's name."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    kinds = {"count": int, "integer-sum": int}
    of = kinds.get(kind, float)
    atoms = dp.atom_domain(T=of) if of is int else dp.atom_domain(T=of, nan=False)
    records = dp.vector_domain(atoms), dp.symmetric_distance()
    if kind == "count":
        return records >> dp.t.then_count() >> dp.m.then_laplace(scale=1.0)
    if kind == "integer-sum":
        return records >> dp.t.then_clamp((-10, 10)) >> dp.t.then_sum() >> dp.m.then_laplace(scale=10.0)
    clamped = records >> dp.t.then_clamp((0.0, 1.0))
    if kind == "float-sum":
        return clamped >> dp.t.then_sum() >> dp.m.then_laplace(scale=1.0)
    sized = clamped >> dp.t.then_resize(SIZE, constant=0.5)
    last = dp.t.then_mean() if kind == "mean" else dp.t.then_variance()
    return sized >> last >> dp.m.then_laplace(scale=1 / SIZE)


def audit(kind: str, pair: tuple[Any, Any], epsilon: float) -> Release:
    """The target opendp/<kind>; epsilon: what the map states of one record, rounded up."""

    def release(data: Any, trials: Trials) -> Array:
        with frozen(0):  # the first import draws from a global generator
            noisy = measurement(kind)
        return np.array([float(noisy(data)) for _ in range(len(trials))])

    return Release(
        f"opendp/{kind}",
        release,
        pair=pair,
        claim=claim(epsilon, source=f"OpenDP 0.16.0, measurement.map(1) = {epsilon:.1f} of the chain"),
        batched=True,
        float_bits=True,
        title=f"OpenDP, {kind.replace('-', ' ')} with Laplace noise",
        trials=TRIALS,
        needs=(("opendp", "third-party"),),
        effect="a released statistic tells more about one person than the map of the chain says",
        deterministic=False,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
    )


AUDITS = (
    audit("count", ([1, 2, 3], [1, 2]), 1.0),
    audit("integer-sum", ([3, 2**31 - 1], [3]), 1.0),
    audit("float-sum", ([0.3, math.inf], [0.3]), 1.00000001),
    audit("mean", ([0.0] * SIZE + [math.inf], [0.0] * SIZE), 1.00000001),
    audit("variance", ([0.0] * SIZE + [1.0], [0.0] * SIZE), 1.00000001),
)
