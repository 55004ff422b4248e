"""Tail probabilities of rank statistics, against the simulated p-values: for benchmarks/exact_size.py.

By quadrature for one or two ranks, and by many draws for the statistic that decides with few trials (`planned_rows`).
With one or two ranks, the levels of the chosen scores on D' have a Beta or a Dirichlet density under the least
favourable law, and given them the counts are multinomial: the tail is an integral over one or two levels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, gammaln
from scipy.stats import binom

from dpaudit.estimators.curves import Curve, curve_of
from dpaudit.estimators.held_out_threshold import HELD_OUT
from dpaudit.estimators.least_favourable import StepStatistic, p_value_of
from dpaudit.estimators.rank_test import planned_statistic
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee

Floats = NDArray[np.float64]

CLAIMS: tuple[tuple[str, Guarantee], ...] = (
    ("epsilon 0, delta 0", ApproximateDP(0.0, 0.0)),
    ("epsilon 0, delta 0.1", ApproximateDP(0.0, 0.1)),
    ("epsilon 1, delta 0", ApproximateDP(1.0, 0.0)),
    ("epsilon 1, delta 1e-5", ApproximateDP(1.0, 1e-5)),
    ("epsilon 4, delta 1e-3", ApproximateDP(4.0, 1e-3)),
    ("mu 1", GaussianDP(1.0)),
)
TRIALS = ((20, 20), (40, 20))
"""On D and on D'."""
LEVELS = (0.05, 1e-3, 1e-6)
SEEDS = 1
DRAWS, PART = 400_000, 20_000
_PANELS, _NODES, _WIDEST = 60, 8, 34.0


def nodes(curve: Curve) -> tuple[Floats, Floats]:
    """Levels in (0, 1) and their weights: Gauss rules on panels of the logit, cut at the corners of the curve."""
    corners = np.asarray(getattr(curve, "_from", []), dtype=np.float64)
    corners = corners[(corners > 0) & (corners < 1)]
    edges = np.unique(np.concatenate([np.linspace(-_WIDEST, _WIDEST, _PANELS + 1), np.log(corners / (1 - corners))]))
    x, w = np.polynomial.legendre.leggauss(_NODES)
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    at = (middle[:, None] + half[:, None] * x).ravel()
    levels = 1 / (1 + np.exp(-at))
    return levels, (half[:, None] * w).ravel() * levels / (1 + np.exp(at))


def one_rank(rank: int, positives: int, negatives: int, curve: Curve) -> Floats:
    """P(T >= t) for t = 0..positives: how many scores on D exceed the rank-th largest on D'."""
    levels, weights = nodes(curve)
    a, b = rank, negatives + 1 - rank
    density = np.exp((a - 1) * np.log(levels) + (b - 1) * np.log1p(-levels) - betaln(a, b)) * weights
    tails = binom.sf(np.arange(positives + 1)[:, None] - 1, positives, curve.value(levels))
    return np.minimum(tails @ density, 1.0)


def two_ranks(ranks: tuple[int, int], positives: int, negatives: int, curve: Curve) -> Floats:
    """P(T >= t) for t = 0..2 positives: the sum of the counts above both."""
    levels, weights = nodes(curve)
    first, gap, rest = ranks[0], ranks[1] - ranks[0], negatives + 1 - ranks[1]
    constant = gammaln(negatives + 1) - gammaln(first) - gammaln(gap) - gammaln(rest)
    reached, found = curve.value(levels), np.zeros(2 * positives + 1)
    for place, (x, w) in enumerate(zip(levels, weights, strict=True)):
        start = math.exp((first - 1) * math.log(x)) * w if (first - 1) * math.log(x) > -700 else 0.0
        # The second level lies between x and 1: x + (1 - x) z, with z in (0, 1).
        y = x + (1 - x) * levels
        above = np.clip((curve.value(y) - reached[place]) / max(1 - reached[place], 1e-300), 0.0, 1.0)
        log = (gap - 1) * np.log(levels) + (rest - 1) * np.log1p(-levels) + (gap + rest - 1) * math.log1p(-x) + constant
        density = np.exp(log) * weights * start
        likely = density > 1e-25
        if likely.any():
            found += _given(float(reached[place]), above[likely], density[likely], positives)
    return np.minimum(np.cumsum(found[::-1])[::-1], 1.0)


