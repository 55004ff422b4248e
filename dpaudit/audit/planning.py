"""How many trials a claim needs, from tables, so that a target file is imported in no time.

The tables hold `power.trials_needed` at 5e-5, which is what a share of 1e-4 of the error budget leaves for the counts,
and chance 0.9: of a Gaussian mechanism against the mu-GDP claim that its noise would satisfy if it were 1/0.5 or 1/0.8
as large, and of a Laplace mechanism against an epsilon-DP claim. Between the rows logarithms are interpolated.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from dpaudit.arithmetic.roots import bisected
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import (
    Composed,
    FixedSizeSampled,
    Mechanism,
    PoissonSampled,
    WithReplacementSampled,
)
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyClaim
from dpaudit.records.target import TrialPlan

Table = tuple[tuple[float, int, int], ...]

FACTORS = (0.5, 0.8)
"""Shares of the claimed noise that a smoke and a standard audit catch."""

GAUSSIAN: Table = (
    (0.01, 3_407_872, 54_525_952), (0.02, 851_968, 13_631_488), (0.05, 137_216, 2_179_072), (0.1, 34_304, 548_864),
    (0.2, 8_704, 137_216), (0.5, 1_456, 22_528), (1.0, 444, 6_208), (1.5, 268, 3_232), (2.0, 228, 2_288),
    (3.0, 322, 1_952), (4.0, 768, 2_848), (5.0, 2_848, 6_592), (6.0, 13_184, 21_504), (8.0, 561_152, 626_688),
)  # fmt: skip
"""(mu, trials a side at half of the noise, at 0.8 of it)."""

LAPLACE: Table = (
    (0.01, 2_211_840, 35_913_728), (0.02, 565_248, 9_109_504), (0.05, 93_696, 1_466_368), (0.1, 25_216, 389_120),
    (0.2, 7_232, 108_544), (0.5, 1_696, 23_296), (1.0, 764, 9_344), (1.5, 612, 6_592), (2.0, 612, 5_888),
    (3.0, 888, 6_912), (4.0, 1_696, 10_560), (5.0, 3_680, 18_944), (6.0, 8_832, 37_888), (8.0, 54_272, 183_296),
)  # fmt: skip
"""(epsilon, trials a side at half of the noise, at 0.8 of it)."""

FEWEST = 400
"""Attacks are chosen on a tenth of the trials: with fewer they are chosen by chance."""

UNCERTAIN = 50_000
"""Smoke trials against one (epsilon, delta): whether any number shows half of the noise hangs on the mechanism."""


SAMPLED = (1.5, 2.0)
"""Smoke and standard trials of a mechanism on random batches over those of the Gaussian curve with the same epsilon:
enough from sixteen steps on, and from four on where batches hold a quarter of the records; one step takes up to ten
times as many (`benchmarks/sampled_power.py`)."""

_LARGEST_EPSILON = 30.0
_ROOM = 12.5
"""log(2/5e-5) over the 9 of 10 trials that are counted, and a twentieth more."""


def trials(claim: PrivacyClaim, mechanism: Mechanism | None = None, most: int = 1_000_000) -> TrialPlan:
    """smoke catches half of the noise 9 times in 10, standard 0.8 of it, deep has ten times the trials of standard.

    smoke has enough trials for its limit of detection to be above the claim. With a claimed mechanism they are those of
    the Gaussian curve with the same epsilon at the quoted delta, `SAMPLED` times as many on random batches; against one
    (epsilon, delta) with delta > 0 alone, `UNCERTAIN` and ten times as many. most: smoke trials at most; standard
    trials are then at most ten times as many.
    ConfigurationError for a claim of no leakage at all.
    """
    guarantee = claim.guarantee
    if isinstance(guarantee, GaussianDP):
        smoke, standard = _look_up(GAUSSIAN, guarantee.mu)
    elif isinstance(guarantee, ApproximateDP) and mechanism is not None and claim.delta > 0:
        smoke, standard = _look_up(GAUSSIAN, gaussian_mu(guarantee.epsilon, claim.delta))
        if _sampled(mechanism):
            smoke, standard = (math.ceil(more * one) for more, one in zip(SAMPLED, (smoke, standard), strict=True))
    elif isinstance(guarantee, ApproximateDP) and guarantee.delta == 0:
        smoke, standard = _look_up(LAPLACE, guarantee.epsilon)
    else:
        smoke, standard = UNCERTAIN, 10 * UNCERTAIN
    smoke = max(smoke, _shown(guarantee, claim.delta))
    smoke, standard = min(max(smoke, FEWEST), most), min(standard, 10 * most)
    return TrialPlan(smoke, max(smoke, standard), 10 * max(smoke, standard))


def _sampled(mechanism: Mechanism) -> bool:
    """Does any part of it run on random batches?"""
    parts = mechanism.mechanisms if isinstance(mechanism, Composed) else (getattr(mechanism, "mechanism", None),)
    sampled = isinstance(mechanism, PoissonSampled | FixedSizeSampled | WithReplacementSampled)
    return sampled or any(part is not None and _sampled(part) for part in parts)


def _shown(guarantee: Guarantee, delta: float) -> int:
    """Trials whose limit of detection is above the claimed epsilon: none wrong among e^epsilon log(2/alpha)."""
    if isinstance(guarantee, GaussianDP):
        epsilon = bisected(
            lambda one: _gaussian_delta(one, guarantee.mu) < delta, _LARGEST_EPSILON, 0.0, relative=1e-9
        ).inside
    else:
        epsilon = guarantee.epsilon if isinstance(guarantee, ApproximateDP) else 0.0
    return math.ceil(math.exp(min(epsilon, _LARGEST_EPSILON)) * _ROOM) + FEWEST // 8


def gaussian_mu(epsilon: float, delta: float) -> float:
    """The mu whose Gaussian mechanism has this epsilon at `delta`, to 1e-9; epsilon >= 0, finite."""
    return bisected(lambda mu: _gaussian_delta(epsilon, mu) > delta, 1000.0, 0.0, relative=1e-9).inside


def _gaussian_delta(epsilon: float, mu: float) -> float:
    """Balle and Wang 2018, theorem 8; the second term by its logarithm, since exp(epsilon) may overflow."""
    second = _normal(-epsilon / mu - mu / 2)
    return _normal(-epsilon / mu + mu / 2) - (math.exp(min(700.0, epsilon + math.log(second))) if second else 0.0)


def _normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def _look_up(table: Table, parameter: float) -> tuple[int, int]:
    """Both numbers of trials, never too few between rows that are close; the last row for all that is beyond it."""
    if not (0 < parameter < math.inf):
        raise ConfigurationError(
            f"no number of trials follows from a claim with parameter {parameter:g}; give trials=TrialPlan(...)"
        )
    if parameter < table[0][0]:  # trials grow with the inverse square
        factor = (table[0][0] / parameter) ** 2
        return math.ceil(table[0][1] * factor), math.ceil(table[0][2] * factor)
    place = min(max(bisect_left([row[0] for row in table], parameter), 1), len(table) - 1)
    low, high = table[place - 1], table[place]
    share = min(1.0, math.log(parameter / low[0]) / math.log(high[0] / low[0]))
    smoke, standard = (math.ceil(low[i] ** (1 - share) * high[i] ** share) for i in (1, 2))
    return smoke, standard
