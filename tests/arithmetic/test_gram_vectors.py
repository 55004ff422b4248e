"""Rational vectors have exactly the dot products that were asked for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpaudit.arithmetic.gram_vectors import four_squares, vectors

SEED = 20261126


def dots(rows):
    return [[sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_dot_products_are_exact(size):
    rng = np.random.default_rng([SEED, size])
    root = rng.normal(size=(size, size))
    gram = [[Fraction(round(float(x) * 997), 997) for x in row] for row in root @ root.T + np.eye(size)]
    gram = [[gram[max(i, j)][min(i, j)] for j in range(size)] for i in range(size)]
    found = vectors(gram)
    assert dots(found) == gram
    assert {len(row) for row in found} == {4 * size}


@pytest.mark.parametrize("gram", [[[0]], [[-1]], [[1, 1], [1, 1]], [[1, 2], [2, 3]]])
def test_a_matrix_that_is_not_positive_definite_has_none(gram):
    assert vectors([[Fraction(x) for x in row] for row in gram]) is None


@pytest.mark.parametrize("text", ["0", "1/3", "7", "7/60", "123456789123456789/1000000007"])
def test_four_squares_add_up(text):
    assert sum(x * x for x in four_squares(Fraction(text))) == Fraction(text)
