"""The Laplace mechanism with half of its scale, audited by bets that stop as soon as the question is settled.

What: a count released with Laplace noise of scale 1/2, where sensitivity 1 and epsilon 1 need scale 1.
Why: a halved scale is the commonest bug of mechanisms, and a sequential audit finds it after some hundred runs: for
targets that take seconds a run, that is what decides whether they are audited at all.
Worst-case neighbours: counts 1 and 0, as far apart as one record allows.
The adversary sees the released number.
"""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Trials
from dpaudit.records.mechanism import Laplace
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

SCALE = 0.5  # the bug: 1 is claimed

TARGET = Target(
    name="known-bad/laplace-half-scale",
    title="Laplace mechanism with half of its scale, sequential audit",
    view=View.TRANSCRIPT,
    claim=claim(epsilon=1.0, source="the scale before the bug, 1/epsilon"),
    trials=TrialPlan(smoke=500_000, standard=500_000, deep=500_000),
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    truth=Laplace(SCALE),
    effect="the count gives a record away with epsilon 2 where 1 is promised",
    repair="release/visits",
    bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, 500),
    early_stop=True,
    companion=True,
)


def neighbours(rng: np.random.Generator) -> tuple[float, float]:
    """The true counts."""
    return 1.0, 0.0


def run(data: float, trials: Trials) -> Array:
    """Released counts, shape (trials,)."""
    uniforms = trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] - 0.5
    return data - SCALE * np.sign(uniforms) * np.log1p(-2 * np.abs(uniforms))


def score(outputs: Array, data: float, neighbour: float) -> Array:
    """The released number: its likelihood ratio rises with it."""
    return outputs
