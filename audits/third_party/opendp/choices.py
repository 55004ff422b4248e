"""Mechanisms of OpenDP 0.16.0 that choose: randomised response, noisy max, noisy top k, private quantiles.

What: `make_randomized_response_bool`, `make_randomized_response`, `make_noisy_max`, `make_noisy_top_k` and
`make_private_quantile`, one call a trial.
Why: each measurement states its loss itself, by `measurement.map(1)`.
Worst-case neighbours: the two answers; scores of which the first is ahead on one side and behind by as much on the
other; a record on either side of every candidate but one.
The adversary sees the answer, the position of the largest noisy score, or the chosen candidate.
OpenDP draws from the operating system: no trial can be made again from its seed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from dpaudit.adapters.release import Release
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import PrivacyClaim, claim
from dpaudit.records.target import TrialPlan

TRIALS = TrialPlan(smoke=4_000, standard=40_000, deep=400_000)
CANDIDATES = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
SCORES = ([1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0, 1.0])


@cache
def measurement(kind: str) -> Any:
    """The measurement of OpenDP by the last part of the target's name."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    scores = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    if kind == "randomised-response":
        return dp.m.make_randomized_response_bool(prob=0.75)
    if kind == "randomised-response-of-five":
        return dp.m.make_randomized_response(list(range(5)), prob=0.5)
    if kind == "noisy-max":
        return dp.m.make_noisy_max(*scores, dp.max_divergence(), scale=2.0)
    if kind == "noisy-max-gumbel":
        return dp.m.make_noisy_max(*scores, dp.zero_concentrated_divergence(), scale=1.0)
    if kind == "noisy-top-2":
        return dp.m.make_noisy_top_k(*scores, dp.max_divergence(), k=2, scale=4.0)
    records = scores[0], dp.symmetric_distance()
    return dp.m.make_private_quantile(*records, dp.max_divergence(), CANDIDATES, alpha=0.5, scale=1.0)


def audit(kind: str, title: str, pair: tuple[Any, Any], stated: PrivacyClaim) -> Release:
    """The target opendp/<kind>."""

    def release(data: Any, trials: Trials) -> Array:
        with frozen(0):  # the first import draws from a global generator
            choose = measurement(kind)
        return np.stack([np.asarray(choose(data), dtype=np.float64) for _ in range(len(trials))])

    return Release(
        f"opendp/{kind}",
        release,
        pair=pair,
        check_pair=pair is not SCORES,
        claim=stated,
        batched=True,
        title=f"OpenDP, {title}",
        trials=TRIALS,
        needs=(("opendp", "third-party"),),
        effect="the choice tells more about one person than the map of the measurement says",
        deterministic=False,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
    )


SOURCE = "OpenDP 0.16.0, measurement.map(1) = {} of {}"

AUDITS = (
    audit(
        "randomised-response",
        "randomised response on a bit",
        (True, False),
        claim(1.0986122886681098, source=SOURCE.format("log 3", "make_randomized_response_bool")),
    ),
    audit(
        "randomised-response-of-five",
        "randomised response on five answers",
        (0, 1),
        claim(1.3862943611198906, source=SOURCE.format("log 4", "make_randomized_response")),
    ),
    audit("noisy-max", "report noisy max", SCORES, claim(1.0, source=SOURCE.format("1.0", "make_noisy_max"))),
    audit(
        "noisy-max-gumbel",
        "report noisy max under zero-concentrated privacy",
        SCORES,
        claim(4.7284, 1e-5, source=SOURCE.format("0.5 (zCDP)", "make_noisy_max")),
    ),
    audit("noisy-top-2", "the two largest scores", SCORES, claim(1.0, source=SOURCE.format("1.0", "make_noisy_top_k"))),
    audit(
        "private-quantile",
        "median among six candidates",
        ([0.5], [0.5, 9.0]),
        claim(1.0, source=SOURCE.format("1.0", "make_private_quantile")),
    ),
)  # fmt: skip
