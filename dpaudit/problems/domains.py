"""Closed convex sets to project onto, and clipping, in NumPy and torch; the numba form is in `domain_kernels`.

Projections never enlarge a distance, so that they change neither privacy nor a rounding bound by more than rounding.
The NumPy form also runs on `arithmetic.tracked.Tracked` arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.tracked import Operand
from dpaudit.noise.tensors import Tensor
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_number, check_vector

KINDS = ("everything", "ball", "box")


@dataclass(frozen=True)
class Domain:
    """kind: "everything" (no projection), "ball" of `radius` around `centre`, or "box" from `lower` to `upper`.

    Use the functions below. Raises ConfigurationError.
    """

    kind: str = "everything"
    centre: tuple[float, ...] = ()
    radius: float = 1.0
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_choice("domain", self.kind, KINDS)
        if self.kind == "ball":
            check_vector("centre", self.centre)
            check_number("radius", self.radius, above=0.0)
        if self.kind == "box":
            check_vector("lower", self.lower)
            check_vector("upper", self.upper, len(self.lower))
            if any(low > high for low, high in zip(self.lower, self.upper, strict=True)):
                raise ConfigurationError(f"lower must not exceed upper, got {self.lower} and {self.upper}")

    def check_dimension(self, dimension: int) -> None:
        """Refuse points of another number of coordinates."""
        given = len(self.centre if self.kind == "ball" else self.lower)
        if self.kind != "everything" and given != dimension:
            raise ConfigurationError(f"the domain has {given} coordinates, the points have {dimension}")

    @property
    def diameter(self) -> float:
        """The largest distance of two of its points; infinite for everything."""
        if self.kind == "everything":
            return float("inf")
        if self.kind == "ball":
            return 2 * self.radius
        return float(np.linalg.norm(np.subtract(self.upper, self.lower)))

    @property
    def largest_norm(self) -> float:
        """The largest norm of its points."""
        if self.kind == "everything":
            return float("inf")
        if self.kind == "ball":
            return float(np.linalg.norm(self.centre)) + self.radius
        return float(np.linalg.norm(np.maximum(np.abs(self.lower), np.abs(self.upper))))

    def project(self, point: Operand) -> Operand:
        """The nearest point of the set to points of shape (..., d); same shape."""
        if self.kind == "ball":
            centre = np.array(self.centre)
            return centre + clip(point - centre, self.radius) if centre.any() else clip(point, self.radius)
        if self.kind == "box":
            return np.minimum(np.maximum(point, np.array(self.lower)), np.array(self.upper))
        return point

    def torch_project(self, point: Tensor) -> Tensor:
        """`project` for a tensor of shape (..., d)."""
        if self.kind == "ball":
            centre = point.new_tensor(self.centre)
            return (
                centre + torch_clip(point - centre, self.radius) if any(self.centre) else torch_clip(point, self.radius)
            )
        if self.kind == "box":
            return point.maximum(point.new_tensor(self.lower)).minimum(point.new_tensor(self.upper))
        return point


EVERYTHING = Domain()


def ball(radius: float, centre: tuple[float, ...]) -> Domain:
    """The ball of `radius` around `centre`."""
    return Domain("ball", centre=centre, radius=radius)


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> Domain:
    """All points between `lower` and `upper` in every coordinate; an interval in one dimension."""
    return Domain("box", lower=lower, upper=upper)


def clip(vector: Operand, bound: float) -> Operand:
    """v min(1, bound/|v|) for vectors along the last axis; zero stays zero, shorter vectors keep their bits."""
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    return vector * (bound / np.maximum(length, bound))


def torch_clip(vector: Tensor, bound: float) -> Tensor:
    """`clip` for a tensor."""
    length = vector.square().sum(dim=-1, keepdim=True).sqrt()
    return vector * (bound / length.clamp(min=bound))
