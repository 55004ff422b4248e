"""DP-SGD on digits at epsilon 1, audited in one training with 500 mislabelled canaries.

What: softmax regression on 512 random features, 50 full-batch steps with clipping and Gaussian noise.
Why: one training is what an auditor can afford of a large model; each canary is a coin that it guesses. The same model
without noise gives its canaries away (known-bad/one-run-digits-no-noise), this one must not.
Worst-case neighbours: none are chosen; a mislabelled record is a hard one to learn, and in or out by a coin.
The adversary sees the loss of every canary under the final model, and trains 16 shadow models with coins of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit import membership
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan

CANARIES, SHADOWS = 500, 16

TRAINING = membership.Training(steps=50, learning_rate=2.0, clip_norm=0.5, noise_multiplier=26.4)

TARGET = Target(
    name="mia/one-run-digits",
    title="DP-SGD on digits at epsilon 1, one training with 500 canaries",
    view=View.LOSS,
    claim=PrivacyClaim(
        GaussianDP(0.268),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="50 Gaussian releases of noise multiplier 26.4 are 0.268-GDP, (1, 1e-5)-DP",
    ),
    trials=TrialPlan(smoke=2, standard=2, deep=2),
    needs=(("sklearn", "mia"),),
    canaries=CANARIES,
    effect="who was in the training set shows in the losses more clearly than at epsilon 1",
)


def run(included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
    """Scores (1, canaries) of one training with the canaries of `included`; shadow models throw coins of their own."""
    rng = np.random.default_rng(int(trials.seeds()[0]))
    task = membership.digits(rng, CANARIES)
    return membership.one_run_scores(task, included, TRAINING, SHADOWS, rng)[None]
