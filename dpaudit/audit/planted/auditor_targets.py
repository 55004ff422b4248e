"""The auditors of `auditors` as audit targets, each as it is broken and as it is right."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpaudit.audit.planted import auditors
from dpaudit.audit.planted.auditors import Bounds
from dpaudit.content.audits import Audit
from dpaudit.records.privacy import ApproximateDP, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

GAUSSIAN = ("identical", "Gaussian at delta 0.1")
"""The laws of auditors that assume normal scores."""
AUDITS_OF_TWINS = TrialPlan(smoke=200, standard=2_000, deep=12_000)
"""Of each law."""


@dataclass(frozen=True)
class Case:
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


TFP = (
    "https://github.com/tensorflow/privacy/blob/master/tensorflow_privacy/privacy/privacy_tests/epsilon_lower_bound.py"
)
METER = "https://github.com/privacytrustlab/ml_privacy_meter"
CASES = (
    Case(
        "absolute-mu", auditors.absolute_mu, "split-mu", auditors.split_mu,
        "An auditor that takes the absolute value of mu",
        "jax_privacy 2.0.0, https://github.com/google-deepmind/jax_privacy/blob/v2.0.0/jax_privacy/auditing.py",
        "two identical distributions are called private information, always", 20, GAUSSIAN,
    ),
    Case(
        "best-threshold", auditors.best_threshold, "split-threshold", auditors.split_threshold,
        "An auditor that reports its best threshold without correction", TFP,
        "one correct mechanism in five is called leaky at 95 %", 150,
    ),
    Case(
        "delta-ignored", auditors.delta_ignored, "split-threshold", auditors.split_threshold,
        "An auditor that leaves delta out", METER,
        "a mechanism that keeps its (epsilon, delta) is called leaky", 20,
    ),
    Case(
        "point-estimate", auditors.point_estimate, "split-threshold", auditors.split_threshold,
        "An auditor that takes observed rates for true ones", METER,
        "half of all correct mechanisms that use their budget are called leaky", 60,
    ),
    Case(
        "either-direction", auditors.either_direction, "mean-shift", auditors.mean_shift,
        "An auditor that tries both directions at the whole alpha", TFP,
        "twice as many correct mechanisms are called leaky as is said", 2_000, GAUSSIAN,
    ),
    Case(
        "doubled-alpha", auditors.doubled_alpha, "fixed-threshold", auditors.fixed_threshold,
        "An auditor that takes one-sided bounds for ends of two-sided intervals",
        "https://github.com/vdorseuil/bb-audit-dpsgd/commit/217f31d",
        "more correct mechanisms are called leaky than is said", 12_000,
    ),
    Case(
        "peeking", auditors.peeking, "few-looks", auditors.few_looks,
        "An auditor that stops when its bound suits it",
        "Waudby-Smith, Ramdas (2024), https://arxiv.org/abs/2010.09686, on what sequential bounds must pay for",
        "one correct mechanism in six is called leaky at 95 %", 300, GAUSSIAN,
    ),
)  # fmt: skip
