"""A goal about vectors in numbers: the forms of its conditions, as matrices between halves of squares and a rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpaudit.recheck.forms import Forms
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Mono, Poly, minus
from dpaudit.recheck.squares import MOST_HALVES, Half, half, pair
from dpaudit.recheck.terms import ZERO, Relation, show
from dpaudit.recheck.vectors import Vectors

MOST_CONDITIONS = 160
Matrix = NDArray[np.float64]
Key = tuple[int, int] | Mono
"""An entry of a matrix by its place, or a scalar."""
Values = dict[Key, Fraction]


@dataclass(frozen=True)
class Program:
    """The goal in numbers. conditions: relations whose slacks are combined, equations last; halves: of squares;
    entries: the place in the matrix of each product that is one of two halves; rest: the other products."""

    conditions: tuple[Relation, ...]
    target: Poly
    slacks: tuple[Poly, ...]
    halves: tuple[Half, ...]
    entries: dict[Mono, tuple[int, int]]
    rest: tuple[Mono, ...]

    def matrix(self, form: Poly) -> Matrix:
        """The part of a form that is a matrix between halves."""
        made = np.zeros((len(self.halves), len(self.halves)))
        for mono, c in form.items():
            if mono in self.entries:
                i, j = self.entries[mono]
                made[i, j] += float(c) / 2
                made[j, i] += float(c) / 2
        return made

    def row(self, form: Poly) -> list[float]:
        """The rest of a form."""
        return [float(form.get(mono, ZERO)) for mono in self.rest]

    @property
    def inequalities(self) -> int:
        """How many of the conditions are no equations."""
        return sum(c.sign != "==" for c in self.conditions)

    @property
    def has_equations(self) -> bool:
        """Whether one of them is."""
        return self.inequalities < len(self.conditions)

    def coefficients(self, form: Poly) -> Values:
        """What a form has before each entry of the matrix, row not below column, and before each scalar."""
        found = {(max(p), min(p)) if (p := self.entries.get(mono)) else mono: c for mono, c in form.items()}
        return {key: c for key, c in found.items() if key}

    def value(self, form: Poly, at: Values) -> Fraction:
        """The form where the entries and the scalars have these values."""
        return form.get((), ZERO) + sum((c * at[key] for key, c in self.coefficients(form).items()), ZERO)

    def broken(self, at: Values) -> bool:
        """Whether the goal fails there and every condition holds."""
        values = ((c.sign, self.value(form, at)) for c, form in zip(self.conditions, self.slacks, strict=True))
        met = (v == 0 if sign == "==" else v > 0 if sign == "<" else v >= 0 for sign, v in values)
        return self.value(self.target, at) < 0 and all(met)

    @property
    def mixes_scalars(self) -> bool:
        """Whether a product of the roots of two scalars stands for itself."""
        return any(i != j and not self.halves[i][1] for i, j in self.entries.values())


def in_numbers(goal: Goal, facts: Sequence[Relation], *, whole: bool = False) -> Program | None:
    """The goal in numbers; None where it has no vectors or conditions, something random, or too much of anything.

    whole: every vector has its place in the matrix, whether its square occurs or not, and ranges are conditions.
    """
    if not is_one(goal):
        return None
    vectors: list[Half] = [((), s.name) for s in goal.context.symbols if whole and s.kind == "vector"]
    conditions = conditions_of(goal, (*facts, *(_ranges(goal) if whole else ())))
    slacks = [slack(goal.context.forms, c) for c in (goal.relation, *conditions)]
    return assembled(goal.context.forms, conditions, slacks, vectors)


def is_one(goal: Goal) -> bool:
    """Is it an inequality about vectors, with nothing random?"""
    kinds = {s.kind for s in goal.context.symbols}
    some = kinds & {"vector", "vector_sequence"}
    return goal.relation.sign != "==" and not goal.exists and bool(some) and "gaussian" not in kinds


def conditions_of(goal: Goal, facts: Sequence[Relation]) -> tuple[Relation, ...]:
    """What may be combined, equations last."""
    known = dict.fromkeys((*facts, *goal.context.given))
    return tuple(sorted(known, key=lambda c: c.sign == "==")[:MOST_CONDITIONS])


def assembled(
    forms: Vectors, conditions: tuple[Relation, ...], slacks: Sequence[Poly], vectors: Sequence[Half] = ()
) -> Program | None:
    """The program of a goal, whose slack stands first, and of its conditions; vectors: halves that it has anyway."""
    every = dict.fromkeys(mono for form in slacks for mono in form)
    squares = {mono: found for mono in every if (found := half(forms, mono)) is not None and mono}
    halves = list(dict.fromkeys((*vectors, *squares.values())))
    if not (halves and conditions) or len(halves) > MOST_HALVES:
        return None
    entries = {mono: (halves.index(found), halves.index(found)) for mono, found in squares.items()}
    entries |= {m: place for m in every if m not in squares and (place := pair(forms, m, halves)) is not None}
    rest = tuple(mono for mono in every if mono not in entries)
    return Program(conditions, slacks[0], tuple(slacks[1:]), tuple(halves), entries, rest)


def combine(conditions: Iterable[Relation], weights: Iterable[str]) -> dict[str, object]:
    """The node that adds up conditions with these weights."""
    return {"by": "combine", "terms": [[w, show(c)] for w, c in zip(weights, conditions, strict=True) if w != "0"]}


def _ranges(goal: Goal) -> Iterator[Relation]:
    """The ends of the ranges of the scalars, as conditions."""
    for s in goal.context.symbols:
        if s.kind == "real" and s.low is not None:
            yield Relation(s.low, "<" if s.low_open else "<=", s.name)
        if s.kind == "real" and s.high is not None:
            yield Relation(s.name, "<" if s.high_open else "<=", s.high)


def slack(forms: Forms, given: Relation) -> Poly:
    """Right minus left of a relation."""
    return minus(forms.form(given.right), forms.form(given.left))
