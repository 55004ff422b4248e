"""Engine `empirical`, falsification: points at which a statement comes closest to failing, in floating point.

Only a search: what it proposes is rounded to rationals and decided by `rigorous.witness`. A
batch of points is drawn so that conditions which hang linearly on one symbol are met by
construction, often with equality; the most promising ones start an optimiser. Vectors are
looked for in one dimension.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from dpaudit.claims.language import limits
from dpaudit.claims.language.expression import (
    Expr,
    Relation,
    bound,
    rational,
    walk,
)
from dpaudit.claims.language.floating import COMPARED, Floats, Number, Values, compiled, computable
from dpaudit.claims.language.limits import Limit, Order
from dpaudit.claims.language.one_dimension import with_numbers, with_vectors
from dpaudit.claims.language.sequences import deciding, indexed, unrolled
from dpaudit.claims.language.statements import parse_statement
from dpaudit.records.claim import Point, Statement, Symbol, SymbolKind
from dpaudit.records.errors import ContentError

BATCH = 3_000
STARTS = 3
"""Points from which the optimiser climbs."""
PROPOSED = 12
"""Most points that are handed on."""
LENGTHS = (2, 3, 5)
"""Lengths of sequences that are looked for; behind the last one a sequence does not change."""
INSIDE = 1 - 1e-9
"""Share of a bound that is kept, so that rounding does not cross it."""
ROOT = 1_000
"""Denominators of roots that are to be rational."""
LONGEST = 10_000
"""Bits of the numerator or the denominator of a value that a condition gives."""
SPREADS = (6.0, 1.0, 25.0)
"""Unbounded symbols are drawn over so many powers of ten on both sides of 1, all of a point over as many."""


def points(statement: Statement, seed: int) -> Iterator[Point]:
    """Exact points, the most promising first; none for statements with means or integrals. Sums and sequences are
    looked at term by term, where the integers that they hang on are small."""
    plain = with_numbers(statement)
    if plain is not statement:
        yield from (with_vectors(statement, point) for point in points(plain, seed))
        return
    if not statement.exists and (indexed(statement) or deciding(statement)):
        yield from _rows(statement, seed)
    else:
        yield from _of_numbers(statement, seed)


def _of_numbers(statement: Statement, seed: int) -> Iterator[Point]:
    problem = _problem(statement)
    if problem is None:
        return
    rng = np.random.default_rng([seed, 0xFA15])
    with np.errstate(all="ignore"):
        values = problem.draw(rng, BATCH)
        order = np.argsort(problem.excess(values))[::-1]
    starts = [{name: column[place] for name, column in values.items()} for place in order[:PROPOSED]]
    climbed = map(problem.climb, starts[:STARTS])  # one at a time: the first may be a witness
    for found in chain(climbed, starts):
        point = problem.exact(found)
        if point is not None:
            yield point


def _rows(statement: Statement, seed: int) -> Iterator[Point]:
    integers = {s.name: s for s in statement.symbols if s.kind is SymbolKind.INTEGER}
    used = deciding(statement)
    numbers = {s.kind for s in statement.symbols} <= {SymbolKind.REAL, SymbolKind.INTEGER, SymbolKind.SEQUENCE}
    if not numbers or not used <= set(integers):
        return
    for length in LENGTHS:
        values = {name: _nearest_to(integers[name], length - 1) for name in used}
        made = unrolled(statement, values, length)
        for found in _of_numbers(made[0], seed) if made else ():
            assert made is not None
            at = dict(found)
            row = {name: f"[{', '.join(at[one] for one in of)}]" for name, of in made[1].items()}
            yield tuple((s.name, row.get(s.name) or at[s.name]) for s in statement.symbols)


def _nearest_to(s: Symbol, value: int) -> int:
    """The integer in the range of the symbol that is nearest."""
    low, high = bound(s.lower), bound(s.upper)
    least = -math.inf if low is None else math.floor(low) + 1 if s.lower_open else math.ceil(low)
    most = math.inf if high is None else math.ceil(high) - 1 if s.upper_open else math.floor(high)
    return int(min(max(value, least), most))


@dataclass(frozen=True)
class Problem:
    """A statement over scalars, in the `order` in which they are drawn."""

    symbols: tuple[Symbol, ...]
    goal: Relation
    conditions: tuple[Relation, ...]
    order: Order

    def draw(self, rng: np.random.Generator, count: int) -> dict[str, Floats]:
        """`count` points; each symbol inside its range and the limits that earlier ones put on it."""
        values: dict[str, Floats] = {}
        spread = rng.choice(SPREADS, count)
        for s in self.order.symbols:
            low, high = (np.full(count, end) for end in _ends(s))
            for limit in self.order.limits[s.name]:
                low, high = _narrowed(low, high, limit, values)
            drawn = _between(low, high, rng, spread)
            values[s.name] = np.floor(drawn) if s.kind is SymbolKind.INTEGER else drawn
        return self.settled(values)

    def settled(self, values: Values) -> dict[str, Floats]:
        """The point, or points, with the values that equations give, where these are finite."""
        found = dict(values)
        for s in self.order.symbols:
            if s.name in self.order.values:
                value = np.asarray(compiled(self.order.values[s.name].value)(found))
                found[s.name] = np.where(np.isfinite(value), value, found[s.name])
        return found

    @cached_property
    def gap(self) -> Callable[[Values], Floats]:
        """How far the relation fails: (left - right)/(|left| + |right|), -inf where that is no number."""
        left_of, right_of, equation = compiled(self.goal.left), compiled(self.goal.right), self.goal.sign == "=="

        def found(values: Values) -> Floats:
            left, right = np.asarray(left_of(values)), np.asarray(right_of(values))
            gap = np.abs(left - right) if equation else left - right
            return np.where(np.isfinite(gap), gap / (np.abs(left) + np.abs(right) + 1e-300), -np.inf)

        return found

    @cached_property
    def met(self) -> tuple[Callable[[Values], NDArray[np.bool_]], ...]:
        """For each condition, where it holds."""
        return tuple(map(_met, self.conditions))

    def excess(self, values: Values) -> Floats:
        """The gap, and -inf outside of the conditions."""
        found = self.gap(values)
        inside = np.logical_and.reduce([np.ones_like(found, dtype=bool), *(holds(values) for holds in self.met)])
        return np.asarray(np.where(inside, found, -np.inf), dtype=np.float64)

    def climb(self, start: Mapping[str, Number]) -> dict[str, Number]:
        """Where Nelder and Mead's method gets from `start`, integers held fixed."""
        from scipy.optimize import minimize

        free = [s.name for s in self.symbols if s.kind is SymbolKind.REAL and s.name not in self.order.values]
        if not free:
            return dict(start)
        fixed = {name: np.asarray(value) for name, value in start.items()}

        def height(x: Floats) -> float:
            values = self.settled({**fixed, **dict(zip(free, x, strict=True))})
            found = self.gap(values) if all(holds(values) for holds in self.met) else -np.inf
            return -float(found) if np.isfinite(found) else 1e9

        with np.errstate(all="ignore"):
            top = minimize(height, [start[n] for n in free], method="Nelder-Mead", options={"maxfev": 40 * len(free)})
            return {**self.settled({**fixed, **dict(zip(free, top.x, strict=True))})}

    def exact(self, values: Mapping[str, Number]) -> Point | None:
        """The point in rational numbers, symbols pushed back into their ranges; None if one is not finite.

        A symbol that an equation gives a value has it, where that is rational."""
        if not all(math.isfinite(v) for v in values.values()):
            return None
        found: dict[str, Fraction] = {}
        for s in self.order.symbols:
            given = self.order.values.get(s.name)
            defined = _exactly(given.value, found) if given else None
            found[s.name] = self._near(s, float(values[s.name])) if defined is None else defined
        return tuple((s.name, str(found[s.name])) for s in self.symbols)

    def _near(self, s: Symbol, value: float) -> Fraction:
        """A short fraction near the value; the square of one where an equation has a root of the symbol."""
        found = _rounded(s, value)
        if s.kind is SymbolKind.REAL and s.name in self.rooted and found > 0:
            square = Fraction(math.sqrt(found)).limit_denominator(ROOT) ** 2
            low, high = bound(s.lower), bound(s.upper)
            return square if (low is None or low < square) and (high is None or square < high) else found
        return found

    @cached_property
    def rooted(self) -> frozenset[str]:
        """The symbols of which equations have a root."""
        sides = (side for one in self.conditions if one.sign == "==" for side in (one.left, one.right))
        roots = (node.args[0] for side in sides for node in walk(side) if node.head == "sqrt")
        return frozenset(inner.name for inner in roots if inner.head == "symbol")


