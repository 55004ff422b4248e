"""The numba form of `dpaudit.problems.prox`, one number at a time."""

from __future__ import annotations

from dpaudit.noise.kernels import Scalar, compiled
from dpaudit.problems.prox import KINDS

_L1, _RIDGE, _BOX = (KINDS.index(kind) for kind in ("l1", "ridge", "box"))


@compiled()
def prox(value: Scalar, step_size: Scalar, kind: int, strength: Scalar) -> Scalar:
    """The proximal map of one coordinate; all numbers in one dtype, as is the result."""
    if kind == _L1:
        bound = step_size * strength
        if value > bound:
            return value - bound
        return value + bound if value < -bound else value - value
    if kind == _RIDGE:
        return value / (step_size * strength + type(value)(1))
    if kind == _BOX:
        return min(max(value, -strength), strength)
    return value
