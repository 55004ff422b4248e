"""Points that break a goal, with rational coordinates, from a Gram matrix in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpaudit.arithmetic import equations
from dpaudit.arithmetic.gram_vectors import Rows, vectors
from dpaudit.claims.engines.semidefinite.conic import SMALL, violation
from dpaudit.claims.engines.semidefinite.program import Key, Matrix, Program, Values, in_numbers
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Mono
from dpaudit.recheck.squares import Half
from dpaudit.recheck.symbols import Symbol
from dpaudit.recheck.terms import ONE, ZERO, Relation

COORDINATES = 10**6
"""Denominator of the coordinates of a point."""
DENOMINATORS = (12, 420, 10**4, 10**6)
"""Largest denominators of the dot products and scalars of a point that meets equations."""


def worst(goal: Goal, facts: Sequence[Relation]) -> tuple[tuple[str, str], ...]:
    """A point that breaks the goal and meets the conditions, with rational coordinates; empty if none is found.

    Only for goals in vectors and in scalars that occur by themselves.
    """
    program = in_numbers(goal, facts, whole=True)
    if program is None or program.mixes_scalars:
        return ()
    names = [*(name(goal, mono) for mono in program.rest), *(_half_name(goal, half) for half in program.halves)]
    found = None if None in names else violation(program)
    if found is None:
        return ()
    gram, scalars = found
    exact = _on(program, gram, scalars) if program.has_equations else _near(program, gram, scalars)
    if exact is None:
        return ()
    rows, numbers = exact
    values = [*map(str, numbers), *(_shown(half, row) for half, row in zip(program.halves, rows, strict=True))]
    named = {name: value for name, value in zip(names, values, strict=True) if name}
    return tuple((s.name, named.get(s.name) or _anywhere(s)) for s in goal.context.symbols)


def _anywhere(s: Symbol) -> str:
    """A value of a scalar that does not occur."""
    low, high = s.low, s.high
    if low is None or high is None:
        return str(low + 1 if low is not None else high - 1 if high is not None else ZERO)
    return str(low if s.kind == "integer" and not s.low_open else (low + high) / 2)


def _half_name(goal: Goal, half: Half) -> str | None:
    """The vector that a half is, or the scalar whose root it is; None for anything else."""
    mono, vector = half
    if not isinstance(vector, str):  # of a sequence
        return None
    return (None if mono else vector) if vector else name(goal, tuple((atom, 2 * power) for atom, power in mono))


def name(goal: Goal, mono: Mono) -> str | None:
    """The scalar symbol that a product is, empty for the constant 1, None for anything else."""
    if not mono:
        return ""
    atom = goal.context.forms.atoms[mono[0][0]]
    return atom.args[0] if len(mono) == 1 and mono[0][1] == 1 and atom.head == "name" else None


def _shown(half: Half, row: Sequence[Fraction]) -> str:
    """The vector, or the scalar that is the squared norm of its root."""
    return f"({','.join(map(str, row))},)" if half[1] else str(_dot(row, row))


def _dot(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), ZERO)


def _near(program: Program, gram: Matrix, scalars: Sequence[float]) -> tuple[Rows, list[Fraction]] | None:
    """Rational vectors and scalars near those that were found; None where they break nothing."""
    values, columns = np.linalg.eigh(gram)
    kept = values > SMALL * max(values.max(), SMALL)
    rows = [list(map(_rational, row)) for row in columns[:, kept] * np.sqrt(values[kept])]
    numbers = [_rational(x) if mono else ONE for mono, x in zip(program.rest, scalars, strict=True)]
    at: Values = {(i, j): _dot(u, v) for i, u in enumerate(rows) for j, v in enumerate(rows[: i + 1])}
    return (rows, numbers) if program.broken(at | dict(zip(program.rest, numbers, strict=True))) else None


def _on(program: Program, gram: Matrix, scalars: Sequence[float]) -> tuple[Rows, list[Fraction]] | None:
    """The same where equations are to hold exactly: a matrix near the one that was found does, and vectors have it."""
    size = range(len(program.halves))
    values: dict[Key, float] = {(i, j): float(gram[i, j]) for i in size for j in range(i + 1)}
    values |= {mono: x for mono, x in zip(program.rest, scalars, strict=True) if mono}
    for most in DENOMINATORS:
        found = _meeting(program, {key: Fraction(x).limit_denominator(most) for key, x in values.items()})
        if found is None:
            return None
        rows = vectors([[found[max(i, j), min(i, j)] for j in size] for i in size])
        if rows and program.broken(found):
            return rows, [found.get(mono, ONE) for mono in program.rest]
    return None


def _meeting(program: Program, guess: Values) -> Values | None:
    """Values near the guess that meet the equations; None where no values do."""
    rows = [program.coefficients(form) for form in program.slacks[program.inequalities :]]
    columns = [{k: row[key] for k, row in enumerate(rows) if key in row} for key in guess]
    missing = {k: -program.value(form, guess) for k, form in enumerate(program.slacks[program.inequalities :])}
    change = equations.solved(columns, missing)
    return None if change is None else {key: x + c for (key, x), c in zip(guess.items(), change, strict=True)}


def _rational(x: float) -> Fraction:
    return Fraction(round(x * COORDINATES), COORDINATES)
