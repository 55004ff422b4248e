"""Lower bounds on epsilon by jax-privacy 2.0.0: `CanaryScoreAuditor` on laws whose epsilon is known.

What: `epsilon_clopper_pearson` with Bonferroni's correction, in both directions, and on a split; `epsilon_from_gdp`.
Why: each takes a `significance`, the "allowed probability of failure": the share of audits in which the bound may
exceed the true epsilon. `epsilon_from_gdp` takes the absolute value of mu, so that scores without any signal, whose
error rates add up to more than 1, count as a large mu of the other sign.
Worst-case neighbours: none; the laws of `dpaudit.audit.coverage`, for `epsilon_from_gdp` those that keep its
assumption.
The adversary sees the scores.
Laws that differ are affected too: at delta 1e-5, of 150 audits each, 94 % of the bounds exceed the truth at mu 0.5 with
100 scores a side, 37 % at mu 1, 0.7 % at mu 2; "Gaussian at delta 0.1" alone shows none. The method calls its result an
estimate, the class lower bounds. Known as pull request 270, fixed upstream on 2026-07-27, after this release.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.context import Level
from dpaudit.records.privacy import View, claim
from dpaudit.records.target import Target
from dpaudit.records.verdict import Outcome

EVERY_LAW = (
    "identical",
    "randomised response, fair",
    "randomised response, nearly always true",
    "Laplace",
    "Laplace at delta 0.2",
    "Gaussian at delta 0.1",
)
GAUSSIAN_LAWS = ("identical", "Gaussian at delta 0.1")


@dataclass(frozen=True)
class Auditor:
    """One method of CanaryScoreAuditor. The adversary sees the scores."""

    TARGET: Target
    method: Callable[[Any, float, float], float]
    LAWS: tuple[str, ...] = EVERY_LAW

    def neighbours(self, rng: np.random.Generator) -> tuple[None, None]:
        """There is no data: the laws are known."""
        return None, None

    def bounds(self, scores_in: Array, scores_out: Array, delta: float, alpha: float) -> float:
        """The lower bound of the method."""
        from jax_privacy.auditing import CanaryScoreAuditor

        return float(self.method(CanaryScoreAuditor(scores_in, scores_out), delta, alpha))


def bonferroni(auditor: Any, delta: float, alpha: float) -> float:
    """Clopper-Pearson, every threshold at its share."""
    return float(auditor.epsilon_clopper_pearson(alpha, delta))


def two_sided(auditor: Any, delta: float, alpha: float) -> float:
    """The same in both directions."""
    return float(auditor.epsilon_clopper_pearson(alpha, delta, one_sided=False))


def split(auditor: Any, delta: float, alpha: float) -> float:
    """Clopper-Pearson at a threshold that half of the scores chose."""
    from jax_privacy.auditing import Split

    return float(auditor.epsilon_clopper_pearson(alpha, delta, threshold_strategy=Split(seed=0)))


def gaussian(auditor: Any, delta: float, alpha: float) -> float:
    """By the largest mu."""
    return float(auditor.epsilon_from_gdp(alpha, delta))


def target(kind: str, title: str, **options: Any) -> Target:
    """The target jax-privacy/<kind>."""
    return Target(
        name=f"jax-privacy/{kind}",
        title=f"jax-privacy, CanaryScoreAuditor: {title}",
        view=View.TRANSCRIPT,
        claim=claim(
            epsilon=0.0,
            delta=1e-5,
            source="jax-privacy 2.0.0, CanaryScoreAuditor: significance is the allowed probability of failure",
        ),
        trials=None,
        needs=(("jax_privacy", "third-party"),),
        effect="an audit calls mechanisms that leak nothing violated: two identical laws get an epsilon of 4",
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


AUDITS = (
    Auditor(target("clopper-pearson", "Clopper-Pearson with Bonferroni's correction"), bonferroni),
    Auditor(target("clopper-pearson-both", "Clopper-Pearson, both directions"), two_sided),
    Auditor(target("clopper-pearson-split", "Clopper-Pearson on a split"), split),
    Auditor(
        target(
            "epsilon-from-gdp",
            "epsilon_from_gdp",
            expects=Outcome.REFUTED,
            repair="jax-privacy/clopper-pearson",
        ),
        gaussian,
        GAUSSIAN_LAWS,
    ),
)
