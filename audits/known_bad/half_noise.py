"""DP-SkGD with half of its noise: a planted bug that the auditor must find.

What: two steps of Algorithm 1 on all coordinates, each noise scale halved (the commonest bug of
noisy optimisers: a factor in the noise scale).
Why: the claim stays that of the full noise, 1-GDP, while the run is 2-GDP: epsilon 10.0
instead of 4.4 at delta 1e-5. An auditor that is silent here proves nothing elsewhere.
Worst-case neighbours: a linear loss, one record of norm L turned into its opposite.
The adversary sees every noisy gradient.
The structural check "noise scale" finds it without trials: half of the noise that is declared, in one run of 80 steps.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.coordinates import full

Array = NDArray[np.float64]

RECORDS, STEPS = 5, 2
WORST = np.array([0.6, 0.8])
CLAIMED_NOISE = 2 * math.sqrt(STEPS) / RECORDS

PARAMS = dp_skgd.Params(
    start=(0.0, 0.0),
    step_sizes=(0.1, 0.1),
    epochs=1,
    inner_steps=STEPS,
    sampler=full(2),
    noise_scales=(CLAIMED_NOISE / 2,),  # the bug
    lipschitz=(1.0,),
    records=RECORDS,
)
LONGER = replace(PARAMS, inner_steps=80)
"""The same code for so many steps that the size of the noise of one run shows."""

TARGET = Target(
    name="known-bad/dp-skgd-half-noise",
    title="DP-SkGD with half of the noise that it claims",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(GaussianDP(1.0), Neighbours.REPLACE_ONE, delta=1e-5, source="the noise scale before the bug"),
    trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=SelfComposed(Gaussian(math.sqrt(STEPS) / 2), STEPS),
    effect="the record of one person shows in the transcript about as clearly as at epsilon 10, not 4.4",
    repair="rbcd/dp-skgd",
    bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.STRUCTURAL, 22, "noise scale"),
    companion=True,
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 2), norm at most 1; the first is turned around in the neighbour."""
    data = rng.uniform(-1, 1, size=(RECORDS, 2)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): the number of the set (always 0), then the noisy gradient."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One longer run, recorded step by step, that declares the noise before the bug."""
    declared = replace(LONGER, noise_scales=(CLAIMED_NOISE,))
    stepwise.instrument(dp_skgd, LONGER, linear(data), recorder, declared=declared)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio that an adversary computes who believes the claimed noise."""
    return likelihood_ratio.gaussian(outputs[:, :, 1:], data.mean(axis=0), neighbour.mean(axis=0), CLAIMED_NOISE)
