"""`assert_sensitivity`: a search for two neighbouring data sets on which a function moves further than its bound.

Three stages, each from where the last one ended. Hypothesis draws pairs and steers towards large distances. A climb
moves the best pair number by number, to the ends of the range first, because convex functions of a record are largest
there. What violates the bound is made smaller while it still does. A search proves nothing.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.structural.data_sets import Records
from dpaudit.content.audits import Data
from dpaudit.records.errors import ConfigurationError, ContentError, MissingPackageError
from dpaudit.testing.data_sets import DataSets, Pair

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Change = Callable[[Records], Records]
Neighbouring: TypeAlias = Any
"""A `Pair`, or what else a strategy of the user's own draws."""

NORMS: Mapping[str, float] = {"l1": 1, "l2": 2, "linf": math.inf}

_LARGEST = 1e300
"""What Hypothesis is told of an infinite distance."""
_MOST_STEPS = 2_000
"""Evaluations that the climb and the shrinking may each take."""


def assert_sensitivity(
    function: Callable[[Data], object],
    bound: float,
    norm: str = "l2",
    *,
    pairs: SearchStrategy[Neighbouring] | None = None,
    examples: int = 300,
    seed: int = 0,
    tolerance: float = 1e-9,
    **data_sets: Any,  # each of its own type, see below
) -> float:
    """Search for neighbours D, D' with ||function(D) - function(D')|| > bound; AssertionError with the smallest found.

    function: of one data set, without noise: the same result for the same data; a number, an array, or a tuple, list
    or dict of them, whose numbers are taken as one vector. bound: at least 0. norm: l1, l2 or linf. A result with NaN
    or an infinity violates every bound. pairs: a Hypothesis strategy of pairs of your own; by default drawn and
    climbed as `data_sets` says, the arguments of `neighbouring_data_sets`. examples: pairs that Hypothesis draws.
    seed: of the search; Hypothesis also tries numbers that it reads in the modules that are loaded, so that another
    program may see another pair. tolerance: relative, for rounding.

    Returns the largest distance that was seen, a lower bound on the sensitivity; if that is far below `bound`, the
    noise is larger than it need be or the search is too weak. Raises ContentError if `function` is random or its
    result has another shape on the neighbour, ConfigurationError for arguments that cannot be.
    """
    __tracebackhide__ = True
    if norm not in NORMS:
        raise ConfigurationError(f"norm must be one of {', '.join(NORMS)}, got {norm!r}")
    if not 0 <= bound < math.inf:
        raise ConfigurationError(f"bound must be finite and at least 0, got {bound}")
    if pairs is not None and data_sets:
        raise ConfigurationError(f"pairs says which data sets are drawn; drop {', '.join(sorted(data_sets))}")
    spec = DataSets(**data_sets)
    search = _Search(function, NORMS[norm], bound * (1 + tolerance))
    found = _drawn(search, spec.pairs() if pairs is None else pairs, examples, seed)
    if found is None and isinstance(search.best, Pair):
        found = _climbed(search, search.best, spec, seed)
    if found is None:
        return search.largest
    if isinstance(found, Pair):
        found = _smaller(search, found, spec)
    kind = "given by `pairs`" if pairs is not None else str(spec.neighbours)
    raise AssertionError(search.words(found, bound, norm, kind))


