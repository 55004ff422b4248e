"""Prefix sums under Gaussian noise: the binary tree mechanism and other factorisations of the summation matrix.

A is the lower triangular matrix of ones, A x the prefix sums of the items x_1, ..., x_T. With A = left right, both
lower triangular, A x + left xi = left (right x + xi): its noise is chosen by `left`, its privacy by `right`.

The tree. Items, prefixes and nodes have numbers from 1 to T; step t = 0, ..., T - 1 of an algorithm is item t + 1.
Node t = j 2^k, j odd, is the noisy sum of the items from t - lowbit(t) + 1 to t, lowbit(t) = 2^k; prefix t is the sum
of the nodes t, t - lowbit(t), ... down to 0, as many as t has binary ones. Its factors are square and unit lower
triangular, so that nodes and prefix sums can be had from each other.

The paper prints the odd j up to T/2^k - 1. That leaves out exactly the nodes of the last prefix, which no other nodes
replace: 4, 6, 7 for T = 7, against the example printed beside it, and 8 for T = 8. The bound that works is T/2^k.
With natural logarithms k up to ceil(log T) stops short as well: ceil(ln 16) = 3 leaves out node 16.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", section 2.2 and lemma 5.6; square root: Fichtenberger, Henzinger, Upadhyay (2023); that adaptive items keep
the privacy of fixed ones: Denisov, McMahan, Rush, Smith, Thakurta (2022), theorem 2.1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import SupportsFloat

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count

LOG_BASES = ("2", "e")
"""Readings of the logarithms of numbers of levels, whose base the paper does not print."""

MOST_ROWS = 2048
"""Of a dense matrix; the closed forms of the tree have no such limit."""


def logarithm(value: float, log_base: str) -> float:
    """log of value > 0 with base "2" or "e"."""
    check_choice("log_base", log_base, LOG_BASES)
    return math.log2(value) if log_base == "2" else math.log(value)


def ceil_logarithm(steps: int, log_base: str) -> int:
    """ceil(log T) for an integer T >= 1, without rounding for base 2."""
    check_count("steps", steps)
    return (steps - 1).bit_length() if log_base == "2" else math.ceil(logarithm(steps, log_base))


def lowbit(number: int) -> int:
    """The largest power of two that divides number >= 1."""
    return number & -number


@dataclass(frozen=True, order=True)
class Node:
    """The node (j, k): the sum of the items from (j - 1) 2^k + 1 to j 2^k."""

    j: int
    k: int

    @property
    def number(self) -> int:
        """t = j 2^k; for odd j no other node has it."""
        return self.j << self.k

    @property
    def items(self) -> range:
        """The numbers of its items."""
        return range(((self.j - 1) << self.k) + 1, self.number + 1)


def complete_nodes(steps: int) -> tuple[Node, ...]:
    """All nodes that prefixes 1, ..., T need, T = steps >= 1: (j, k), j odd, j 2^k <= T; node t is at place t - 1."""
    check_count("steps", steps)
    return tuple(Node(t // lowbit(t), lowbit(t).bit_length() - 1) for t in range(1, steps + 1))


def printed_nodes(steps: int, log_base: str = "2") -> tuple[Node, ...]:
    """The node set as printed: k = 0, ..., ceil(log T), j = 1, 3, 5, ... up to T/2^k - 1; sorted by number."""
    levels = range(ceil_logarithm(steps, log_base) + 1)
    nodes = (Node(j, k) for k in levels for j in range(1, steps // 2**k, 2))  # j + 1 <= floor(T/2^k)
    return tuple(sorted(nodes, key=lambda node: node.number))


def nodes_of_prefix(prefix: int) -> tuple[int, ...]:
    """The numbers of the nodes whose sum is prefix t >= 1, largest first: t, t - lowbit(t), ..."""
    check_count("prefix", prefix)
    numbers = []
    while prefix:
        numbers.append(prefix)
        prefix &= prefix - 1
    return tuple(numbers)


def unformed_prefixes(steps: int, log_base: str = "2") -> tuple[int, ...]:
    """The prefixes up to T that no linear combination of the printed nodes gives.

    The nodes of the complete set are linearly independent, so that a prefix is a combination of them in one way only.
    """
    printed = {node.number for node in printed_nodes(steps, log_base)}
    return tuple(t for t in range(1, steps + 1) if not printed.issuperset(nodes_of_prefix(t)))


def nodes_with_item(item: int, steps: int) -> int:
    """In how many nodes of the tree over T = steps items item i lies, 1 <= i <= T."""
    check_count("item", item, most=check_count("steps", steps))
    before = item - 1
    levels = range(steps.bit_length())
    return sum((before >> k) % 2 == 0 and ((before >> k) + 1) << k <= steps for k in levels)


def most_nodes(steps: int) -> int:
    """1 + floor(log2 T), the largest number of nodes with one item: the first item has it."""
    return check_count("steps", steps).bit_length()


def most_summands(steps: int) -> int:
    """floor(log2(T + 1)), the largest number of nodes that a prefix up to T uses."""
    return (check_count("steps", steps) + 1).bit_length() - 1


@dataclass(frozen=True, eq=False)
class TreeSchedule:
    """What a streaming form reads; both int64, shape (T,), entry t - 1 for prefix t.

    previous: t - lowbit(t), 0 where there is none: noise[t] = noise[previous] + xi_t with noise[0] = 0.
    depth: the binary ones of t. The same in 1 + most_summands(T) vectors, for increasing t and slot[0] = 0:
    slot[depth] = slot[depth - 1] + xi_t is the noise of prefix t, by the same additions in the same order.
    """

    previous: Integers
    depth: Integers


def tree_schedule(steps: int) -> TreeSchedule:
    """The schedule of the tree over T = steps >= 1 items."""
    numbers = np.arange(1, check_count("steps", steps) + 1, dtype=np.int64)
    return TreeSchedule(numbers & (numbers - 1), np.bitwise_count(numbers).astype(np.int64))


def prefixes_from_nodes(nodes: ArrayLike, axis: int = -2) -> Array:
    """The noisy prefix sums whose nodes lie along `axis`, node t at place t - 1; same shape.

    By default the rows of (..., T, d) arrays; objects such as Fractions are added exactly.
    """
    rows = np.moveaxis(np.asarray(nodes), axis, 0)
    sums = np.concatenate([np.zeros_like(rows[:1]), rows])
    for t, previous in enumerate(tree_schedule(len(rows)).previous, start=1):
        sums[t] = sums[previous] + rows[t - 1]
    return np.moveaxis(sums[1:], 0, axis)


def nodes_from_prefixes(prefixes: ArrayLike, axis: int = -2) -> Array:
    """The nodes behind noisy prefix sums: s_t = prefix t - prefix (t - lowbit(t)); inverse of `prefixes_from_nodes`."""
    rows = np.moveaxis(np.asarray(prefixes), axis, 0)
    padded = np.concatenate([np.zeros_like(rows[:1]), rows])
    return np.moveaxis(rows - padded[tree_schedule(len(rows)).previous], 0, axis)


def prefix_matrix(steps: int) -> Integers:
    """A: ones on and below the diagonal, shape (T, T)."""
    check_count("steps", steps, most=MOST_ROWS)
    return np.tril(np.ones((steps, steps), dtype=np.int64))


def tree_factors(steps: int) -> tuple[Integers, Integers]:
    """(left, right), integers: left[t - 1, u - 1] = 1 if prefix t uses node u, right[u - 1, i - 1] = 1 if u has item i.

    left right = A without rounding; both unit lower triangular, shape (T, T).
    """
    check_count("steps", steps, most=MOST_ROWS)
    left, right = np.zeros((2, steps, steps), dtype=np.int64)
    for t in range(1, steps + 1):
        left[t - 1, [u - 1 for u in nodes_of_prefix(t)]] = 1
        right[t - 1, t - lowbit(t) : t] = 1
    return left, right


def square_root_coefficients(steps: int) -> tuple[Fraction, ...]:
    """binom(2k, k)/4^k for k = 0, ..., T - 1, exactly: entry (s, t) of the lower triangular root of A is the one of
    k = s - t."""
    coefficients = [Fraction(1)]
    for k in range(1, check_count("steps", steps)):
        coefficients.append(coefficients[-1] * Fraction(2 * k - 1, 2 * k))
    return tuple(coefficients)


def toeplitz(coefficients: Sequence[SupportsFloat]) -> Array:
    """The lower triangular float64 matrix with coefficients[s - t] at (s, t), shape (T, T)."""
    values = np.array([float(c) for c in coefficients])
    check_count("steps", len(values), most=MOST_ROWS)
    distance = np.subtract.outer(np.arange(len(values)), np.arange(len(values)))
    return np.where(distance >= 0, values[np.maximum(distance, 0)], 0.0)


@dataclass(frozen=True, eq=False)
class Factorisation:
    """A = left right. name: in words; left, right: lower triangular, finite, shape (T, T), T at most MOST_ROWS.

    Released are right x + xi and with it the prefix sums A x + left xi, xi with i.i.d. normal rows. Raises
    ConfigurationError.
    """

    name: str
    left: Array
    right: Array

    def __post_init__(self) -> None:
        for name in ("left", "right"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        if self.left.ndim != 2 or not self.left.size or not self.left.shape == self.right.shape == self.left.T.shape:
            raise ConfigurationError(
                f"left and right must be square of one shape, got {self.left.shape} and {self.right.shape}"
            )
        error = np.abs(self.left @ self.right - prefix_matrix(self.steps)).max()
        if not error <= 1e-10:
            raise ConfigurationError(f"left right must be the lower triangular matrix of ones, got one {error} away")
        if np.triu(self.left, 1).any() or np.triu(self.right, 1).any():
            raise ConfigurationError("left and right must be lower triangular, so that no step needs a later item")

    @property
    def steps(self) -> int:
        """T."""
        return len(self.left)

    @cached_property
    def column_norms(self) -> Array:
        """By how much one item of norm 1 moves right x, per item, shape (T,)."""
        return np.asarray(np.linalg.norm(self.right, axis=0))

    @property
    def sensitivity(self) -> float:
        """The largest column norm, for single participation: each record in one item."""
        return float(self.column_norms.max())

    @cached_property
    def row_norms(self) -> Array:
        """Standard deviation of the noise of every prefix sum for unit noise xi, shape (T,)."""
        return np.asarray(np.linalg.norm(self.left, axis=1))

    @cached_property
    def increments(self) -> Array:
        """A^-1 left = right^-1, shape (T, T): times xi it is the noise of one step after the other (DP-FTRL)."""
        return np.diff(self.left, axis=0, prepend=0.0)


def binary_tree(steps: int) -> Factorisation:
    """The binary tree mechanism over T = steps items."""
    left, right = tree_factors(steps)
    return Factorisation("binary tree", left.astype(np.float64), right.astype(np.float64))


def square_root(steps: int) -> Factorisation:
    """left = right = the root of A with the coefficients binom(2k, k)/4^k."""
    root = toeplitz(square_root_coefficients(steps))
    return Factorisation("square root", root, root)


def independent_noise(steps: int) -> Factorisation:
    """right = I: every item gets noise of its own, as in DP-SGD; prefix t has standard deviation sqrt(t)."""
    return Factorisation("independent noise", prefix_matrix(steps).astype(np.float64), np.eye(steps))


def noise_per_prefix(steps: int) -> Factorisation:
    """left = I: every prefix sum gets noise of its own; sensitivity sqrt(T)."""
    return Factorisation("noise per prefix", np.eye(steps), prefix_matrix(steps).astype(np.float64))


FACTORISATIONS = {
    "binary tree": binary_tree,
    "square root": square_root,
    "independent noise": independent_noise,
    "noise per prefix": noise_per_prefix,
}
