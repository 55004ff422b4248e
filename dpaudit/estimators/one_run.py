"""One training run with many canaries, each included by a fair coin: how many guesses of the coins may be right.

The adversary guesses "included" for the k+ canaries with the largest scores and "excluded" for the k- with the
smallest, and passes on the others. Under (epsilon, delta)-DP, with m canaries and r = k+ + k- guesses, theorem 5.2 of
Steinke, Nasr and Jagielski bounds the chance of v or more right ones by

    P(W >= v) + 2 m delta max over i of P(v > W >= v - i) / i,    W ~ Binomial(r, e^epsilon / (1 + e^epsilon)).

k+ and k- must not depend on the coins that are counted. The first tenth of the canaries is shown to the adversary,
who fixes from it k+, k- and nothing else; the theorem is then about the other canaries, whose coins are still fair.
No assumption is made on how canaries influence one another's scores; the price is that even perfect guesses of r
coins show only log(r / log(1/alpha)) or so.

Promises: the bound on epsilon fails with probability at most alpha, however the canaries influence one another. There
is no bound on mu.

Assumes: each canary is included by a fair coin that is independent of the others and of the training. Scores are made
of what the training releases and of what is independent of the coins; nothing else is assumed of them. To include or
leave out one canary is a step between neighbours of the claim.

Decides: no. For a target with `canaries` it prints `epsilon_lower_95_counts_alone`, and chooses how many coins are
guessed for `one_run_fdp`, which decides.

Source: Steinke, Nasr, Jagielski, "Privacy auditing with one (1) training run" (2023), theorem 5.2.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.one_run import one_run_bound
    >>> rng = np.random.default_rng(1)
    >>> included = rng.random(1_000) < 0.5
    >>> scores = rng.normal(size=1_000) + 3.0 * included
    >>> 1 < one_run_bound(scores, included, 1e-5, 0.05).epsilon_lower < 5
    True
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, ndtr, ndtri, xlog1py, xlogy

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels
from dpaudit.estimators.clopper_pearson import witnessed_epsilon
from dpaudit.estimators.held_out_threshold import HELD_OUT
from dpaudit.records.errors import ContentError

Objective = Callable[[Array, Array], Array]
"""(false positive rates, true positive rates) -> what to maximise; see `_choose` for the rates that it is given."""

NAME = "one run"
ASSUMES = "each canary is included by an independent fair coin"
COVERS = True
SOURCE = "Steinke, Nasr, Jagielski (2023), theorem 5.2"

_SHARES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
"""Shares of the canaries that may be guessed included, and excluded."""
_DEFAULT, _MARGIN = 3, 1.3
"""One in twenty at both ends did well in every measured case; other shares must look 30 % better."""
_PRIOR_CANARIES = 200.0
_UNLUCKY = 2.5
"""Standard deviations of the number of right guesses by which a choice is judged worse than it looks."""
_LARGEST_EPSILON = 50.0
_PRECISION = 1e-4


@dataclass(frozen=True)
class Guesses:
    """`correct` of `made` guesses were right, on `canaries` whose coins had no say in how many were made."""

    correct: int
    made: int
    canaries: int


def best_guesses(scores: ArrayLike, included: ArrayLike, objective: Objective, alpha: float) -> Guesses:
    """Guesses with the numbers k+ and k- that the first tenth of the canaries recommends, counted on the others.

    scores: (m,), larger where a canary looks included; infinities are scores like any other; included: (m,) booleans.
    Equal scores are guessed in the order of the canaries. Without a held-out canary of either kind, all are guessed,
    half and half. ContentError for NaN, other shapes, or coins that are not booleans.
    """
    values, coins = checked(scores, included)
    held = int(HELD_OUT * len(values))
    shares = _choose(values[:held], coins[:held], len(values) - held, objective, alpha)
    values, coins = values[held:], coins[held:]
    largest = round(shares[0] * len(values))
    smallest = min(round(shares[1] * len(values)), len(values) - largest)
    order = np.argsort(-values, kind="stable")
    says_included, says_excluded = order[:largest], order[len(order) - smallest :]
    correct = int(coins[says_included].sum()) + int((~coins[says_excluded]).sum())
    return Guesses(correct, largest + smallest, len(values))


def p_value(guesses: Guesses, epsilon: float, delta: float) -> float:
    """A bound on the chance of so many right guesses under (epsilon, delta)-DP; epsilon >= 0, delta in [0, 1)."""
    right, made = guesses.correct, guesses.made
    counts = np.arange(made + 1)
    log_choose = gammaln(made + 1) - gammaln(counts + 1) - gammaln(made - counts + 1)
    share = 1 / (1 + np.exp(-epsilon))
    chances = np.exp(log_choose + xlogy(counts, share) + xlog1py(made - counts, -share))
    tail = float(chances[right:].sum())
    below = np.cumsum(chances[:right][::-1])  # P(v > W >= v - i) for i = 1, ..., v
    worst = float(np.max(below / np.arange(1, right + 1), initial=0.0))
    return min(tail + 2 * guesses.canaries * delta * worst, 1.0)


def one_run_bound(scores: ArrayLike, included: ArrayLike, delta: float, alpha: float) -> Bound:
    """Lower bound on epsilon at `delta`, confidence 1 - alpha; scores and coins as in `best_guesses`.

    It says nothing of mu: `one_run_fdp` does.
    """
    check_levels(delta, alpha)
    guesses = best_guesses(scores, included, lambda wrong, right: witnessed_epsilon(wrong, right, delta), alpha)

    def refuted(epsilon: float) -> bool:
        return p_value(guesses, epsilon, delta) <= alpha

    if not guesses.made or not refuted(0.0):
        return Bound(0.0, 0.0, (), alpha)
    return Bound(bisected(refuted, 0.0, _LARGEST_EPSILON, width=_PRECISION).inside, 0.0, (), alpha)


def _choose(values: Array, coins: Flags, canaries: int, objective: Objective, alpha: float) -> tuple[float, float]:
    """Shares of `canaries` to guess included and excluded, from held-out scores and coins.

    An adversary may be as good as it was seen to be on a share alpha of its runs and know nothing on the others. The
    objective is therefore given the shares of right and wrong guesses times alpha, at an unlucky count.
    """
    if not (coins.any() and not coins.all()):
        return 0.5, 0.5
    up_right, up_wrong = _rates(values, coins)
    down_right, down_wrong = _rates(-values, ~coins)
    right, wrong = up_right[:, None] + down_right, up_wrong[:, None] + down_wrong
    spread = _UNLUCKY * np.sqrt(right * wrong / np.maximum(right + wrong, 1e-300) / canaries) + 1 / canaries
    value = objective(alpha * np.minimum(wrong + spread, 1.0), alpha * np.maximum(right - spread, 0.0))
    value[_DEFAULT, _DEFAULT] *= _MARGIN
    up, down = np.unravel_index(int(np.argmax(value)), value.shape)
    return _SHARES[up], _SHARES[down]


def _rates(values: Array, coins: Flags) -> tuple[Array, Array]:
    """Shares of canaries guessed included rightly and wrongly, for each of `_SHARES` guessed so.

    Few canaries are held out: their counts are joined with those of normal scores that overlap as much.
    """
    number, of_kind = len(values), int(coins.sum())
    ranks = np.argsort(np.argsort(values, kind="stable"))
    area = (ranks[coins].sum() - of_kind * (of_kind - 1) / 2) / (of_kind * (number - of_kind))
    shift = math.sqrt(2) * float(ndtri(np.clip(area, 0.02, 0.98)))
    shares = np.array(_SHARES)
    place = shift / 2 - math.sqrt(1 + shift**2 / 4) * ndtri(np.clip(shares, 1e-12, 1.0))
    weight = number / (number + _PRIOR_CANARIES)
    sorted_coins = np.concatenate([[0], np.cumsum(coins[np.argsort(-values, kind="stable")])])
    right = (
        weight * sorted_coins[np.round(shares * number).astype(int)] / number + (1 - weight) * ndtr(shift - place) / 2
    )
    right = np.minimum(right, shares)
    return right, shares - right


def checked(scores: ArrayLike, included: ArrayLike) -> tuple[Array, Flags]:
    """Scores and coins as arrays of one dimension; ContentError for NaN, other shapes, or coins that are no booleans."""
    values, coins = np.asarray(scores, dtype=np.float64), np.asarray(included)
    if values.ndim != 1 or coins.shape != values.shape:
        raise ContentError(f"one score and one coin a canary are needed, got shapes {values.shape} and {coins.shape}")
    if coins.dtype != np.bool_:
        raise ContentError(f"included must be booleans, got dtype {coins.dtype}")
    if np.isnan(values).any():
        raise ContentError(f"{int(np.isnan(values).sum())} of {len(values)} canary scores are NaN")
    return values, coins
