"""Engine `empirical`: candidate points for a refutation, searches on shipped code, Monte Carlo.

Nothing here proves. A search proposes exact points that the rigorous engine decides; a
Monte Carlo check states its error probability before it draws, and a near-miss that it
must refute shows that it could have seen a violation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from dpaudit.claims.language.expression import (
    Relation,
    bound,
    is_vector,
    names,
    rational,
)
from dpaudit.claims.language.statements import parse_goal
from dpaudit.estimators.clopper_pearson import rate_lower
from dpaudit.noise.stream import Stream
from dpaudit.records.claim import Chance, Count, Point, Sampling, Search, Slope, Statement, Symbol, SymbolKind

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Draw = Callable[..., Any]
"""A function of a claim file, found by its name: what it takes and returns hangs on the kind of the check, and is
checked where it is called."""
LONGEST_ROW = 4
"""Numbers or vectors of a drawn sequence; behind the last one it does not change."""
STARTS = 8
"""Points of a search from which the optimiser climbs."""

# Rational unit vectors, so that a norm condition can be met with equality at an exact point.
DIRECTIONS = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-5, 13), Fraction(12, 13)), (-1, 0))
FRACTIONS = (Fraction(1), Fraction(1, 2), Fraction(0), Fraction(99, 100), Fraction(1, 8))
OUTWARD = (Fraction(1, 100), Fraction(1, 4), Fraction(1), Fraction(2), Fraction(8), Fraction(100))


@dataclass(frozen=True)
class Estimate:
    """A mean with its guaranteed error: |value - mean| <= deviation with probability 1 - alpha."""

    value: float
    deviation: float
    trials: int
    alpha: float


@dataclass(frozen=True)
class Frequency:
    """A bound from below with its guarantee: `least` from `hits` of `trials`."""

    least: float
    hits: int
    trials: int


def candidate_points(statement: Statement, seed: int, count: int) -> Iterator[Point]:
    """`count` exact points of the ranges, corners and boundaries first; conditions `norm(u) <= b`
    are met by scaling. The points need not meet every condition: the check decides."""
    rng = np.random.default_rng([seed, 0x5EA7C4])
    _, conditions = parse_goal(statement)
    caps = _norm_caps(statement, tuple(c for c in conditions if isinstance(c, Relation)))
    for _ in range(count):
        values: dict[str, Fraction] = {}
        point: list[tuple[str, str]] = []
        for s in statement.symbols:
            if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER):
                values[s.name] = _scalar(s, rng)
                point.append((s.name, str(values[s.name])))
            elif s.kind is SymbolKind.VECTOR:
                point.append((s.name, _vector(caps.get(s.name), values, rng)))
            elif s.kind is SymbolKind.SEQUENCE:
                row = [_scalar(s, rng) for _ in range(1 + int(rng.integers(LONGEST_ROW)))]
                point.append((s.name, f"[{', '.join(map(str, row))}]"))
            elif s.kind is SymbolKind.VECTOR_SEQUENCE:
                vectors = [_vector(None, values, rng) for _ in range(1 + int(rng.integers(LONGEST_ROW)))]
                point.append((s.name, f"[{', '.join(vectors)}]"))
        yield tuple(point)


def _norm_caps(statement: Statement, conditions: tuple[Relation, ...]) -> dict[str, Relation]:
    """Conditions `norm(u) <= bound`, by vector."""
    return {
        c.left.args[0].name: c
        for c in conditions
        if c.left.head == "norm" and c.left.args[0].head == "symbol" and is_vector(c.left.args[0], statement.symbols)
    }


def _scalar(s: Symbol, rng: np.random.Generator) -> Fraction:
    low, high = bound(s.lower), bound(s.upper)
    fraction = FRACTIONS[rng.integers(len(FRACTIONS))] if rng.random() < 0.7 else Fraction(int(rng.integers(65)), 64)
    step = OUTWARD[rng.integers(len(OUTWARD))]
    if low is not None and high is not None:
        value = low + (high - low) * fraction
        nudge = (high - low) / 1000
    else:
        base = low if low is not None else high if high is not None else Fraction(0)
        value = base - step if low is None and (high is not None or rng.random() < 0.5) else base + step
        value = base if rng.random() < 0.2 else value
        nudge = Fraction(1, 1000)
    if value == low and s.lower_open:
        value += nudge
    if value == high and s.upper_open:
        value -= nudge
    return Fraction(math.floor(value)) if s.kind is SymbolKind.INTEGER else value


def _vector(cap: Relation | None, values: dict[str, Fraction], rng: np.random.Generator) -> str:
    length = OUTWARD[rng.integers(len(OUTWARD))]
    if cap is not None and names(cap.right) <= set(values):
        length = rational(cap.right, values)
    length *= FRACTIONS[rng.integers(len(FRACTIONS))]
    x, y = DIRECTIONS[rng.integers(len(DIRECTIONS))]
    return f"({length * x}, {length * y})"


def search(check: Search, draw: Draw, seed: int, purpose: str) -> tuple[float, str]:
    """The largest ratio found by `draw` on the shipped code, and where (empty if the draw does not say)."""
    stream = Stream(seed, purpose)
    if not check.ranges:
        return float(_finite(draw(stream, check.trials), check.function).max()), ""
    lows, highs = (np.array(ends, dtype=np.float64) for ends in zip(*check.ranges, strict=True))
    points = lows + (highs - lows) * _boundary_seeking(stream, check.trials, len(lows))
    values = _finite(draw(points), check.function)
    best = points[np.argsort(values)[-STARTS:]]
    climbed = np.array([_climb(check, draw, start, lows, highs) for start in best])
    heights = _finite(draw(climbed), check.function)
    every, where = np.concatenate([values, heights]), np.concatenate([points, climbed])
    at = int(every.argmax())
    return float(every[at]), "(" + ", ".join(f"{x:.6g}" for x in where[at]) + ")"


def _boundary_seeking(stream: Stream, count: int, size: int) -> Floats:
    """Points of the unit cube, a coordinate at one of its ends with probability 0.4: extremes sit there."""
    draws = stream.uniforms(np.arange(count), 0, 2 * size)
    ends, inner = draws[:, :size], draws[:, size:]
    return np.asarray(np.where(ends < 0.2, 0.0, np.where(ends < 0.4, 1.0, inner)))


def _climb(check: Search, draw: Draw, start: Floats, lows: Floats, highs: Floats) -> Floats:
    """The best point that Nelder and Mead's method reaches from `start` inside the ranges."""
    from scipy.optimize import minimize

    found = minimize(
        lambda x: -float(_finite(draw(np.clip(x, lows, highs)[None, :]), check.function)[0]),
        start,
        method="Nelder-Mead",
        bounds=list(zip(lows, highs, strict=True)),
        options={"maxfev": 60 * len(start)},
    )
    return np.asarray(np.clip(found.x, lows, highs))


