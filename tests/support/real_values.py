"""What a statement says at one exact point, by code that shares nothing with the checker: vectors are numbers here (one
dimension), means are sums over the nodes of a quadrature."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

mpmath.mp.dps = 30
Number = Any
"""A `Fraction` where the value is exact, else an mpmath number."""
Point = Mapping[str, Number]
NODES, WEIGHTS = (tuple(map(float, part)) for part in np.polynomial.hermite_e.hermegauss(40))
EXACT, ROUGH = 1e-12, 0.1
"""How far numbers must lie apart to be told apart; with an integral, or a kink inside of a mean."""
LARGEST, LONGEST = 10**6, 300
PANELS = 50
KINKS = ("norm", "abs", "sqrt", "min", "max")


class Undefined(Exception):
    """There is no value, or none that is computed here."""


def real(x: Number) -> Any:
    """As an mpmath number."""
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else x


def _power(a: Number, n: Number) -> Number:
    whole = isinstance(n, Fraction) and n.denominator == 1
    if whole and abs(n) <= 64 and (a != 0 or n >= 0):
        if isinstance(a, Fraction) and max(abs(a.numerator), a.denominator).bit_length() > LONGEST:
            raise Undefined
        return a ** int(n)
    if a < 0 or (a == 0 and n < 0) or abs(n) > LARGEST:
        raise Undefined
    if a == 0:
        return Fraction(int(n == 0))
    return mpmath.power(real(a), real(n))


def _sqrt(a: Number) -> Number:
    if a < 0:
        raise Undefined
    if isinstance(a, Fraction):
        parts = math.isqrt(a.numerator), math.isqrt(a.denominator)
        if parts[0] ** 2 == a.numerator and parts[1] ** 2 == a.denominator:
            return Fraction(*parts)
    return mpmath.sqrt(real(a))


def _exp(a: Number) -> Number:
    if abs(a) > 100:
        raise Undefined
    return Fraction(1) if a == 0 else mpmath.exp(real(a))


def _log(a: Number) -> Number:
    if a <= 0:
        raise Undefined
    return Fraction(0) if a == 1 else mpmath.log(real(a))


def _step(rounded: Callable[[Any], int]) -> Callable[[Number], Number]:
    def step(a: Number) -> Number:
        if not isinstance(a, Fraction):
            if abs(a - mpmath.nint(a)) < 1e-9:
                raise Undefined  # too close to a jump to be sure
            return Fraction(int(mpmath.floor(a)) + (rounded is math.ceil))
        return Fraction(rounded(a))

    return step


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "exp": _exp, "log": _log, "sqrt": _sqrt, "abs": abs, "norm": abs, "floor": _step(math.floor),
    "ceil": _step(math.ceil), "min": lambda *a: min(a, key=real), "max": lambda *a: max(a, key=real),
    "dot": lambda a, b: _combined(ast.Mult(), a, b),
}  # fmt: skip


class Reader:
    """Values of terms. spreads: the standard deviation of each gaussian symbol, as text."""

    def __init__(self, spreads: Mapping[str, str]) -> None:
        self.spreads = spreads

    def value(self, text: str, at: Point) -> Number:
        """The value; Undefined where there is none."""
        return self._value(ast.parse(text, mode="eval").body, at)

    def difference(self, text: str, at: Point) -> tuple[str, int]:
        """The sign of a relation, and whether its right side is larger (1), smaller (-1) or the same (0)."""
        tree = ast.parse(text, mode="eval").body
        assert isinstance(tree, ast.Compare)
        left, right = self._value(tree.left, at), self._value(tree.comparators[0], at)
        sign = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "=="}[type(tree.ops[0])]
        gap = _combined(ast.Sub(), right, left)
        if not isinstance(gap, Fraction):
            rough = "integral(" in text or ("E(" in text and any(kink in text for kink in KINKS))
            within = ROUGH if rough else EXACT
            if abs(gap) <= within * (1 + abs(real(left)) + abs(real(right))):
                raise Undefined
        return sign, (gap > 0) - (gap < 0)

    def holds(self, text: str, at: Point) -> bool:
        """Does the relation hold? Undefined where a side has no value, or it is not sure."""
        sign, side = self.difference(text, at)
        return {"<=": side >= 0, "<": side > 0, "==": side == 0}[sign]

    def _value(self, node: ast.expr, at: Point) -> Number:
        match node:
            case ast.Constant(value=value):
                return Fraction(str(value))
            case ast.Name(id=name):
                return at[name]
            case ast.UnaryOp(operand=inner):
                return -self._value(inner, at)
            case ast.BinOp(left=a, op=op, right=b):
                return _combined(op, self._value(a, at), self._value(b, at))
            case ast.Call(func=ast.Name(id="E"), args=[inner]):
                return self._mean(inner, at)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=name), low, high, body]):
                return self._sum(name, self._value(low, at), self._value(high, at), body, at)
            case ast.Call(func=ast.Name(id="integral"), args=[ast.Name(id=name), low, high, body]):
                return self._integral(name, self._value(low, at), self._value(high, at), body, at)
            case ast.Call(func=ast.Name(id=name), args=args):
                return FUNCTIONS[name](*(self._value(arg, at) for arg in args))
        raise Undefined

    def _sum(self, name: str, low: Number, high: Number, body: ast.expr, at: Point) -> Number:
        if any(not isinstance(end, Fraction) or end.denominator != 1 for end in (low, high)) or high - low > 60:
            raise Undefined
        total: Number = Fraction(0)
        for k in range(int(low), int(high) + 1):
            total = _combined(ast.Add(), total, self._value(body, {**at, name: Fraction(k)}))
        return total

    def _integral(self, name: str, low: Number, high: Number, body: ast.expr, at: Point) -> Number:
        """By the middles of panels."""
        if not low <= high:
            raise Undefined
        first, step = real(low), (real(high) - real(low)) / PANELS
        parts = (self._value(body, {**at, name: first + (i + mpmath.mpf(1) / 2) * step}) for i in range(PANELS))
        return step * sum(map(real, parts))

    def _mean(self, inner: ast.expr, at: Point) -> Number:
        """Over one gaussian symbol."""
        ((name, spread),) = self.spreads.items()
        size = real(self.value(spread, at))
        if size < 0:
            raise Undefined
        total = mpmath.mpf(0)
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            total += weight * real(self._value(inner, {**at, name: size * node}))
        return total / mpmath.mpf(sum(WEIGHTS))


def _combined(op: ast.operator, a: Number, b: Number) -> Number:
    if not (isinstance(a, Fraction) and isinstance(b, Fraction)) and not isinstance(op, ast.Pow):
        a, b = real(a), real(b)
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            if b == 0:
                raise Undefined
            return a / b
    return _power(a, b)
