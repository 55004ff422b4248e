"""A limit on the work for one statement: evaluations of terms are counted, whatever asks for them.

What a short text can ask for has no bound: a sum of many terms inside of an integral is evaluated anew at each point. A
clock would make outcomes hang on the machine; a count does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from dpaudit.claims.language.expression import Expr

MOST_EVALUATIONS = 5_000_000
"""Of terms and of their parts, for one statement with its argument; many times what any shipped one takes."""


class TooMuchWork(Exception):
    """The limit is reached. term: the outermost sum or integral that was being evaluated, else the term itself."""

    def __init__(self, term: Expr) -> None:
        self.term = term

    def __str__(self) -> str:
        text = str(self.term)
        shown = text if len(text) <= 200 else f"{text[:200]}..."
        return f"more than {MOST_EVALUATIONS} evaluations of terms; too large is {shown}"


class _Meter:
    left: float = math.inf


_METER = _Meter()


def spend(term: Expr, count: int = 1) -> None:
    """Count evaluations of a term; TooMuchWork where the limit is reached."""
    _METER.left -= count
    if _METER.left < 0:
        raise TooMuchWork(term)


@contextmanager
def named(term: Expr) -> Iterator[None]:
    """Within, it is this term that is too large."""
    try:
        yield
    except TooMuchWork as error:
        error.term = term
        raise


@contextmanager
def limited(most: int = MOST_EVALUATIONS) -> Iterator[None]:
    """Within, evaluations are counted from 0."""
    before, _METER.left = _METER.left, most
    try:
        yield
    finally:
        _METER.left = before
