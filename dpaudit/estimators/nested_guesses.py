"""Lower bound on epsilon at delta from guesses at fixed ranks: no trial is held out, for audits with few of them.

T fair coins, thrown here, choose how many trials of each side take part, drawn without looking; each trial then takes
its side by a coin of its own. All scores are ranked together. At three sizes that T alone sets, the distinguisher says
D of the k highest and D' of the k lowest; which trials it guesses depends on the scores, never on the sides.

(epsilon, delta)-DP makes each side a mixture: with probability delta of anything, else of a law that is
(epsilon, 0)-indistinguishable from the other's (Kairouz, Oh, Viswanath 2015). Given all scores and which trials are of
the first kind, the sides of the others are independent, and each guess is right with probability at most
p = e^epsilon / (1 + e^epsilon). The numbers of right guesses at the three sizes are therefore, together, at most those
of independent coins of probability p, counted in nested sets, plus X ~ Binomial(T, delta). The test statistic is the
largest of the three Clopper-Pearson lower bounds on the chance of a right guess, each at half of alpha: it is at least
what was observed if some number of right guesses reaches its threshold. The probability of that is a convolution for
each set, exact, and rises in epsilon, so that a bisection inverts it.

Lemmas: `dpaudit/MIXTURE`, `GUESS`, `COINS`, `NESTED` and `SIDES`; `dpaudit/ATOMS` says what it would cost if those 40
scores took part.

Promises: the bound on epsilon fails with probability at most alpha, whatever the law of the scores. There is no bound
on mu.

Assumes: all trials are independent, within a side and across the sides, and alike on each side.

Decides: no. It prints `epsilon_lower_95` where a side has at most 4,000 trials, trials that fitted an attack left out,
and nine in ten of up to 40 held-out scores, 20 a side, are distinct. These scores take no part in the guesses.

Source: guesses with abstention, Steinke, Nasr, Jagielski, "Privacy auditing with one (1) training run" (2023).

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.nested_guesses import lower_bound
    >>> rng = np.random.default_rng(1)
    >>> found = lower_bound(rng.laplace(1.0, size=1_000), rng.laplace(size=1_000), 1e-5, 0.05, rng)  # epsilon is 1
    >>> 0.5 < found.epsilon_lower < 1, found.mu_lower
    (True, 0.0)
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.clopper_pearson import rate_lower

NAME = "guesses at fixed ranks"
ASSUMES = "all trials independent"
COVERS = True
SOURCE = "Steinke, Nasr, Jagielski (2023); Kairouz, Oh, Viswanath (2015)"

SHARES = (0.025, 0.075, 0.2)
"""Parts of all trials that each tail guesses: for large, middle and small epsilon."""

_FEWEST = 3
_RESERVE = 2.0
"""Half of the standard deviations of the coins that the trials of a side leave room for."""
_LARGEST = 20.0
_PRECISION = 1e-4
_EXCEPTIONS = 4
"""Trials of the probability delta that are followed one by one; more of them count as a refutation by chance."""


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """A bound on epsilon at confidence 1 - alpha; 0 for mu, and nothing of the region.

    positive, negative: scores on D and on D', (trials,); ContentError for NaN. rng: of the coins and of ties.
    """
    check_levels(delta, alpha)
    right, guesses, trials = counts(*checked_scores(positive, negative), rng)
    if trials == 0:
        return Bound(0.0, 0.0, (), alpha)
    needed = thresholds(right, guesses, alpha / 2)

    def refuted(epsilon: float) -> bool:
        return tail(needed, guesses, trials, epsilon, delta) <= alpha

    if not refuted(0.0):
        return Bound(0.0, 0.0, (), alpha)
    return Bound(bisected(refuted, 0.0, _LARGEST, width=_PRECISION).inside, 0.0, (), alpha)


def counts(positive: Array, negative: Array, rng: np.random.Generator) -> tuple[list[int], list[int], int]:
    """Right guesses and guesses at each size, and T; T is 0 where trials are too few, or a side ran out of them."""
    smaller = min(len(positive), len(negative))
    trials = int((math.sqrt(_RESERVE**2 + 2 * smaller) - _RESERVE) ** 2)
    on_data = int(rng.binomial(trials, 0.5))
    if trials < 2 * _FEWEST or not trials - len(negative) <= on_data <= len(positive):
        return [], [], 0
    scores = np.concatenate([rng.permutation(positive)[:on_data], rng.permutation(negative)[: trials - on_data]])
    is_data = np.repeat([True, False], [on_data, trials - on_data])[np.lexsort((rng.random(trials), scores))]
    sizes = [min(max(_FEWEST, round(share * trials)), trials // 2) for share in SHARES]
    return [int(is_data[-k:].sum() + (~is_data[:k]).sum()) for k in sizes], [2 * k for k in sizes], trials


def thresholds(right: list[int], guesses: list[int], alpha: float) -> list[int]:
    """The least number of right guesses at each size whose Clopper-Pearson bound is at least the largest observed."""
    bounds = [rate_lower(np.arange(size + 1), size, alpha) for size in guesses]
    largest = max(float(bound[count]) for bound, count in zip(bounds, right, strict=True))
    return [int(np.searchsorted(bound, largest, side="left")) for bound in bounds]


def tail(needed: list[int], guesses: list[int], trials: int, epsilon: float, delta: float) -> float:
    """The largest probability that (epsilon, delta)-DP gives to reaching a threshold at some size."""
    chance = 1 / (1 + math.exp(-epsilon))
    weights = [math.comb(trials, x) * delta**x * (1 - delta) ** (trials - x) for x in range(_EXCEPTIONS)]
    reached = (_reached([number - x for number in needed], guesses, chance) for x in range(_EXCEPTIONS))
    return max(0.0, 1 - sum(weights)) + sum(w * part for w, part in zip(weights, reached, strict=True))


def _reached(needed: list[int], guesses: list[int], chance: float) -> float:
    """P(some threshold is reached), for coins of probability `chance` counted in nested sets."""
    law, before, found = np.ones(1), 0, 0.0
    for number, size in zip(needed, guesses, strict=True):
        law, before = np.convolve(law, _law(size - before, chance)), size
        found += float(law[max(number, 0) :].sum())
        law[max(number, 0) :] = 0.0  # counted now, and not again
    return found


def _law(size: int, chance: float) -> Array:
    """The binomial law of `size` coins, `chance` in (0, 1)."""
    heads = np.arange(size + 1)
    ways = gammaln(size + 1) - gammaln(heads + 1) - gammaln(size - heads + 1)
    return np.asarray(np.exp(ways + heads * math.log(chance) + (size - heads) * math.log1p(-chance)))
