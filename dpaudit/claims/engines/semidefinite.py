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
from dpaudit.recheck.forms import Forms
from dpaudit.recheck.goals import Goal
from dpaudit.recheck.polynomials import Mono, Poly, minus
from dpaudit.recheck.squares import MOST_HALVES, Half, half, pair
from dpaudit.recheck.terms import ZERO, Relation, relation, show

DENOMINATORS = (1, 4, 12, 60, 420, 5_000, 10**5, 10**7)
"""Largest denominators of weights, in the order in which they are tried."""
COORDINATES = 10**6
"""Denominator of the coordinates of a point."""
KERNEL_DENOMINATORS = (12, 60, 420, 5_000)
"""Of vectors that the rest takes to 0."""
SMALL, SINGULAR = 1e-6, 1e-5
MOST_CONDITIONS = 160
Matrix = NDArray[np.float64]


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
    """A point that may break the goal, with rational coordinates, for the engines to decide on; empty if none is found.

    Only for goals in vectors and in scalars that occur by themselves.
    """
    program = _program(goal, facts)
    if program is None or any(mono for mono, _ in program.halves) or any(_name(goal, m) is None for m in program.rest):
        return ()
    found = _violation(program)
    if found is None:
        return ()
    gram, scalars = found
    values, columns = np.linalg.eigh(gram)
    kept = values > SMALL * max(values.max(), SMALL)
    if not kept.any():
        return ()
    vectors = columns[:, kept] * np.sqrt(values[kept])
    named = [(name, _rational(x)) for m, x in zip(program.rest, scalars, strict=True) if (name := _name(goal, m))]
    rows = [(v, f"({','.join(map(_rational, row))},)") for (_, v), row in zip(program.halves, vectors, strict=True)]
    return (*named, *rows)


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


def _rational(x: float) -> str:
    return str(Fraction(round(x * COORDINATES), COORDINATES))


def _name(goal: Goal, mono: Mono) -> str | None:
    """The scalar symbol that a product is, empty for the constant 1, None for anything else."""
    if not mono:
        return ""
    atom = goal.context.forms.atoms[mono[0][0]]
    return atom.args[0] if len(mono) == 1 and mono[0][1] == 1 and atom.head == "name" else None


def _program(goal: Goal, facts: Sequence[Relation]) -> Program | None:
    """The goal in numbers; None where it has no vectors or conditions, something random, or too much of anything."""
    kinds = {s.kind for s in goal.context.symbols}
    if goal.relation.sign == "==" or goal.exists or "vector" not in kinds or "gaussian" in kinds:
        return None
    forms = goal.context.forms
    known = dict.fromkeys((*facts, *goal.context.given))
    conditions = sorted(known, key=lambda c: c.sign == "==")[:MOST_CONDITIONS]
    target = _slack(forms, goal.relation)
    slacks = tuple(_slack(forms, c) for c in conditions)
    every = dict.fromkeys(mono for form in (target, *slacks) for mono in form)
    squares = {mono: found for mono in every if (found := half(forms, mono)) is not None and mono}
    halves = list(dict.fromkeys(squares.values()))
    if not (halves and conditions) or len(halves) > MOST_HALVES:
        return None
    entries = {mono: (halves.index(found), halves.index(found)) for mono, found in squares.items()}
    entries |= {m: place for m in every if m not in squares and (place := pair(forms, m, halves)) is not None}
    rest = tuple(mono for mono in every if mono not in entries)
    return Program(tuple(conditions), target, slacks, tuple(halves), entries, rest)


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
    cone = np.hstack([-np.eye(width), np.zeros((width, scalars + 1))])
    solver = _solver()
    equations = len(signed) - kinds - 1
    order = [*range(kinds + 1, len(signed)), *range(kinds + 1)]
    blocks = [np.array([above[i] for i in order]), limits, cone]
    right = [np.array([free[i] for i in order]), np.array([1e3, 1.0] + [1e3] * (2 * scalars)), np.zeros(width)]
    cones = [
        solver.ZeroConeT(equations),
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
