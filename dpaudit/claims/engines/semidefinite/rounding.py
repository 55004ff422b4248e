"""Weights of conditions made exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from dpaudit.arithmetic import equations
from dpaudit.claims.engines.semidefinite.conic import SMALL
from dpaudit.claims.engines.semidefinite.program import Program
from dpaudit.recheck.polynomials import Poly
from dpaudit.recheck.terms import ZERO

DENOMINATORS = (1, 4, 12, 60, 420, 5_000, 10**5, 10**7)
"""Largest denominators of weights, in the order in which they are tried."""
KERNEL_DENOMINATORS = (12, 60, 420, 5_000)
"""Of vectors that the rest takes to 0."""
SINGULAR = 1e-5


def made_exact(program: Program, found: Sequence[float]) -> Iterator[list[Fraction]]:
    """Rational weights near those that were found, which meet the equations between coefficients exactly.

    Where the rest is singular, as at the best constant, the vectors that it takes to 0 are guessed first and kept.
    """
    if not found:
        return
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
