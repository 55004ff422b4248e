"""Exact mean and second moment of linear recursions with noise, in rational arithmetic.

Stochastic gradient steps on quadratic losses, their averages and accelerated forms are
recursions x' = A x + b + noise, where (A, b) is one of finitely many pairs, drawn uniformly
and independently of the past, and the noise has mean zero and a given covariance. Their
first two moments obey a closed recursion, which gives exact values to hold an algorithm to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Vector = tuple[Fraction, ...]
Matrix = tuple[Vector, ...]


@dataclass(frozen=True)
class Moments:
    """mean: E x, shape (k,); second: E x x^T, shape (k, k)."""

    mean: Vector
    second: Matrix

    def quadratic(self, form: Matrix, linear: Vector | None = None) -> Fraction:
        """E(x^T Q x + c^T x) for `form` Q (k, k) and `linear` c (k,)."""
        size = range(len(self.mean))
        total = sum((form[i][j] * self.second[j][i] for i in size for j in size), Fraction(0))
        return total + (_dot(linear, self.mean) if linear is not None else 0)


@dataclass(frozen=True)
class Recursion:
    """x' = A x + b + noise. maps: pairs (A (k, k), b (k,)), equally likely; noise: covariance (k, k)."""

    maps: tuple[tuple[Matrix, Vector], ...]
    noise: Matrix

    def __post_init__(self) -> None:
        size = len(self.noise)
        matrices = (self.noise, *(a for a, _ in self.maps))
        square = all(len(m) == size and all(len(row) == size for row in m) for m in matrices)
        if not self.maps or not square or any(len(b) != size for _, b in self.maps):
            raise ValueError(f"every A and the noise must be {size} x {size}, every b must have {size} entries")

    def step(self, before: Moments) -> Moments:
        """The moments after one step."""
        size, count = range(len(self.noise)), len(self.maps)
        mean = [Fraction(0)] * len(size)
        second = [[entry * count for entry in row] for row in self.noise]
        for matrix, shift in self.maps:
            image = tuple(_dot(row, before.mean) for row in matrix)
            for i in size:
                mean[i] += image[i] + shift[i]
                for j in size:
                    quadratic = sum((matrix[i][k] * _dot(before.second[k], matrix[j]) for k in size), Fraction(0))
                    second[i][j] += quadratic + image[i] * shift[j] + shift[i] * image[j] + shift[i] * shift[j]
        return Moments(tuple(x / count for x in mean), tuple(tuple(x / count for x in row) for row in second))

    def run(self, start: Sequence[Fraction], steps: int) -> Moments:
        """The moments after `steps` steps from the point `start` (k,)."""
        point = tuple(map(Fraction, start))
        if len(point) != len(self.noise) or steps < 0:
            raise ValueError(
                f"need a start with {len(self.noise)} entries and steps >= 0, got {len(point)} and {steps}"
            )
        moments = Moments(point, tuple(tuple(x * y for y in point) for x in point))
        for _ in range(steps):
            moments = self.step(moments)
        return moments


def matrix(rows: Sequence[Sequence[Fraction | int | str]]) -> Matrix:
    """Exact entries from integers, Fractions or text such as "1/3"; floats are refused."""
    if any(isinstance(x, float) for row in rows for x in row):
        raise ValueError("exact numbers only: write 0.1 as '1/10'")
    return tuple(tuple(Fraction(x) for x in row) for row in rows)


def _dot(u: Vector, v: Vector) -> Fraction:
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))
