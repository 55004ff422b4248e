"""SubERM: known indices, hidden indices, the last output alone, and a regulariser.

What: Algorithms 3 and 4, whose phases halve in length; indices are drawn with replacement.
Why: for rho >> r lemma 5 is proved with 2 in place of its 1500: given b_i hits a phase is at most 2 beta b_i-GDP, and
linear records attain it. Noise that is too small, a phase that starts from an average without noise, a weight that is
not 1 near the centre, or indices that are not uniform show.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0; a hit at the first step of a phase enters
all averaged iterates.
The adversary sees every x_i, or the last one alone, and the indices where they are public; queries, iterates and
averages stay hidden.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.attacks import likelihood_ratio
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Composed, Gaussian, SelfComposed, WithReplacementSampled
from dpaudit.records.privacy import GaussianDP, Guarantee, Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

Indices = Integers

params = partial(sub_erm.Params, centre=(0.0,), radius=1.0, smoothing=1e6, lipschitz=1.0)
WHITE = params(privacy=1 / 4, steps=32, records=3)
HIT_PHASES = 4
WHITE_INDICES = np.ones(sub_erm.queries(WHITE), dtype=np.int64)
WHITE_INDICES[[0, 16, 24, 28]] = 0  # the first steps of the first four of five phases
GREY = params(privacy=1 / 4, steps=8, distance=0.2, records=8)
FINAL = params(privacy=1 / 3, steps=4, distance=0.2, records=4)
REGULARISED = params(privacy=0.3, steps=8, regulariser=4.0, distance=0.2, records=2)
REGULARISED_INDICES = np.array([0, 1, 1, 1, 0, 1, 0])  # the first step of every phase
SHIFTS = tuple(float(shift) for shift in sub_erm.canary_shifts(REGULARISED, REGULARISED_INDICES))


def claimed(params: sub_erm.Params) -> Composed:
    """Gaussian mechanisms on samples with replacement, one a phase."""
    mechanism = Gaussian(1 / (2 * params.privacy))
    return Composed(tuple(WithReplacementSampled(length, params.records, mechanism) for length, _, _ in params.phases))


CLAIMED = {"resque/sub-erm-grey-box": claimed(GREY), "resque/sub-erm-final": claimed(FINAL)}
"""Whose epsilons, rounded up, are the points of the claims."""


def neighbours(records: int, rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records of which the first is x or -x and the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (records - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, (sign,)), *others]) for sign in (1.0, -1.0))  # type: ignore[return-value]


def phases(params: sub_erm.Params, indices: Indices | None, data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, ... of every trial, shape (trials, phases, 1); indices: public ones."""
    return sub_erm.cpu(params, data, trials, indices).phases


def final(params: sub_erm.Params, data: RidgeLosses, trials: Trials) -> Array:
    """x_k of every trial, shape (trials, 1)."""
    return sub_erm.cpu(params, data, trials).final


