"""Noisy sums of random batches in one run with 5,000 canaries, claimed as a mechanism; and with less noise.

What: each of 30 steps takes every canary that is in with probability 0.2 and releases the sum of those taken, unit
vectors at right angles, plus N(0, 2.5^2) on every coordinate: epsilon 2 at delta 1e-5. With the bug the noise is a
quarter of that, epsilon 19.
Why: where the claim is a mechanism, one run also gives the bound over that mechanism with other noise, nine tenths of
epsilon on average; the bound that knows the coins alone sees a third of it. The scores of 50,000 canaries that no coin
includes cost no training, and tell that bound the law of those that are out.
Worst-case neighbours: one unit vector more or less; each canary has a coordinate of its own, so that no canary shows in
the score of another, as that bound assumes.
The adversary sees the noisy sums. The score of a canary is the likelihood ratio of its coordinate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.content.audits import Audit, planted
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Gaussian, PoissonSampled, SelfComposed
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

CANARIES, OUTSIDE, STEPS, RATE, NOISE = 5_000, 50_000, 30, 0.2, 2.5
RUNS = TrialPlan(smoke=2, standard=2, deep=2)


def mechanism(noise_multiplier: float) -> SelfComposed:
    """What one canary is under."""
    return SelfComposed(PoissonSampled(RATE, Gaussian(noise_multiplier)), STEPS)


CORRECT = Target(
    name="dpaudit/one-run-sampled",
    title="Noisy sums of random batches in one run with 5,000 canaries",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=2.0006, delta=1e-5, source="30 Poisson steps of rate 0.2 and noise multiplier 2.5"),
    trials=RUNS,
    canaries=CANARIES,
    canaries_outside=OUTSIDE,
    claimed_mechanism=mechanism(NOISE),
    truth=mechanism(NOISE),
    effect="thirty sums would tell more about one person than their noise was chosen for",
)
QUARTER_NOISE = replace(
    planted(
        CORRECT,
        "known-bad/one-run-sampled-quarter-noise",
        "Noisy sums of random batches with a quarter of their noise, in one run",
        source="the noise multiplier before the bug",
        trials=RUNS,
        effect="who took part shows in the sums at an epsilon of 19, not 2",
        bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, CANARIES),
        truth=mechanism(NOISE / 4),
    ),
    claimed_mechanism=mechanism(NOISE),
)


def scores(included: Flags, trials: Trials, noise: float, scored: float = NOISE) -> Array:
    """The logarithm of the likelihood ratio of each canary, named; noise, scored: the noise multipliers of the
    steps and of the adversary."""
    number = len(included)
    total = np.zeros(number)
    for step in range(STEPS):
        taken = included & (trials.stream.part("batches").uniforms(trials.numbers, step, number)[0] < RATE)
        seen = taken + noise * trials.stream.normals(trials.numbers, step, number)[0]
        total += np.log(1 - RATE + RATE * np.exp((seen - 0.5) / scored**2))
    return named_scores(np.arange(number), total)


def audit(target: Target, noise: float) -> Audit:
    """The training with this noise multiplier; and without noise."""
    return Audit(target, run=partial(scores, noise=noise), without_noise=partial(scores, noise=0.0))


AUDITS = (audit(CORRECT, NOISE), audit(QUARTER_NOISE, NOISE / 4))
