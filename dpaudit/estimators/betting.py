"""Betting against a claimed guarantee: a sequential test that may stop at any time.

Trials come in pairs, a score x on D and a score y on D'. A supporting line (slope s, intercept c) of the claimed
curve says that "score >= a" has P_D <= s P_D' + c, and "score < b" has P_D' <= s P_D + c. A gambler who doubts the
claim stakes on both at once. With stakes lambda, kappa >= 0 the capital is multiplied by u(x) v(y),

    u(x) = 1 + lambda [x >= a] - s' kappa [x < b] - m,
    v(y) = 1 + kappa [y < b] - s lambda [y >= a] + m - lambda c - kappa c'.

If the claim holds, E u + E v <= 2, whatever m is. x and y are assumed to be independent, so E u v = E u E v <= 1
(arithmetic and geometric mean); where they are not, a true claim may be refuted. u and v are kept positive, and all
bets are settled before the pair is seen. The capital is then a nonnegative supermartingale that starts at 1, and
reaches 1/alpha with probability at most alpha, ever (Ville 1939). So the test is wrong with probability at most alpha
at whatever time one stops, looks, or goes on. Both orders of the neighbours are in one bet.

The bets are learned from the past: for each line and each threshold, the stake that would have made the past grow
fastest, after one more lost bet than was seen, and with a shift of a normal law, fitted by the area under the ROC, as
a prior worth 20 pairs. m makes both expectations equal. Bets change after pairs 1, 2, ... up to 16, and then by every
sixteenth.

Two gamblers have half of the capital each. One stakes what is learned, the other half of it: of many thresholds and
lines the best of the past is partly luck, and where a claim is only a little wrong, full stakes lose by that luck for
long. The capital is that of both together, a mean of two supermartingales. It is at least half of either one's.

Lemmas: `dpaudit/BET`, the expectation of u v, and `dpaudit/CAPITAL`.

Promises: a claim that holds is ever refuted with probability at most alpha, however often one looks and whenever one
stops.

Assumes: given all pairs before it, the two scores of a pair are independent of each other, and each has the law of its
side.

Decides: yes, in place of counts and ranks, for a target that says `early_stop=True`: it is refuted when the capital
reaches 1/alpha, with the whole error probability of the target. No audit calls `lower_bound`.

Sources: Waudby-Smith, Ramdas, "Estimating means of bounded random variables by betting" (2024); for differential
privacy, Gonzalez, Dulce-Rubio, Ramdas, Ribero, "Sequentially auditing differential privacy" (2025), who bet on a
kernel witness.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.betting import BettingTest
    >>> from dpaudit.records.privacy import ApproximateDP
    >>> rng = np.random.default_rng(1)
    >>> test = BettingTest([ApproximateDP(1.0, 1e-5)], alpha=0.05)
    >>> test.update(rng.laplace(2.0, size=500), rng.laplace(size=500))  # epsilon is 2, not 1
    >>> bool(test.refuted[0])
    True
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.estimators.bound import Bound, check_levels, checked_scores
from dpaudit.estimators.score_digest import ScoreDigest
from dpaudit.estimators.supporting_lines import largest_area, supporting_lines
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee
from dpaudit.records.serial import decode, encode

NAME = "betting"
ASSUMES = "trials independent across the two sides"
COVERS = True
SOURCE = "Waudby-Smith, Ramdas (2024), section 4; Gonzalez, Dulce-Rubio, Ramdas, Ribero (2025)"

MOST_BETWEEN = 1024
"""Pairs between two changes of the bets, at most: what an unfinished stretch keeps in the state stays small."""

_STRETCH = 16
_MOST_EDGES = 512
_KEPT_RATIO = 1.03
_CANDIDATE_RATIO = 1.12
"""Distances of thresholds in pooled rank: in the state once it has grown, and of those that are compared."""

_STAKES = (1.0, 0.5)
"""What each gambler stakes of what is learned."""
_MOST_STAKE = 0.9
_LEAST_FACTOR = 0.02
_EXTRA_LOST = 1.0
_PRIOR_PAIRS = 20.0
_PRIOR_AREA_PAIRS = 10.0
_PRIOR_FACTOR = 2.0
"""The prior violation: this many times the shift that the claim allows."""

_EPSILONS = 0.05 * np.expm1(np.linspace(0.0, math.log(240.0), 64))
_MUS = 0.05 * np.expm1(np.linspace(0.0, math.log(120.0), 48))
"""Claims that `lower_bound` bets against: 0 to 12 and 0 to 6, finer near 0."""


class BettingTest:
    """A test of several claims on the same pairs, each on its own at level alpha; the state after any number of pairs.

    log_capital: natural logarithm, (claims,), of the capital against each, standing still once it has reached 1/alpha;
    stopped: pairs after which that was, 0 if it was not; pairs: seen so far. Portions do not matter: the same pairs in
    the same order give the same state, to the last bit.
    """

    def __init__(self, guarantees: Sequence[Guarantee], alpha: float) -> None:
        """Refuses (ContentError) an alpha outside of (0, 1)."""
        check_levels(0.5, alpha)
        self.guarantees, self.alpha = tuple(guarantees), alpha
        self.pairs, self._next_change = 0, 1
        self._capitals: Array = np.zeros((len(_STAKES), len(self.guarantees)))  # logarithms, each gambler begins with 1
        self.stopped = np.zeros(len(self.guarantees), dtype=np.int64)
        self._digest = ScoreDigest.empty()
        self._slopes, self._intercepts = _padded([supporting_lines(guarantee) for guarantee in self.guarantees])
        self._prior_area = np.array([_prior_area(guarantee) for guarantee in self.guarantees])
        self._bets = _no_bets(self._capitals.size)

    @property
    def log_capital(self) -> Array:
        """See the class."""
        return _together(self._capitals)

    @property
    def refuted(self) -> Flags:
        """Which claims are refuted, each wrongly with probability at most alpha; (claims,)."""
        return self.stopped > 0

    def update(self, positive: ArrayLike, negative: ArrayLike) -> None:
        """Play on with further pairs (positive[i] on D, negative[i] on D'); ContentError for NaN or unequal numbers."""
        x, y = checked_scores(positive, negative)
        if len(x) != len(y):
            raise ContentError(f"betting needs as many scores on D as on D', got {len(x)} and {len(y)}")
        while len(x) and not self.refuted.all():
            ahead = min(self._next_change - self.pairs, len(x))
            self._play(x[:ahead], y[:ahead])
            x, y = x[ahead:], y[ahead:]

    def to_json(self) -> str:
        """The whole state as text; `from_json` goes on from it as if nothing had happened."""
        state = {
            "guarantees": encode(self.guarantees), "alpha": self.alpha, "pairs": self.pairs, "next": self._next_change,
            "capitals": self._capitals.tolist(), "stopped": self.stopped.tolist(), "bets": self._bets.tolist(),
            "edges": self._digest.edges.tolist(), "positive": self._digest.positive.tolist(),
            "negative": self._digest.negative.tolist(),
        }  # fmt: skip
        return json.dumps(state)  # Python writes and reads infinities, and floats to the last bit

    @classmethod
    def from_json(cls, text: str) -> BettingTest:
        """The state that `to_json` wrote."""
        state: dict[str, Any] = json.loads(text)
        made = cls(decode(state["guarantees"]), state["alpha"])
        made.pairs, made._next_change = state["pairs"], state["next"]
        made._capitals, made._bets = np.array(state["capitals"]), np.array(state["bets"])
        made.stopped = np.array(state["stopped"], dtype=np.int64)
        counts = (np.array(state[side], dtype=np.int64) for side in ("positive", "negative"))
        made._digest = ScoreDigest(np.array(state["edges"], dtype=np.float64), *counts)
        return made

    def _play(self, x: Array, y: Array) -> None:
        """Pairs up to the next change of the bets: settle them, then learn."""
        gains = _log_factors(self._bets, x, y).reshape(*self._capitals.shape, len(x))
        path = np.cumsum(np.concatenate([self._capitals[:, :, None], gains], axis=2), axis=2)[:, :, 1:]
        reached = _together(path) >= -math.log(self.alpha)
        first = np.where(reached.any(axis=1), reached.argmax(axis=1), len(x) - 1)
        going = ~self.refuted
        self._capitals = np.where(going, path[:, np.arange(len(first)), first], self._capitals)
        self.stopped = np.where(going & reached.any(axis=1), self.pairs + first + 1, self.stopped)
        self.pairs += len(x)
        self._digest = self._digest.add(x, y)
        if self.pairs == self._next_change:
            if len(self._digest.edges) > _MOST_EDGES:
                self._digest = self._digest.thinned(_KEPT_RATIO)
            self._next_change += min(max(1, self.pairs // _STRETCH), MOST_BETWEEN)
            self._bets = _learn(self._digest, self.pairs, self._slopes, self._intercepts, self._prior_area)


def lower_bound(
    positive: ArrayLike, negative: ArrayLike, delta: float, alpha: float, rng: np.random.Generator
) -> Bound:
    """The largest epsilon, and mu, up to which every claim of a fixed grid is refuted; pairs as the scores come.

    If the result exceeds the truth, the first grid value above the truth was refuted, which has probability at most
    alpha. The longer side's surplus is left out; `rng` is not used. The region is empty: betting names no operating
    point.
    """
    x, y = checked_scores(positive, negative)
    check_levels(delta, alpha)
    pairs = min(len(x), len(y))
    found = []
    for values, claims in (
        (_EPSILONS, [ApproximateDP(float(value), delta) for value in _EPSILONS]),
        (_MUS, [GaussianDP(float(value)) for value in _MUS]),
    ):
        test = BettingTest(claims, alpha)
        test.update(x[:pairs], y[:pairs])
        refuted = int(np.cumprod(test.refuted).sum())
        found.append(float(values[refuted - 1]) if refuted else 0.0)
    return Bound(found[0], found[1], (), alpha)


def _together(capitals: Array) -> Array:
    """The logarithm of the mean over gamblers, the first axis, of the capitals whose logarithms these are."""
    return np.asarray(np.logaddexp.reduce(capitals, axis=0) - math.log(len(capitals)), dtype=np.float64)


def _padded(lines: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    """(claims, lines) each; the lines that a claim lacks promise nothing, so that nobody bets on them."""
    most = max((len(slopes) for slopes, _ in lines), default=0)
    padded = np.full((2, len(lines), max(most, 1)), 1.0)
    for claim, pair in enumerate(lines):
        for kind in (0, 1):
            padded[kind, claim, : len(pair[kind])] = pair[kind]
    return padded[0], padded[1]


def _prior_area(guarantee: Guarantee) -> float:
    """The area under the ROC of a normal shift `_PRIOR_FACTOR` times that which the claim allows."""
    allowed = min(largest_area(guarantee), 0.999)
    return float(ndtr(_PRIOR_FACTOR * ndtri(allowed)))


def _no_bets(number: int) -> Array:
    """Rows: upper threshold, lower threshold, gain and loss on D of either, on D', and the constants of u and v."""
    return np.repeat(np.array([[math.inf], [-math.inf], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0]]), number, axis=1)


def _log_factors(bets: Array, x: Array, y: Array) -> Array:
    """log u(x) + log v(y); (bets, pairs)."""
    above, below, up_gain, up_loss, down_gain, down_loss, on_data, on_other = bets[:, :, None]
    u = on_data + up_gain * (x >= above) - down_loss * (x < below)
    v = on_other + down_gain * (y < below) - up_loss * (y >= above)
    return np.asarray(np.log1p(u) + np.log1p(v), dtype=np.float64)


def _learn(digest: ScoreDigest, pairs: int, slopes: Array, intercepts: Array, prior_area: Array) -> Array:
    """The bets for the next stretch, from the past alone: those of all claims of one gambler, then of the next; rows as
    in `_no_bets`."""
    area = (digest.area() * pairs + prior_area * _PRIOR_AREA_PAIRS) / (pairs + _PRIOR_AREA_PAIRS)
    digest = digest.thinned(_CANDIDATE_RATIO)
    positive, negative = digest.at_least()
    shift = math.sqrt(2) * ndtri(np.clip(area, 0.02, 0.98))[:, None]
    pooled = np.clip((positive + negative) / (2 * pairs), 0.25 / pairs, 1 - 0.25 / pairs)
    # The mixture of both normal laws is taken for a normal law with its mean and variance: this is but a prior.
    place = shift / 2 - np.sqrt(1 + shift**2 / 4) * ndtri(pooled)
    on_data, on_other = ndtr(shift - place), ndtr(-place)
    up = _best_stake(positive, negative, on_data, on_other, pairs, slopes, intercepts)
    down = _best_stake(pairs - negative, pairs - positive, 1 - on_other, 1 - on_data, pairs, slopes, intercepts)
    return np.concatenate([_settled(digest.edges, up, down, share) for share in _STAKES], axis=1)


def _best_stake(
    won: ArrayLike,
    lost: ArrayLike,
    won_prior: Array,
    lost_prior: Array,
    pairs: int,
    slopes: Array,
    intercepts: Array,
) -> tuple[NDArray[np.intp], Array, Array, Array, Array, Array]:
    """For each claim the edge, stake, slope, intercept, and rates of winning and losing, of the fastest past growth.

    With rates q and p the growth is q log(1 + l) + p log(1 - s l) - c l; its derivative vanishes at the smaller root of
    c s l^2 - (s (q + p) - c (s - 1)) l + (q - s p - c).
    """
    total = pairs + _PRIOR_PAIRS + _EXTRA_LOST
    q = ((np.asarray(won) + _PRIOR_PAIRS * won_prior) / total)[:, None, :]
    p = ((np.asarray(lost) + _PRIOR_PAIRS * lost_prior + _EXTRA_LOST) / total)[:, None, :]
    s, c = slopes[:, :, None], intercepts[:, :, None]
    edge = q - s * p - c
    middle = s * (q + p) - c * (s - 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        root = 2 * edge / s / (middle / s + np.sqrt(np.maximum((middle / s) ** 2 - 4 * c * edge / s, 0.0)))
    stake = np.where(edge > 0, np.minimum(root, _MOST_STAKE / s), 0.0)
    growth = q * np.log1p(stake) + p * np.log1p(-s * stake) - c * stake
    claims, edges = len(slopes), q.shape[-1]
    line, place = np.divmod(growth.reshape(claims, -1).argmax(axis=1), edges)
    each = np.arange(claims)
    rates = q[each, 0, place], p[each, 0, place]
    return place, stake[each, line, place], slopes[each, line], intercepts[each, line], *rates


def _settled(edges: Array, up: tuple[Any, ...], down: tuple[Any, ...], share: float) -> Array:
    """A share of both stakes as one bet with positive factors; a claim without a stake gets no threshold."""
    up_place, up_stake, up_slope, up_intercept, up_won, up_lost = up
    down_place, down_stake, down_slope, down_intercept, down_won, down_lost = down
    up_stake, down_stake = share * up_stake, share * down_stake
    above = np.where(up_stake > 0, edges[up_place], math.inf)
    below = np.where(down_stake > 0, np.minimum(edges[down_place], above), -math.inf)
    up_loss, down_loss = up_slope * up_stake, down_slope * down_stake
    cost = up_stake * up_intercept + down_stake * down_intercept
    balance = (up_stake * up_won - down_loss * down_lost - down_stake * down_won + up_loss * up_lost + cost) / 2
    on_data, on_other = -balance, balance - cost
    worst_data = np.minimum(on_data - down_loss, on_data)
    worst_other = np.minimum(on_other - up_loss, on_other)
    shrink = np.minimum(1.0, (1 - _LEAST_FACTOR) / np.maximum(-np.minimum(worst_data, worst_other), 1e-300))
    rows = [up_stake, up_loss, down_stake, down_loss, on_data, on_other]
    return np.stack([above, below, *(row * shrink for row in rows)])
