"""One training run with many canaries, each included by a fair coin: how many guesses of the coins may be right.

The adversary guesses "included" for the k+ canaries with the largest scores and "excluded" for the k- with the
smallest, and passes on the others. Under (epsilon, delta)-DP, with m canaries and r = k+ + k- guesses, theorem 5.2 of
Steinke, Nasr and Jagielski bounds the chance of v or more right ones by

    P(W >= v) + 2 m delta max over i of P(v > W >= v - i) / i,    W ~ Binomial(r, e^epsilon / (1 + e^epsilon)).

The number of guesses must be fixed: neither scores nor coins may have a say in it. A mechanism that tells 27 coins with
a small probability, and else answers through randomised response, would be refuted too often by an adversary who then
makes 27 guesses (`dpaudit/GUESS-NUMBER`, refuted; at delta = 0 nothing is lost, `dpaudit/FLIP/chosen`). So three
numbers r follow from m alone (`guess_numbers`), half of each at either end, and each has its share of alpha
(Bonferroni). Which canaries are guessed follows from the scores; no canary is held out. No assumption is made on how
canaries influence one another's scores; the price is that even perfect guesses of r coins show only log(r /
log(1/alpha)) or so.

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
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roots import bisected
from dpaudit.estimators.bound import Bound, check_levels
from dpaudit.records.errors import ContentError

NAME = "one run"
ASSUMES = "each canary is included by an independent fair coin"
COVERS = True
SOURCE = "Steinke, Nasr, Jagielski (2023), theorem 5.2"

_ROOTS = 2.5
"""The first number of guesses over the root of the number of canaries: near the best for mu from 1/4 to 1 and for 200
to 100,000 canaries. The others are for what leaks more."""
_NUMBERS = ((0.7, None), (0.15, 0.25), (0.15, 0.8))
"""Share of alpha, and of the canaries that are guessed; None for _ROOTS times the root of their number. Of the last
number a fifth is left out, so that scores that tell every coin make no wrong guess where fewer than half are in."""
_LARGEST_EPSILON = 50.0
_PRECISION = 1e-4


@dataclass(frozen=True)
class Guesses:
    """`correct` of `made` guesses were right, on `canaries`, which alone say how many were made.

    share: of the error probability, where several numbers of guesses are made.
    """

    correct: int
    made: int
    canaries: int
    share: float = 1.0


def guess_numbers(canaries: int) -> tuple[tuple[float, int], ...]:
    """(share of the error probability, number of guesses) for so many canaries; the shares add up to 1."""
    first = math.ceil(_ROOTS * math.sqrt(canaries))
    return tuple(
        (share, min(canaries, first if part is None else math.ceil(part * canaries))) for share, part in _NUMBERS
    )


def guesses(scores: ArrayLike, included: ArrayLike) -> tuple[Guesses, ...]:
    """What the guesses of each number found: half of them "included" for the largest scores, half "excluded".

    scores: (m,), larger where a canary looks included; infinities are scores like any other; included: (m,) booleans.
    Equal scores are guessed in the order of the canaries. Empty without canaries. ContentError for NaN, other shapes,
    or coins that are not booleans.
    """
    values, coins = checked(scores, included)
    order = np.argsort(-values, kind="stable")
    members = np.concatenate([[0], np.cumsum(coins[order])])
    found = []
    for share, made in guess_numbers(len(values)) if len(values) else ():
        largest = (made + 1) // 2
        smallest = made - largest
        wrong = int(members[-1] - members[len(values) - smallest])
        found.append(Guesses(int(members[largest]) + smallest - wrong, made, len(values), share))
    return tuple(found)


def p_value(found: Guesses, epsilon: float, delta: float) -> float:
    """A bound on the chance of so many right guesses under (epsilon, delta)-DP; epsilon >= 0, delta in [0, 1)."""
    right, made = found.correct, found.made
    counts = np.arange(made + 1)
    log_choose = gammaln(made + 1) - gammaln(counts + 1) - gammaln(made - counts + 1)
    share = 1 / (1 + np.exp(-epsilon))
    chances = np.exp(log_choose + xlogy(counts, share) + xlog1py(made - counts, -share))
    tail = float(chances[right:].sum())
    below = np.cumsum(chances[:right][::-1])  # P(v > W >= v - i) for i = 1, ..., v
    worst = float(np.max(below / np.arange(1, right + 1), initial=0.0))
    return min(tail + 2 * found.canaries * delta * worst, 1.0)


def one_run_bound(scores: ArrayLike, included: ArrayLike, delta: float, alpha: float) -> Bound:
    """Lower bound on epsilon at `delta`, confidence 1 - alpha; scores and coins as in `guesses`.

    It says nothing of mu: `one_run_fdp` does.
    """
    check_levels(delta, alpha)
    return Bound(max((_epsilon(each, delta, alpha) for each in guesses(scores, included)), default=0.0), 0.0, (), alpha)


@lru_cache(maxsize=4096)
def _epsilon(found: Guesses, delta: float, alpha: float) -> float:
    """The largest epsilon that these guesses refute; simulated audits ask for the same ones again and again."""

    def refuted(epsilon: float) -> bool:
        return p_value(found, epsilon, delta) <= alpha * found.share

    if not refuted(0.0):
        return 0.0
    return bisected(refuted, 0.0, _LARGEST_EPSILON, width=_PRECISION).inside


def checked(scores: ArrayLike, included: ArrayLike) -> tuple[Array, Flags]:
    """Scores and coins as arrays; ContentError for NaN, other shapes, or coins that are not booleans."""
    values, coins = np.asarray(scores, dtype=np.float64), np.asarray(included)
    if values.ndim != 1 or coins.shape != values.shape:
        raise ContentError(f"one score and one coin a canary are needed, got shapes {values.shape} and {coins.shape}")
    if coins.dtype != np.bool_:
        raise ContentError(f"included must be booleans, got dtype {coins.dtype}")
    if np.isnan(values).any():
        raise ContentError(f"{int(np.isnan(values).sum())} of {len(values)} canary scores are NaN")
    return values, coins