def _given(first: float, above: Floats, density: Floats, positives: int) -> Floats:
    """P(T = t): a score on D exceeds both with chance `first`, one that does not exceeds the second with `above`."""
    found, counts = np.zeros(2 * positives + 1), np.arange(positives + 1)
    low = binom.pmf(counts, positives, first)
    for both in np.flatnonzero(low > 1e-25):
        left = positives - int(both)
        law = binom.pmf(np.arange(left + 1)[:, None], left, above) @ density
        found[2 * both : 2 * both + left + 1] += low[both] * law
    return found


def planned_rows(cells: Iterable[tuple[float, float, tuple[int, int]]]) -> Iterator[dict[str, Any]]:
    """For the statistic that decides where trials are few: how often its p-value is small enough to refute.

    cells: epsilon, delta, trials on D and on D'. Under a law that meets the claim with equality the statistic has the
    least favourable law, ties or not, so that its draws cost a few variables each. The p-value is the one that decides,
    at the critical value, which is looked for with it; at half of alpha, as a decision has it.
    """
    for epsilon, delta, (positives, negatives) in cells:
        claim = ApproximateDP(epsilon, delta)
        counted = positives - int(HELD_OUT * positives), negatives - int(HELD_OUT * negatives)
        statistic, curve = planned_statistic(claim, *counted), curve_of(claim)
        drawn = np.sort(_drawn(statistic, curve, np.random.default_rng(1)))
        for level in LEVELS[:2]:
            count = DRAWS - int(np.searchsorted(drawn, _critical(statistic, drawn, curve, level / 2), "left"))
            yield {"epsilon": epsilon, "delta": delta, "positives": positives, "negatives": negatives, "alpha": level,
                   "promised": level / 2, "audits": DRAWS, "wrong": count}  # fmt: skip


def _drawn(statistic: StepStatistic, curve: Curve, rng: np.random.Generator) -> Floats:
    """Values of the statistic under the least favourable law, (DRAWS,)."""
    parts = []
    for _ in range(DRAWS // PART):
        spacings = rng.standard_gamma(statistic.spacings, size=(PART, len(statistic.spacings)))
        levels = np.cumsum(spacings, axis=1)[:, :-1] / spacings.sum(axis=1, keepdims=True)
        chances = np.maximum(np.diff(curve.value(levels), axis=1, prepend=0.0, append=1.0), 0.0)
        counts = rng.multinomial(statistic.positives, chances / chances.sum(axis=1, keepdims=True))
        parts.append(counts @ statistic.cell_scores)
    return np.concatenate(parts)


def _critical(statistic: StepStatistic, drawn: Floats, curve: Curve, level: float) -> float:
    """The least of the drawn values, ascending, whose p-value is at most `level`; infinite if none is."""
    values = np.unique(drawn)
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        small = p_value_of(statistic, float(values[middle]), curve, np.random.default_rng(7)) <= level
        low, high = (low, middle) if small else (middle + 1, high)
    return float(values[low]) if low < len(values) else math.inf


def rank_rows() -> list[dict[str, Any]]:
    """For each claim, numbers of trials and ranks: the smallest ratio of p-value and tail, and exact sizes."""
    rows = []
    for (label, claim), (positives, negatives) in product(CLAIMS, TRIALS):
        curve = curve_of(claim)
        for ranks in ((1,), ((negatives + 1) // 2,), (2, negatives // 2)):
            if len(ranks) == 1:
                tails = one_rank(ranks[0], positives, negatives, curve)
            else:
                tails = two_ranks((ranks[0], ranks[1]), positives, negatives, curve)
            statistic = StepStatistic(np.array(ranks), np.ones(len(ranks)), negatives, positives)
            rows.append({"claim": label, "positives": positives, "negatives": negatives, "ranks": list(ranks)}
                        | compared(statistic, tails, curve))  # fmt: skip
            print(rows[-1], flush=True)
    return rows


def compared(statistic: StepStatistic, tails: Floats, curve: Curve) -> dict[str, Any]:
    """The p-values of every possible value of the statistic against its tail."""
    ratio, sizes = math.inf, dict.fromkeys(map(str, LEVELS), 0.0)
    chances = -np.diff(np.append(tails, 0.0))
    for seed in range(SEEDS):
        rng = np.random.default_rng([seed, 11])
        p_values = np.array([p_value_of(statistic, float(t), curve, rng) for t in range(len(tails))])
        read = tails > 1e-14
        ratio = min(ratio, float((p_values[read] / tails[read]).min()))
        for level in LEVELS:
            sizes[str(level)] = max(sizes[str(level)], float(chances[p_values <= level].sum()))
    return {"smallest ratio": ratio, "sizes": sizes}
