"""Additive noise of OpenDP 0.16.0: Laplace, also on integers and at their edge, Gaussian, geometric within bounds.

What: `make_laplace`, `make_gaussian` and `make_geometric` on one number; the vector form of a constructor adds one
independent draw to each coordinate, which makes as many trials as there are coordinates in one call.
Why: each measurement states its loss itself, by `measurement.map(1)`. The samplers are exact and the noise is discrete,
also on floats, so that the last bits must not give away what the value does not.
Worst-case neighbours: two numbers at distance 1, the sensitivity that the map is asked for.
The adversary sees the released number, all bits of it.
OpenDP draws from the operating system: no trial can be made again from its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.release import Release
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Concentrated, Gaussian
from dpaudit.records.privacy import PrivacyClaim, claim
from dpaudit.records.target import TrialPlan

Released = Callable[[Any, Trials], NDArray[Any]]

LARGEST = 2**31 - 1
"""OpenDP takes Python integers for i32."""
TRIALS = TrialPlan(smoke=20_000, standard=200_000, deep=2_000_000)


@cache
def measurement(kind: str) -> Any:
    """The measurement of OpenDP by the last part of the target's name, on a vector of independent numbers."""
    with frozen(0):  # the first import draws from a global generator
        import opendp.prelude as dp

    dp.enable_features("contrib")
    reals = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    integers = dp.vector_domain(dp.atom_domain(T=int))
    if kind == "laplace":
        return dp.m.make_laplace(reals, dp.l1_distance(T=float), scale=1.0)
    if kind == "gaussian":
        return dp.m.make_gaussian(reals, dp.l2_distance(T=float), scale=1.0)
    if kind == "geometric":
        return dp.m.make_geometric(integers, dp.l1_distance(T=int), scale=1.0, bounds=(0, 8))
    return dp.m.make_laplace(integers, dp.l1_distance(T=int), scale=1.0)


def noisy(kind: str) -> Released:
    """The release of an adapter: one coordinate a trial."""

    def release(data: Any, trials: Trials) -> NDArray[Any]:
        return np.asarray(measurement(kind)([data] * len(trials)))

    return release


def audit(kind: str, title: str, pair: tuple[Any, Any], stated: PrivacyClaim, **options: Any) -> Release:
    """The target opendp/<kind>."""
    return Release(
        f"opendp/{kind}",
        noisy(kind),
        pair=pair,
        claim=stated,
        batched=True,
        float_bits=isinstance(pair[0], float),
        title=f"OpenDP, {title}",
        trials=TRIALS,
        needs=(("opendp", "third-party"),),
        effect="released numbers tell more about one person than the map of the measurement says",
        deterministic=False,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


LAPLACE = claim(1.0, source="OpenDP 0.16.0, measurement.map(1) = 1.0 of make_laplace")
GAUSSIAN = claim(4.7284, 1e-5, source="OpenDP 0.16.0, measurement.map(1) = 0.5 (zCDP) of make_gaussian")
GEOMETRIC = claim(1.0, source="OpenDP 0.16.0, measurement.map(1) = 1.0 of make_geometric")

AUDITS = (
    audit("laplace", "Laplace noise on a float", (1.0, 0.0), LAPLACE),
    audit("discrete-laplace", "Laplace noise on an integer", (1, 0), LAPLACE),
    audit("saturated", "Laplace noise on the largest integer", (LARGEST, LARGEST - 1), LAPLACE),
    audit(
        "gaussian",
        "Gaussian noise on a float",
        (1.0, 0.0),
        GAUSSIAN,
        mechanism=Concentrated(0.5),
        truth=Gaussian(1.0),
    ),
    audit("geometric", "geometric noise within bounds", (5, 4), GEOMETRIC),
)
