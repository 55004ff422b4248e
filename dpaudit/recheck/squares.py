"""Sums of squares: a form that is a positive semidefinite matrix between products and vectors is not negative.

A product with a positive coefficient may be a square itself, x = sqrt(x)**2, where its atoms are not negative. One with
a negative coefficient is a product of two halves.
"""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.polynomials import HALF, ONE, Mono, Poly, constant
from dpaudit.recheck.terms import Term
from dpaudit.recheck.vectors import Vectors

Half = tuple[Mono, Term]
"""Half of a square: a product of atoms, and a vector or an empty name."""
MOST_HALVES = 12


def sign(forms: Vectors, form: Poly) -> int | None:
    """0 where the form is shown to be a sum of squares, else None."""
    squares = {mono: found for mono, c in form.items() if c > 0 and (found := half(forms, mono)) is not None}
    halves = list(dict.fromkeys(squares.values()))
    if not halves or len(halves) > MOST_HALVES:
        return None
    matrix = [[Fraction(0)] * len(halves) for _ in halves]
    for mono, c in form.items():
        if mono in squares:
            i = j = halves.index(squares[mono])
        else:
            places = pair(forms, mono, halves)
            if places is None:
                return None
            i, j = places
        matrix[i][j] += c / 2
        matrix[j][i] += c / 2
    return 0 if _semidefinite(matrix) else None


def half(forms: Vectors, mono: Mono) -> Half | None:
    """The half of a product that is a square: even powers, and any powers of what is not negative."""
    dots = [(a, e) for a, e in mono if forms.atoms[a].head == "dot"]
    plain = [(a, e) for a, e in mono if forms.atoms[a].head != "dot"]
    if any(e % 2 and forms.atom_sign(a) is None for a, e in plain) or len(dots) > 1:
        return None
    vector: Term = ""
    if dots:
        ((a, e),) = dots
        u, v = forms.atoms[a].args
        if u != v or e != 1:
            return None
        vector = u
    return tuple((a, e * HALF) for a, e in plain), vector


def pair(forms: Vectors, mono: Mono, halves: list[Half]) -> tuple[int, int] | None:
    """The halves whose product it is."""
    for i, (m, u) in enumerate(halves):
        for j, (n, v) in enumerate(halves[:i]):
            if bool(u) == bool(v):
                dot = forms.dot({u: constant(1)}, {v: constant(1)}) if u else constant(1)
                if forms.times({m: ONE}, {n: ONE}, dot) == {mono: ONE}:
                    return i, j
    return None


def _semidefinite(matrix: list[list[Fraction]]) -> bool:
    """By elimination: no pivot is negative, and the row of a pivot 0 is 0."""
    for k in range(len(matrix)):
        pivot = matrix[k][k]
        if pivot < 0 or (pivot == 0 and any(matrix[k])):
            return False
        if pivot:
            row = matrix[k]
            for i in range(k + 1, len(matrix)):
                factor = matrix[i][k] / pivot
                matrix[i] = [x - factor * y for x, y in zip(matrix[i], row, strict=True)]
            for i in range(k + 1, len(matrix)):
                matrix[k][i] = Fraction(0)
    return True
