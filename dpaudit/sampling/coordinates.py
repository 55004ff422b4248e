"""Distributions over sets of coordinates (ALG-2 of Maranjyan, Sadiev, Richtarik 2024).

Every distribution is a table of its sets, because each set has a Lipschitz constant and a
noise scale of its own. A set is drawn by inverting the cumulative distribution at one uniform;
the numba form is `coordinate_kernels.draw_set`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_count, check_number, check_vector

Sets = tuple[tuple[int, ...], ...]

MOST_SETS = 200_000
"""Each set needs a Lipschitz constant; more of them than this is surely a mistake."""


@dataclass(frozen=True)
class Sampler:
    """S = sets[i] with probability probabilities[i].

    dimension: d, at least 1; sets: nonempty, increasing coordinates from 0 to d - 1;
    probabilities: above 0, sum 1 to 1e-9. Every coordinate must be in some set (paper, 3.1).
    Raises ConfigurationError.
    """

    dimension: int
    sets: Sets
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        check_count("dimension", self.dimension)
        check_count("the number of sets", len(self.sets), most=MOST_SETS)
        check_vector("probabilities", self.probabilities, len(self.sets), above=0.0)
        total = math.fsum(self.probabilities)
        if abs(total - 1) > 1e-9:
            raise ConfigurationError(f"probabilities must sum to 1, got {total}; divide them by their sum")
        for chosen in self.sets:
            _check_set(chosen, self.dimension)
        missing = sorted(set(range(self.dimension)) - {j for chosen in self.sets for j in chosen})
        if missing:
            raise ConfigurationError(f"coordinate {missing[0]} is in no set, so it would never be updated; add it")

    @cached_property
    def inclusion(self) -> Array:
        """p_j = Prob(j in S), shape (d,)."""
        found = np.zeros(self.dimension)
        for chosen, probability in zip(self.sets, self.probabilities, strict=True):
            found[list(chosen)] += probability
        return np.minimum(found, 1.0)

    @cached_property
    def cumulative(self) -> Array:
        """Upper ends of the intervals of (0, 1) that belong to the sets, shape (sets,); the last is 1."""
        ends = np.cumsum(self.probabilities)
        ends[-1] = 1.0
        return ends

    @cached_property
    def sizes(self) -> Integers:
        """|U| of every set, shape (sets,)."""
        return np.array([len(chosen) for chosen in self.sets], dtype=np.int64)

    @property
    def widest(self) -> int:
        """The largest |U|."""
        return int(self.sizes.max())

    @cached_property
    def members(self) -> Integers:
        """The coordinates of every set, filled up with 0, shape (sets, widest)."""
        table = np.zeros((len(self.sets), self.widest), dtype=np.int64)
        for row, chosen in zip(table, self.sets, strict=True):
            row[: len(chosen)] = chosen
        return table

    def draw(self, uniforms: Array) -> Integers:
        """The number of the set for each uniform in (0, 1), any shape."""
        return np.searchsorted(self.cumulative, uniforms, side="right")


def _check_set(chosen: tuple[int, ...], dimension: int) -> None:
    if not chosen:
        raise ConfigurationError("a set is empty; the paper (3.1) asks for Prob(S = empty) = 0: drop it")
    inside = all(isinstance(j, int) and 0 <= j < dimension for j in chosen)
    if not inside or any(a >= b for a, b in itertools.pairwise(chosen)):
        raise ConfigurationError(f"a set must list increasing coordinates from 0 to {dimension - 1}, got {chosen}")


def full(dimension: int) -> Sampler:
    """All coordinates, always."""
    return Sampler(dimension, (tuple(range(dimension)),), (1.0,))


def single(probabilities: Sequence[float]) -> Sampler:
    """One coordinate j with probability probabilities[j]."""
    return Sampler(len(probabilities), tuple((j,) for j in range(len(probabilities))), tuple(probabilities))


def single_uniform(dimension: int) -> Sampler:
    """One coordinate, each with probability 1/d."""
    return single((1 / check_count("dimension", dimension),) * dimension)


def single_importance(smoothness: Sequence[float]) -> Sampler:
    """One coordinate j with probability M_j / sum M; `smoothness`: M, above 0."""
    check_vector("smoothness", tuple(smoothness), above=0.0)
    total = math.fsum(smoothness)
    return single(tuple(m / total for m in smoothness))


def block(blocks: Sets, probabilities: Sequence[float]) -> Sampler:
    """The block A_i of a partition with probability probabilities[i]."""
    coordinates = sorted(j for chosen in blocks for j in chosen)
    if coordinates != list(range(len(coordinates))):
        raise ConfigurationError(f"blocks must hold each coordinate 0, 1, ... exactly once, got {blocks}; use table")
    return Sampler(len(coordinates), blocks, tuple(probabilities))


def block_uniform(blocks: Sets) -> Sampler:
    """Each of the b blocks with probability 1/b."""
    return block(blocks, (1 / check_count("the number of blocks", len(blocks)),) * len(blocks))


def block_importance(blocks: Sets, smoothness: Sequence[float]) -> Sampler:
    """Block A_i with probability proportional to the largest M_j in it; `smoothness`: M, above 0."""
    check_vector("smoothness", tuple(smoothness), sum(map(len, blocks)), above=0.0)
    largest = [max(smoothness[j] for j in chosen) for chosen in blocks]
    total = math.fsum(largest)
    return block(blocks, tuple(m / total for m in largest))


def tau_nice(dimension: int, tau: int) -> Sampler:
    """Every subset of size `tau` with the same probability, in lexicographic order."""
    check_count("tau", tau, 1, check_count("dimension", dimension))
    number = check_count("the number of sets", math.comb(dimension, tau), most=MOST_SETS)
    return Sampler(dimension, tuple(itertools.combinations(range(dimension), tau)), (1 / number,) * number)


def table(dimension: int, sets: Sets, probabilities: Sequence[float]) -> Sampler:
    """Any finite distribution over nonempty sets that cover all coordinates."""
    return Sampler(dimension, sets, tuple(probabilities))


def sketched_norm(sampler: Sampler, scales: Sequence[float], weights: Sequence[float]) -> float:
    """E ||C s_S 1||_W^2 = sum over U of prob(U) s_U^2 sum over j in U of W_j / p_j^2.

    scales: s_U, one a set, at least 0; weights: W_j, one a coordinate. With s = L and
    W = P M^-1 this is Sigma_S^2 (Table 1 of the paper); with s = sigma, the noise of Lemma E.2.
    """
    check_vector("scales", tuple(scales), len(sampler.sets), least=0.0)
    for j, weight in enumerate(weights):
        check_number(f"weights[{j}]", float(weight))
    ratio = np.asarray(weights, dtype=float) / sampler.inclusion**2
    parts = zip(sampler.sets, sampler.probabilities, scales, strict=True)
    return math.fsum(q * s * s * float(ratio[list(chosen)].sum()) for chosen, q, s in parts)
