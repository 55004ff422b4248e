"""DP-SRM with the noise of theorem 5.1: where its side conditions hold, where they fail, and the noise needed there.

What: estimates from one record each, momentum 1, and the noise of (2.3) and (2.5), or that of the exact accountant.
Why: the variances do not see the batch, only the conditions do. Where they hold the theorem keeps its word on the worst
data that there is for it, with room to spare; where they fail the noise formula alone protects nobody. The exact
accountant has no conditions on batches or orders, and needs no others.
Worst-case neighbours: linear losses with gradient -G; one record has G in the data set and -G in its neighbour.
The adversary sees every estimate v_p, not the batches, and knows the other records.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from dpaudit.algorithms.srm import dp_srm
from dpaudit.algorithms.srm.accounting.calibration import Setting, calibrate
from dpaudit.arithmetic.arrays import Array
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.problems.losses import linear
from dpaudit.records.context import Level
from dpaudit.records.mechanism import FixedSizeSampled, Gaussian, SelfComposed
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Target, TrialPlan
from dpaudit.records.verdict import Outcome

LIPSCHITZ = 1.0
HELD_RECORDS, HELD_STEPS, HELD_SHARE = 15, 60, 0.243
"""The share is beta, the largest feasible one to three digits."""
SMALL_RECORDS, SMALL_STEPS = 50, 10
HELD_NOISE = calibrate(
    Setting(HELD_RECORDS, HELD_STEPS, 1, 1, LIPSCHITZ, 1.0, 0.1, 1.0), epsilon=6.0, delta=1e-2, share=HELD_SHARE
)
PRINTED_NOISE = calibrate(
    Setting(SMALL_RECORDS, SMALL_STEPS, 1, 1, LIPSCHITZ, 1.0, 0.1, 1.0), epsilon=4.0, delta=1e-5, share=0.5
)
LEAST_MULTIPLIER = 0.579
"""The least of three digits with which `epsilon_bounds` of ten sampled steps gives at most 4."""


def params(records: int, steps: int, first_noise: float, noise: float) -> dp_srm.Params:
    """Batches of one record and momentum 1."""
    return dp_srm.Params(
        start=(0.0,), steps=steps, records=records, first_batch=1, batch=1, momentum=1.0, accuracy=0.1, divisor=1.0,
        smoothness=1.0, lipschitz=LIPSCHITZ, first_noise=first_noise, noise=noise,
    )  # fmt: skip


def neighbours(params: dp_srm.Params, rng: np.random.Generator) -> tuple[Array, Array]:
    """Gradients of the linear losses, shape (records, 1): -G but for one record, which is G in the data set."""
    neighbour = np.full((params.records, 1), -LIPSCHITZ)
    data = neighbour.copy()
    data[int(rng.integers(params.records))] = LIPSCHITZ
    return data, neighbour


def run(params: dp_srm.Params, data: Array, trials: Trials) -> Array:
    """Noisy estimates, shape (trials, steps, 1)."""
    return dp_srm.cpu(params, linear(data), trials)


def score(records: int, noise_multiplier: float, outputs: Array, data: Array, neighbour: Array) -> Array:
    """The log-likelihood ratio of a mixture at every step: the record is drawn with probability 1/n."""
    seen = (outputs[:, :, 0] + LIPSCHITZ) / (2 * LIPSCHITZ)
    odds = np.exp((seen - 0.5) / noise_multiplier**2)
    return np.asarray(np.log1p((odds - 1) / records).sum(axis=1))


def claim(epsilon: float, delta: float, part: str) -> PrivacyClaim:
    """Of theorem 5.1, `part`."""
    source = f"Wang, Jayaraman, Evans, Gu (2023), theorem 5.1, {part}"
    return PrivacyClaim(ApproximateDP(epsilon, delta), Neighbours.REPLACE_ONE, delta=delta, source=source)


def steps_of(params: dp_srm.Params, noise_multiplier: float) -> SelfComposed:
    """The exact law of a transcript."""
    return SelfComposed(FixedSizeSampled(1, params.records, Gaussian(noise_multiplier)), params.steps)


def audit(target: Target, params: dp_srm.Params, noise_multiplier: float) -> Audit:
    """A run with `params`; noise_multiplier: of one estimate, as the adversary knows."""
    return Audit(
        target, partial(neighbours, params), partial(run, params), partial(score, params.records, noise_multiplier)
    )


# The exact epsilon is 1.17 to 1.39. The conditions ask for a rate below 0.079 whatever the noise, which is why the
# claim is so large here.
HELD = params(HELD_RECORDS, HELD_STEPS, HELD_NOISE.first_noise, HELD_NOISE.noise)
HELD_MULTIPLIER = HELD.noise / (2 * LIPSCHITZ)
THEOREM = audit(
    Target(
        name="srm/theorem-5.1",
        title="DP-SRM with the noise of theorem 5.1, its conditions met",
        view=View.TRANSCRIPT,
        claim=claim(6.0, 1e-2, "its conditions met"),
        trials=TrialPlan(smoke=20_000, standard=100_000, deep=1_000_000),
        truth=steps_of(HELD, HELD_MULTIPLIER),
        effect="models trained with the noise of theorem 5.1 leak more about a record than epsilon 6 at delta 0.01",
        from_level=Level.STANDARD,
    ),
    HELD,
    HELD_MULTIPLIER,
)

# sigma'^2 is 0.047 where 0.7 is required, and the order is far too high. With so little noise a record shows whenever
# it is drawn, which is in a fifth of the runs.
PRINTED = params(SMALL_RECORDS, SMALL_STEPS, PRINTED_NOISE.first_noise, PRINTED_NOISE.noise)
PRINTED_MULTIPLIER = PRINTED.noise / (2 * LIPSCHITZ)
SMALL_BATCHES_PRINTED = audit(
    Target(
        name="srm/small-batches-printed",
        title="DP-SRM with batches of one record and the noise of theorem 5.1 as printed",
        view=View.TRANSCRIPT,
        claim=claim(4.0, 1e-5, "its noise without its side conditions"),
        trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=4_000_000),
        expects=Outcome.REFUTED,
        truth=steps_of(PRINTED, PRINTED_MULTIPLIER),
        effect="whoever takes the noise formula without its conditions gets epsilon 38 at delta 1e-5 instead of 4",
        repair="srm/small-batches-corrected",
    ),
    PRINTED,
    PRINTED_MULTIPLIER,
)

# 2.7 times the printed noise: the least, to 0.2 %, with which the exact composition is (4, 1e-5)-DP.
CORRECTED = params(
    SMALL_RECORDS, SMALL_STEPS, first_noise=2 * LIPSCHITZ * LEAST_MULTIPLIER, noise=2 * LIPSCHITZ * LEAST_MULTIPLIER
)
SMALL_BATCHES_CORRECTED = audit(
    Target(
        name="srm/small-batches-corrected",
        title="DP-SRM with batches of one record and the noise that they need",
        view=View.TRANSCRIPT,
        claim=claim(3.983, 1e-5, "with the exact composition"),  # `epsilon_bounds`, rounded up
        trials=TrialPlan(smoke=200_000, standard=1_000_000, deep=10_000_000),
        truth=steps_of(CORRECTED, LEAST_MULTIPLIER),
        claimed_mechanism=steps_of(CORRECTED, LEAST_MULTIPLIER),
        effect="the exact accountant of sampled steps does not give enough noise for batches of one record",
        from_level=Level.STANDARD,
    ),
    CORRECTED,
    LEAST_MULTIPLIER,
)

AUDITS = (THEOREM, SMALL_BATCHES_PRINTED, SMALL_BATCHES_CORRECTED)
