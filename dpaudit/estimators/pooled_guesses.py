"""Lower bound on epsilon at delta from the guesses that both tails allow, pooled into one test.

The distinguisher says D where the score is high, D' where it is low, and passes in between. On
D it is right with probability q1 and wrong with p2, on D' right with q2 and wrong with p1, and
(epsilon, delta)-DP states q1 <= e^epsilon p1 + delta and q2 <= e^epsilon p2 + delta.

Let each of T trials take its side by a fair coin. A trial is guessed with probability
g = (p1 + p2 + q1 + q2)/2, and a guess is wrong with probability w = (p1 + p2)/(2 g). The sum of
the two inequalities, divided by 2 g, reads 1 - w <= e^epsilon w + k delta/(2 g), where k (1 or
2) counts the tails in use: a tail that never guesses has q = p = 0 and needs no delta. So

    epsilon >= log((1 - w - k delta/(2 g)) / w).

The number N of guesses is Binomial(T, g) and, given N, the wrong ones are Binomial(N, w),
exactly, if all trials are independent. The right side falls in w and rises in g, so that a
Clopper-Pearson upper bound on w (error alpha * (1 - share)) and a lower one on g (error
alpha * share) bound epsilon with probability at least 1 - alpha (union bound). Two tails double
the wrong guesses that are seen, one bound on w replaces two on the error rates, and g is known
well, so that its share can be small.

The game plays fixed numbers on each side. T coins, thrown here, choose how many trials of each
side take part; which ones, is drawn without looking. T leaves a side four standard deviations; a
side that runs out all the same (probability below 1e-4) makes the bound 0.

Lemmas: `dpaudit/POOLED`, with the union bound, and `dpaudit/SIDES`.

Promises: the bound on epsilon fails with probability at most alpha, whatever the law of the scores. There is no bound
on mu.

Assumes: all trials are independent, within a side and across the sides, and alike on each side.

Decides: no. It prints `epsilon_lower_95` where fewer than nine in ten of up to 40 held-out scores, 20 a side, are
distinct.

Sources: guesses with abstention, Steinke, Nasr, Jagielski, "Privacy auditing with one (1) training
run" (2023); the rates as bounds, Kairouz, Oh, Viswanath (2015), theorem 2.1.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.pooled_guesses import lower_bound
    >>> rng = np.random.default_rng(1)
    >>> answers = rng.random((2, 5_000)) < [[0.73], [0.27]]  # randomised response of epsilon 1
    >>> 0.8 < lower_bound(*answers.astype(float), 1e-5, 0.05, rng).epsilon_lower < 1
    True
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.estimators.bound import Bound, check_levels
from dpaudit.estimators.clopper_pearson import rate_lower, rate_upper
from dpaudit.estimators.held_out_threshold import Scores, split

NAME = "pooled guesses"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = "Steinke, Nasr, Jagielski (2023) for guesses with abstention; Clopper, Pearson (1934)"

SHARES = (0.02, 0.1)
"""Parts of alpha that the bound on the rate of guesses may be given."""

_RANKS = 30
_UNLUCKY = 1.3
"""Standard deviations by which a choice is judged at worse counts than it expects: about one audit in
ten. The mean bound is flat around its best thresholds, its spread is not."""
_EXTRA_WRONG = 1.0
_RESERVE = 2.0
"""Four standard deviations of T fair coins, in units of sqrt(T)."""


@dataclass(frozen=True)
class Rule:
    """Says D at a score >= above, D' at a score < below <= above, else passes; one may be None: it never says so.

    share: the part of alpha for the bound on the rate of guesses, in (0, 1).
    """

    above: float | None
    below: float | None
    share: float

    @property
    def threshold(self) -> float:
        """The score from which it says D, or below which it says D' if it never says D."""
        return float(next(t for t in (self.above, self.below) if t is not None))


@dataclass(frozen=True)
class Guesses:
    """Counts of `rule` on `trials` trials whose side a fair coin took; trials 0 says nothing."""

    rule: Rule
    wrong: int
    right: int
    trials: int
    alpha: float

    def epsilon_lower(self, delta: float) -> float:
        """Lower bound on epsilon at `delta` in [0, 1), confidence 1 - alpha; at least 0."""
        tails = (self.rule.above is not None) + (self.rule.below is not None)
        found = _epsilon(self.wrong, self.right, self.trials, tails * delta, self.alpha, self.rule.share)
        return max(0.0, float(found))


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """A bound on epsilon at delta; nothing of mu and of the region."""
    check_levels(delta, alpha)
    found = best_guesses(split(positive, negative), delta, alpha, rng)
    return Bound(found.epsilon_lower(delta), 0.0, (), alpha)


