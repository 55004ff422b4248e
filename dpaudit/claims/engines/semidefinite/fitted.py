"""Weights for every value of an integer, fitted to those at its first values: proofs of one step t of a method.

A potential such as t (f_t - f*) + |x_t - x*|^2/2 goes down in every step by conditions whose weights are polynomials of
t, or over t + 1. They are fitted to the weights that the program finds at several t; the checker decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from dpaudit.claims.engines.semidefinite.conic import weighed
from dpaudit.claims.engines.semidefinite.program import (
    Matrix,
    Program,
    assembled,
    combine,
    conditions_of,
    is_one,
    slack,
)
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import Refused, Relation, replaced

VALUES = 7
"""So many values of the integer, from its least one on."""
DEGREE = 2
LARGEST_DENOMINATOR = 24
ADDED = (None, 1, 2, 0)
"""The weights may be divided by the integer and one of these."""
CLOSE = 1e-5


def fitted(goal: Goal, facts: Sequence[Relation]) -> Iterator[dict[str, object]]:
    """Nodes that may prove the goal, by weights that hang on an integer of it."""
    if not is_one(goal):
        return
    conditions = conditions_of(goal, facts)
    for s in goal.context.symbols:
        if s.kind == "integer" and s.low is not None and s.low.denominator == 1:
            for sparse in (1.0, 0.0):
                yield from _fits(goal, conditions, s, sparse)


def _fits(goal: Goal, conditions: tuple[Relation, ...], s: Symbol, sparse: float) -> Iterator[dict[str, object]]:
    """Nodes with weights that are polynomials of s over one of a few divisors."""
    rows = []
    for place in range(int(s.low or 0), int(s.low or 0) + VALUES):
        program = _at(goal, conditions, s.name, place)
        found = None if program is None else weighed(program, sparse * np.ones(len(conditions)))
        if found is None:
            return
        rows.append(found)
    places = np.arange(VALUES, dtype=np.float64) + float(s.low or 0)
    for more in ADDED:
        times = np.ones(VALUES) if more is None else places + more
        texts = [_polynomial(places, times * np.array(column), s.name) for column in zip(*rows, strict=True)]
        if None not in texts:
            divisor = "" if more is None else f"/({s.name} + {more})"
            yield combine(conditions, [text if text == "0" else f"({text}){divisor}" for text in texts if text])


def _at(goal: Goal, conditions: tuple[Relation, ...], name: str, value: int) -> Program | None:
    """The program where an integer has a value; None where something has none there, such as 1/0."""
    forms = goal.context.forms
    try:
        slacks = [slack(forms, replaced(c, {name: Fraction(value)})) for c in (goal.relation, *conditions)]
    except Refused:
        return None
    return assembled(forms, conditions, slacks)


def _polynomial(places: Matrix, values: Matrix, name: str) -> str | None:
    """The polynomial of small degree with short coefficients through the values, as text; None if there is none."""
    for degree in range(DEGREE + 1):
        found = np.polynomial.polynomial.polyfit(places, values, degree)
        exact = [Fraction(float(c)).limit_denominator(LARGEST_DENOMINATOR) for c in found]
        there = sum(float(c) * places**k for k, c in enumerate(exact))
        if np.abs(there - values).max() < CLOSE * (1 + np.abs(values).max()):
            return " + ".join(f"{c}*{name}**{k}" for k, c in enumerate(exact) if c) or "0"
    return None
