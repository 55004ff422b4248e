"""The conic programs: weights of conditions, and Gram matrices that break a goal, in floating point by clarabel."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix

from dpaudit.claims.engines.semidefinite.program import Matrix, Program
from dpaudit.recheck.polynomials import Poly
from dpaudit.recheck.terms import ZERO

SMALL = 1e-6


def weighed(program: Program, cost: Matrix) -> list[float] | None:
    """Weights of the conditions with which right - left is their sum and a positive semidefinite rest, in numbers."""
    n, kinds = len(program.conditions), program.inequalities
    rest = np.array([program.row(form) for form in program.slacks]).reshape(n, len(program.rest)).T
    signs = -np.eye(n)[:kinds]
    squares = np.array([triangle(program.matrix(form)) for form in program.slacks]).reshape(n, -1).T
    right = [program.row(program.target), np.zeros(kinds), triangle(program.matrix(program.target))]
    solver = _solver()
    cones = [
        solver.ZeroConeT(len(program.rest)),
        solver.NonnegativeConeT(kinds),
        solver.PSDTriangleConeT(len(program.halves)),
    ]
    return solved(cost, [rest, signs, squares], right, cones)


def violation(program: Program) -> tuple[Matrix, list[float]] | None:
    """A Gram matrix, and values of the scalars, with which every condition has room and the goal fails by as much."""
    size, scalars = len(program.halves), len(program.rest)
    width = size * (size + 1) // 2
    constant = [m == () for m in program.rest]

    def row(form: Poly, sign: float) -> list[float]:
        numbers = [0.0 if fixed else c for c, fixed in zip(program.row(form), constant, strict=True)]
        return [-sign * x for x in (*triangle(program.matrix(form)), *numbers)]

    kinds = program.inequalities
    signed = [(form, 1.0, 1.0) for form in program.slacks[:kinds]] + [(program.target, -1.0, 1.0)]
    signed += [(form, 1.0, 0.0) for form in program.slacks[kinds:]]
    above = [[*row(form, sign), room] for form, sign, room in signed]
    free = [sign * float(form.get((), ZERO)) for form, sign, _ in signed]
    limits = np.zeros((2 + 2 * scalars, width + scalars + 1))
    limits[0, :width] = triangle(np.eye(size))
    limits[1, -1] = 1
    limits[2:, width:-1] = np.vstack([np.eye(scalars), -np.eye(scalars)])
    inside = np.array(triangle(np.eye(size)))[:, None] * program.has_equations  # a matrix that can be moved a little
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
    found = solved(np.r_[np.zeros(width + scalars), -1.0], blocks, right, cones)
    if found is None or found[-1] < SMALL:
        return None
    return _square(found[:width], size), found[width:-1]


def _solver() -> Any:
    import clarabel

    return clarabel


def solved(cost: Matrix, blocks: Sequence[Any], right: Sequence[Any], cones: Sequence[Any]) -> list[float] | None:
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


def triangle(matrix: Matrix) -> list[float]:
    """The upper triangle by columns, off the diagonal times sqrt(2), as the cone has it."""
    return [matrix[i, j] * (1 if i == j else sqrt(2)) for j in range(len(matrix)) for i in range(j + 1)]


def _square(triangle: Sequence[float], size: int) -> Matrix:
    made, values = np.zeros((size, size)), iter(triangle)
    for j in range(size):
        for i in range(j + 1):
            made[i, j] = made[j, i] = next(values) / (1 if i == j else sqrt(2))
    return made
