"""BiasReducedProx given the public level J = 1, the results of its three calls.

What: Algorithm 6 with T = 4 and one repetition, J fixed at 1: SubERM-sc at T = 4, at 8 with beta/sqrt(2), and at 4.
Why: J does not see the data, so that the promise holds given J, and the largest level costs most. The claim composes
all phases of all calls with their own beta, as Gaussian mechanisms on samples with replacement (rho >> r). A level that
runs with the beta of another one shows.
Worst-case neighbours: one record is L<u, x> or -L<u, x>, all others are 0.
The adversary sees J and the results of the three calls, not the phases inside the longer one.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from dpaudit.algorithms.resque import bias_reduced_prox, sub_erm
from dpaudit.algorithms.resque import sub_erm_strongly_convex as solver
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Target, TrialPlan

RECORDS, DIMENSION, LEVEL = 8, 9, 1
"""In nine dimensions the noise is so small against the ball that no projection hides a hit."""
PARAMS = bias_reduced_prox.Params(
    centre=(0.0,) * DIMENSION, radius=1.0, smoothing=1e6, privacy=0.3, steps=4, lipschitz=1.0, regulariser=1e-6,
    records=RECORDS, privacy_constant=1.0, repetitions=1,
)  # fmt: skip


def _calls(level: int) -> list[sub_erm.Params]:
    """The calls of SubERM behind one result."""
    at = solver.at_level(PARAMS, level)
    made = solver.schedule(at, np.array([at.regulariser]))
    return [solver.inner_params(at, call, np.zeros(DIMENSION)) for call in made]


CALLS = [_calls(level) for level in (0, LEVEL, LEVEL - 1)]
CLAIMED = {
    "resque/bias-reduced-prox": Composed(
        tuple(
            WithReplacementSampled(length, RECORDS, Gaussian(1 / (2 * call.privacy)))
            for calls in CALLS
            for call in calls
            for length, _, _ in call.phases
        )
    )
}
"""Whose epsilons, rounded up, are the points of the claim."""


def neighbours(rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Eight records of which the first is <u, x> or -<u, x> and the others are 0; u is the first coordinate."""
    u = np.eye(DIMENSION)[0]
    others = [(Ridge.ZERO, tuple(u))] * (RECORDS - 1)
    return tuple(ridge_losses([(Ridge.LINEAR, tuple(s * u)), *others]) for s in (1.0, -1.0))  # type: ignore[return-value]


def run(params: bias_reduced_prox.Params, data: RidgeLosses, trials: Trials) -> Array:
    """<u, result> of the three calls, shape (trials, 3)."""
    levels = np.full((len(trials), 1), LEVEL)
    return bias_reduced_prox.cpu(params, data, trials, levels).parts[:, 0, :, 0]


def score(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """The log-likelihood ratio of -+ (half the shift of the hits) + noise, a mixture over the hits of a result."""
    return np.sum([_ratio(outputs[:, i], calls) for i, calls in enumerate(CALLS)], axis=0)


def _ratio(values: Array, calls: list[sub_erm.Params]) -> Array:
    scales = np.concatenate([[sigma for _, _, sigma in call.phases] for call in calls])
    effects = []
    for call in calls:
        steps = np.eye(sub_erm.queries(call), dtype=np.int64)
        effects.append(sub_erm.canary_shifts(call, 1 - steps) @ [sigma for _, _, sigma in call.phases])
    each, deviation = np.concatenate(effects), np.sqrt((scales**2).sum())
    hits = np.array(list(product((0, 1), repeat=len(each))))
    halves, counts = hits @ each / (2 * deviation), hits.sum(axis=1)
    weights = RECORDS ** -counts.astype(float) * (1 - 1 / RECORDS) ** (len(each) - counts)
    moved = values[:, None] / deviation
    on_data, on_neighbour = (np.exp(-((moved - mean) ** 2) / 2) @ weights for mean in (-halves, halves))
    return np.log(on_data / on_neighbour)


AUDIT = Audit(
    Target(
        name="resque/bias-reduced-prox",
        title="BiasReducedProx given J = 1, the results of its calls",
        view=View.TRANSCRIPT,
        claim=PrivacyClaim(
            PrivacyProfile(
                ((2.8584, 1e-05), (1.1949, 0.001), (0.5974, 0.01), (0.225, 0.05), (0.0528, 0.1), (0, 0.2)),
                "Gaussian mechanisms on samples with replacement",
            ),
            Neighbours.REPLACE_ONE,
            delta=1e-5,
            source="Carmon et al. (2023), lemma 10, corrected: "
            "all calls composed with their own beta_i, rho >> r, given J",
        ),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=5_000_000),
        effect="the proximal oracle gives a record away more clearly than its calls together are charged for",
        from_level=Level.STANDARD,
    ),
    neighbours,
    partial(run, PARAMS),
    score,
)
