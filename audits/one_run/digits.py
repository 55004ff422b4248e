"""DP-SGD on digits at epsilon 1, audited in one training with 500 mislabelled canaries; and without its noise.

What: softmax regression on 512 random features, 50 full-batch steps with clipping and Gaussian noise; with the bug,
trained without clipping and noise. The same training without its noise shows what the scores can give away.
Why: one training is what an auditor can afford of a large model; each canary is a coin that it guesses. Mislabelled
canaries that the model was trained with have a smaller loss than others: one training without noise must give them
away, the training with noise must not.
Worst-case neighbours: none are chosen; a mislabelled record is a hard one to learn, and in or out by a coin.
The adversary sees the loss of every canary under the final model, and trains 32 shadow models with coins of its own.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.audit import membership
from dpaudit.audit.membership import Training
from dpaudit.content.audits import Audit, planted
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import PlantedBug, Target, Tier, TrialPlan

CANARIES, SHADOWS = 500, 32
TRAININGS = TrialPlan(smoke=2, standard=2, deep=2)
PRIVATE = Training(steps=50, learning_rate=45.0, clip_norm=0.5, noise_multiplier=26.4)
WITHOUT_NOISE = Training(steps=100, learning_rate=50.0)

CORRECT = Target(
    name="mia/one-run-digits",
    title="DP-SGD on digits at epsilon 1, one training with 500 canaries",
    view=View.LOSS,
    claim=claim(mu=0.268, source="50 Gaussian releases of noise multiplier 26.4 are 0.268-GDP, (1, 1e-5)-DP"),
    trials=TRAININGS,
    needs=(("sklearn", "mia"),),
    canaries=CANARIES,
    effect="who was in the training set shows in the losses more clearly than at epsilon 1",
)
NO_NOISE = planted(
    CORRECT,
    "known-bad/one-run-digits-no-noise",
    "Digits without noise, one training with 500 canaries",
    from_level=Level.STANDARD,
    source="the guarantee of the training with noise, (1, 1e-5)-DP",
    trials=TRAININGS,
    effect="most people whose data stand out can be named as members of the training set, with few errors",
    bug=PlantedBug(
        "Steinke, Nasr, Jagielski (2023), https://arxiv.org/abs/2305.08846, on what one run can find", Tier.GAME, 500
    ),
)


def audit(target: Target, training: Training) -> Audit:
    """The training, and the same without its noise."""
    silenced = replace(training, noise_multiplier=0.0)
    return Audit(target, run=partial(scores, training), without_noise=partial(scores, silenced))


def scores(training: Training, included: Flags, trials: Trials) -> Array:
    """Named scores of one training with the canaries of `included`; shadow models throw coins of their own."""
    rng = np.random.default_rng(int(trials.seeds()[0]))
    task = membership.digits(rng, CANARIES)
    return named_scores(np.arange(CANARIES), membership.one_run_scores(task, included, training, SHADOWS, rng))


AUDITS = (audit(CORRECT, PRIVATE), audit(NO_NOISE, WITHOUT_NOISE))