class _Search:
    """Evaluates pairs and remembers the best; `limit`: the distance above which the bound is violated."""

    def __init__(self, function: Callable[[Data], object], order: float, limit: float) -> None:
        self._function, self._order, self.limit = function, order, limit
        self.best: Neighbouring = None
        self.largest = -1.0
        self.evaluations = 0

    def distance(self, pair: Neighbouring) -> float:
        """How far the function moves on `pair`; infinite if a result is not finite."""
        first, second = (self._value(data) for data in _data_sets(pair))
        if self.evaluations == 0 and not np.array_equal(first, self._value(_data_sets(pair)[0]), equal_nan=True):
            raise ContentError("the function gives two results for one data set; switch its noise and sampling off")
        self.evaluations += 1
        if first.shape != second.shape:
            raise ContentError(f"the function returns {first.size} numbers on a data set and {second.size} on its "
                               "neighbour; their difference has no norm")  # fmt: skip
        found = _norm(first - second, self._order) if np.isfinite([*first, *second]).all() else math.inf
        if found > self.largest:
            self.largest, self.best = found, pair
        return found

    def violates(self, pair: Neighbouring) -> bool:
        """Does the function move too far on `pair`?"""
        return self.distance(pair) > self.limit

    def words(self, pair: Neighbouring, bound: float, norm: str, neighbours: str) -> str:
        """The refutation, with all that it takes to repeat it."""
        found = self.distance(pair)
        times = f", {found / bound:.4g} times as much" if bound and math.isfinite(found) else ""
        head = f"the {norm} sensitivity is at least {found:.6g}, claimed {bound:g}{times}"
        if not math.isfinite(found):
            head = "the function returns NaN or an infinity, so that it has no finite sensitivity"
        first, second = _data_sets(pair)
        named = (("data", first), ("neighbour", second), ("function(data)", self._result(first)),
                 ("function(neighbour)", self._result(second)))  # fmt: skip
        lines = [f"  {name} = {value!r}" for name, value in named]
        return "\n".join([f"{head}; neighbours: {neighbours}", *lines, f"  found in {self.evaluations} evaluations"])

    def _value(self, data: Data) -> Array:
        return np.concatenate([np.empty(0), *_numbers(self._result(data))])

    def _result(self, data: Data) -> object:
        with np.errstate(all="ignore"):  # extreme numbers overflow; what comes out is looked at
            return self._function(copy.deepcopy(data))  # a function may change what it is given


@dataclass
class _Violation(Exception):
    """Carries the pair out of Hypothesis."""

    pair: Neighbouring


