"""DP-SGD on digits whose noise was forgotten, audited in one training: a planted bug that the auditor must find.

What: the model of mia/one-run-digits, trained without clipping and noise.
Why: the claim stays 0.268-GDP, epsilon 1 at delta 1e-5. Mislabelled canaries that the model was trained with have a
smaller loss than others, and one training with 500 of them is enough to refute the claim.
Worst-case neighbours: none are chosen; a mislabelled record is a hard one to learn, and in or out by a coin.
The adversary sees the loss of every canary under the final model, and trains 16 shadow models with coins of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit import membership
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

CANARIES, SHADOWS = 500, 16

TRAINING = membership.Training(steps=100, learning_rate=50.0)

TARGET = Target(
    name="known-bad/one-run-digits-no-noise",
    title="Digits without noise, one training with 500 canaries",
    view=View.LOSS,
    claim=PrivacyClaim(
        GaussianDP(0.268),
        Neighbours.ADD_OR_REMOVE,
        delta=1e-5,
        source="the guarantee of the training with noise, (1, 1e-5)-DP",
    ),
    trials=TrialPlan(smoke=2, standard=2, deep=2),
    needs=(("sklearn", "mia"),),
    canaries=CANARIES,
    control=Control.KNOWN_BAD,
    expects=Outcome.REFUTED,
    effect="most people whose data stand out can be named as members of the training set, with few errors",
    repair="mia/one-run-digits",
    bug=PlantedBug(
        "Steinke, Nasr, Jagielski (2023), https://arxiv.org/abs/2305.08846, on what one run can find",
        Tier.GAME,
        500,
    ),
)


def run(included: NDArray[np.bool_], trials: Trials) -> NDArray[np.float64]:
    """Scores (1, canaries) of one training with the canaries of `included`; shadow models throw coins of their own."""
    rng = np.random.default_rng(int(trials.seeds()[0]))
    task = membership.digits(rng, CANARIES)
    return membership.one_run_scores(task, included, TRAINING, SHADOWS, rng)[None]
