"""Arrays that carry a bound on their own rounding error, so that no bound has to be worked out by hand.

A `Tracked` array holds values v and bounds e. Meaning: whoever evaluates the same formula from the same inputs in
an arithmetic of unit roundoff u <= 2^-24 (float32 or float64), in any order of summation, with or without fused
operations, gets numbers within e u of the exact ones. Two evaluations with u and u' differ by at most e (u + u').

Each operation adds what it rounds (Higham 2002, sections 2.2, 3.1) to what its inputs already miss, with all terms
of second order kept. Library functions are taken to be right within 4 units in the last place. NumPy code runs on
Tracked arrays unchanged as long as it uses the operations below; any other raises TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from dpaudit.arithmetic.arrays import Array

Operand: TypeAlias = Any  # an array, a number or a `Tracked`: NumPy's protocols hand over all of them untyped

UNIT = 2.0**-24
"""The largest unit roundoff that the bounds hold for, that of float32."""
SECOND = 1 + 4 * UNIT
"""Covers the terms of second order of one operation."""
FLOOR = 2.0**-102
"""Error of a result that underflows in float32, in units of UNIT, flushed to zero at worst."""
LIBRARY = 8.0
"""4 units in the last place, in units of u."""
PARAMETER_ROUNDINGS = 4.0
"""A plain number in a formula: its cast, and up to three operations on parameters before it is used."""
FINEST = 2.0**-53


class Tracked(NDArrayOperatorsMixin):
    """values: float64 array; errors: array of the same shape, in units of the unit roundoff, at least 0."""

    __slots__ = ("errors", "values")

    def __init__(self, values: Operand, errors: Operand) -> None:
        self.values: Array = np.asarray(values, dtype=np.float64)
        self.errors: Array = np.broadcast_to(np.asarray(errors, dtype=np.float64), self.values.shape).copy()

    def __array_ufunc__(self, ufunc: Operand, method: str, *inputs: Operand, **options: Operand) -> Operand:
        if method != "__call__" or set(options) - {"axis"}:
            raise TypeError(f"no rounding rule for {ufunc.__name__}.{method} with {sorted(options)}")
        if ufunc in _ON_VALUES:
            return ufunc(*(one.values if isinstance(one, Tracked) else one for one in inputs))
        if ufunc not in _RULES:
            raise TypeError(f"no rounding rule for {ufunc.__name__}; known: {sorted(one.__name__ for one in _RULES)}")
        return _RULES[ufunc](*(one if ufunc is np.power and i else lift(one) for i, one in enumerate(inputs)))

    def __array_function__(self, function: Operand, types: Operand, given: Operand, options: Operand) -> Operand:
        if function not in _FUNCTIONS:
            raise TypeError(f"no rounding rule for {function.__name__}")
        return _FUNCTIONS[function](*given, **options)

    def __getitem__(self, key: Operand) -> Tracked:
        return Tracked(self.values[key], self.errors[key])

    def __setitem__(self, key: Operand, value: Operand) -> None:
        lifted = lift(value)
        self.values[key], self.errors[key] = lifted.values, lifted.errors

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def ndim(self) -> int:
        return self.values.ndim

    @property
    def size(self) -> int:
        return self.values.size

    @property
    def T(self) -> Tracked:
        return Tracked(self.values.T, self.errors.T)

    def copy(self) -> Tracked:
        return Tracked(self.values.copy(), self.errors)

    def reshape(self, *shape: Operand) -> Tracked:
        return Tracked(self.values.reshape(*shape), self.errors.reshape(*shape))

    def sum(self, axis: Operand = None, keepdims: bool = False) -> Tracked:
        return _sum(self, axis, keepdims=keepdims)

    def mean(self, axis: Operand = None, keepdims: bool = False) -> Tracked:
        return _mean(self, axis, keepdims=keepdims)


def track(values: Operand) -> Tracked:
    """Inputs that are cast once: `values` as a Tracked array whose errors are one rounding each."""
    array = np.asarray(values, dtype=np.float64)
    return Tracked(array, np.abs(array))


def lift(value: Operand) -> Tracked:
    """A plain number or array inside of a formula as a Tracked one; small integers are exact."""
    if isinstance(value, Tracked):
        return value
    array = np.asarray(value)
    if array.dtype.kind in "biu" and (not array.size or np.abs(array).max() < 1 / UNIT):
        return Tracked(array, 0.0)
    values = array.astype(np.float64)
    return Tracked(values, PARAMETER_ROUNDINGS * np.abs(values))


def values_of(value: Operand) -> Array:
    """The values of a Tracked or plain array."""
    return value.values if isinstance(value, Tracked) else np.asarray(value, dtype=np.float64)


def _rounded(values: Operand, carried: Operand, own: Operand = None) -> Tracked:
    """A result: the errors carried over from the inputs, and `own` roundings of it (default: one of the result)."""
    own = np.abs(values) if own is None else own
    return Tracked(values, (carried + own) * SECOND + FLOOR)


def _exact(values: Operand, carried: Operand) -> Tracked:
    return Tracked(values, carried)


def _multiply(a: Tracked, b: Tracked) -> Tracked:
    carried = np.abs(a.values) * b.errors + np.abs(b.values) * a.errors + UNIT * a.errors * b.errors
    return _rounded(a.values * b.values, carried)


def _divide(a: Tracked, b: Tracked) -> Tracked:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = a.values / b.values
        room = np.abs(b.values) - UNIT * b.errors
        carried = np.where(room > 0, (a.errors + np.abs(values) * b.errors) / np.where(room > 0, room, 1.0), np.inf)
    return _rounded(values, carried)


def _power(a: Tracked, exponent: Operand) -> Tracked:
    if not (isinstance(exponent, int | float) and float(exponent).is_integer() and 1 <= exponent <= 8):
        raise TypeError(f"no rounding rule for the exponent {exponent!r}; write it with exp and log")
    result = a
    for _ in range(int(exponent) - 1):
        result = _multiply(result, a)
    return result


def _sqrt(a: Tracked) -> Tracked:
    root = np.sqrt(a.values)
    with np.errstate(divide="ignore", invalid="ignore"):
        carried = np.minimum(a.errors / root, np.sqrt(a.errors / FINEST))
    return _rounded(root, np.where(a.errors > 0, carried, 0.0))


def _exp(a: Tracked) -> Tracked:
    values = np.exp(a.values)
    return _rounded(values, values * np.expm1(a.errors * UNIT) / UNIT, LIBRARY * values)


def _logarithm(function: Callable[[Operand], Operand], offset: float) -> Callable[[Tracked], Tracked]:
    def rule(a: Tracked) -> Tracked:
        values, room = function(a.values), a.values + offset - UNIT * a.errors
        carried = np.where(room > 0, a.errors / np.where(room > 0, room, 1.0), np.inf)
        return _rounded(values, carried, LIBRARY * np.abs(values))

    return rule


def _lipschitz(function: Callable[[Operand], Operand]) -> Callable[[Tracked], Tracked]:
    """Functions of slope at most 1 and values at most 1, right within LIBRARY units of 1."""

    def rule(a: Tracked) -> Tracked:
        return _rounded(function(a.values), a.errors, LIBRARY)

    return rule


def _sign(a: Tracked) -> Tracked:
    decided = np.abs(a.values) > UNIT * a.errors
    return _exact(np.sign(a.values), np.where(decided | (a.errors == 0), 0.0, 2 / FINEST))


def _extremum(function: Callable[[Operand, Operand], Operand], sign: float) -> Callable[[Tracked, Tracked], Tracked]:
    """The smaller (sign 1) or the larger one (-1): it misses what the chosen one does where no rounding can change the
    choice, else the worse of both."""

    def rule(a: Tracked, b: Tracked) -> Tracked:
        ahead, room = sign * (b.values - a.values), UNIT * (a.errors + b.errors)
        either = np.maximum(a.errors, b.errors)
        chosen = np.where(ahead > room, a.errors, np.where(ahead < -room, b.errors, either))
        return _exact(function(a.values, b.values), chosen)

    return rule


def _matmul(a: Tracked, b: Tracked) -> Tracked:
    length = a.shape[-1]
    sizes = np.abs(a.values) @ np.abs(b.values)
    carried = np.abs(a.values) @ b.errors + a.errors @ np.abs(b.values) + UNIT * (a.errors @ b.errors)
    more = 1 + 2 * length * UNIT
    return _rounded(a.values @ b.values, carried * more, length * (sizes * more + FLOOR))  # every product may underflow


def _sum(a: Operand, axis: Operand = None, keepdims: bool = False) -> Tracked:
    a = lift(a)
    total = a.values.sum(axis=axis, keepdims=keepdims)
    count = a.size / max(total.size, 1)
    more = 1 + 2 * count * UNIT
    carried, sizes = (part.sum(axis=axis, keepdims=keepdims) for part in (a.errors, np.abs(a.values)))
    return _rounded(total, carried * more, max(count - 1, 0) * sizes * more)


def _mean(a: Operand, axis: Operand = None, keepdims: bool = False) -> Tracked:
    total = _sum(a, axis, keepdims)
    return _divide(total, lift(int(lift(a).size / max(total.size, 1))))


def _norm(a: Operand, axis: Operand = None, keepdims: bool = False) -> Tracked:
    values = np.linalg.norm(a.values, axis=axis, keepdims=keepdims)
    count = a.size / max(np.size(values), 1)
    carried = np.linalg.norm(a.errors, axis=axis, keepdims=keepdims)
    with np.errstate(divide="ignore", invalid="ignore"):
        flushed = np.minimum(count * FLOOR / values, np.sqrt(count * FLOOR / UNIT))  # squares that underflow
    flushed = np.where((values > 0) | (carried > 0), flushed, 0.0)
    return _rounded(values, carried * (1 + count * UNIT), (count + 3) * values * (1 + 2 * count * UNIT) + flushed)


def _clip(a: Operand, least: Operand = None, most: Operand = None) -> Tracked:
    result = lift(a)
    if least is not None:
        result = _RULES[np.maximum](result, lift(least))
    return result if most is None else _RULES[np.minimum](result, lift(most))


def _where(condition: Operand, a: Operand, b: Operand) -> Tracked:
    a, b = lift(a), lift(b)
    return _exact(np.where(condition, a.values, b.values), np.where(condition, a.errors, b.errors))


def _cumsum(a: Operand, axis: int = 0) -> Tracked:
    rows = np.moveaxis(a.values, axis, 0), np.moveaxis(a.errors, axis, 0)
    parts = [_sum(Tracked(rows[0][: i + 1], rows[1][: i + 1]), 0) for i in range(len(rows[0]))]
    joined = _both(np.stack)(parts)
    return Tracked(np.moveaxis(joined.values, 0, axis), np.moveaxis(joined.errors, 0, axis))


def _both(function: Callable[..., Any]) -> Callable[..., Tracked]:
    """A function that moves numbers and computes none, of a sequence of arrays."""

    def rule(arrays: Sequence[Operand], *given: Operand, **options: Operand) -> Tracked:
        lifted = [lift(one) for one in arrays]
        return Tracked(
            *(function([getattr(one, p) for one in lifted], *given, **options) for p in ("values", "errors"))
        )

    return rule


def _each(function: Callable[..., Any]) -> Callable[..., Tracked]:
    """A function that moves numbers and computes none, of one array."""

    def rule(array: Operand, *given: Operand, **options: Operand) -> Tracked:
        return Tracked(*(function(part, *given, **options) for part in (array.values, array.errors)))

    return rule


_RULES: dict[Operand, Callable[..., Tracked]] = {
    np.add: lambda a, b: _rounded(a.values + b.values, a.errors + b.errors),
    np.subtract: lambda a, b: _rounded(a.values - b.values, a.errors + b.errors),
    np.multiply: _multiply,
    np.divide: _divide,
    np.power: _power,
    np.square: lambda a: _multiply(a, a),
    np.matmul: _matmul,
    np.sqrt: _sqrt,
    np.exp: _exp,
    np.log: _logarithm(np.log, 0.0),
    np.log1p: _logarithm(np.log1p, 1.0),
    np.sin: _lipschitz(np.sin),
    np.cos: _lipschitz(np.cos),
    np.tanh: _lipschitz(np.tanh),
    np.sign: _sign,
    np.negative: lambda a: _exact(-a.values, a.errors),
    np.positive: lambda a: a,
    np.absolute: lambda a: _exact(np.abs(a.values), a.errors),
    np.minimum: _extremum(np.minimum, 1.0),
    np.maximum: _extremum(np.maximum, -1.0),
}
_ON_VALUES = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.isfinite, np.isnan}
_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.sum: _sum,
    np.mean: _mean,
    np.linalg.norm: _norm,
    np.clip: _clip,
    np.where: _where,
    np.cumsum: _cumsum,
    np.dot: lambda a, b: _matmul(lift(a), lift(b)),
    np.concatenate: _both(np.concatenate),
    np.stack: _both(np.stack),
    np.hstack: _both(np.hstack),
    np.broadcast_to: _each(np.broadcast_to),
    np.reshape: _each(np.reshape),
    np.moveaxis: _each(np.moveaxis),
    np.take_along_axis: _each(np.take_along_axis),
    np.split: lambda a, *given: [
        Tracked(v, e) for v, e in zip(np.split(a.values, *given), np.split(a.errors, *given), strict=True)
    ],
    np.zeros_like: lambda a: Tracked(np.zeros_like(a.values), 0.0),
    np.argmin: lambda a, axis=None: np.argmin(a.values, axis=axis),
    np.argmax: lambda a, axis=None: np.argmax(a.values, axis=axis),
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
}
