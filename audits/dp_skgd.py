"""DP-SkGD of this package, whole transcript, in the case that attains its guarantee.

What: Algorithm 1 with block sampling: two blocks of two coordinates, two epochs of two steps.
Why: its noise is calibrated so that the claim, 1-GDP, is met with equality (every step has
sensitivity 2 L_U/n and noise 2 L_U sqrt(K T)/n), so the audit has no slack to hide in: noise that
is 10 % too small, a forgotten epoch or a wrong block constant all show.
Worst-case neighbours: a linear loss, one record zeta turned into -zeta, the restriction of zeta
to each block as long as the block's Lipschitz constant allows.
The adversary sees every drawn block and every noisy gradient coordinate.
"""

from __future__ import annotations

import math

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
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import block_uniform

Array = NDArray[np.float64]

RECORDS, EPOCHS, INNER_STEPS = 8, 2, 2
WORST = np.array([3.0, 4.0, 0.3, 0.4])
LIPSCHITZ = (5.0, 0.5)

PARAMS = dp_skgd.Params(
    start=(0.0,) * 4,
    step_sizes=(0.1,) * 4,
    epochs=EPOCHS,
    inner_steps=INNER_STEPS,
    sampler=block_uniform(((0, 1), (2, 3))),
    noise_scales=tuple(2 * bound * math.sqrt(EPOCHS * INNER_STEPS) / RECORDS for bound in LIPSCHITZ),
    lipschitz=LIPSCHITZ,
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/dp-skgd",
    title="DP-SkGD with block sampling, transcript of four steps",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        GaussianDP(1.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1, through its Gaussian mechanisms",
    ),
    trials=TrialPlan(smoke=50_000, standard=10_000_000, deep=10_000_000),
    truth=SelfComposed(Gaussian(2.0), 4),
    claimed_mechanism=SelfComposed(Gaussian(2.0), 4),
    effect="models trained with this implementation leak more about a record than theorem 4.1 promises",
)

ASSUMPTIONS = Assumptions(checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records zeta, shape (records, 4): the first is the worst one or its opposite, the others are shared."""
    data = rng.uniform(-1, 1, size=(RECORDS, 4)) * WORST
    neighbour = data.copy()
    data[0], neighbour[0] = WORST, -WORST
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 3): number of the block, its two noisy gradient coordinates."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_skgd, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript; the drawn blocks do not depend on the data."""
    drawn = outputs[:, :, 0].astype(np.int64)
    coordinates = PARAMS.sampler.members[drawn]
    mean, other = (records.mean(axis=0)[coordinates] for records in (data, neighbour))
    return likelihood_ratio.gaussian(outputs[:, :, 1:], mean, other, PARAMS.deviations[drawn][:, :, None])