def _drawn(search: _Search, strategy: SearchStrategy[Neighbouring], examples: int, seed: int) -> Neighbouring:
    """A violation that Hypothesis found and made smaller, or None."""
    try:
        import hypothesis
    except ModuleNotFoundError as error:
        raise MissingPackageError("hypothesis", "testing") from error
    phases = hypothesis.Phase

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,  # the seed decides
        phases=(phases.generate, phases.target, phases.shrink),
        suppress_health_check=list(hypothesis.HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @hypothesis.given(strategy)
    def try_(pair: Neighbouring) -> None:
        hypothesis.target(min(search.distance(pair), _LARGEST))
        if search.violates(pair):
            raise _Violation(pair)

    try:
        try_()
    except _Violation as violation:
        return violation.pair
    return None


def _climbed(search: _Search, pair: Pair, spec: DataSets, seed: int) -> Pair | None:
    """A violation uphill of `pair`, or of a better start, or None: a step is taken where it helps, until none does."""
    rng = np.random.default_rng(seed)
    pair = max([pair, *_opposites(pair, spec)], key=search.distance)
    if search.violates(pair):
        return pair
    height, last, climbing = search.distance(pair), search.evaluations + _MOST_STEPS, True
    while climbing:
        climbing = False
        for name, change in _moves(pair, spec, rng):
            if search.evaluations >= last:
                return None
            with np.errstate(all="ignore"):  # twice the largest number
                step = _with(pair, name, change(_row(pair, name)))
            found = search.distance(step)
            if found > search.limit:
                return step
            if found > height:
                pair, height, climbing = step, found, True
    return None


def _opposites(pair: Pair, spec: DataSets) -> Iterator[Pair]:
    """`pair` with a replaced record at a special value and its replacement opposite to it."""
    low, high = spec.limits()
    if pair.other is not None:
        for value in spec.special():
            record = _put(_row(pair, "record"), (), value)
            other = np.clip(-np.asarray(record, dtype=np.float64), low, high)
            yield _with(_with(pair, "record", record), "other", other)


def _moves(pair: Pair, spec: DataSets, rng: np.random.Generator) -> Iterator[tuple[str | int, Change]]:
    """Changes of one record: opposite to the one that it replaces; all of it or one number at a special value; negated,
    scaled, moved at random."""
    low, high = spec.limits()

    def bounded(change: Change) -> Change:
        return lambda row: np.clip(change(np.asarray(row, dtype=np.float64)), low, high)

    def put(index: tuple[int, ...], value: float) -> Change:
        return lambda row: _put(row, index, value)

    if pair.other is not None:
        yield "other", bounded(lambda row: -np.asarray(pair.record, dtype=np.float64))
    for name in _names(pair):
        for value in spec.special():
            yield name, put((), value)
        yield from ((name, bounded(lambda row, by=by: by * row)) for by in (-1.0, 0.5, 2.0))  # type: ignore[misc]
        noise = 0.1 * rng.normal(size=pair.record.shape)
        yield name, bounded(lambda row, noise=noise: row + noise * np.abs(row).max(initial=0.0))  # type: ignore[misc]
        if pair.record.shape:
            yield from ((name, put(i, value)) for i in np.ndindex(pair.record.shape) for value in spec.special())


def _smaller(search: _Search, pair: Pair, spec: DataSets) -> Pair:
    """`pair` with fewer records and simpler numbers, as long as it violates the bound."""
    last, shrinking = search.evaluations + _MOST_STEPS, True
    while shrinking:
        shrinking = False
        for simpler in _simpler(pair, spec):
            if search.evaluations < last and _size(simpler) < _size(pair) and search.violates(simpler):
                pair, shrinking = simpler, True
                break
    return pair


def _simpler(pair: Pair, spec: DataSets) -> Iterator[Pair]:
    low, high = spec.limits()
    if len(pair.common) >= spec.records[0]:
        for i in range(len(pair.common)):
            place = pair.place - (i < pair.place)
            yield replace(pair, common=np.delete(pair.common, i, axis=0), place=place)
    for name in _names(pair):
        row = _row(pair, name)
        for index in [(), *(np.ndindex(row.shape) if row.shape else ())]:
            value = row[index].item() if row[index].ndim == 0 else math.nan
            digits = (0, 1, 2, 4) if isinstance(value, float) and math.isfinite(value) else ()
            for new in (0, 1, -1, *(round(value, number) for number in digits)):
                if low <= new <= high:
                    yield _with(pair, name, _put(row, index, new))


def _size(pair: Pair) -> tuple[int, int, float]:
    """What shrinking makes smaller: the number of records, the digits that it takes to write them down, the numbers."""
    numbers = [value for name in _names(pair) for value in _row(pair, name).ravel().tolist()]
    digits = sum(len(repr(value)) if value else 1 for value in numbers)
    return len(pair.common), digits, math.fsum(min(abs(value), _LARGEST) for value in numbers)


def _names(pair: Pair) -> list[str | int]:
    """The records of a pair that may be changed: parts by name, common ones by number."""
    return ["record", *(["other"] if pair.other is not None else []), *range(len(pair.common))]


def _row(pair: Pair, name: str | int) -> Records:
    return np.asarray(getattr(pair, name) if isinstance(name, str) else pair.common[name])


def _put(row: Records, index: tuple[int, ...], value: float) -> Records:
    """`row` with one number changed; the index () is all of them."""
    new = row.copy()
    new[index] = value
    return new


def _with(pair: Pair, name: str | int, row: Records) -> Pair:
    """`pair` with another record in that place."""
    value: Any = np.asarray(row).astype(pair.record.dtype)
    changes: dict[str, Any] = {name: value} if isinstance(name, str) else {"common": _put(pair.common, (name,), value)}
    return replace(pair, **changes)


def _data_sets(pair: Neighbouring) -> tuple[Data, Data]:
    return pair.data_sets() if isinstance(pair, Pair) else pair


def _numbers(value: object) -> Iterator[Array]:
    """The numbers of a result, part by part."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, tuple | list):
        for part in value:
            yield from _numbers(part)
    else:
        yield np.asarray(value, dtype=np.float64).ravel()


def _norm(difference: Array, order: float) -> float:
    """The norm, 0 of no numbers; scaled, so that squares neither overflow nor vanish."""
    largest = float(np.abs(difference).max(initial=0.0))
    if largest == 0 or math.isinf(order) or not math.isfinite(largest):
        return largest
    return largest * float(np.linalg.norm(difference / largest, order))
