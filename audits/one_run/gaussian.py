"""The Gaussian mechanism on a vector sum, audited in one run with 5,000 canaries; and with a quarter of its noise.

What: releases the sum of the canaries that are in, unit vectors at right angles, plus N(0, 4) on every coordinate; with
the bug, N(0, 1/4).
Why: the claim mu = 1/2 is met with equality for every canary, so the audit measures what one run can show. With the bug
the run has mu = 2: epsilon 10 instead of 2 at delta 1e-5. One run shows a fraction of that, which must be enough.
Worst-case neighbours: one unit vector more or less; each canary has a coordinate of its own.
The adversary sees the noisy sum.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.content.audits import Audit, planted
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

CANARIES = 5000
RUNS = TrialPlan(smoke=2, standard=2, deep=2)

CORRECT = Target(
    name="dpaudit/one-run-gaussian",
    title="Gaussian mechanism in one run with 5,000 canaries",
    view=View.GRADIENTS,
    claim=claim(mu=0.5, source="Dong, Roth, Su (2022), theorem 2.7"),
    trials=RUNS,
    canaries=CANARIES,
    truth=Gaussian(2.0),
    effect="a sum of vectors would tell more about one of them than its noise was chosen for",
)
QUARTER_NOISE = planted(
    CORRECT,
    "known-bad/one-run-gaussian-quarter-noise",
    "Gaussian mechanism with a quarter of its noise, in one run",
    source="the noise scale before the bug",
    trials=RUNS,
    effect="one vector of the sum shows at an epsilon of 10, not 2",
    bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, 5_000),
    truth=Gaussian(0.5),
)


def audit(target: Target, noise_scale: float) -> Audit:
    """The noisy sum, whose coordinate i is the score of canary i; and the sum alone."""
    names = np.arange(CANARIES)

    def noisy_sum(included: Flags, trials: Trials) -> Array:
        return named_scores(names, included + noise_scale * trials.stream.normals(trials.numbers, 0, CANARIES)[0])

    return Audit(target, run=noisy_sum, without_noise=lambda included, trials: named_scores(names, included))


AUDITS = (audit(CORRECT, 2.0), audit(QUARTER_NOISE, 0.5))
