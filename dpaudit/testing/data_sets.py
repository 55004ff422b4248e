"""Neighbouring data sets drawn by Hypothesis, with the extreme records in which sensitivity is found."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import DTypeLike

from dpaudit.audit.structural.data_sets import Records
from dpaudit.records.errors import ConfigurationError, MissingPackageError
from dpaudit.records.privacy import Neighbours

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

"""A data set (n, *shape); or one record (*shape)."""


@dataclass(frozen=True)
class Pair:
    """Two neighbouring data sets in parts.

    common: records of both (n - 1, *shape); record: that of the first alone; place: where it stands; other: what
    REPLACE_ONE puts there instead, else None.
    """

    neighbours: Neighbours
    common: Records
    record: Records
    place: int
    other: Records | None = None

    def data_sets(self) -> tuple[Records, Records]:
        """(data set, neighbour), fresh arrays."""
        first = np.insert(self.common, self.place, self.record, axis=0)
        if self.neighbours is Neighbours.ADD_OR_REMOVE:
            return first, self.common.copy()
        second = first.copy()
        second[self.place] = 0 if self.other is None else self.other
        return first, second


@dataclass(frozen=True)
class DataSets:
    """Which data sets are drawn; the fields are those of `neighbouring_data_sets`."""

    shape: tuple[int, ...] = ()
    bounds: tuple[float, float] | None = None
    records: tuple[int, int] = (2, 6)
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE
    dtype: DTypeLike = np.float64
    non_finite: bool = False

    def __post_init__(self) -> None:
        if np.dtype(self.dtype).kind not in "fiub":
            raise ConfigurationError(f"dtype must be of real numbers or booleans, got {np.dtype(self.dtype)}")
        low, high = self.limits()
        if not (math.isfinite(low) and math.isfinite(high) and low <= high):
            raise ConfigurationError(f"bounds must be finite, the lower one first, got {self.bounds}")
        if not 1 <= self.records[0] <= self.records[1]:
            raise ConfigurationError(f"records must be (least, most) with 1 <= least <= most, got {self.records}")
        if self.non_finite and np.dtype(self.dtype).kind != "f":
            raise ConfigurationError(f"there is no NaN in {np.dtype(self.dtype)}; non_finite is for floating point")

    def limits(self) -> tuple[float, float]:
        """The smallest and the largest number of a record: the bounds, or all that the dtype holds."""
        if self.bounds is not None:
            return self.bounds
        kind = np.dtype(self.dtype)
        if kind.kind == "b":
            return 0, 1
        limits = np.finfo(kind) if kind.kind == "f" else np.iinfo(kind)
        low, high = np.array([limits.min, limits.max], dtype=kind).tolist()
        return low, high

    def special(self) -> tuple[float, ...]:
        """Numbers that are drawn often, simplest first: 0, 1, -1 and the ends of the range, those that are in it."""
        low, high = self.limits()
        finite = [value for value in (0, 1, -1, high, low) if low <= value <= high]
        odd = [math.nan, math.inf, -math.inf] if self.non_finite else []
        return tuple(np.array(value, dtype=self.dtype).item() for value in dict.fromkeys([*finite, *odd]))

    def pairs(self) -> SearchStrategy[Pair]:
        """The strategy; raises MissingPackageError without hypothesis."""
        strategies = _strategies()
        record = self._record(strategies)

        def pair(draw: DrawFn) -> Pair:
            others = draw(strategies.integers(*self.records)) - 1
            # All the same, as where one record stands against a crowd; or each of its own.
            alike = others > 1 and draw(strategies.booleans())
            rows = [draw(record)] * others if alike else [draw(record) for _ in range(others)]
            common = np.array(rows, dtype=self.dtype).reshape(others, *self.shape)
            own, place = draw(record), draw(strategies.integers(0, others))
            other = draw(record) if self.neighbours is Neighbours.REPLACE_ONE else None
            return Pair(self.neighbours, common, own, place, other)

        return strategies.composite(pair)()  # type: ignore[no-any-return]

    def _record(self, strategies: ModuleType) -> SearchStrategy[Records]:
        low, high = self.limits()
        kind = np.dtype(self.dtype)
        if kind.kind == "f":
            ends = np.array([low, high], dtype=kind)  # bounds such as 0.1 have to be numbers of the dtype
            ordinary = strategies.floats(*ends.tolist(), width=8 * kind.itemsize, allow_nan=False)
        else:
            ordinary = strategies.integers(math.ceil(low), math.floor(high))
        number = strategies.one_of(strategies.sampled_from(self.special()), ordinary)
        size = math.prod(self.shape)
        return strategies.lists(number, min_size=size, max_size=size).map(  # type: ignore[no-any-return]
            lambda values: np.array(values, dtype=kind).reshape(self.shape)
        )


def neighbouring_data_sets(
    *,
    shape: tuple[int, ...] = (),
    bounds: tuple[float, float] | None = None,
    records: tuple[int, int] = (2, 6),
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE,
    dtype: DTypeLike = np.float64,
    non_finite: bool = False,
) -> SearchStrategy[tuple[Records, Records]]:
    """A Hypothesis strategy of pairs (data set, neighbour), arrays (n, *shape), for `hypothesis.given`.

    shape: of one record, () for single numbers. bounds: of each number, by default all finite ones of `dtype`.
    records: least and most records of the data set; with (1, ...) a neighbour by removal may be empty.
    neighbours: ADD_OR_REMOVE takes one record away, REPLACE_ONE puts another in its place, ZERO_OUT the zero record;
    either may come first. dtype: of real numbers or booleans. non_finite: NaN and infinities too, whatever the bounds.
    Raises ConfigurationError for arguments that cannot be, MissingPackageError without hypothesis.
    """
    strategies = _strategies()
    pairs = DataSets(shape, bounds, records, neighbours, dtype, non_finite).pairs()
    either = strategies.tuples(pairs, strategies.booleans())
    return either.map(  # type: ignore[no-any-return]
        lambda drawn: drawn[0].data_sets()[::-1] if drawn[1] else drawn[0].data_sets()
    )


def _strategies() -> ModuleType:
    try:
        from hypothesis import strategies
    except ModuleNotFoundError as error:
        raise MissingPackageError("hypothesis", "testing") from error
    return strategies
