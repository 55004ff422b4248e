"""The coupling behind the hidden-state bound: the coupled run on D' has the law of a run on D'.

What: two steps along two of three directions, once on D' alone and once as the second run of the coupling, whose
directional noise is shifted by what the data change.
Why: the proof of theorem 3.2 replaces the run on D' by one that uses the slopes of D and noise with another mean. If
both had not the same law it would speak of another algorithm. The claim is 0-GDP: nothing tells them apart.
Neighbours: not two data sets but two ways to run on the same one.
The adversary sees the last iterate.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpaudit.algorithms.zeroth import hidden_state_couplings, noisy_zogd
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.mechanism import Constant
from dpaudit.records.privacy import GaussianDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.sampling.batches import Batches

Array = NDArray[np.float64]

DIMENSION = 3
CANARY = np.array([0.3, -0.2, 0.1])
Side = tuple[str, Array, Array]

PARAMS = hidden_state_couplings.Params(
    start=(0.0,) * DIMENSION,
    steps=2,
    batches=Batches("all records", 2, 2),
    directions=2,
    step_size=1.0,
    perturbation=0.5,
    clip_norm=1.0,
    noise=0.2,
    variance_share=0.5,
    coupling="shared isotropic noise",
)

TARGET = Target(
    name="zeroth/coupling",
    title="Coupled run of the hidden-state bound against a run of its own",
    view=View.HIDDEN_STATE,
    claim=PrivacyClaim(
        GaussianDP(0.0),
        Neighbours.REPLACE_ONE,
        delta=1e-5,
        source="Chien, Chen, Li (2025), proof of theorem 3.2, equation (6) with the mean along each direction",
    ),
    trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=1_000_000),
    truth=Constant(),
    effect="the hidden-state bound is proved for another process than the algorithm",
)


def neighbours(rng: np.random.Generator) -> tuple[Side, Side]:
    """The run on D' alone, and the run on D' that is coupled to one on D: which one, D and D', of shape (2, d)."""
    shared = 0.2 * rng.uniform(-1, 1, size=DIMENSION)
    own, other = np.stack([CANARY, shared]), np.stack([-CANARY, shared])
    return ("alone", own, other), ("coupled", own, other)


def run(data: Side, trials: Trials) -> Array:
    """Last iterates on D', shape (trials, d)."""
    which, own, other = data
    if which == "alone":
        return noisy_zogd.cpu(PARAMS.single, linear(other), trials, release="final")
    pair = hidden_state_couplings.Neighbouring(linear(own), linear(other))
    return hidden_state_couplings.cpu(PARAMS, pair, trials, release="final")[:, DIMENSION:]


def score(outputs: Array, data: Side, neighbour: Side) -> Array:
    """Larger where the run went less far along the change of the data, and less far at all."""
    return np.asarray(-4 * outputs @ CANARY - (outputs**2).sum(axis=1))
