"""One training run with many canaries against a whole claimed trade-off curve.

Let the adversary make exactly r guesses on m canaries, each included by a fair coin, and let p_i be the chance of i
right ones. Flip the coin of one random canary: a right guess there becomes a wrong one, all else has the same law up
to what the claimed curve g (largest true positive rate at each false positive rate) allows. As g is concave, for
every c

    sum over i >= c of i p_i / m <= g( sum over i >= c - 1 of (r - i) p_i / m ).

Were P(at least c right) = tau, then the least total mass that these inequalities allow is found by putting tau at c
and going down from there; if it exceeds 1, the claim implies P(at least c right) < tau. With tau = alpha, and c the
count that was seen, that refutes the claim with error probability at most alpha. (`dpaudit/FLIP` is the mean over the
canaries.) The numbers of guesses are those of `one_run`, which follow from m alone: r is fixed here, and a number that
the scores chose would break the argument (`dpaudit/GUESS-NUMBER`). Each has its share of alpha.

Promises: a claim that holds is refuted with probability at most alpha, however the canaries influence one another; each
bound fails with probability at most alpha.

Assumes: each canary is included by a fair coin that is independent of the others and of the training. Scores are made
of what the training releases and of what is independent of the coins; nothing else is assumed of them. To include or
leave out one canary is a step between neighbours of the claim.

Decides: yes, for a target with `canaries`: the guesses refute the claimed curve, with the whole error probability of
the target. It prints `epsilon_lower_95` and `mu_lower_95` there.

Source: Mahloujifar, Melis, Chaudhuri, "Auditing f-differential privacy in one run" (2024), theorem 3.2 and algorithm 3.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.one_run_fdp import refutes
    >>> from dpaudit.estimators.one_run import guesses
    >>> from dpaudit.records.privacy import GaussianDP
    >>> rng = np.random.default_rng(1)
    >>> included = rng.random(1_000) < 0.5
    >>> scores = rng.normal(size=1_000) + 3.0 * included  # mu is 3
    >>> claims = GaussianDP(0.5), GaussianDP(3.0)
    >>> [refutes(guesses(scores, included), claim, 0.05) for claim in claims]
    [True, False]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.estimators.bound import Bound, check_levels
from dpaudit.estimators.one_run import Guesses, guesses
from dpaudit.records.privacy import Guarantee

Inverse = Callable[[Array], Array]
"""True positive rates, one a claim, to the smallest false positive rate that each claim allows there."""

NAME = "one run, f-DP"
ASSUMES = "each canary is included by an independent fair coin"
COVERS = True
SOURCE = "Mahloujifar, Melis, Chaudhuri (2024), algorithm 3"

_CLAIMS = 24
_ROUNDS = 3
"""A bound is found on so many claims at once, so many times over: to 1 in 23^3 of the range."""
_LARGEST_EPSILON, _LARGEST_MU = 20.0, 10.0
_ROUND_UP = 1e-9


def refutes(found: Iterable[Guesses], guarantee: Guarantee, alpha: float) -> bool:
    """True if `guarantee` is ruled out by some of the guesses, each at its share: wrong with probability at most
    alpha."""
    return any(_refutes(each, guarantee, alpha * each.share) for each in found)


def strongest(found: Sequence[Guesses], guarantee: Guarantee, alpha: float) -> Guesses:
    """The first of the guesses that refute `guarantee`; of those that do not, the first, which have most of alpha."""
    refuting = [each for each in found if _refutes(each, guarantee, alpha * each.share)]
    return (refuting or list(found))[0]


@lru_cache(maxsize=4096)
def _refutes(found: Guesses, guarantee: Guarantee, alpha: float) -> bool:
    def inverse(rates: Array) -> Array:
        # Both orders of the neighbours are promised, so that the curve is its own mirror image.
        return 1 - largest_true_positive_rate(np.clip(1 - rates, 0.0, 1.0), guarantee)

    return bool(refuted(found, inverse, 1, alpha)[0])


def refuted(found: Guesses, inverse: Inverse, claims: int, alpha: float) -> Flags:
    """Which of several claims, whose curves `inverse` inverts together, the guesses rule out; (claims,).

    right, wrong: the two sums of the module's inequality, over counts from the current one up. A count that needs no
    mass changes nothing from there on, for that claim.
    """
    made, canaries = found.made, found.canaries
    if not made:
        return np.zeros(claims, dtype=np.bool_)
    right = np.full(claims, alpha * found.correct / canaries)
    wrong = np.full(claims, alpha * (made - found.correct) / canaries)
    for count in range(found.correct - 1, -1, -1):
        needed = np.maximum(inverse(right) - wrong, 0.0)
        wrong += needed
        right = np.minimum(right + needed * (count / (made - count)), 1.0)
        if not (needed > 0).any() or (right + wrong > made / canaries * (1 + _ROUND_UP)).all():
            break
    return np.asarray(right + wrong > made / canaries * (1 + _ROUND_UP))


def one_run_bound(scores: ArrayLike, included: ArrayLike, delta: float, alpha: float) -> Bound:
    """Lower bounds on epsilon at `delta` and on mu, each with confidence 1 - alpha; arguments as in `one_run.guesses`.

    The bound on mu is of any mu-GDP guarantee that holds. It is often the larger epsilon once converted, but
    that conversion speaks of Gaussian curves alone.
    """
    check_levels(delta, alpha)
    found = guesses(scores, included)
    epsilon = max((_epsilon(each, delta, alpha) for each in found), default=0.0)
    return Bound(epsilon, max((_mu(each, alpha) for each in found), default=0.0), (), alpha)


@lru_cache(maxsize=4096)
def _epsilon(found: Guesses, delta: float, alpha: float) -> float:
    return _largest(found, lambda values: _polygon(values, delta), _LARGEST_EPSILON, alpha)


@lru_cache(maxsize=4096)
def _mu(found: Guesses, alpha: float) -> float:
    return _largest(found, _gaussian, _LARGEST_MU, alpha)


def _largest(found: Guesses, family: Callable[[Array], Inverse], most: float, alpha: float) -> float:
    """The largest refuted parameter of a family of claims that grow weaker with it, from below; 0 if none is."""
    low, high = 0.0, most
    for _ in range(_ROUNDS):
        values = np.linspace(low, high, _CLAIMS)
        first = int(np.cumprod(refuted(found, family(values), _CLAIMS, alpha * found.share)).sum())
        if first == 0:
            break
        low, high = float(values[first - 1]), float(values[min(first, _CLAIMS - 1)])
    return low


def _polygon(epsilons: Array, delta: float) -> Inverse:
    shrunk, grown = np.exp(-epsilons), np.exp(epsilons)
    return lambda rates: np.maximum(np.maximum(shrunk * (rates - delta), 1 - delta - grown * (1 - rates)), 0.0)


def _gaussian(mus: Array) -> Inverse:
    return lambda rates: np.asarray(ndtr(ndtri(rates) - mus), dtype=np.float64)
