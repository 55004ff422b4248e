"""Sums of squares: the form as numbers that are not negative times squares of sums, and of vectors with themselves."""

from __future__ import annotations

from fractions import Fraction

from dpaudit.recheck.polynomials import Mono, Poly
from dpaudit.recheck.squares import MOST_HALVES, Half, pair
from dpaudit.recheck.terms import Term
from dpaudit.recheck.vectors import Vectors


def total(forms: Vectors, form: Poly) -> Term | None:
    """The form as a sum of squares; None where it is none in these halves."""
    squares = {mono: half for mono in form if (half := _half(forms, mono)) is not None}
    halves = list(dict.fromkeys(squares.values()))
    if not halves or len(halves) > MOST_HALVES:
        return None
    matrix = [[Fraction(0)] * len(halves) for _ in halves]
    for mono, c in form.items():
        i, j = (halves.index(squares[mono]),) * 2 if mono in squares else pair(forms, mono, halves) or (-1, -1)
        if i < 0:
            return None
        matrix[i][j] += c / 2
        matrix[j][i] += c / 2
    rows = _eliminated(matrix)
    return None if rows is None else _sum([_square(forms, row, pivot, halves) for pivot, row in rows])


def _half(forms: Vectors, mono: Mono) -> Half | None:
    dots = [(a, e) for a, e in mono if forms.atoms[a].head == "dot"]
    plain = [(a, e) for a, e in mono if forms.atoms[a].head != "dot"]
    if any(e.denominator != 1 or e % 2 for _, e in plain) or len(dots) > 1:
        return None
    vector = ""
    if dots:
        ((a, e),) = dots
        u, v = forms.atoms[a].args
        if u != v or e != 1:
            return None
        vector = u
    return tuple((a, e.numerator // 2) for a, e in plain), vector


def _eliminated(matrix: list[list[Fraction]]) -> list[tuple[Fraction, list[Fraction]]] | None:
    """Pivots with their rows, as multiples of the pivot; None where one is negative."""
    found = []
    for k in range(len(matrix)):
        pivot, row = matrix[k][k], matrix[k][:]
        if pivot < 0 or (pivot == 0 and any(row)):
            return None
        if not pivot:
            continue
        found.append((pivot, [x / pivot for x in row]))
        for i in range(k + 1, len(matrix)):
            factor = matrix[i][k] / pivot
            matrix[i] = [x - factor * y for x, y in zip(matrix[i], row, strict=True)]
    return found


def _square(forms: Vectors, row: list[Fraction], pivot: Fraction, halves: list[Half]) -> Term:
    """pivot times the square of the row."""
    parts: list[Term] = []
    for c, (mono, vector) in zip(row, halves, strict=True):
        if c:
            factor = forms.node({mono: c})
            parts.append(("*", factor, vector) if vector else factor)
    inner = _sum(parts)
    whole = any(vector for c, (_, vector) in zip(row, halves, strict=True) if c)
    return "*", pivot, ("dot", inner, inner) if whole else ("**", inner, Fraction(2))


def _sum(parts: list[Term]) -> Term:
    made: Term = parts[0] if parts else Fraction(0)
    for part in parts[1:]:
        made = ("+", made, part)
    return made
