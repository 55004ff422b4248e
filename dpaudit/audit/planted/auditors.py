"""Lower bounds on epsilon from scores, correct and with the bugs that auditors have had, and both as audit targets.

All are functions bounds(scores_in, scores_out, delta, alpha) -> float of scores (n,) on two data sets, larger where an
output looks more like the first one; what they return exceeds the true epsilon with probability alpha at most, if all
is right. Correct ones: `split_threshold`, `mean_shift` (Gaussian scores of known standard deviation 1), `split_mu`
(Gaussian trade-offs), `few_looks`, `fixed_threshold`, `joined_by_name` (one run).
CASES says which is the repair of which bug, and the sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.planted.joins import joined_by_name, joined_by_position
from dpaudit.content.audits import Audit
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.records.context import Level
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Bounds = Callable[[Array, Array, float, float], float]

LOOKS = 10
"""How often a sequential auditor looks at its scores."""


def split_threshold(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct: the threshold is chosen on half of the scores, both error rates are bounded on the other half."""
    threshold = _best_threshold(scores_in[::2], scores_out[::2], delta, alpha)
    return _epsilon(*_rates(scores_in[1::2], scores_out[1::2], threshold, alpha), delta)


def best_threshold(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the largest of the bounds of all thresholds, on the same scores, and each error rate at alpha."""
    threshold = _best_threshold(scores_in, scores_out, delta, 2 * alpha)
    return _epsilon(*_rates(scores_in, scores_out, threshold, 2 * alpha), delta)


def delta_ignored(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the epsilon of pure differential privacy, whatever the delta that was asked for."""
    return split_threshold(scores_in, scores_out, 0.0, alpha)


def point_estimate(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the observed error rates are taken for the true ones."""
    threshold = _best_threshold(scores_in[::2], scores_out[::2], delta, alpha)
    hits, alarms = (scores_in[1::2] > threshold).mean(), (scores_out[1::2] > threshold).mean()
    return _epsilon(max(float(alarms), 0.5 / len(scores_out)), float(hits), delta)


def split_mu(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct for Gaussian trade-offs: a lower bound on mu at the median, 0 where it is negative, as epsilon."""
    return gaussian_epsilon(delta, max(0.0, _mu(scores_in, scores_out, alpha)))


def absolute_mu(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the absolute value of the lower bound on mu: the less the scores say, the larger it is."""
    return gaussian_epsilon(delta, abs(_mu(scores_in, scores_out, alpha)))


def mean_shift(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct for normal scores of standard deviation 1: the one-sided z bound on the difference of the means."""
    return gaussian_epsilon(delta, _shift(scores_in.mean() - scores_out.mean(), len(scores_in), alpha))


def either_direction(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the larger of the bounds of both directions, each at the whole alpha."""
    return gaussian_epsilon(delta, _shift(abs(scores_in.mean() - scores_out.mean()), len(scores_in), alpha))


def fixed_threshold(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct: both error rates at the threshold 1/2, each bounded at alpha/2."""
    return _epsilon(*_rates(scores_in, scores_out, 0.5, alpha), delta)


def doubled_alpha(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: one-sided bounds at the level 1 - 2 alpha each, as if they were the ends of two-sided intervals."""
    return _epsilon(*_rates(scores_in, scores_out, 0.5, 4 * alpha), delta)


def few_looks(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Correct: the largest of LOOKS bounds as the scores come in, each at alpha / LOOKS."""
    return _looks(scores_in, scores_out, delta, alpha / LOOKS)


def peeking(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Broken: the largest of LOOKS bounds as the scores come in, each at the whole alpha: stopping where it suits."""
    return _looks(scores_in, scores_out, delta, alpha)


def _looks(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    sizes = [len(scores_in) * look // LOOKS for look in range(1, LOOKS + 1)]
    shifts = [_shift(scores_in[:size].mean() - scores_out[:size].mean(), size, alpha) for size in sizes]
    return gaussian_epsilon(delta, max(shifts))


def _shift(difference: float, count: int, alpha: float) -> float:
    """The one-sided z bound on a difference of means of `count` scores each, at least 0."""
    return max(0.0, float(difference) + float(ndtri(alpha)) * math.sqrt(2 / count))


def _mu(scores_in: Array, scores_out: Array, alpha: float) -> float:
    """The lower bound on mu at the median of one half of all scores; negative where they say nothing."""
    threshold = float(np.median(np.concatenate([scores_in[::2], scores_out[::2]])))
    false_rate, true_rate = _rates(scores_in[1::2], scores_out[1::2], threshold, alpha)
    return float(np.clip(ndtri(true_rate) - ndtri(false_rate), -8, 8))


def _rates(scores_in: Array, scores_out: Array, threshold: float, alpha: float) -> tuple[float, float]:
    """False positive rate from above and true positive rate from below, each at alpha/2."""
    false_rate = rate_upper(int((scores_out > threshold).sum()), len(scores_out), alpha / 2)
    return float(false_rate), float(rate_lower(int((scores_in > threshold).sum()), len(scores_in), alpha / 2))


def _best_threshold(scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
    """Of the scores on both sides, the one whose bounded rates give the largest epsilon."""
    thresholds = np.unique(np.concatenate([scores_in, scores_out]))
    alarms = len(scores_out) - np.searchsorted(np.sort(scores_out), thresholds, side="right")
    hits = len(scores_in) - np.searchsorted(np.sort(scores_in), thresholds, side="right")
    true_rate = rate_lower(hits, len(scores_in), alpha / 2) - delta
    bounds = np.log(np.maximum(true_rate, 1e-300)) - np.log(rate_upper(alarms, len(scores_out), alpha / 2))
    return float(thresholds[np.argmax(bounds)])


def _epsilon(false_rate: float, true_rate: float, delta: float) -> float:
    """The epsilon that these rates refute, at least 0."""
    return max(0.0, math.log((true_rate - delta) / false_rate)) if true_rate > delta else 0.0


GAUSSIAN = ("identical", "Gaussian at delta 0.1")
"""The laws of auditors that assume normal scores."""
AUDITS_OF_TWINS = TrialPlan(smoke=200, standard=2_000, deep=12_000)
"""Of each law."""


@dataclass(frozen=True)
class Twins:
    """slug: of the broken target, `correct` and `twin`: function and slug of the one that is right; audits: of each law
    at which the bug is found nine times in ten; laws: that the auditor's assumptions allow, None for all."""

    slug: str
    broken: Bounds
    twin: str
    correct: Bounds
    title: str
    source: str
    effect: str
    audits: int
    laws: tuple[str, ...] | None = None

    def target(self, broken: bool) -> Target:
        """The target of the broken or of the correct auditor."""
        return Target(
            name=f"known-bad/auditor-{self.slug}" if broken else f"auditor/{self.twin}",
            title=self.title if broken else f"Lower bound on epsilon: {self.twin.replace('-', ' ')}",
            view=View.TRANSCRIPT,
            # An auditor claims nothing of a mechanism; what its bounds promise is in the statement of the verdict.
            claim=PrivacyClaim(ApproximateDP(math.inf, 0.0), Neighbours.ADD_OR_REMOVE, 1e-5, self.source),
            trials=None,
            control=Control.KNOWN_BAD if broken else Control.NONE,
            expects=Outcome.REFUTED if broken else Outcome.CONSISTENT,
            effect=self.effect if broken else "an auditor that is right is called wrong",
            repair=f"auditor/{self.twin}" if broken else "",
            bug=PlantedBug(self.source, Tier.COVERAGE, self.audits) if broken else None,
            from_level=Level.STANDARD if broken and self.audits > MOST_AT_SMOKE else Level.SMOKE,
        )

    def audit(self, broken: bool) -> Audit:
        """The audit of the broken or of the correct auditor."""
        own = TrialPlan(self.audits, max(self.audits, 1_000), max(self.audits, 10_000))
        return Audit(
            self.target(broken),
            bounds=self.broken if broken else self.correct,
            laws=self.laws,
            repetitions=own if broken else AUDITS_OF_TWINS,
        )


MOST_AT_SMOKE = 1_000
"""Audits of an auditor, of each law, that a smoke run has the time for."""

TFP = (
    "https://github.com/tensorflow/privacy/blob/master/tensorflow_privacy/privacy/privacy_tests/epsilon_lower_bound.py"
)
METER = "https://github.com/privacytrustlab/ml_privacy_meter"
CASES = (
    Twins(
        "absolute-mu", absolute_mu, "split-mu", split_mu,
        "An auditor that takes the absolute value of mu",
        "jax_privacy 2.0.0, https://github.com/google-deepmind/jax_privacy/blob/v2.0.0/jax_privacy/auditing.py",
        "two identical distributions are called private information, always", 20, GAUSSIAN,
    ),
    Twins(
        "best-threshold", best_threshold, "split-threshold", split_threshold,
        "An auditor that reports its best threshold without correction", TFP,
        "one correct mechanism in five is called leaky at 95 %", 150,
    ),
    Twins(
        "delta-ignored", delta_ignored, "split-threshold", split_threshold,
        "An auditor that leaves delta out", METER,
        "a mechanism that keeps its (epsilon, delta) is called leaky", 20,
    ),
    Twins(
        "point-estimate", point_estimate, "split-threshold", split_threshold,
        "An auditor that takes observed rates for true ones", METER,
        "half of all correct mechanisms that use their budget are called leaky", 60,
    ),
    Twins(
        "either-direction", either_direction, "mean-shift", mean_shift,
        "An auditor that tries both directions at the whole alpha", TFP,
        "twice as many correct mechanisms are called leaky as is said", 2_000, GAUSSIAN,
    ),
    Twins(
        "doubled-alpha", doubled_alpha, "fixed-threshold", fixed_threshold,
        "An auditor that takes one-sided bounds for ends of two-sided intervals",
        "https://github.com/vdorseuil/bb-audit-dpsgd/commit/217f31d",
        "more correct mechanisms are called leaky than is said", 12_000,
    ),
    Twins(
        "peeking", peeking, "few-looks", few_looks,
        "An auditor that stops when its bound suits it",
        "Waudby-Smith, Ramdas (2024), https://arxiv.org/abs/2010.09686, on what sequential bounds must pay for",
        "one correct mechanism in six is called leaky at 95 %", 300, GAUSSIAN,
    ),
    Twins(
        "joined-by-position", joined_by_position, "joined-by-name", joined_by_name,
        "An auditor that joins scores to canaries by their position",
        "https://github.com/JetBrains-Research/opaque, which joins them by identity",
        "one training of a correct mechanism is called leaky, always", 20,
    ),
)  # fmt: skip