def _problem(statement: Statement) -> Problem | None:
    scalars = all(s.kind in (SymbolKind.REAL, SymbolKind.INTEGER) for s in statement.symbols)
    if statement.exists or not scalars or indexed(statement):
        return None
    goal, conditions = parse_statement(statement)
    terms = [side for r in (goal, *conditions) for side in (r.left, r.right)]
    if not all(map(computable, terms)):
        return None
    return Problem(statement.symbols, goal, conditions, limits.order(statement.symbols, conditions))


def _narrowed(low: Floats, high: Floats, limit: Limit, values: Values) -> tuple[Floats, Floats]:
    """The range of a symbol under a limit: below it where the slope is positive, above it where that is negative."""
    slope = np.broadcast_to(compiled(limit.slope)(values), low.shape)
    found = np.broadcast_to(-compiled(limit.rest)(values) / slope, low.shape)
    upper, lower = (slope > 0, slope < 0) if limit.sign != "==" else (slope != 0, slope != 0)
    return (np.where(lower, np.fmax(low, found), low), np.where(upper, np.fmin(high, found), high))


def _exactly(term: Expr, values: Mapping[str, Fraction]) -> Fraction | None:
    """The value of a term, where it is rational and no longer than what Python writes out."""
    try:
        found = rational(term, values)
    except ContentError:
        return None
    return found if max(abs(found.numerator), found.denominator).bit_length() <= LONGEST else None


