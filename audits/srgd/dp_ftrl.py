"""DP-FTRL of this package with the square root factorisation, in the case that attains its guarantee.

What: six steps of two records in one pass; the noise of the gradients is C^-1 xi, which cancels in running sums.
Why: a later noise takes back part of an earlier one, and the privacy lies in the whole: the claim, 1-GDP, is met with
equality by a record of the first step, whose column of C is the longest.
Worst-case neighbours: linear losses; the first record has five times the clip norm, and is zero in the neighbour.
The adversary sees every noisy gradient, undoes the correlation and knows the other records.
"""

from __future__ import annotations

import numpy as np

from dpaudit.accounting.factorisations import FACTORISATIONS
from dpaudit.algorithms.srgd import dp_ftrl
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import with_record
from dpaudit.noise.stream import Trials
from dpaudit.problems.domains import clip
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Gaussian
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

STEPS, BATCH, CLIP_NORM = 6, 2, 2.0
ROOT = FACTORISATIONS["square root"](STEPS)

PARAMS = dp_ftrl.Params(
    start=(0.0, 0.0),
    step_sizes=(0.1,) * STEPS,
    batches=Batches("in order", STEPS * BATCH, BATCH),
    noise=float(ROOT.column_norms.max()) * CLIP_NORM / BATCH,
    lipschitz=10.0,
    clip_norm=CLIP_NORM,
    factorisation=ROOT,
)

TARGET = Target(
    name="srgd/dp-ftrl",
    title="DP-FTRL with the square root factorisation, transcript of six steps",
    view=View.TRANSCRIPT,
    claim=claim(
        mu=1.0, neighbours=Neighbours.ZERO_OUT, source="Denisov, McMahan, Rush, Smith, Thakurta (2022), theorem 2.1"
    ),
    trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=10_000_000),
    truth=Gaussian(1.0),
    claimed_mechanism=Gaussian(1.0),
    effect="models trained with this implementation leak more about a record than its correlated noise hides",
)

ASSUMPTIONS = Assumptions(ordered=True, checked_records=True)


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (12, 2); the first one is 5 K long, and zero in the neighbour."""
    return with_record(rng.normal(size=(STEPS * BATCH, 2)), (3 * CLIP_NORM, 4 * CLIP_NORM), 0.0)


def run(data: Array, trials: Trials) -> Array:
    """Noisy gradients, shape (trials, steps, 2)."""
    return dp_ftrl.cpu(PARAMS, linear(data), trials)


def instrument(data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dp_ftrl, PARAMS, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of C gradients + noise, whose noises are independent."""
    mean, other = (
        ROOT.right @ clip(records, CLIP_NORM).reshape(STEPS, BATCH, 2).mean(axis=1) for records in (data, neighbour)
    )
    return likelihood_ratio.gaussian(ROOT.right @ outputs, mean, other, PARAMS.noise)
