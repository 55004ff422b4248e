"""SubERM with planted bugs that the auditor must find; the first four are those of section 4.4 of the specification.

What: Algorithm 3 with eight steps, that is phases of 4, 2 and 1, and indices that the adversary knows.
Why: each claim is that of the algorithm without the bug.
Worst-case neighbours: the first record is L<u, x> or -L<u, x>, or L|<u, x>| or 0, all others are 0.
The adversary sees the indices and every x_i, or x_k alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, RidgeLosses, ridge_losses
from dpaudit.records.context import Level
from dpaudit.records.mechanism import Composed, Gaussian, WithReplacementSampled
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, PrivacyProfile, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Indices = Integers

params = partial(sub_erm.Params, centre=(0.0,), radius=1.0, smoothing=1e6, steps=8, distance=0.2, lipschitz=1.0)
HALF, ONE, MANY = (params(privacy=beta, records=records) for beta, records in ((1 / 2, 2), (1.0, 2), (1 / 2, 64)))
"""Honest parameters: of privacy 1/2 and 1 on two records, and of 1/2 on 64."""
FIRST_STEP = np.array([0, 1, 1, 1, 1, 1, 1])
LAST_STEP = np.array([1, 1, 1, 0, 1, 1, 1])
EVERY_PHASE = np.array([0, 1, 1, 1, 0, 1, 0])
IN_ORDER = np.arange(sub_erm.queries(MANY))
CLAIMED = {
    "known-bad/resque-public-indices": Composed(
        tuple(WithReplacementSampled(length, 64, Gaussian(1 / (2 * MANY.privacy))) for length, _, _ in MANY.phases)
    )
}
"""Whose epsilons, rounded up, are the points of the claim."""


def neighbours(records: int, first: tuple[Ridge, Ridge], rng: np.random.Generator) -> tuple[RidgeLosses, RidgeLosses]:
    """Records of which the first is of either kind, in the direction -1 for a second linear one; the others are 0."""
    others = [(Ridge.ZERO, (1.0,))] * (records - 1)
    signs = (1.0, -1.0 if first[1] is Ridge.LINEAR else 1.0)
    pair = zip(first, signs, strict=True)
    return tuple(ridge_losses([(kind, (sign,)), *others]) for kind, sign in pair)  # type: ignore[return-value]


turned = partial(neighbours, 2, (Ridge.LINEAR, Ridge.LINEAR))


def phases(params: sub_erm.Params, indices: Indices, data: RidgeLosses, trials: Trials) -> Array:
    """x_1, x_2, x_3 of every trial, shape (trials, phases, 1)."""
    return sub_erm.cpu(params, data, trials, indices).phases


def last_noise(params: sub_erm.Params, indices: Indices, data: RidgeLosses, trials: Trials) -> Array:
    """x_k without the noise of the earlier phases, which on linear records adds to all that follows; (trials, 1)."""
    done = sub_erm.cpu(params, data, trials, indices)
    return done.final - (done.phases - done.averages)[:, :-1].sum(axis=1)


def believer(
    params: sub_erm.Params, indices: Indices, outputs: Array, data: RidgeLosses, neighbour: RidgeLosses
) -> Array:
    """The log-likelihood ratio of an adversary who knows the indices and believes in `params`."""
    return sub_erm.canary_log_likelihood_ratio(params, outputs, (1.0,), indices)


def leftness(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """Minus x_k: the record of D pulls it to the left."""
    return -outputs[:, 0]


def one_sided(outputs: Array, data: RidgeLosses, neighbour: RidgeLosses) -> Array:
    """How far all phases together moved to one side, in units of their noise."""
    moves = np.diff(outputs[:, :, 0], axis=1, prepend=0.0)
    return np.abs((moves / [sigma for _, _, sigma in ONE.phases]).sum(axis=1))


def claim(guarantee: Guarantee, source: str) -> PrivacyClaim:
    """`guarantee` for the replacement of a record, at delta = 1e-5."""
    return PrivacyClaim(guarantee, Neighbours.REPLACE_ONE, delta=1e-5, source=source)


bad = partial(Target, control=Control.KNOWN_BAD, expects=Outcome.REFUTED)

# sigma_i = L eta_i/(10 beta): the run is 10-GDP, drawn once, at the first step.
TENTH_NOISE = Audit(
    bad(
        name="known-bad/resque-tenth-noise",
        from_level=Level.STANDARD,
        title="SubERM with a tenth of the noise that it claims",
        view=View.TRANSCRIPT,
        claim=claim(
            GaussianDP(1.0),
            "Carmon et al. (2023), lemma 5 for rho >> r with its best constant, the noise before the bug",
        ),
        trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
        truth=Gaussian(1 / 10),
        effect="one look at the first phase output names the record that was used, at epsilon 92 instead of 4.4",
        repair="resque/sub-erm-white-box",
        bug=PlantedBug("https://github.com/opendp/smartnoise-core/issues/316", Tier.GAME, 100),
    ),
    turned,
    partial(phases, replace(HALF, control="tenth_noise"), FIRST_STEP),  # the bug
    partial(believer, HALF, FIRST_STEP),
)

# Step j reads record j, as a loop over a data set does, where the accounts assume indices that are drawn at random and
# kept secret: the first phase output is a Gaussian mechanism in which the first record is read for certain.
PUBLIC_INDICES = Audit(
    bad(
        name="known-bad/resque-public-indices",
        title="SubERM in a public order, with the privacy of hidden indices",
        view=View.TRANSCRIPT,
        claim=claim(
            PrivacyProfile(
                ((3.7578, 1e-05), (0.4818, 0.001), (0.1118, 0.01), (0, 0.05)),
                "Gaussian mechanisms on samples with replacement",
            ),
            "Carmon et al. (2023), lemmas 5 and 7 for rho >> r: Gaussian mechanisms on samples with replacement",
        ),
        trials=TrialPlan(smoke=20_000, standard=500_000, deep=1_000_000),
        truth=Gaussian(1 / (2 * MANY.privacy)),
        effect="records at the front lose the protection of sampling: the best adversary's true positive rate exceeds "
        "its false positive rate by 0.38, where 0.05 is claimed to be the most",
        repair="resque/sub-erm-grey-box",
        bug=PlantedBug("Chua et al. (2024), https://arxiv.org/abs/2403.17673", Tier.GAME, 500),
    ),
    partial(neighbours, MANY.records, (Ridge.LINEAR, Ridge.LINEAR)),
    partial(phases, MANY, IN_ORDER),  # the bug
    partial(believer, MANY, IN_ORDER),
)

# The Gaussian queries xi of phase 1 are taken again in phases 2 and 3. Fresh ones hide a record with a kink: it pulls
# each phase to the left or to the right by a coin of its own. With the same queries all phases are pulled to one side.
# Lemma 5 holds for every value of the queries; what is refuted is the exact curve of this pair with fresh ones.
REUSED_QUERIES = Audit(
    bad(
        name="known-bad/resque-reused-queries",
        title="SubERM with one set of queries for all phases",
        view=View.TRANSCRIPT,
        claim=PrivacyClaim(
            ApproximateDP(1.0, 0.15),
            Neighbours.REPLACE_ONE,
            delta=0.15,
            source="exact law of this pair with fresh queries: "
            "(N(-beta, 1) + N(beta, 1))/2 against N(0, 1), three times",
        ),
        trials=TrialPlan(smoke=50_000, standard=1_000_000, deep=5_000_000),
        effect="the phases no longer hide each other's side: what one phase leaves open the next ones confirm",
        repair="resque/sub-erm-white-box",
        bug=PlantedBug("https://github.com/jax-ml/jax/pull/3646", Tier.GAME, 5_000),
    ),
    partial(neighbours, 2, (Ridge.ABSOLUTE, Ridge.ZERO)),
    partial(phases, replace(ONE, control="reused_queries"), EVERY_PHASE),  # the bug
    one_sided,
)

# x_i is y_T plus noise, not the average, which shrinks a late hit, here at the last step of phase 1, by the length of
# the phase. Lemma 5 charges every hit as if it came first, so that its own bound holds.
LAST_ITERATE = Audit(
    bad(
        name="known-bad/resque-last-iterate",
        title="SubERM with its noise on the last iterate",
        view=View.TRANSCRIPT,
        claim=claim(
            GaussianDP(2 * ONE.privacy / 4),
            "Carmon et al. (2023), Algorithm 3 on linear records, a hit at step 4 of 4: 2 beta/4 of Gaussian DP",
        ),
        trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
        truth=Gaussian(1 / (2 * ONE.privacy)),
        effect="records that are read late in a phase are exposed as much as those that are read first: four times",
        repair="resque/sub-erm-final",
        bug=PlantedBug(
            "Carmon et al. (2023), https://arxiv.org/abs/2301.00457, algorithm 3 without its average", Tier.GAME, 100
        ),
    ),
    turned,
    partial(phases, replace(ONE, control="last_iterate"), LAST_STEP),  # the bug
    partial(believer, ONE, LAST_STEP),
)

# Only x_k is returned, and only the last phase is given its noise. But noise shrinks with the step size, by 4 a phase:
# that of the last one does not hide what a hit did in the first, whose shift is 16 times as large.
LAST_PHASE_NOISE = Audit(
    bad(
        name="known-bad/resque-last-phase-noise",
        from_level=Level.STANDARD,
        title="SubERM with noise in its last phase only",
        view=View.FINAL_MODEL,
        claim=claim(
            GaussianDP(1.0),
            "Carmon et al. (2023), lemma 5 for rho >> r with its best constant, noise in every phase",
        ),
        trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
        truth=Gaussian(1 / 16),
        effect="the returned point names the record that was used, at epsilon 195 instead of 4.4",
        repair="resque/sub-erm-white-box",
        bug=PlantedBug(
            "Carmon et al. (2023), https://arxiv.org/abs/2301.00457, algorithm 3 with the noise of one phase",
            Tier.GAME,
            100,
        ),
    ),
    turned,
    partial(last_noise, HALF, FIRST_STEP),  # the bug
    leftness,
)

AUDITS = (TENTH_NOISE, PUBLIC_INDICES, REUSED_QUERIES, LAST_ITERATE, LAST_PHASE_NOISE)
