"""Bets against a claim in many audits at once, where scores are bits: for benchmarks/stopping.py.

The same bets as `dpaudit.estimators.betting.BettingTest` of one claim, by its own functions, with one row an audit in
the place of one row a claim (tests/benchmarks/test_stopping.py holds them against each other).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpaudit.estimators import betting
from dpaudit.estimators.score_digest import ScoreDigest
from dpaudit.estimators.supporting_lines import supporting_lines
from dpaudit.records.privacy import Guarantee

Floats = NDArray[np.float64]
Bits = NDArray[np.bool_]
EDGES = np.array([0.0, 1.0])


def stops(positive: Bits, negative: Bits, claim: Guarantee, alpha: float) -> NDArray[np.int64]:
    """After how many pairs each audit refutes the claim, 0 where it does not; bits are (audits, pairs) a side."""
    audits, pairs = positive.shape
    found, going = np.zeros(audits, np.int64), np.arange(audits)
    capitals = np.zeros((len(betting._STAKES), audits))
    slopes, intercepts = betting._padded([supporting_lines(claim)])
    prior, bets = np.array([betting._prior_area(claim)]), [betting._no_bets(audits)] * len(capitals)
    first, last = 0, 1
    while first < pairs and len(going):
        last = min(last, pairs)
        x, y = positive[going, first:last], negative[going, first:last]
        gains = np.stack([np.cumsum(_log_factors(one, x, y), axis=1) for one in bets])
        path = capitals[:, going, None] + gains
        reached = betting._together(path) >= -math.log(alpha)
        stopped = reached.any(axis=1)
        found[going[stopped]] = first + 1 + reached[stopped].argmax(axis=1)
        capitals[:, going] = path[:, :, -1]
        going, first = going[~stopped], last
        last = first + min(max(1, first // betting._STRETCH), betting.MOST_BETWEEN)
        ones = [side[going, :first].sum(axis=1).astype(np.float64) for side in (positive, negative)]
        if len(going):
            bets = _learn(ones[0], ones[1], first, slopes, intercepts, prior)
    return found


def _log_factors(bets: Floats, x: Bits, y: Bits) -> Floats:
    """As `betting._log_factors`, with scores of their own for each row of bets; (audits, pairs)."""
    above, below, up_gain, up_loss, down_gain, down_loss, on_data, on_other = bets[:, :, None]
    u = on_data + up_gain * (x >= above) - down_loss * (x < below)
    v = on_other + down_gain * (y < below) - up_loss * (y >= above)
    return np.asarray(np.log1p(u) + np.log1p(v), dtype=np.float64)


def _learn(
    on_data: Floats, on_other: Floats, pairs: int, slopes: Floats, intercepts: Floats, prior: Floats
) -> list[Floats]:
    """As `betting._learn`, for each gambler; on_data, on_other: ones so far, (audits,)."""
    lower = np.stack([(pairs - on_other) / 2, pairs - on_other / 2])
    area = ((pairs - on_data) * lower[0] + on_data * lower[1]) / pairs**2
    area = (area * pairs + prior * betting._PRIOR_AREA_PAIRS) / (pairs + betting._PRIOR_AREA_PAIRS)
    positive, negative = (np.stack([np.full(len(ones), float(pairs)), ones], axis=1) for ones in (on_data, on_other))
    shift = math.sqrt(2) * ndtri(np.clip(area, 0.02, 0.98))[:, None]
    pooled = np.clip((positive + negative) / (2 * pairs), 0.25 / pairs, 1 - 0.25 / pairs)
    place = shift / 2 - np.sqrt(1 + shift**2 / 4) * ndtri(pooled)
    hits, alarms = ndtr(shift - place), ndtr(-place)
    rows = np.broadcast_to(slopes, (len(area), slopes.shape[1]))
    starts = np.broadcast_to(intercepts, rows.shape)
    up = betting._best_stake(positive, negative, hits, alarms, pairs, rows, starts)
    down = betting._best_stake(pairs - negative, pairs - positive, 1 - alarms, 1 - hits, pairs, rows, starts)
    bets = [betting._settled(EDGES, up, down, share) for share in betting._STAKES]
    for row in np.flatnonzero((on_data + on_other == 0) | (on_data + on_other == 2 * pairs)):  # one value so far
        value = np.array([float(on_data[row] > 0)])
        digest = ScoreDigest(value, np.array([pairs]), np.array([pairs]))
        alone = betting._learn(digest, pairs, slopes, intercepts, np.array([prior[0]]))
        for one, theirs in zip(bets, alone.T, strict=True):
            one[:, row] = theirs
    return bets
