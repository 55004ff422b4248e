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

import numpy as np
from numpy.typing import NDArray

from dpaudit.claim import Point, Sampling, Search, Statement, Symbol, SymbolKind
from dpaudit.expression import Relation, bound, is_vector, names, parse_statement, rational
from dpaudit.noise import Stream

Draw = Callable[[Stream, int], NDArray[np.float64]]

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


def candidate_points(statement: Statement, seed: int, count: int) -> Iterator[Point]:
    """`count` exact points of the ranges, corners and boundaries first; conditions `norm(u) <= b`
    are met by scaling. The points need not meet every condition: the check decides."""
    rng = np.random.default_rng([seed, 0x5EA7C4])
    _, conditions = parse_statement(statement)
    caps = _norm_caps(statement, conditions)
    for _ in range(count):
        values: dict[str, Fraction] = {}
        point: list[tuple[str, str]] = []
        for s in statement.symbols:
            if s.kind in (SymbolKind.REAL, SymbolKind.INTEGER):
                values[s.name] = _scalar(s, rng)
                point.append((s.name, str(values[s.name])))
            elif s.kind is SymbolKind.VECTOR:
                point.append((s.name, _vector(caps.get(s.name), values, rng)))
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


def search(check: Search, draw: Draw, seed: int, purpose: str) -> tuple[float, bool]:
    """The largest ratio found by `draw` on the shipped code, and whether it exceeds 1 + rounding."""
    values = _finite(draw(Stream(seed, purpose), check.trials), check.function)
    largest = float(values.max())
    return largest, largest > 1 + check.rounding


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
