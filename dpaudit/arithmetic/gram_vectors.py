"""Vectors with rational coordinates from the dot products that they are to have.

A positive definite matrix of rational numbers is L D L^T with L and D rational and D positive. Every positive rational
number is the sum of four rational squares (Lagrange 1770), so each entry of D is the squared norm of a rational vector
in four dimensions of its own: n vectors have coordinates in 4 n dimensions.
"""

from __future__ import annotations

from fractions import Fraction

Rows = list[list[Fraction]]


def vectors(gram: Rows) -> Rows | None:
    """Vectors with exactly these dot products, one a row; None where the matrix is not positive definite."""
    factors = _factored(gram)
    if factors is None:
        return None
    lower, diagonal = factors
    roots = [four_squares(d) for d in diagonal]
    return [[share * x for share, root in zip(row, roots, strict=True) for x in root] for row in lower]


def four_squares(number: Fraction) -> tuple[Fraction, ...]:
    """Four rational numbers whose squares add up to a number that is not negative."""
    from sympy.solvers.diophantine.diophantine import sum_of_four_squares

    whole = number.numerator * number.denominator
    return tuple(Fraction(int(x), number.denominator) for x in sum_of_four_squares(whole))


def _factored(gram: Rows) -> tuple[Rows, list[Fraction]] | None:
    """L with ones on its diagonal and D with gram = L D L^T, None where an entry of D is not positive."""
    size = len(gram)
    lower = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
    left = [list(row) for row in gram]
    diagonal = []
    for k in range(size):
        pivot = left[k][k]
        if pivot <= 0:
            return None
        diagonal.append(pivot)
        for i in range(k + 1, size):
            lower[i][k] = left[i][k] / pivot
            for j in range(k + 1, size):
                left[i][j] -= lower[i][k] * left[k][j]
    return lower, diagonal