def best_guesses(scores: Scores, delta: float, alpha: float, coins: np.random.Generator) -> Guesses:
    """The guesses of the rule that the held-out trials choose, on the other trials; `coins` take the sides."""
    return count(scores, choose(scores, delta, alpha), alpha, coins)


def choose(scores: Scores, delta: float, alpha: float) -> Rule:
    """The rule whose bound is best at slightly unlucky counts, from the held-out trials alone.

    Guesses at threshold 0 on both sides if either side has no held-out trial.
    """
    if not (len(scores.held_positive) and len(scores.held_negative)):
        return Rule(0.0, 0.0, SHARES[0])
    thresholds, false_rate, true_rate = scores.predicted(_RANKS)
    never = len(thresholds)  # one more place, for a tail that never guesses
    above, below = (place.ravel() for place in np.indices((never + 1, never + 1)))
    fits = np.where(below == never, above < never, below <= above)
    above, below = above[fits], below[fits]
    wrong = np.append(false_rate, 0.0)[above] + np.append(1 - true_rate, 0.0)[below]
    right = np.append(true_rate, 0.0)[above] + np.append(1 - false_rate, 0.0)[below]
    tails = (above < never).astype(float) + (below < never)
    trials = _coins(scores)
    values = np.stack([_expected(wrong, right, trials, tails * delta, alpha, share) for share in SHARES])
    share, place = np.unravel_index(int(np.argmax(values)), values.shape)
    above_end, below_end = (None if i == never else float(thresholds[i]) for i in (above[place], below[place]))
    return Rule(above_end, below_end, SHARES[share])


def count(scores: Scores, rule: Rule, alpha: float, coins: np.random.Generator) -> Guesses:
    """The guesses of `rule` on as many trials of each side as `coins` say, drawn without looking."""
    trials = _coins(scores)
    on_data = int(coins.binomial(trials, 0.5))
    if on_data > len(scores.positive) or trials - on_data > len(scores.negative):
        return Guesses(rule, 0, 0, 0, alpha)
    wrong = right = 0
    for ordered, part, is_data in ((scores.positive, on_data, True), (scores.negative, trials - on_data, False)):
        says_data = 0 if rule.above is None else len(ordered) - int(np.searchsorted(ordered, rule.above, "left"))
        says_other = 0 if rule.below is None else int(np.searchsorted(ordered, rule.below, "left"))
        everything = [says_data, says_other, len(ordered) - says_data - says_other]
        drawn = coins.multivariate_hypergeometric(everything, part, method="marginals")
        right += int(drawn[0 if is_data else 1])
        wrong += int(drawn[1 if is_data else 0])
    return Guesses(rule, wrong, right, trials, alpha)


def _coins(scores: Scores) -> int:
    """The largest T with T/2 + 2 sqrt(T) trials on the smaller side."""
    smaller = min(len(scores.positive), len(scores.negative))
    return int((math.sqrt(_RESERVE**2 + 2 * smaller) - _RESERVE) ** 2)


def _expected(wrong: Array, right: Array, trials: int, deltas: Array, alpha: float, share: float) -> Array:
    """The bound at slightly unlucky counts; wrong, right: sums of the rates on both sides."""
    wrong, right = wrong * trials / 2, right * trials / 2
    wrong = np.minimum(wrong + _UNLUCKY * np.sqrt(wrong) + _EXTRA_WRONG, trials)
    right = np.clip(right - _UNLUCKY * np.sqrt(right), 0.0, trials - wrong)
    return _epsilon(wrong, right, trials, deltas, alpha, share)


def _epsilon(wrong: ArrayLike, right: ArrayLike, trials: int, deltas: ArrayLike, alpha: float, share: float) -> Array:
    """The bound of the module's formula from counts; deltas: k delta. -inf where nothing can be said."""
    guesses = np.minimum(np.asarray(wrong, np.float64) + np.asarray(right, np.float64), trials)
    rate = rate_lower(guesses, trials, alpha * share)
    wrong_rate = rate_upper(wrong, guesses, alpha * (1 - share))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.log(np.maximum(1 - wrong_rate - np.asarray(deltas) / (2 * rate), 0.0)) - np.log(wrong_rate)
    return np.asarray(np.fmax(found, -np.inf), dtype=np.float64)
