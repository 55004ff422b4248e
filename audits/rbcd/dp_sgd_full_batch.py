"""DP-SGD with the noise of DP-SkGD: the remark that the second is the first for S = [d], taken at its word.

What: two steps of DP-SGD, each on one of four records drawn with replacement, with the noise 2 L sqrt(T)/n that
theorem 4.1 gives for S = [d].
Why: the paper says that DP-SkGD with S = [d] "reduces to DP-SGD (Bassily et al. 2014)". It is noisy gradient descent
on all records, in which a record moves a step by 2 L/n. In DP-SGD a drawn record moves it by 2 L, n times as far, and
it is drawn with probability 1/n only: the mean effect is the same, the privacy is not. Whoever puts the noise of
theorem 4.1 into DP-SGD gives a drawn record away.
Worst-case neighbours: a linear loss, all records equal to L; one of them turned into its opposite in the neighbour.
The adversary sees every noisy gradient, not which record was drawn.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.algorithms.srgd import dp_sgd
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

RECORDS, STEPS, LIPSCHITZ = 4, 2, 1.0
NOISE_SCALE = 2 * LIPSCHITZ * math.sqrt(STEPS) / RECORDS

PARAMS = dp_sgd.Params(
    start=(0.0,),
    step_sizes=(0.1,) * STEPS,
    batches=Batches("with replacement", RECORDS, 1),
    noise=NOISE_SCALE,
    lipschitz=LIPSCHITZ,
)

TARGET = Target(
    name="rbcd/dp-sgd-with-full-batch-noise",
    title="DP-SGD with the noise that DP-SkGD has for S = [d]",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0,
        neighbours=Neighbours.REPLACE_ONE,
        source="Maranjyan, Sadiev, Richtarik (2024), section 4: with S = [d] the algorithm reduces to DP-SGD",
    ),
    trials=TrialPlan(smoke=50_000, standard=500_000, deep=500_000),
    expects=Outcome.REFUTED,
    truth=SelfComposed(WithReplacementSampled(1, RECORDS, Gaussian(NOISE_SCALE / (2 * LIPSCHITZ))), STEPS),
    effect="a drawn record moves a step by 2.8 standard deviations of its noise: epsilon 19 at delta 1e-5, not 4.4",
    repair="rbcd/dp-gd",
    from_level=Level.STANDARD,
)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Records, shape (records, 1), one of them -L in the data set and all of them L in its neighbour."""
    neighbour = np.full((RECORDS, 1), LIPSCHITZ)
    data = neighbour.copy()
    data[0] = -LIPSCHITZ
    return data, neighbour


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients, shape (trials, steps)."""
    return dp_sgd.cpu(PARAMS, linear(data), trials)[:, :, 0]


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio: each gradient is a mixture over the drawn record on `data`, a Gaussian else."""
    change = -2 * LIPSCHITZ * outputs / NOISE_SCALE**2
    return np.asarray(np.logaddexp(math.log1p(-1 / RECORDS), change - math.log(RECORDS)).sum(axis=1))
