"""DP-SkGD with the noise of theorem 4.1, against the (epsilon, delta) that the theorem states.

What: two inner steps of Algorithm 1 on one coordinate, sigma_U^2 = 12 L_U^2 K T log(1/delta)/(n epsilon)^2.
Why: the theorem promises epsilon = 1 at delta = 1e-5. Its noise makes the transcript a Gaussian experiment of
mu = epsilon/sqrt(3 log(1/delta)) = 0.17, epsilon 0.61 in exact terms: the theorem holds with room, because its
proof goes through Renyi divergences and rounds once more. Noise that is too small by a factor of up to 1.57 stays
below epsilon = 1 and no audit of this claim can see it; rbcd/dp-skgd audits the steps themselves without slack.
Worst-case neighbours: a linear loss, one record L turned into -L.
The adversary sees every noisy gradient.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.rbcd import dp_skgd
from dpaudit.attacks import likelihood_ratio
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.coordinates import full

Array = NDArray[np.float64]

RECORDS, STEPS, LIPSCHITZ = 5, 2, 3.0
EPSILON, DELTA = 1.0, 1e-5

PARAMS = dp_skgd.Params(
    start=(0.0,),
    step_sizes=(0.1,),
    epochs=1,
    inner_steps=STEPS,
    sampler=full(1),
    noise_scales=(dp_skgd.calibrate(LIPSCHITZ, STEPS, 1, RECORDS, EPSILON, DELTA),),
    lipschitz=(LIPSCHITZ,),
    records=RECORDS,
)

TARGET = Target(
    name="rbcd/theorem-4.1",
    title="DP-SkGD calibrated by theorem 4.1 to epsilon 1",
    view=View.TRANSCRIPT,
    claim=PrivacyClaim(
        ApproximateDP(EPSILON, DELTA),
        Neighbours.REPLACE_ONE,
        delta=DELTA,
        source="Maranjyan, Sadiev, Richtarik (2024), theorem 4.1",
    ),
    trials=TrialPlan(smoke=1_000_000, standard=10_000_000, deep=10_000_000),
    truth=Gaussian(math.sqrt(3 * math.log(1 / DELTA)) / EPSILON),
    effect="the noise of theorem 4.1 does not give the epsilon that it was calibrated for",
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 1), in [-L, L]; the first is L in the data set and -L in its neighbour."""
    data = rng.uniform(-LIPSCHITZ, LIPSCHITZ, size=(RECORDS, 1))
    neighbour = data.copy()
    data[0], neighbour[0] = LIPSCHITZ, -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 2): the number of the set (always 0), then the noisy gradient."""
    return dp_skgd.cpu(PARAMS, linear(data), trials)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the transcript."""
    return likelihood_ratio.gaussian(outputs[:, :, 1:], data.mean(axis=0), neighbour.mean(axis=0), PARAMS.deviations)
