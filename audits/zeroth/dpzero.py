"""DPZero with public iterates and either kind of noise, in the case that attains its guarantee.

What: two steps along one direction each, noise of standard deviation eta sigma along the direction, or in every
coordinate.
Why: the directional noise of Zhang et al., equation (2a), hides exactly what a step tells, its one slope. Replacing a
record moves the slope by 2 Delta/n, and sigma = 2 Delta sqrt(T)/n makes the claim, 1-GDP, an equality. Equation (2b)
pays d times the energy for the same promise, as only the noise along the direction hides.
Worst-case neighbours: a linear record so steep that every slope is clipped, turned into its opposite.
The adversary sees every iterate and its direction.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import dpzero
from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks import likelihood_ratio
from dpaudit.audit.structural import stepwise
from dpaudit.audit.structural.recording import Recorder
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Gaussian, SelfComposed
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan

RECORDS, STEPS, DIMENSION = 5, 2, 3
STEP_SIZE, CLIP_NORM = 0.7, 0.5
NOISE = 2 * CLIP_NORM * math.sqrt(STEPS) / RECORDS
STEEP = 1e9 * np.array([1.0, -2.0, 0.5])
MECHANISM = SelfComposed(Gaussian(math.sqrt(STEPS)), STEPS)

PARAMS = dpzero.Params(
    start=(0.0,) * DIMENSION,
    steps=STEPS,
    records=RECORDS,
    step_size=STEP_SIZE,
    perturbation=0.5,
    clip_norm=CLIP_NORM,
    noise=NOISE,
    noise_kind="scalar",
)
ISOTROPIC_PARAMS = replace(PARAMS, noise_kind="isotropic")


def neighbours(rng: np.random.Generator) -> tuple[Array, Array]:
    """Slopes of linear losses, shape (records, d): the first record is steep, and its opposite in the neighbour."""
    data = rng.normal(size=(RECORDS, DIMENSION))
    neighbour = data.copy()
    data[0], neighbour[0] = STEEP, -STEEP
    return data, neighbour


def run(params: dpzero.Params, data: Array, trials: Trials) -> Array:
    """Transcripts (trials, steps, 2 d): every iterate and the direction that led to it."""
    return dpzero.cpu(params, linear(data), trials)


def instrument(params: dpzero.Params, data: Array, recorder: Recorder) -> None:
    """One training of the reference form, recorded and replayed step by step."""
    stepwise.instrument(dpzero, params, linear(data), recorder)


def score(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of the moves along the directions."""
    points, directions = np.split(outputs, 2, axis=2)
    along = (np.diff(points, axis=1, prepend=0.0) * directions).sum(axis=2)
    slopes = (np.clip(directions @ records.T, -CLIP_NORM, CLIP_NORM).mean(axis=2) for records in (data, neighbour))
    mean, other = (-STEP_SIZE * slope for slope in slopes)
    return likelihood_ratio.gaussian(along, mean, other, STEP_SIZE * NOISE)


SCALAR = Audit(
    Target(
        name="zeroth/dpzero",
        title="DPZero with scalar noise, public iterates",
        view=View.TRANSCRIPT,
        claim=claim(
            mu=1.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="Zhang et al. (2023), through its Gaussian mechanisms, with sensitivity 2 Delta/n for replacement",
        ),
        trials=TrialPlan(smoke=50_000, standard=2_000_000, deep=5_000_000),
        truth=MECHANISM,
        claimed_mechanism=MECHANISM,
        effect="private training along one direction a step leaks more about a record than its noise was chosen for",
        from_level=Level.STANDARD,
    ),
    neighbours,
    partial(run, PARAMS),
    score,
    instrument=partial(instrument, PARAMS),
    assumptions=Assumptions(checked_records=True),
)

ISOTROPIC = replace(
    SCALAR,
    target=replace(SCALAR.target, name="zeroth/dpzero-isotropic", title="DPZero with isotropic noise, public iterates"),
    run=partial(run, ISOTROPIC_PARAMS),
    instrument=partial(instrument, ISOTROPIC_PARAMS),
)

AUDITS = (SCALAR, ISOTROPIC)
