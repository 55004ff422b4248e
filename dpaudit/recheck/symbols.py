"""A symbol of a statement, as the checker knows it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpaudit.recheck.terms import ONE, Term


@dataclass(frozen=True)
class Symbol:
    """A symbol with its range, that of each number of a sequence; scale: the standard deviation of each coordinate of a
    gaussian vector."""

    name: str
    kind: str
    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = True
    high_open: bool = True
    scale: Term = ONE
