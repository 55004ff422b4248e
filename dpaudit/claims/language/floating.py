"""Terms as functions of arrays in floating point, for searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from dpaudit.claims.language.expression import Expr

Floats = NDArray[np.float64]
Number = Floats | float
Values = Mapping[str, Floats]


def computable(expr: Expr) -> bool:
    """Can every part of the term be computed over arrays?"""
    return (expr.head in FLOAT or expr.head in ("number", "symbol")) and all(map(computable, expr.args))


def compiled(expr: Expr) -> Callable[[Values], Number]:
    """The term as a function of arrays in floating point; what is not defined comes out as NaN or an infinity."""
    if expr.head == "number":
        value = float(expr.value)
        return lambda values: value
    if expr.head == "symbol":
        return itemgetter(expr.name)
    function, args = FLOAT[expr.head], [compiled(arg) for arg in expr.args]
    if len(args) == 2:
        first, second = args
        return lambda values: function(first(values), second(values))
    return lambda values: function(*(arg(values) for arg in args))


def _normal_cdf(x: Floats) -> Floats:
    from scipy.special import ndtr

    return np.asarray(ndtr(x))


FLOAT: dict[str, Callable[..., Number]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": lambda a, b: np.power(np.asarray(a, dtype=np.float64), b),
    "neg": np.negative,
    "exp": np.exp,
    "log": np.log,
    "log2": np.log2,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "floor": np.floor,
    "ceil": np.ceil,
    "min": lambda *items: reduce(np.minimum, items),
    "max": lambda *items: reduce(np.maximum, items),
    "Phi": _normal_cdf,
    "pi": lambda: np.pi,
}
"""What can be computed over arrays; other terms are left to exact points."""
COMPARED: dict[str, Callable[..., NDArray[np.bool_] | np.bool_]] = {
    "<": np.less,
    "<=": np.less_equal,
    "==": lambda left, right: np.isclose(left, right, rtol=1e-12),
}