def frequency(check: Chance, draw: Draw, seed: int, purpose: str, alpha: float) -> Frequency:
    """How often the event happened and the exact binomial lower bound on its probability."""
    events = np.asarray(draw(Stream(seed, purpose), check.trials))
    if events.dtype != bool or events.shape != (check.trials,):
        raise ValueError(f"{check.function} must return one truth value a trial, got {events.dtype} {events.shape}")
    hits = int(events.sum())
    return Frequency(float(rate_lower(hits, len(events), alpha)), hits, len(events))


def counts(check: Count, draw: Draw, seed: int, purpose: str) -> tuple[Integers, Integers]:
    """What was counted and what the formula says, case by case."""
    counted, formula = (np.asarray(values) for values in draw(Stream(seed, purpose), check.cases))
    whole = all(np.issubdtype(values.dtype, np.integer) for values in (counted, formula))
    if not whole or counted.shape != formula.shape or counted.ndim != 1 or not len(counted):
        raise ValueError(f"{check.function} must return two integer arrays of one length, got {counted.dtype}")
    return counted, formula


def miscounted(check: Count, counted: Integers, formula: Integers, share: float) -> NDArray[np.bool_]:
    """Which cases contradict `counted relation share * formula`."""
    if check.relation == "==":
        return np.asarray(counted != formula)
    return np.asarray(counted > (formula if share == 1.0 else share * formula))  # whole numbers without rounding


def slope(check: Slope, draw: Draw, seed: int, purpose: str, alpha: float) -> Frequency:
    """Lower bound on the median slope of log cost in log size: an order statistic, whatever the law of the costs.

    With k the largest integer for which P(Bin(n, 1/2) < k) <= alpha, the k-th smallest
    slope is at most the median with probability at least 1 - alpha.
    """
    sizes, costs = (np.asarray(v, dtype=np.float64) for v in draw(Stream(seed, purpose), check.trials))
    if sizes.ndim != 1 or costs.shape != (check.trials, len(sizes)) or not (sizes > 0).all():
        raise ValueError(f"{check.function} must return sizes (k,) and costs (trials, k), got {costs.shape}")
    if len(set(sizes)) < 2:
        raise ValueError(f"{check.function} must return costs at two or more sizes")
    if not ((costs > 0) & np.isfinite(costs)).all():
        raise ValueError(f"{check.function} returned costs that are not positive and finite")
    x = np.log(sizes) - np.log(sizes).mean()
    slopes = np.sort(np.log(costs) @ x / (x @ x))
    ranks = np.arange(1, len(slopes) + 1)
    allowed = ranks[bdtr(ranks - 1, len(slopes), 0.5) <= alpha]
    if not len(allowed):
        raise ValueError(f"{check.function}: {len(slopes)} trials cannot bound a median at {alpha:.3g}; raise `trials`")
    return Frequency(float(slopes[allowed[-1] - 1]), int(allowed[-1]), len(slopes))


def sample(check: Sampling, draw: Draw, seed: int, purpose: str, alpha: float) -> Estimate:
    """Median of means of `draw` (Lugosi and Mendelson 2019, Theorem 2).

    With k >= 8 log(1/alpha) blocks the median of the block means is within
    2 sqrt(k variance / n) of the mean with probability at least 1 - alpha, for any
    distribution whose variance is at most `check.variance`.
    """
    blocks = math.ceil(8 * math.log(1 / alpha))
    size = check.trials // blocks
    if size < 1:
        raise ValueError(f"{check.function}: {check.trials} trials cannot fill {blocks} blocks; raise `trials`")
    values = _finite(draw(Stream(seed, purpose), size * blocks), check.function)
    means = values.reshape(blocks, size).mean(axis=1)
    deviation = 2 * math.sqrt(check.variance / size)
    return Estimate(float(np.median(means)), deviation, size * blocks, alpha)


def violates(estimate: Estimate, relation: str, limit: float) -> bool:
    """Does the estimate contradict `mean <= limit` (or `mean == limit`)?"""
    excess = estimate.value - limit
    return (abs(excess) if relation == "==" else excess) > estimate.deviation


def _finite(values: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    if values.ndim != 1 or values.size == 0:
        raise ValueError(f"{name} must return one number a trial, got shape {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError(f"{name} returned {int((~np.isfinite(values)).sum())} values that are not finite")
    return values
