"""Boxes with exact rational ends, and the rules by which they are split: the same for search and replay."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from dpaudit.records.claim import SymbolKind

Side = tuple[Fraction | None, Fraction | None]
"""Both ends of a range; None stands for minus or plus infinity."""
Box = dict[str, Side]


def whole(kind: SymbolKind, side: Side) -> Side:
    """The range itself; for an integer, its ends rounded inwards."""
    low, high = side
    if kind is not SymbolKind.INTEGER:
        return side
    return (None if low is None else Fraction(ceil(low)), None if high is None else Fraction(floor(high)))


def cut(low: Fraction | None, high: Fraction | None) -> Fraction:
    """Where to split: the middle, or geometrically outwards on an unbounded side."""
    if low is None and high is None:
        return Fraction(0)
    if high is None:
        assert low is not None
        return 2 * low if low >= 1 else low + 1
    if low is None:
        return 2 * high if high <= -1 else high - 1
    return (low + high) / 2


def middle(kind: SymbolKind, side: Side) -> Fraction:
    """A point of the range near its middle."""
    at = cut(*side)
    return Fraction(floor(at)) if kind is SymbolKind.INTEGER and side[0] != side[1] else at


def relative_width(side: Side, domain: Side) -> float:
    """The width of a range, relative to that of its domain; on an unbounded domain measured in x/(1 + |x|),
    so that outward steps count less and less."""
    low, high = side
    first, last = domain
    if low == high and low is not None:
        return 0.0
    if first is None or last is None or low is None or high is None:
        return _compact(high, 1) - _compact(low, -1)
    return float((high - low) / (last - first))


def _compact(value: Fraction | None, infinite: int) -> float:
    return float(infinite) if value is None else float(value / (1 + abs(value)))


def show(box: Box) -> str:
    """The box in words: `q in [0, 1/4], r = 1/2`."""
    return ", ".join(
        f"{n} = {a}" if a == b and a is not None else f"{n} in [{_end(a, '-')}, {_end(b, '')}]"
        for n, (a, b) in box.items()
    )


def _end(value: Fraction | None, sign: str) -> str:
    return f"{sign}oo" if value is None else str(value)
