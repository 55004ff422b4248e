"""Engine `semidefinite`: right - left as a combination of conditions and squares of vectors, in every dimension.

A worst-case bound over a class of functions is of this kind once the functions are given by points, gradients and
values that interpolation conditions tie together (Drori and Teboulle 2014; Taylor, Hendrickx and Glineur 2017). The
weights of the conditions are found by a semidefinite program over the Gram matrix and then made exact; the checker goes
through the combination again and sees by itself that what is left is positive semidefinite. Where the program says that
there are none, a Gram matrix that breaks the bound is made a point with rational coordinates.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_matrix

from dpaudit.arithmetic import equations
from dpaudit.arithmetic.gram_vectors import Rows, vectors
from dpaudit.recheck.forms import Forms
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Mono, Poly, minus
from dpaudit.recheck.squares import MOST_HALVES, Half, half, pair
from dpaudit.recheck.terms import ONE, ZERO, Relation, relation, show

DENOMINATORS = (1, 4, 12, 60, 420, 5_000, 10**5, 10**7)
"""Largest denominators of weights, in the order in which they are tried."""
COORDINATES = 10**6
"""Denominator of the coordinates of a point."""
WITNESS_DENOMINATORS = (12, 420, 10**4, 10**6)
"""Largest denominators of the dot products and scalars of a point that meets equations."""
KERNEL_DENOMINATORS = (12, 60, 420, 5_000)
"""Of vectors that the rest takes to 0."""
SMALL, SINGULAR = 1e-6, 1e-5
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


def available() -> bool:
    """Is the solver there?"""
    return importlib.util.find_spec("clarabel") is not None


def combinations(goal: Goal, facts: Sequence[Relation]) -> Iterator[dict[str, object]]:
    """Nodes that may prove the goal by `combine`, for the checker to decide on; none where there are no weights."""
    program = _program(goal, facts)
    if program is None:
        return
    inner, sparse = _weights(program), _weights(program, cost=np.ones(len(program.conditions)))
    for weights in (exact for found in (inner, sparse) if found for exact in _exact(program, found)):
        if all(w >= 0 or c.sign == "==" for w, c in zip(weights, program.conditions, strict=True)):
            terms = [[show(w), show(c)] for w, c in zip(weights, program.conditions, strict=True) if w]
            yield {"by": "combine", "terms": terms}


def worst(goal: Goal, facts: Sequence[Relation]) -> tuple[tuple[str, str], ...]:
    """A point that breaks the goal and meets the conditions, with rational coordinates; empty if none is found.

    Only for goals in vectors and in scalars that occur by themselves.
    """
    program = _program(goal, facts, whole=True)
    if program is None or program.mixes_scalars:
        return ()
    names = [*(_name(goal, mono) for mono in program.rest), *(_half_name(goal, half) for half in program.halves)]
    found = None if None in names else _violation(program)
    if found is None:
        return ()
    gram, scalars = found
    exact = _on(program, gram, scalars) if program.has_equations else _near(program, gram, scalars)
    if exact is None:
        return ()
    rows, numbers = exact
    values = [*map(str, numbers), *(_shown(half, row) for half, row in zip(program.halves, rows, strict=True))]
    return tuple((name, value) for name, value in zip(names, values, strict=True) if name)


def _half_name(goal: Goal, half: Half) -> str | None:
    """The vector that a half is, or the scalar whose root it is; None for anything else."""
    mono, vector = half
    return (None if mono else vector) if vector else _name(goal, tuple((atom, 2 * power) for atom, power in mono))


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
    for most in WITNESS_DENOMINATORS:
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


def best(form: str, goal: Goal, facts: Sequence[Relation] = ()) -> float | None:
    """The least c for which the relation `form`, which is linear in its `{c}`, can be shown so; None if there is none.

    goal: the same relation with any number in the place of `{c}`.
    """
    at = [goal.with_relation(relation(form.replace("{c}", f"({c})"))) for c in (0, 1)]
    programs = [program for one in at if (program := _program(one, facts)) is not None]
    if len(programs) < 2:
        return None
    slopes = minus(programs[0].target, programs[1].target)
    first = programs[1] if len(programs[1].halves) >= len(programs[0].halves) else programs[0]
    zero, c = Relation(ZERO, "==", ZERO), len(first.conditions)
    whole = replace(
        first, conditions=(*first.conditions, zero), slacks=(*first.slacks, slopes), target=programs[0].target
    )
    found = _weights(whole, cost=np.eye(1, c + 1, c)[0])
    return None if found is None else found[c]


def _rational(x: float) -> Fraction:
    return Fraction(round(x * COORDINATES), COORDINATES)


def _name(goal: Goal, mono: Mono) -> str | None:
    """The scalar symbol that a product is, empty for the constant 1, None for anything else."""
    if not mono:
        return ""
    atom = goal.context.forms.atoms[mono[0][0]]
    return atom.args[0] if len(mono) == 1 and mono[0][1] == 1 and atom.head == "name" else None


def _program(goal: Goal, facts: Sequence[Relation], *, whole: bool = False) -> Program | None:
    """The goal in numbers; None where it has no vectors or conditions, something random, or too much of anything.

    whole: every vector has its place in the matrix, whether its square occurs or not."""
    kinds = {s.kind for s in goal.context.symbols}
    if goal.relation.sign == "==" or goal.exists or "vector" not in kinds or "gaussian" in kinds:
        return None
    forms = goal.context.forms
    known = dict.fromkeys((*facts, *goal.context.given, *(_ranges(goal) if whole else ())))
    conditions = sorted(known, key=lambda c: c.sign == "==")[:MOST_CONDITIONS]
    target = _slack(forms, goal.relation)
    slacks = tuple(_slack(forms, c) for c in conditions)
    every = dict.fromkeys(mono for form in (target, *slacks) for mono in form)
    squares = {mono: found for mono in every if (found := half(forms, mono)) is not None and mono}
    named: list[Half] = [((), s.name) for s in goal.context.symbols if whole and s.kind == "vector"]
    halves = list(dict.fromkeys((*named, *squares.values())))
    if not (halves and conditions) or len(halves) > MOST_HALVES:
        return None
    entries = {mono: (halves.index(found), halves.index(found)) for mono, found in squares.items()}
    entries |= {m: place for m in every if m not in squares and (place := pair(forms, m, halves)) is not None}
    rest = tuple(mono for mono in every if mono not in entries)
    return Program(tuple(conditions), target, slacks, tuple(halves), entries, rest)


def _ranges(goal: Goal) -> Iterator[Relation]:
    """The ends of the ranges of the scalars, as conditions."""
    for s in goal.context.symbols:
        if s.kind == "real" and s.low is not None:
            yield Relation(s.low, "<" if s.low_open else "<=", s.name)
        if s.kind == "real" and s.high is not None:
            yield Relation(s.name, "<" if s.high_open else "<=", s.high)


def _slack(forms: Forms, given: Relation) -> Poly:
    return minus(forms.form(given.right), forms.form(given.left))


def _weights(program: Program, cost: Matrix | None = None) -> list[float] | None:
    """Weights of the conditions with which right - left is their sum and a positive semidefinite rest, in numbers."""
    n, kinds = len(program.conditions), program.inequalities
    rest = np.array([program.row(form) for form in program.slacks]).reshape(n, len(program.rest)).T
    signs = -np.eye(n)[:kinds]
    squares = np.array([_triangle(program.matrix(form)) for form in program.slacks]).reshape(n, -1).T
    right = [program.row(program.target), np.zeros(kinds), _triangle(program.matrix(program.target))]
    solver = _solver()
    cones = [
        solver.ZeroConeT(len(program.rest)),
        solver.NonnegativeConeT(kinds),
        solver.PSDTriangleConeT(len(program.halves)),
    ]
    return _solved(np.zeros(n) if cost is None else cost, [rest, signs, squares], right, cones)


def _violation(program: Program) -> tuple[Matrix, list[float]] | None:
    """A Gram matrix, and values of the scalars, with which every condition has room and the goal fails by as much."""
    size, scalars = len(program.halves), len(program.rest)
    width = size * (size + 1) // 2
    constant = [m == () for m in program.rest]

    def row(form: Poly, sign: float) -> list[float]:
        numbers = [0.0 if fixed else c for c, fixed in zip(program.row(form), constant, strict=True)]
        return [-sign * x for x in (*_triangle(program.matrix(form)), *numbers)]

    kinds = program.inequalities
    signed = [(form, 1.0, 1.0) for form in program.slacks[:kinds]] + [(program.target, -1.0, 1.0)]
    signed += [(form, 1.0, 0.0) for form in program.slacks[kinds:]]
    above = [[*row(form, sign), room] for form, sign, room in signed]
    free = [sign * float(form.get((), ZERO)) for form, sign, _ in signed]
    limits = np.zeros((2 + 2 * scalars, width + scalars + 1))
    limits[0, :width] = _triangle(np.eye(size))
    limits[1, -1] = 1
    limits[2:, width:-1] = np.vstack([np.eye(scalars), -np.eye(scalars)])
    inside = np.array(_triangle(np.eye(size)))[:, None] * program.has_equations  # a matrix that can be moved a little
    cone = np.hstack([-np.eye(width), np.zeros((width, scalars)), inside])
    solver = _solver()
    equal = len(signed) - kinds - 1
    order = [*range(kinds + 1, len(signed)), *range(kinds + 1)]
    blocks = [np.array([above[i] for i in order]), limits, cone]
    right = [np.array([free[i] for i in order]), np.array([1e3, 1.0] + [1e3] * (2 * scalars)), np.zeros(width)]
    cones = [
        solver.ZeroConeT(equal),
        solver.NonnegativeConeT(kinds + 1 + len(limits)),
        solver.PSDTriangleConeT(size),
    ]
    found = _solved(np.r_[np.zeros(width + scalars), -1.0], blocks, right, cones)
    if found is None or found[-1] < SMALL:
        return None
    return _square(found[:width], size), found[width:-1]


def _solver() -> Any:
    import clarabel

    return clarabel


def _solved(cost: Matrix, blocks: Sequence[Any], right: Sequence[Any], cones: Sequence[Any]) -> list[float] | None:
    """A solution of `blocks` x + s = `right` with s in the cones; None where the solver finds none."""
    solver = _solver()
    settings = solver.DefaultSettings()
    settings.verbose = False
    size = len(cost)
    matrix = csc_matrix(np.vstack([np.asarray(block, float).reshape(-1, size) for block in blocks]))
    kept = [c for c in cones if c.dim]
    found = solver.DefaultSolver(csc_matrix((size, size)), cost, matrix, np.concatenate(right), kept, settings).solve()
    done = (solver.SolverStatus.Solved, solver.SolverStatus.AlmostSolved)
    return list(found.x) if found.status in done else None


def _triangle(matrix: Matrix) -> list[float]:
    """The upper triangle by columns, off the diagonal times sqrt(2), as the cone has it."""
    return [matrix[i, j] * (1 if i == j else sqrt(2)) for j in range(len(matrix)) for i in range(j + 1)]


def _square(triangle: Sequence[float], size: int) -> Matrix:
    made, values = np.zeros((size, size)), iter(triangle)
    for j in range(size):
        for i in range(j + 1):
            made[i, j] = made[j, i] = next(values) / (1 if i == j else sqrt(2))
    return made


def _exact(program: Program, found: Sequence[float]) -> Iterator[list[Fraction]]:
    """Rational weights near those that were found, which meet the equations between coefficients exactly.

    Where the rest is singular, as at the best constant, the vectors that it takes to 0 are guessed first and kept.
    """
    order = sorted(range(len(found)), key=lambda i: -abs(found[i]))
    for kernel in _kernels(program, found):
        wanted = _equations(program, program.target, kernel)
        rows = [_equations(program, form, kernel) for form in program.slacks]
        for most in DENOMINATORS:
            guess = [Fraction(x).limit_denominator(most) if abs(x) > SMALL else ZERO for x in found]
            moved = [i for i in order if guess[i]]
            missing = {k: c - sum(guess[i] * rows[i].get(k, ZERO) for i in moved) for k, c in wanted.items()}
            change = equations.solved([rows[i] for i in moved], missing)
            if change is not None:
                exact = dict(zip(moved, change, strict=True))
                yield [guess[i] + exact.get(i, ZERO) for i in range(len(found))]


def _equations(program: Program, form: Poly, kernel: Sequence[Sequence[Fraction]]) -> dict[int, Fraction]:
    """What has to be equal of a form: its rest, and its matrix times each vector of the kernel."""
    values = [form.get(mono, ZERO) for mono in program.rest]
    for w in kernel:
        image = [ZERO] * len(w)
        for mono, (i, j) in program.entries.items():
            c = form.get(mono, ZERO) / 2
            image[i] += c * w[j]
            image[j] += c * w[i]
        values += image
    return dict(enumerate(values))


def _kernels(program: Program, found: Sequence[float]) -> Iterator[list[list[Fraction]]]:
    """No vector at all, then what the rest takes to 0, as reduced rows with small denominators."""
    yield []
    rest = program.matrix(program.target)
    rest -= sum(w * program.matrix(form) for w, form in zip(found, program.slacks, strict=True))
    values, columns = np.linalg.eigh(rest)
    rows = columns[:, values < SINGULAR * max(values.max(), SMALL)].T.copy()
    if not 0 < len(rows) < len(values):
        return
    for k in range(len(rows)):  # reduced rows, each with the largest entry that is left as its pivot
        place = int(np.argmax(np.abs(rows[k])))
        rows[k] /= rows[k, place]
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, place] * rows[k]
    for most in KERNEL_DENOMINATORS:
        yield [[Fraction(x).limit_denominator(most) for x in row] for row in rows]