def _ends(s: Symbol) -> tuple[float, float]:
    low, high = bound(s.lower), bound(s.upper)
    return (-np.inf if low is None else float(low), np.inf if high is None else float(high))


def _between(low: Floats, high: Floats, rng: np.random.Generator, spread: Floats) -> Floats:
    """Draws between the limits: near an end with probability 0.4, else uniform; by magnitude where a side is open."""
    size = low.shape
    magnitude = 10 ** (spread * rng.uniform(-1, 1, size))
    share = np.where(rng.random(size) < 0.4, rng.choice([1 - INSIDE, INSIDE, 0.5], size), rng.random(size))
    inner = low + share * (high - low)
    upward = np.where(rng.random(size) < 0.2, low + 1e-9 * (1 + np.abs(low)), low + magnitude)
    downward = high - magnitude
    sign = rng.choice([-1.0, 1.0], size)
    finite_low, finite_high = np.isfinite(low), np.isfinite(high)
    drawn = np.where(finite_low & finite_high, inner, np.where(finite_low, upward, downward))
    return np.asarray(np.where(finite_low | finite_high, drawn, sign * magnitude))


def _met(condition: Relation) -> Callable[[Values], NDArray[np.bool_]]:
    left, right, compare = compiled(condition.left), compiled(condition.right), COMPARED[condition.sign]
    return lambda values: np.asarray(compare(left(values), right(values)))


def _rounded(s: Symbol, value: float) -> Fraction:
    """A short fraction near the value, inside the range."""
    if s.kind is SymbolKind.INTEGER:
        return Fraction(round(value))
    found = Fraction(value).limit_denominator(10**12) if abs(value) > 1e-6 else Fraction(value)
    low, high = bound(s.lower), bound(s.upper)
    if low is not None and found <= low:
        found = low if not s.lower_open else Fraction(max(value, float(low) + 1e-12))
    if high is not None and found >= high:
        found = high if not s.upper_open else Fraction(min(value, float(high) - 1e-12))
    return found