def score_white(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio given the indices, with all weights 1."""
    return sub_erm.canary_log_likelihood_ratio(WHITE, outputs, (1.0,), WHITE_INDICES)


def score_grey(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of the mixture over hidden indices, with all weights 1."""
    return sub_erm.canary_log_likelihood_ratio(GREY, outputs, (1.0,), records=GREY.records)


def score_final(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of x_k = -+ (half the shift of the hits) + N(0, sum of sigma_i^2)."""
    scales, records = np.array([sigma for _, _, sigma in FINAL.phases]), FINAL.records
    deviation = np.sqrt((scales**2).sum())
    hits = 1 - np.array(list(product((0, 1), repeat=sub_erm.queries(FINAL))))  # record numbers: 0 is a hit
    halves = sub_erm.canary_shifts(FINAL, hits) @ scales / (2 * deviation)
    weights = np.exp(-np.log(records) * (1 - hits).sum(axis=1) + np.log1p(-1 / records) * hits.sum(axis=1))
    moved = outputs[:, :1] / deviation
    on_data, on_neighbour = (np.exp(-((moved - mean) ** 2) / 2) @ weights for mean in (-halves, halves))
    return np.log(on_data / on_neighbour)


def score_regularised(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio given the indices: each average is what x_{i-1} shrinks to, moved by its hit."""
    seen = outputs[:, :, 0]
    starts = np.concatenate([np.zeros((len(seen), 1)), seen[:, :-1]], axis=1)
    scales = np.array([sigma for _, _, sigma in REGULARISED.phases])
    factors = [(1 + eta * REGULARISED.regulariser, length) for length, eta, _ in REGULARISED.phases]
    kept = [factor ** -np.arange(1.0, length + 1) for factor, length in factors]
    centres, halves = starts * [shrunk.mean() for shrunk in kept], np.array(SHIFTS) * scales / 2
    return likelihood_ratio.gaussian(seen, centres - halves, centres + halves, scales)


def claim(guarantee: Guarantee, source: str) -> PrivacyClaim:
    """`guarantee` for the replacement of a record, from Carmon et al."""
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=f"Carmon et al. (2023), {source}")


SAMPLED = "Gaussian mechanisms on samples with replacement"

# Known indices, four phases with a hit at their first step: 2 beta each, 1-GDP together.
WHITE_BOX = Audit(
    Target(
        name="resque/sub-erm-white-box",
        title="SubERM, known indices, all phase outputs",
        view=View.TRANSCRIPT,
        claim=claim(GaussianDP(1.0), "lemma 5 for rho >> r with its best constant: 2 beta b_i of Gaussian DP a phase"),
        trials=TrialPlan(smoke=50_000, standard=3_000_000, deep=10_000_000),
        truth=SelfComposed(Gaussian(2.0), HIT_PHASES),
        effect="whoever learns which records were drawn can tell a record apart more clearly than lemma 5 allows",
    ),
    partial(neighbours, WHITE.records),
    partial(phases, WHITE, WHITE_INDICES),
    score_white,
)

# Hiding the indices is what lemma 7 is about: a mixture over how often, and where, the record was drawn.
GREY_BOX = Audit(
    Target(
        name="resque/sub-erm-grey-box",
        title="SubERM, hidden indices, all phase outputs",
        view=View.TRANSCRIPT,
        claim=claim(
            PrivacyProfile(
                ((4.5492, 1e-05), (1.8349, 0.001), (0.748, 0.01), (0.2437, 0.05), (0.0576, 0.1), (0, 0.2)), SAMPLED
            ),
            f"lemmas 5 and 7 for rho >> r: {SAMPLED}",
        ),
        trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
        effect="a record shows in the phase outputs more clearly than sampling promises to hide it",
    ),
    partial(neighbours, GREY.records),
    partial(phases, GREY, None),
    score_grey,
)

# What a user of the solver sees: how much of the claim for all phases the last output gives away, with all their noise.
LAST_OUTPUT = Audit(
    Target(
        name="resque/sub-erm-final",
        title="SubERM, hidden indices, final output only",
        view=View.FINAL_MODEL,
        claim=claim(
            PrivacyProfile(
                ((4.4673, 1e-05), (2.4449, 0.001), (1.1109, 0.01), (0.4263, 0.05), (0.1711, 0.1), (0, 0.2)), SAMPLED
            ),
            f"lemmas 5 and 7 for rho >> r: {SAMPLED}",
        ),
        trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
        effect="the solution of a subproblem gives a record away more clearly than lemma 7 allows "
        "for all of its phases",
    ),
    partial(neighbours, FINAL.records),
    partial(final, FINAL),
    score_final,
)

# The composite step shrinks what a hit did, so that the exact mechanism leaks less than lemma 5 charges. A regulariser
# that is left out, or one whose centre is not the ball's, shows as a violation or as a loss of power.
WITH_REGULARISER = Audit(
    Target(
        name="resque/sub-erm-regularised",
        from_level=Level.STANDARD,
        title="SubERM with a regulariser, known indices, all phase outputs",
        view=View.TRANSCRIPT,
        claim=claim(
            GaussianDP(float(np.linalg.norm(SHIFTS)) * (1 + 1e-9)),
            "Algorithm 4 on linear records, known indices: section 4.3 of the specification",
        ),
        trials=TrialPlan(smoke=50_000, standard=5_000_000, deep=10_000_000),
        truth=Composed(tuple(Gaussian(1 / shift) for shift in SHIFTS)),
        effect="whoever learns which records were drawn can tell a record apart more clearly "
        "than the noise was made for",
    ),
    partial(neighbours, REGULARISED.records),
    partial(phases, REGULARISED, REGULARISED_INDICES),
    score_regularised,
)

AUDITS = (WHITE_BOX, GREY_BOX, LAST_OUTPUT, WITH_REGULARISER)
