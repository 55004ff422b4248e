"""Conditions of claims at numbers and vectors of NumPy, by their own text: how far each is from failing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from scipy.special import ndtr

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": math.exp, "log": math.log, "sqrt": math.sqrt, "max": max, "Phi": ndtr, "dot": lambda u, v: float(u @ v),
}  # fmt: skip
CLOSE = 1e-9


def gaps(conditions: Iterable[str], **values: Any) -> Iterator[float]:
    """Right minus left of each inequality, and minus the size of that for an equation; values may replace functions."""
    for one in conditions:
        left, relation, right = one.partition(" == " if " == " in one else " <= ")
        gap = eval(right, FUNCTIONS | values) - eval(left, FUNCTIONS | values)
        yield -abs(gap) if relation == " == " else gap


def hold(conditions: Iterable[str], **values: Any) -> bool:
    """Do all of them hold, up to rounding?"""
    return all(gap > -CLOSE for gap in gaps(conditions, **values))


def equal(conditions: Iterable[str], **values: Any) -> bool:
    """Do both sides of each agree, up to rounding?"""
    return all(abs(gap) < CLOSE for gap in gaps(conditions, **values))
