"""What runs of the ReSQue solvers provably promise, from the corrected lemmas 5 and 7 and their compositions.

A run is blocks of calls of SubERM. Of one call of k phases with M = That - 1 hidden indices, outside of an event
of probability `failure`, half of which pays for the indices and half for the rest:

    hits     at most b of the indices are the differing record (Chernoff), b_i of them in phase i
    drift    the averages of two runs that share start and queries differ by at most sqrt(2 c) b_i eta_i L, where
             k (pairs exp(7/10 - p log(c/2)) + far) is the failure, for any whole p with 2 p max(r, r') <= rho; far =
             2^d exp(-6 d t^2), (1 + t r'/r) r = rho/(2p), that a start that carries noise is too far out
             (LEM-5~drift, LEM-5/tail, far-start); with w = 1, the limit rho -> oo, c = 2 without any failure
    level    each phase is a Gaussian mechanism of level c alpha beta^2 b_i^2 (LEM-5/level)

This gives (alpha, alpha tau)-RDP for every alpha, tau = c beta^2 sum b_i^2 (pairs = 1); and with pairs = 3,
M/n <= 1/60 and alpha tau <= 6/100 also (alpha, 13 (M/n)^2 alpha tau)-RDP (LEM-7~sharp), whose laws are the same for
every alpha, so that they compose (lemma 3). T = 2 and 3 make one step, for which a hit is all there is.
A public level J that does not see the data is averaged over: exp((alpha - 1) epsilon) is the mean over J. A start that
is too far out is an event of different probability on the two data sets, so that the failure is a total variation;
where w = 1, only the indices fail, with the same probability on both.

Names with a slash or a tilde are claims of proofs/resque. Replacement of one record; all phase outputs are seen.
Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), lemmas 3, 5, 7, corrected as said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from dpaudit.algorithms.resque.accounting.printed import Bound, epsilon_at
from dpaudit.arithmetic.roots import bisected_integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import ApproximateRenyi, Concentrated, Constant, Mechanism, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, Positive, Range, check_fields
from dpaudit.records.validation import check_number

ROUND_UP = 1 + 1e-9
"""More than the roundings of any formula here."""

SHARE = 1e-4
"""Of delta, what is given up as total variation: (1 + exp(epsilon)) SHARE delta has to stay below delta; bounds depend
on its logarithm only."""

NO_NOISE = "privacy (beta) is {}, which leaves no noise to speak of: lower it for a promise of privacy"

PRINTED_CONSTANT = 220000.0
"""C_priv where none is given: what the printed proof of lemma 7 collects."""


@dataclass(frozen=True)
class Call:
    """One call of SubERM. records: n; steps: T; privacy: beta; ratio: rho/r, infinite where w = 1; reach: r'/r, at
    most 2; dimension: d; noisy_starts: phases that start from a point with noise that is not projected.

    Raises ConfigurationError.
    """

    records: Count
    steps: Count
    privacy: Positive
    ratio: float
    reach: Annotated[float, Range(above=0.0, most=2.0)]
    dimension: Count
    noisy_starts: int

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.ratio > 0:
            raise ConfigurationError(f"smoothing/radius must be above 0, got {self.ratio}")

    @property
    def phases(self) -> int:
        """k."""
        return self.steps.bit_length() - 1

    @property
    def draws(self) -> int:
        """M = That - 1."""
        return (1 << self.phases) - 1

    def most_hits(self, failure: float) -> int:
        """The least b that is exceeded by a binomial (M, 1/n) number with probability at most `failure`, or more."""
        if self.records == 1:
            return self.draws
        below = math.floor(self.draws / self.records) - 1  # and `draws` hits are never exceeded
        return bisected_integers(lambda hits: self._tail(hits + 1) <= math.log(failure), self.draws, below)

    def _tail(self, count: int) -> float:
        """log P(at least `count` hits) is at most this: -M KL(count/M, 1/n), for count above the mean."""
        share, rate = count / self.draws, 1 / self.records
        if share <= rate:
            return 0.0
        rest = (1 - share) * (math.log1p(-share) - math.log1p(-rate)) if share < 1 else 0.0
        return -self.draws * (share * math.log(share / rate) + rest) * (1 - 1e-9)

    def squares(self, hits: int) -> int:
        """The largest sum of b_i^2 with sum b_i <= hits and b_i <= T_i: the first phases take all they can."""
        left, total = hits, 0
        for i in range(1, self.phases + 1):
            taken = min(left, (self.draws + 1) >> i)
            left, total = left - taken, total + taken * taken
        return total

    def drift(self, failure: float, pairs: int) -> float:
        """c, infinite if no p is large enough."""
        if not self.phases or math.isinf(self.ratio):
            return 2.0
        order = math.floor(self.ratio / (2 * self._needed(failure)))
        spent = failure / self.phases if not self.noisy_starts else failure / (2 * self.phases)
        return 2 * math.exp((0.7 + math.log(pairs / spent)) / order) if order >= 1 else math.inf

    def _needed(self, failure: float) -> float:
        """(rho/r)/(2p) that makes far starts rare enough: half of the failure is theirs."""
        if not self.noisy_starts:
            return max(1.0, self.reach)
        d, rare = self.dimension, math.log(2 * self.noisy_starts / failure)
        return max(1.0, self.reach, 1 + self.reach * math.sqrt((d * math.log(2) + rare) / (6 * d)))

    def routes(self, failure: float) -> tuple[tuple[float, float], ...]:
        """(slope, most): (alpha, alpha slope)-RDP for alpha up to `most`; for all alpha, then by subsampling.

        Raises ConfigurationError where rho/r is too small for any statement.
        """
        if not self.phases:
            return ((0.0, math.inf),)
        if math.isinf(self.drift(failure / 2, 3)):
            raise ConfigurationError(
                f"smoothing/radius is {self.ratio:.6g}; that two runs stay close outside of probability {failure:.3g} "
                f"is proved from {2 * self._needed(failure / 2):.6g} on: raise smoothing or lower radius, so that "
                "the hypothesis on rho/r (A10) is met and the noise hides a record"
            )
        hits, square = self.most_hits(failure / 2), self.privacy * self.privacy * ROUND_UP
        if math.isinf(square):
            raise ConfigurationError(NO_NOISE.format(self.privacy))
        made = [(self.drift(failure / 2, 1) * square * self.squares(hits), math.inf)]
        if 60 * self.draws <= self.records:
            tau = self.drift(failure / 2, 3) * square * self.squares(max(1, hits))
            made.append((13 * (self.draws / self.records) ** 2 * tau * ROUND_UP, 0.06 / tau))
        return tuple(made)


@dataclass(frozen=True)
class Block:
    """`count` repetitions of the calls of one branch, which is drawn each time with public probabilities.

    branches: (probability, calls); the probabilities add up to 1.
    """

    count: int
    branches: tuple[tuple[float, tuple[Call, ...]], ...]

    @property
    def most_calls(self) -> int:
        """Calls of all repetitions, at most."""
        return self.count * max(sum(1 for call in calls if call.phases) for _, calls in self.branches)


def always(calls: Sequence[Call], count: int = 1) -> Block:
    """`count` repetitions of `calls`."""
    return Block(count, ((1.0, tuple(calls)),))


class Accounted:
    """The blocks of one run on the same records, in which every call fails with its share of `failure`.

    orders: the ends of ranges of orders; weightless: whether w = 1 in all calls, so that all that may fail is that a
    record is drawn often. Raises ConfigurationError where nothing is proved of a call.
    """

    def __init__(self, blocks: Sequence[Block], failure: float) -> None:
        share = failure / max(1, sum(block.most_calls for block in blocks))
        known = {call: call.routes(share) for block in blocks for _, calls in block.branches for call in calls}
        self._blocks = [
            (block.count, [(chance, [known[call] for call in calls]) for chance, calls in block.branches])
            for block in blocks
        ]
        self.weightless = all(math.isinf(call.ratio) for call in known if call.phases)
        self.orders = {most for routes in known.values() for _, most in routes if 1 < most < math.inf}

    def epsilon(self, order: float) -> float:
        """Of (order, epsilon)-RDP outside of the failure."""
        total = 0.0
        for count, branches in self._blocks:
            spent = [
                (chance, order * sum(min(slope for slope, most in routes if order <= most) for routes in calls))
                for chance, calls in branches
            ]
            total += count * _averaged(spent, order)
        return total * ROUND_UP

    @property
    def rho(self) -> float:
        """(alpha, rho alpha)-RDP for every alpha, outside of the failure."""
        largest = (
            count * max(sum(routes[0][0] for routes in calls) for _, calls in branches)
            for count, branches in self._blocks
        )
        return sum(largest) * ROUND_UP


def _averaged(spent: Sequence[tuple[float, float]], order: float) -> float:
    """log of the mean of exp((order - 1) epsilon) over branches (chance, epsilon), over order - 1."""
    largest = max(epsilon for _, epsilon in spent)
    if len(spent) == 1 or not math.isfinite(largest):
        return largest
    mean = math.fsum(chance * math.exp((order - 1) * (epsilon - largest)) for chance, epsilon in spent)
    return max(0.0, largest + math.log(mean) / (order - 1))


def _candidates(parts: Sequence[Accounted]) -> list[float]:
    """Orders to choose from: a grid, and about a hundred ends of ranges."""
    ends = sorted(set().union(*(part.orders for part in parts)))
    grid = [1 + 10 ** (step / 20) for step in range(-40, 121)]
    return sorted({*grid, *ends[:: max(1, len(ends) // 100)], *ends[:1], *ends[-1:]})


def promise(runs: Sequence[Sequence[Block]], delta: float, source: str) -> Promise:
    """What runs on disjoint sets of records promise, outside of a failure of SHARE delta.

    Of the statements that are proved it gives the one with the least epsilon at `delta`, in (0, 1). Raises
    ConfigurationError where rho/r is too small for any, or the noise too small for a finite one.
    """
    check_number("delta", delta, above=0.0, most=1 - 2.0**-53)
    failure = SHARE * delta
    reading = [Accounted(blocks, failure) for blocks in runs if sum(block.most_calls for block in blocks)]
    if not reading:
        return _promised(Constant(), source)
    rho = max(part.rho for part in reading)
    if not math.isfinite(rho):
        raise ConfigurationError(NO_NOISE.format("too large"))
    orders = _candidates(reading)
    bounds = [Bound(order, failure, max(part.epsilon(order) for part in reading)) for order in orders]
    best = min(bounds, key=lambda bound: _read(bound, delta))
    if all(part.weightless for part in reading) and _zero_concentrated(rho, delta) <= _read(best, delta):
        return _promised(Concentrated(rho, failure), source)
    return _promised(ApproximateRenyi(best.order, best.epsilon, failure), source)


def _read(bound: Bound, delta: float) -> float:
    return bound.epsilon + math.log(1 / delta) / (bound.order - 1)


def _zero_concentrated(rho: float, delta: float) -> float:
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def _promised(mechanism: Mechanism, source: str) -> Promise:
    return Promise(mechanism, Neighbours.REPLACE_ONE, View.TRANSCRIPT, source)


def printed_promise(bounds: Callable[[Sequence[float], float], Sequence[Bound]], delta: float, source: str) -> Promise:
    """The statement of the paper, at the order with the least epsilon at `delta`; bounds(orders, failure).

    Raises ConfigurationError with the printed preconditions that fail at every order.
    """
    made = bounds([1 + 10 ** (step / 20) for step in range(-40, 121)], SHARE * delta)
    best = min(made, key=lambda bound: epsilon_at([bound], delta))
    kept = [bound for bound in made if not bound.violated]
    if not kept:
        common = set.intersection(*(set(bound.violated) for bound in made)) or set(made[0].violated)
        raise ConfigurationError(
            f"the printed statement does not cover these parameters; it asks for {'; '.join(sorted(common))}: "
            "take more noise (a smaller privacy), more records or a larger smoothing"
        )
    best = best if math.isfinite(epsilon_at([best], delta)) else min(kept, key=lambda bound: _read(bound, delta))
    return _promised(ApproximateRenyi(best.order, best.epsilon, best.delta), source)
