"""Sample splitting: a threshold from the first part of the trials, counts from the rest.

A fixed share of the trials of each side (they are exchangeable, so the first ones) chooses
the threshold and how alpha is shared; the rest is counted. The counts are then binomial given
the choice, and the Clopper-Pearson bounds hold as stated (held-out trials of one side must tell nothing about counted
ones of the other; beyond that the sides may depend on each other). However bad the choice, it can only
cost power.

The choice maximises the bound that the counted part would give if its rates were those of
the held-out part. In the extreme tail raw held-out counts favour lucky thresholds, so both
rates are smoothed over neighbouring thresholds (a cubic in the pooled rank, on the normal
quantile scale, kept within two standard errors of the raw rate) and two errors a side are
added. Measured on the Gaussian mechanism with mu = 1 at delta = 1e-5, 10^6 trials a side, this choice reaches
the mean tightness of the best fixed threshold (0.77, standard deviation 0.03).

Promises: the bound on epsilon and the bound on mu each fail with probability at most alpha, whatever the law of the
scores.

Assumes: the trials of a side are independent and alike. Held-out trials of one side must tell nothing about counted
ones of the other; beyond that the sides may depend on each other.

Decides: yes. It chooses the threshold at which a game with a fixed number of trials counts, for half of its error
probability. Where fewer than nine in ten of up to 40 held-out scores, 20 a side, are distinct, the printed
`mu_lower_95` is read off such a threshold too. No audit calls `lower_bound`.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.held_out_threshold import lower_bound
    >>> rng = np.random.default_rng(1)
    >>> found = lower_bound(rng.laplace(1.0, size=5_000), rng.laplace(size=5_000), 1e-5, 0.05, rng)  # epsilon is 1
    >>> 0.5 < found.epsilon_lower < 1
    True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import OperatingPoint, rate_lower, rate_upper, witnessed_epsilon, witnessed_mu

NAME = "Clopper-Pearson at a held-out threshold"
ASSUMES = ""
COVERS = True
SOURCE = "Clopper, Pearson (1934); Kairouz, Oh, Viswanath (2015), theorem 2.1"

Objective = Callable[[Array, Array], Array]
"""(upper bounds of false positive rates, lower bounds of true positive rates) -> what to maximise."""

HELD_OUT = 0.1
"""Share of the trials of each side that choose thresholds."""

SHARES = (0.1, 0.5, 0.9)
"""Parts of alpha that the bound on the true positive rate may be given; the rarer error deserves more."""

_RANKS = 120
_DRAWN = 12
_EXTRA_ERRORS = 2.0
_FEW = 8


@dataclass(frozen=True)
class Choice:
    """A test "score >= threshold says D" and the share of alpha that its true positive rate may use."""

    threshold: float
    share: float


@dataclass(frozen=True)
class Scores:
    """The scores of both sides, split once and sorted; "positive" are the trials on D, "negative" those on D'.

    unspent: no attack was fitted or chosen on the held-out trials, so that an estimator that needs none may count them.
    """

    held_positive: Array
    held_negative: Array
    positive: Array
    negative: Array
    unspent: bool = field(default=False, kw_only=True)

    def choose(self, objective: Objective, alpha: float) -> Choice:
        """The best threshold and share for `objective`, from the held-out trials alone.

        Threshold 0 and share 1/2 if either side has no held-out trial.
        """
        if not (len(self.held_positive) and len(self.held_negative)):
            return Choice(0.0, 0.5)
        thresholds, false_rate, true_rate = self.predicted()
        false_count = np.minimum(false_rate * len(self.negative) + _EXTRA_ERRORS, len(self.negative))
        true_count = np.maximum(true_rate * len(self.positive) - _EXTRA_ERRORS, 0.0)
        values = np.stack([
            objective(
                rate_upper(false_count, len(self.negative), alpha * (1 - share)),
                rate_lower(true_count, len(self.positive), alpha * share),
            )
            for share in SHARES
        ])  # fmt: skip
        best_share, best_threshold = np.unravel_index(int(np.argmax(values)), values.shape)
        return Choice(float(thresholds[best_threshold]), SHARES[best_share])

    def predicted(self, ranks: int = _RANKS) -> tuple[Array, Array, Array]:
        """Thresholds, ascending, and the false and true positive rates that the held-out trials predict there."""
        thresholds = _between(_candidates(self.held_negative, self.held_positive, ranks))
        return thresholds, *_predict(self.held_negative, self.held_positive, thresholds)

    def count(self, choice: Choice, alpha: float) -> OperatingPoint:
        """The counts of the chosen test on the trials that did not choose it."""
        threshold = np.array([choice.threshold])
        return OperatingPoint(
            threshold=choice.threshold,
            false_positives=int(_at_least(self.negative, threshold)[0]),
            negatives=len(self.negative),
            true_positives=int(_at_least(self.positive, threshold)[0]),
            positives=len(self.positive),
            alpha=alpha,
            share=choice.share,
        )

    def best_point(self, objective: Objective, alpha: float) -> OperatingPoint:
        """`count` at the threshold that `choose` finds."""
        return self.count(self.choose(objective, alpha), alpha)

    def staircase(self) -> tuple[Array, Array]:
        """Observed false and true positive rates of the counted part, from (0, 0) to (1, 1).

        At the thresholds of `spread`; (0, 0) and (1, 1) alone if a side is empty.
        """
        if not (len(self.negative) and len(self.positive)):
            return np.array([0.0, 1.0]), np.array([0.0, 1.0])
        thresholds = spread(self.negative, self.positive)[::-1]
        false_rate = np.concatenate([[0.0], _at_least(self.negative, thresholds) / len(self.negative), [1.0]])
        true_rate = np.concatenate([[0.0], _at_least(self.positive, thresholds) / len(self.positive), [1.0]])
        return false_rate, true_rate


def spread(negative: Array, positive: Array) -> Array:
    """At most 48 distinct scores of two sorted sides, ascending, for curves to be drawn.

    The highest on D' and the lowest on D at geometric ranks, where errors are rare, and both sides at even quantiles.
    """

    def at(ordered: Array, places: Array) -> Array:
        return ordered[np.round(places).astype(np.int64) - 1]

    rare = (
        at(negative[::-1], np.geomspace(1, len(negative), _DRAWN)),
        at(positive, np.geomspace(1, len(positive), _DRAWN)),
    )
    even = (at(side, np.linspace(1, len(side), _DRAWN)) for side in (negative, positive))
    return np.unique(np.concatenate([*rare, *even]))


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """Bounds on epsilon at delta and on mu, each from the threshold that is best for it; the region is the point of
    mu.
    """
    check_levels(delta, alpha)
    scores = split(positive, negative)
    if not (len(scores.positive) and len(scores.negative)):
        return Bound(0.0, 0.0, (), alpha)
    at_delta = scores.best_point(lambda f, t: witnessed_epsilon(f, t, delta), alpha)
    point = scores.best_point(witnessed_mu, alpha)
    region = ((point.false_positive_rate_upper, point.true_positive_rate_lower),)
    return Bound(at_delta.epsilon_lower(delta), point.mu_lower(), region, alpha)


def split(positive: ArrayLike, negative: ArrayLike, held_out: float = HELD_OUT) -> Scores:
    """Split and sort the scores of the trials on D (`positive`) and on D' (`negative`).

    One number a trial; infinities are scores like any other, NaN is refused (ContentError).
    """
    parts = []
    for scores in checked_scores(positive, negative):
        held = int(held_out * len(scores))
        parts.append((np.sort(scores[:held]), np.sort(scores[held:])))
    return Scores(parts[0][0], parts[1][0], parts[0][1], parts[1][1])


def _at_least(ordered: Array, thresholds: Array) -> Integers:
    return len(ordered) - np.searchsorted(ordered, thresholds, side="left")


def _candidates(negative: Array, positive: Array, ranks: int = _RANKS) -> Array:
    """Distinct scores at geometric ranks from both ends of both sides, ascending."""
    chosen = []
    for ordered in (negative, positive):
        place = np.unique(np.round(np.geomspace(1, len(ordered), ranks)).astype(np.int64))
        chosen += [ordered[place - 1], ordered[len(ordered) - place]]
    return np.unique(np.concatenate(chosen))


def _between(scores: Array) -> Array:
    """The lowest score and the middle of each gap: as far as possible from where counted scores may fall."""
    low, high = scores[:-1], scores[1:]
    with np.errstate(invalid="ignore"):
        middle = np.where(np.isfinite(low) & np.isfinite(high), low / 2 + high / 2, high)
    return np.concatenate([scores[:1], middle])


def _predict(negative: Array, positive: Array, thresholds: Array) -> tuple[Array, Array]:
    """Smoothed false and true positive rates at the thresholds, in [0, 1]; raw if there are few of them."""
    false, true = _at_least(negative, thresholds), _at_least(positive, thresholds)
    if len(thresholds) <= _FEW:
        return false / len(negative), true / len(positive)
    rank = ndtri((false + true + 0.5) / (len(negative) + len(positive) + 1))
    missed = len(positive) - true
    return _smooth(false, len(negative), rank), 1 - _smooth(missed, len(positive), -rank)


def _smooth(errors: Integers, trials: int, rank: Array) -> Array:
    """Error rates from a weighted cubic fit, kept between one standard error below and two above the raw rate."""
    raw = (errors + 0.5) / (trials + 1)
    quantile = ndtri(raw)
    density = np.exp(-quantile * quantile / 2) / np.sqrt(2 * np.pi)
    weight = 1 / np.sqrt(raw * (1 - raw) / trials / density**2 + 1e-4)
    powers = np.vander(rank, 4)
    fitted = np.linalg.lstsq(powers * weight[:, None], quantile * weight, rcond=None)[0]
    low = (errors - np.sqrt(errors)) / trials
    high = (errors + 1 + 2 * np.sqrt(errors + 1)) / trials
    return np.asarray(np.minimum(np.clip(ndtr(powers @ fitted), low, high), 1.0), dtype=np.float64)
