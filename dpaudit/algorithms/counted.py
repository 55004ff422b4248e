"""A problem that counts what is asked of it, so that complexity formulas are compared with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Integers

SomeProblem: TypeAlias = Any
"""What an algorithm is run on: each folder says which of `dpaudit.problems` it takes, and they share no class."""

Batch = Integers | Sequence[int] | Sequence[Integers]
"""Ids of records. What `at` picks of the draws of all steps keeps their type, so that one batch may stand as a sequence
of them."""


class Counted:
    """`problem` with the same methods; calls: gradients and values of single records, rounds (queries that were made
    one after the other), and partial derivatives where some were asked for."""

    def __init__(self, problem: SomeProblem) -> None:
        self._problem = problem
        self.calls = {"gradients": 0, "values": 0, "rounds": 0}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._problem, name)

    def gradient(self, point: Vector) -> Vector:
        """All records at one point."""
        self._count("gradients", self._problem.records)
        return self._problem.gradient(point)

    def partial(self, point: Vector, chosen: list[int]) -> Vector:
        """Some coordinates of the gradient of all records at one point."""
        self._count("partial derivatives", self._problem.records * len(chosen))
        return self._problem.gradient(point)[chosen]

    def record_gradients(self, point: Vector, batch: Batch | None = None) -> Vector:
        """The records of a batch, or all, at one point."""
        self._count("gradients", self._problem.records if batch is None else len(batch))
        return self._problem.record_gradients(point, batch)

    def value(self, point: Vector) -> Vector:
        """The mean of all records at one point."""
        self._count("values", self._problem.records)
        return self._problem.value(point)

    def record_values(self, point: Vector, batch: Batch | None = None) -> Vector:
        """The records of a batch, or all, at one point."""
        self._count("values", self._problem.records if batch is None else len(batch))
        return self._problem.record_values(point, batch)

    def only(self, *kinds: str) -> dict[str, int]:
        """The counts of `kinds`."""
        return {kind: self.calls[kind] for kind in kinds}

    def _count(self, kind: str, number: int) -> None:
        self.calls[kind] = self.calls.get(kind, 0) + number
        self.calls["rounds"] += 1
