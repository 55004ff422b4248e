"""Proximal maps of separable regularisers, prox(v, g) = argmin_u g psi(u) + (u - v)^2/2 in every coordinate.

    "none"    psi = 0                    v
    "l1"      psi = strength |u|         sign(v) max(|v| - g strength, 0)
    "ridge"   psi = strength u^2/2       v/(1 + g strength)
    "box"     psi = 0 on [-strength, strength], infinite outside: the nearest point of it

NumPy (also on `arithmetic.tracked.Tracked` arrays) and torch forms; the numba form is `prox_kernels.prox`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.tracked import Operand
from dpaudit.noise.tensors import Tensor
from dpaudit.records.validation import check_choice, check_number

KINDS = ("none", "l1", "ridge", "box")


@dataclass(frozen=True)
class Regulariser:
    """kind: one of KINDS; strength: above 0, without meaning for "none". Raises ConfigurationError."""

    kind: str = "none"
    strength: float = 1.0

    def __post_init__(self) -> None:
        check_choice("regulariser", self.kind, KINDS)
        check_number("strength", self.strength, above=0.0)

    @property
    def code(self) -> int:
        """The number of the kind, for kernels."""
        return KINDS.index(self.kind)

    def value(self, point: Operand) -> Operand:
        """psi(w) summed over the coordinates of points of shape (..., d); infinite outside of a box."""
        if self.kind == "l1":
            return self.strength * np.abs(point).sum(axis=-1)
        if self.kind == "ridge":
            return 0.5 * self.strength * (point * point).sum(axis=-1)
        if self.kind == "box":
            return np.where(np.abs(point).max(axis=-1) <= self.strength, 0.0, np.inf)
        return np.zeros(np.shape(point)[:-1])

    def prox(self, values: Operand, step_sizes: Operand) -> Operand:
        """The map on `values` with step sizes g above 0 of a shape that broadcasts; same shape."""
        if self.kind == "l1":
            return np.sign(values) * np.maximum(np.abs(values) - step_sizes * self.strength, 0.0)
        if self.kind == "ridge":
            return values / (1.0 + step_sizes * self.strength)
        return np.clip(values, -self.strength, self.strength) if self.kind == "box" else values

    def torch_prox(self, values: Tensor, step_sizes: Tensor) -> Tensor:
        """`prox` for tensors."""
        if self.kind == "l1":
            return values.sign() * (values.abs() - step_sizes * self.strength).clamp(min=0.0)
        if self.kind == "ridge":
            return values / (1.0 + step_sizes * self.strength)
        return values.clamp(-self.strength, self.strength) if self.kind == "box" else values


NOTHING = Regulariser()
