"""The language of statements, read and evaluated a second time, with code of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from dpaudit.recheck import interval, special
from dpaudit.recheck.interval import METER, REALS, ZERO, Interval

MOST_TERMS = 5_000
LARGEST_INDEX = 10**18
MOST_DIGITS, MOST_EXPONENT = 4_000, 10_000
"""Longest number that is read, and largest power of ten in it: `1e999999999` is short to write."""
SIGNS: dict[type, str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "==", ast.GtE: ">=", ast.Gt: ">"}
FUNCTIONS: dict[str, tuple[int | None, Callable[..., Interval]]] = {
    "exp": (1, interval.exp),
    "log": (1, interval.log),
    "log2": (1, special.log2),
    "sqrt": (1, interval.sqrt),
    "abs": (1, interval.absolute),
    "min": (None, interval.least),
    "max": (None, interval.largest),
    "floor": (1, interval.floor),
    "ceil": (1, interval.ceil),
    "Phi": (1, special.normal_cdf),
    "exprel": (1, special.exprel),
    "Gamma": (1, special.gamma),
    "factorial": (1, special.factorial),
    "binomial": (2, special.binomial),
    "gamma_tail": (2, special.gamma_tail),
    "beta_tail": (3, special.beta_tail),
    "binomial_cdf": (3, special.binomial_cdf),
}
"""Names, number of arguments (None: two or more), enclosures."""


class Refused(Exception):
    """What is given is not a valid certificate; the message says why."""


@dataclass(frozen=True)
class Relation:
    """`left sign right` with sign one of <= < ==, as it stands in `text`."""

    left: ast.expr
    sign: str
    right: ast.expr
    text: str

    @property
    def names(self) -> set[str]:
        """The free symbols of both sides."""
        return names(self.left) | names(self.right)


def relation(text: str) -> Relation:
    """The relation `text`, turned round if it is written with > or >=."""
    body = _parsed(text)
    if not isinstance(body, ast.Compare) or len(body.ops) != 1 or type(body.ops[0]) not in SIGNS:
        raise Refused(f"{text[:80]!r} is not one relation")
    sign = SIGNS[type(body.ops[0])]
    left, right = body.left, body.comparators[0]
    return Relation(right, "<" + sign[1:], left, text) if sign[0] == ">" else Relation(left, sign, right, text)


def number(text: str) -> Fraction:
    """The rational number that `text` writes, for example `-3/4`."""
    found = _rational(_parsed(text, MOST_DIGITS), text)
    if found is None:
        raise Refused(f"{text[:80]!r} is not a rational number")
    return found


def _literal(node: ast.Constant, text: bytes) -> Fraction:
    """The exact value of a number as it is written in the one line `text`."""
    written = text[node.col_offset : node.end_col_offset].decode()
    exponent = written.lower().partition("e")[2] or "0"
    if len(written) > MOST_DIGITS or len(exponent) > 6 or abs(int(exponent)) > MOST_EXPONENT:
        raise Refused(f"the number {written[:40]!r} is too long")
    return Fraction(written)


def _line(text: str) -> str:
    return " ".join(text.split())


def _parsed(text: str, most: int = 200_000) -> ast.expr:
    if not isinstance(text, str) or len(text) > most:
        raise Refused("a text is missing or too long")
    try:
        return ast.parse(_line(text), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Refused(f"cannot read {text[:80]!r}") from error


def _rational(node: ast.expr, text: str) -> Fraction | None:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return _literal(node, _line(text).encode())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _rational(node.operand, text)
        return None if inner is None else -inner
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        top, bottom = _rational(node.left, text), _rational(node.right, text)
        return top / bottom if top is not None and bottom else None
    return None


def names(node: ast.expr, bound: frozenset[str] = frozenset()) -> set[str]:
    """The free symbols of a term."""
    if isinstance(node, ast.Name):
        return {node.id} - bound - {"pi"}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("sum", "integral"):
        inner = bound | {node.args[0].id} if node.args and isinstance(node.args[0], ast.Name) else bound
        ends = [names(arg, bound) for arg in node.args[1:3]]
        return set().union(*ends, *(names(arg, inner) for arg in node.args[3:]))
    children = node.args if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
    return set().union(*(names(child, bound) for child in children if isinstance(child, ast.expr)))


class Evaluator:
    """Encloses terms. text: the statement that nodes are taken from; panels: pieces of each integral."""

    def __init__(self, text: str, panels: int) -> None:
        self.text, self.panels = _line(text).encode(), panels
        self.constants: dict[ast.expr, Interval] = {}

    def value(self, node: ast.expr, values: Mapping[str, Interval]) -> Interval:
        """An interval that contains every value of the term; all reals where it has none for certain."""
        METER.spend(1)
        if isinstance(node, ast.Constant):
            return self._constant(node)
        if isinstance(node, ast.Name):
            if node.id == "pi":
                return special.PI
            if node.id not in values:
                raise Refused(f"the symbol {node.id!r} has no range")
            return values[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return interval.negate(self.value(node.operand, values))
        if isinstance(node, ast.BinOp):
            return self._operation(node, values)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._call(node.func.id, node.args, values)
        raise Refused(f"{ast.unparse(node)[:80]!r} is not part of the language")

    def _constant(self, node: ast.Constant) -> Interval:
        if node not in self.constants:
            if type(node.value) not in (int, float):
                raise Refused(f"{node.value!r} is not a number")
            self.constants[node] = interval.enclose(_literal(node, self.text))
        return self.constants[node]

    def _operation(self, node: ast.BinOp, values: Mapping[str, Interval]) -> Interval:
        a, b = self.value(node.left, values), self.value(node.right, values)
        match node.op:
            case ast.Add():
                return interval.add(a, b)
            case ast.Sub():
                return special.minus(a, b)
            case ast.Mult():
                return interval.multiply(a, b)
            case ast.Div():
                return special.divided(a, b)
            case ast.Pow():
                return interval.power(a, b)
        raise Refused(f"{type(node.op).__name__} is not part of the language")

    def _call(self, name: str, args: list[ast.expr], values: Mapping[str, Interval]) -> Interval:
        if name in ("sum", "integral") and len(args) == 4 and isinstance(args[0], ast.Name):
            if args[0].id == "pi":
                raise Refused("pi is a number, not a variable")
            ends = self.value(args[1], values), self.value(args[2], values)
            return (self._sum if name == "sum" else self._integral)(args[0].id, *ends, args[3], values)
        if name not in FUNCTIONS:
            raise Refused(f"the function {name!r} is not known to the checker")
        count, function = FUNCTIONS[name]
        if len(args) != count and (count is not None or len(args) < 2):
            raise Refused(f"{name} with {len(args)} arguments")
        return function(*(self.value(arg, values) for arg in args))

    def _sum(self, index: str, low: Interval, high: Interval, body: ast.expr, values: Any) -> Interval:
        """Term by term, for ends that are single whole numbers."""
        first, last = interval.whole(low, LARGEST_INDEX), interval.whole(high, LARGEST_INDEX)
        if first is None or last is None or last - first > MOST_TERMS:
            return REALS
        total = (ZERO, ZERO)
        for k in range(first, last + 1):
            total = interval.add(total, self.value(body, {**values, index: special.at(Decimal(k))}))
        return total

    def _integral(self, index: str, low: Interval, high: Interval, body: ast.expr, values: Any) -> Interval:
        """Equal panels: width times the range of the integrand on each; ends that are single numbers."""
        ends = (low[0], high[0])
        if low[0] != low[1] or high[0] != high[1] or not low[0] <= high[0] or any(x.is_infinite() for x in ends):
            return REALS
        if any(x and abs(x.adjusted()) > MOST_EXPONENT for x in ends):  # too long as a fraction
            return REALS
        first, last = Fraction(low[0]), Fraction(high[0])
        width = interval.enclose((last - first) / self.panels)
        total, edges = (ZERO, ZERO), [first + (last - first) * i / self.panels for i in range(self.panels + 1)]
        for left, right in pairwise(edges):
            panel = interval.enclose(left)[0], interval.enclose(right)[1]
            total = interval.add(total, interval.multiply(width, self.value(body, {**values, index: panel})))
        return total
