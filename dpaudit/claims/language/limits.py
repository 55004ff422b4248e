"""What conditions say of one symbol at a time: the values that they allow it once the others are chosen.

Only a search asks: points that are drawn within these limits are held against the conditions themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpaudit.claims.language.expression import Expr, Relation, names, number
from dpaudit.records.claim import Symbol, SymbolKind

ZERO, ONE, TWO = number(0), number(1), number(2)


@dataclass(frozen=True)
class Limit:
    """slope*name + rest `sign` 0, where neither names the symbol; by `condition`."""

    name: str
    slope: Expr
    rest: Expr
    sign: str
    condition: Relation

    @property
    def value(self) -> Expr:
        """Where both sides are equal."""
        rest = Expr("neg", (self.rest,))
        return rest if self.slope == ONE else Expr("/", (rest, self.slope))

    @property
    def alone(self) -> bool:
        """Does the symbol stand alone on a side of the condition?"""
        sides = (self.condition.left, self.condition.right)
        return any(side.head == "symbol" and side.name == self.name for side in sides)


def of(condition: Relation, symbols: Sequence[Symbol]) -> Iterator[Limit]:
    """The limits that the condition is for each of the symbols on which it hangs linearly."""
    for left, sign, right in _plain(condition):
        slack = left if right == ZERO else Expr("-", (left, right))
        found = names(slack)
        for s in symbols:
            line = linear(slack, s.name) if s.name in found else None
            if line is not None:
                yield Limit(s.name, *line, sign, condition)


def _plain(given: Relation) -> Iterator[tuple[Expr, str, Expr]]:
    """The relation without absolute values, squares, minima and maxima at its top."""
    left, sign, right = given.left, given.sign, given.right
    if sign == "==":
        sides = [(a, b) for a, b in ((left, right), (right, left)) if b == ZERO and a.head == "abs"]
        yield (sides[0][0].args[0], sign, ZERO) if sides else (left, sign, right)
    elif left.head == "max" or right.head == "min":
        inner = left if left.head == "max" else right
        for part in inner.args:
            yield from _plain(Relation(part, sign, right) if inner is left else Relation(left, sign, part))
    elif left.head == "abs":
        yield left.args[0], sign, right
        yield Expr("neg", left.args), sign, right
    elif (base := _squared(left)) is not None:
        yield from _plain(Relation(Expr("abs", (base,)), sign, Expr("sqrt", (right,))))
    else:
        yield left, sign, right


def _squared(expr: Expr) -> Expr | None:
    """What a square is the square of."""
    if (expr.head == "**" and expr.args[1] == TWO) or (expr.head == "*" and expr.args[0] == expr.args[1]):
        return expr.args[0]
    return None


def linear(expr: Expr, name: str) -> tuple[Expr, Expr] | None:
    """(slope, rest) with expr = slope*name + rest; None where it does not hang linearly on the symbol."""
    if name not in names(expr):
        return ZERO, expr
    if expr.head == "symbol":
        return ONE, ZERO
    if expr.head not in ("+", "-", "neg", "*", "/"):
        return None
    parts = [linear(arg, name) for arg in expr.args]
    if expr.head in ("*", "/"):
        return _scaled(expr, parts)
    if any(part is None for part in parts):
        return None
    slopes, rests = zip(*(part for part in parts if part is not None), strict=True)
    return _combined(expr.head, slopes), _combined(expr.head, rests)


def _scaled(expr: Expr, parts: list[tuple[Expr, Expr] | None]) -> tuple[Expr, Expr] | None:
    """A product or a quotient of which one operand alone names the symbol."""
    place = 0 if parts[1] == (ZERO, expr.args[1]) else 1
    line = parts[place]
    if line is None or parts[1 - place] != (ZERO, expr.args[1 - place]) or (expr.head == "/" and place == 1):
        return None

    def times(one: Expr) -> Expr:
        args = (one, expr.args[1]) if place == 0 else (expr.args[0], one)
        return ZERO if one == ZERO else Expr(expr.head, args)

    return times(line[0]), times(line[1])


def _combined(head: str, parts: tuple[Expr, ...]) -> Expr:
    if head == "neg":
        return ZERO if parts[0] == ZERO else Expr("neg", parts)
    first, second = parts
    if second == ZERO:
        return first
    if first == ZERO:
        return second if head == "+" else Expr("neg", (second,))
    return Expr(head, parts)


# In which order symbols are chosen. ---------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """Symbols, each behind those that limit it; the limits of each; the equation that gives the value of some."""

    symbols: tuple[Symbol, ...]
    limits: dict[str, tuple[Limit, ...]]
    values: dict[str, Limit]


def order(symbols: tuple[Symbol, ...], conditions: tuple[Relation, ...]) -> Order:
    """Each equation gives a symbol its value, and each inequality limits one, where that makes no circle."""
    before: dict[str, set[str]] = {s.name: set() for s in symbols}
    values: dict[str, Limit] = {}
    limits: dict[str, list[Limit]] = {s.name: [] for s in symbols}
    for condition in sorted(conditions, key=lambda one: one.sign != "=="):
        found = sorted(of(condition, symbols), key=lambda one: _preference(one, symbols))
        name = next((one.name for one in found if _fits(one, before, values)), None)
        for one in found if name else ():
            if one.name == name:
                before[one.name] |= names(one.slope) | names(one.rest)
                limits[one.name].append(one)
                if one.sign == "==":
                    values.setdefault(one.name, one)
    return Order(_sorted(symbols, before), {name: tuple(of_one) for name, of_one in limits.items()}, values)


def _preference(limit: Limit, symbols: tuple[Symbol, ...]) -> tuple[bool, bool, int]:
    """Numbers that stand alone on a side come first, then later symbols."""
    place = next(i for i, s in enumerate(symbols) if s.name == limit.name)
    return symbols[place].kind is SymbolKind.INTEGER, not limit.alone, -place


def _fits(limit: Limit, before: dict[str, set[str]], values: dict[str, Limit]) -> bool:
    """May the symbol stand behind all that limits it? An equation is for a symbol that has no value yet."""
    if limit.name in values:
        return False
    reached, waiting = set[str](), names(limit.slope) | names(limit.rest)
    while waiting:
        name = waiting.pop()
        if name == limit.name:
            return False
        reached.add(name)
        waiting |= before[name] - reached
    return True


def _sorted(symbols: tuple[Symbol, ...], before: dict[str, set[str]]) -> tuple[Symbol, ...]:
    """In the order of the statement, but each behind what limits it."""
    placed: dict[str, Symbol] = {}

    def place(s: Symbol) -> None:
        for other in symbols:
            if other.name in before[s.name] and other.name not in placed:
                place(other)
        placed.setdefault(s.name, s)

    for s in symbols:
        place(s)
    return tuple(placed.values())
