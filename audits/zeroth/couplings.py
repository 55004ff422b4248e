"""The coupling behind the hidden-state bound: does the coupled run on D' have the law of a run on D'?

What: two steps along two of three directions, once on D' alone and once as the second run of the coupling, whose
directional noise is shifted by what the data change.
Why: the proof of theorem 3.2 replaces the run on D' by one that uses the slopes of D and noise with another mean. If
both had not the same law it would speak of another algorithm. The claim is 0-GDP: nothing tells them apart. Equation
(6) gives every one of the K directional noises the whole vector psi'(W') - psi(W') as its mean, where only the
component along its own direction makes the coupled run a run on D'. To the letter the difference of the data is added K
times.
Neighbours: not two data sets but two ways to run on the same one.
The adversary sees the last iterate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.algorithms.zeroth import hidden_state_couplings, noisy_zogd
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Constant
from dpaudit.records.privacy import Neighbours, View, claim
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome
from dpaudit.sampling.batches import Batches

DIMENSION = 3
CANARY = np.array([0.3, -0.2, 0.1])
Side = tuple[str, Array, Array]

ALONG_EACH = hidden_state_couplings.Params(
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
TO_THE_LETTER = replace(ALONG_EACH, coupling="mean as printed")


def neighbours(rng: np.random.Generator) -> tuple[Side, Side]:
    """The run on D' alone, and the run on D' that is coupled to one on D: which one, D and D', of shape (2, d)."""
    shared = 0.2 * rng.uniform(-1, 1, size=DIMENSION)
    own, other = np.stack([CANARY, shared]), np.stack([-CANARY, shared])
    return ("alone", own, other), ("coupled", own, other)


def run(params: hidden_state_couplings.Params, data: Side, trials: Trials) -> Array:
    """Last iterates on D', shape (trials, d)."""
    which, own, other = data
    if which == "alone":
        return noisy_zogd.cpu(params.single, linear(other), trials, release="final")
    pair = hidden_state_couplings.Neighbouring(linear(own), linear(other))
    return hidden_state_couplings.cpu(params, pair, trials, release="final")[:, DIMENSION:]


def score(outputs: Array, data: Side, neighbour: Side) -> Array:
    """Larger where the run went less far along the change of the data, and less far at all."""
    return np.asarray(-4 * outputs @ CANARY - (outputs**2).sum(axis=1))


CORRECTED = Audit(
    Target(
        name="zeroth/coupling",
        title="Coupled run of the hidden-state bound against a run of its own",
        view=View.HIDDEN_STATE,
        claim=claim(
            mu=0.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), proof of theorem 3.2, equation (6) with the mean along each direction",
        ),
        trials=TrialPlan(smoke=100_000, standard=1_000_000, deep=1_000_000),
        truth=Constant(),
        effect="the hidden-state bound is proved for another process than the algorithm",
        from_level=Level.STANDARD,
    ),
    neighbours,
    partial(run, ALONG_EACH),
    score,
)

PRINTED = replace(
    CORRECTED,
    target=Target(
        name="zeroth/coupling-as-printed",
        title="Coupled run of the hidden-state bound with the mean of equation (6) as printed",
        view=View.HIDDEN_STATE,
        claim=claim(
            mu=0.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="Chien, Chen, Li (2025), proof of theorem 3.2, equation (6) as printed",
        ),
        trials=TrialPlan(smoke=20_000, standard=1_000_000, deep=1_000_000),
        expects=Outcome.REFUTED,
        effect="the coupled run counts its data K times, so that the proof bounds another process",
        repair="zeroth/coupling",
        from_level=Level.STANDARD,
    ),
    run=partial(run, TO_THE_LETTER),
)

AUDITS = (CORRECTED, PRINTED)
