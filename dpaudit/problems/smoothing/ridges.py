"""Piecewise-linear ridge losses, their Gaussian smoothing in closed form, and stochastic oracles over them.

A data set is n records f^i(x) = L phi_i(<a_i, x> - b_i) with |a_i| <= 1, so that each is L-Lipschitz:

    ZERO 0      LINEAR m      ABSOLUTE |m|      HINGE max(0, m)

Smoothing by N(0, rho^2 I) acts on the margin m only, as a normal number of deviation s = rho |a_i|:
with t = m/s and the normal law Phi and density phi, |m| becomes m (2 Phi(t) - 1) + 2 s phi(t) and max(0, m) becomes
m Phi(t) + s phi(t). The subgradient at a kink is the one of least norm: 0.

This is the NumPy form, batched over any leading axes of `points`; `smoothing.kernels` (numba) and
`smoothing.tensors` hold the others, none calls another. Minima of smoothed losses: `smoothing.minimum`.
Source: Carmon et al. (2023), section 2.1; the closed forms are Gaussian integrals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_number, check_vector


class Ridge(IntEnum):
    """The function phi of a record; the numbers are what the numba kernels read."""

    ZERO = 0
    LINEAR = 1
    ABSOLUTE = 2
    HINGE = 3


@dataclass(frozen=True, eq=False)
class RidgeLosses:
    """A data set of n records; `ridge_losses` makes one from lists.

    kinds: values of `Ridge`, shape (n,); directions: a_i, shape (n, d), each of norm at most 1; offsets:
    b_i, shape (n,); lipschitz: L above 0, common to all. Raises ConfigurationError.
    """

    kinds: Integers
    directions: Array
    offsets: Array
    lipschitz: float

    def __post_init__(self) -> None:
        check_number("lipschitz", self.lipschitz, above=0.0)
        shape = self.directions.shape
        if len(shape) != 2 or 0 in shape or not np.isfinite(self.directions).all():
            raise ConfigurationError(f"directions must be finite, shape (n, d), got shape {shape}")
        for name in ("kinds", "offsets"):
            values = getattr(self, name)
            if values.shape != shape[:1] or not np.isfinite(values).all():
                raise ConfigurationError(f"{name} must be finite, shape ({shape[0]},), got shape {values.shape}")
        if self.kinds.dtype.kind not in "iu" or not np.isin(self.kinds, list(Ridge)).all():
            raise ConfigurationError("kinds must be integers from 0 to 3, see Ridge")
        if not self.norms.max() <= 1 + 1e-12:
            raise ConfigurationError(f"directions must have norm at most 1, got {self.norms.max()}; scale lipschitz")

    @property
    def records(self) -> int:
        """n."""
        return len(self.directions)

    @property
    def dimension(self) -> int:
        """d."""
        return int(self.directions.shape[1])

    @property
    def norms(self) -> Array:
        """|a_i|, shape (n,)."""
        return np.asarray(np.sqrt((self.directions**2).sum(axis=1)))

    def replaced(self, index: int, kind: Ridge, direction: ArrayLike, offset: float = 0.0) -> RidgeLosses:
        """The neighbouring data set: record `index` replaced."""
        kinds, directions, offsets = self.kinds.copy(), self.directions.copy(), self.offsets.copy()
        kinds[index], directions[index], offsets[index] = int(kind), np.asarray(direction, dtype=float), offset
        return RidgeLosses(kinds, directions, offsets, self.lipschitz)


def ridge_losses(records: Iterable[tuple[object, ...]], lipschitz: float = 1.0) -> RidgeLosses:
    """Data set from a list of (kind, direction) or (kind, direction, offset); kind: a `Ridge`."""
    rows = [(*record, 0.0)[:3] for record in records]
    kinds, directions, offsets = zip(*rows, strict=True)
    return RidgeLosses(
        np.array(kinds, dtype=np.int64), np.array(directions, dtype=float), np.array(offsets, dtype=float), lipschitz
    )


def margins(losses: RidgeLosses, points: Array) -> Array:
    """<a_i, x> - b_i of every record at points (..., d); shape (..., n)."""
    return np.asarray(points @ losses.directions.T - losses.offsets)


def margin_magnitude(losses: RidgeLosses, points: Array) -> Array:
    """The margins with every term in absolute value: what a rounding bound multiplies; shape (..., n)."""
    return np.asarray(np.abs(points) @ np.abs(losses.directions).T + np.abs(losses.offsets))


def slopes(losses: RidgeLosses, points: Array) -> Array:
    """The chosen phi_i'(m) in {-1, 0, 1} of every record at points (..., d); shape (..., n)."""
    m = margins(losses, points)
    choices = [losses.kinds == kind for kind in (Ridge.LINEAR, Ridge.ABSOLUTE, Ridge.HINGE)]
    return np.select(choices, [np.ones_like(m), np.sign(m), (m > 0).astype(float)], 0.0)


def value(losses: RidgeLosses, points: Array) -> Array:
    """f = (1/n) sum_i f^i at points (..., d); shape (...)."""
    m = margins(losses, points)
    choices = [losses.kinds == kind for kind in (Ridge.LINEAR, Ridge.ABSOLUTE, Ridge.HINGE)]
    return np.asarray(losses.lipschitz * np.select(choices, [m, np.abs(m), np.maximum(m, 0.0)], 0.0).mean(axis=-1))


def subgradient(losses: RidgeLosses, index: ArrayLike, points: Array) -> Array:
    """The subgradient of record `index` (an integer or integers, shape (...)) at points (..., d); shape (..., d)."""
    chosen = np.broadcast_to(np.asarray(index)[..., None], (*points.shape[:-1], 1))
    slope = np.take_along_axis(slopes(losses, points), chosen, axis=-1)
    return np.asarray(losses.lipschitz * slope * losses.directions[np.asarray(index)])


def mean_subgradient(losses: RidgeLosses, points: Array) -> Array:
    """The mean of all records' subgradients at points (..., d); same shape."""
    return np.asarray(losses.lipschitz * (slopes(losses, points) @ losses.directions) / losses.records)


# Smoothed by N(0, rho^2 I). ---------------------------------------------------------------------


def smoothed_value(losses: RidgeLosses, points: Array, radius: float) -> Array:
    """f smoothed with deviation rho = radius > 0, exactly, at points (..., d); shape (...)."""
    m, s = margins(losses, points), _deviations(losses, radius)
    density = s * np.exp(-0.5 * (m / s) ** 2) / math.sqrt(2 * math.pi)
    absolute, hinge = m * special.erf(m / s / math.sqrt(2)) + 2 * density, m * special.ndtr(m / s) + density
    choices = [losses.kinds == kind for kind in (Ridge.LINEAR, Ridge.ABSOLUTE, Ridge.HINGE)]
    return np.asarray(losses.lipschitz * np.select(choices, [m, absolute, hinge], 0.0).mean(axis=-1))


def smoothed_gradient(losses: RidgeLosses, points: Array, radius: float) -> Array:
    """The gradient of the smoothed f at points (..., d); same shape."""
    return np.asarray(losses.lipschitz * (smoothed_slopes(losses, points, radius) @ losses.directions) / losses.records)


def smoothed_slopes(losses: RidgeLosses, points: Array, radius: float) -> Array:
    """The derivative of every record's smoothed phi_i in its margin; points (..., d); shape (..., n)."""
    m, s = margins(losses, points), _deviations(losses, radius)
    choices = [losses.kinds == kind for kind in (Ridge.LINEAR, Ridge.ABSOLUTE, Ridge.HINGE)]
    return np.select(choices, [np.ones_like(m), special.erf(m / s / math.sqrt(2)), special.ndtr(m / s)], 0.0)


def smoothed_hessian(losses: RidgeLosses, points: Array, radius: float) -> Array:
    """The Hessian of the smoothed f at points (..., d); shape (..., d, d)."""
    m, s = margins(losses, points), _deviations(losses, radius)
    bend = np.select([losses.kinds == Ridge.ABSOLUTE, losses.kinds == Ridge.HINGE], [2.0, 1.0], 0.0)
    curvature = bend * np.exp(-0.5 * (m / s) ** 2) / (s * math.sqrt(2 * math.pi))
    weighted = losses.lipschitz / losses.records * curvature[..., None] * losses.directions
    return np.asarray(np.swapaxes(weighted, -1, -2) @ losses.directions)


def _deviations(losses: RidgeLosses, radius: float) -> Array:
    """rho |a_i|; a record that does not depend on x keeps its value, as with the smallest deviation."""
    check_number("radius", radius, above=0.0)
    return np.maximum(radius * losses.norms, np.finfo(float).tiny ** 0.5)


def radial_smoothed_value(points: Array, centre: ArrayLike, radius: float, scale: float = 1.0) -> Array:
    """scale |x - centre| smoothed with deviation `radius`, at points (..., d); shape (...).

    c rho sqrt(2) Gamma((d+1)/2)/Gamma(d/2) 1F1(-1/2; d/2; -|x - m|^2/(2 rho^2)).
    """
    d, v = points.shape[-1], points - np.asarray(centre, dtype=float)
    q = (v**2).sum(axis=-1) / (2 * check_number("radius", radius, above=0.0) ** 2)
    return np.asarray(scale * radius * _gamma_ratio(d) * special.hyp1f1(-0.5, d / 2, -q))


def radial_smoothed_gradient(points: Array, centre: ArrayLike, radius: float, scale: float = 1.0) -> Array:
    """The gradient of `radial_smoothed_value` at points (..., d); same shape."""
    d, v = points.shape[-1], points - np.asarray(centre, dtype=float)
    q = (v**2).sum(axis=-1, keepdims=True) / (2 * check_number("radius", radius, above=0.0) ** 2)
    return np.asarray(scale * _gamma_ratio(d) / (d * radius) * special.hyp1f1(0.5, d / 2 + 1, -q) * v)


def _gamma_ratio(dimension: int) -> float:
    """sqrt(2) Gamma((d+1)/2)/Gamma(d/2) = E|N(0, I_d)|."""
    return math.sqrt(2) * float(special.poch(dimension / 2, 0.5))


# Stochastic oracles: E g in the subdifferential of f and E|g|^2 <= L^2, the setting of parallel optimisation. ----


@dataclass(frozen=True, eq=False)
class Oracle:
    """g(x) = h(x) + spread * sign * axis, with sign = -1 or 1 at random.

    losses: the records; selection: "mean" takes h from the whole f, "record" from a uniform record;
    spread: size of the bounded noise, at least 0; axis: its direction, d numbers of norm 1, () for the
    first coordinate. All records ZERO and spread = L is the pure-noise oracle. Raises ConfigurationError.
    """

    losses: RidgeLosses
    selection: str = "mean"
    spread: float = 0.0
    axis: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_choice("selection", self.selection, ("mean", "record"))
        check_number("spread", self.spread, least=0.0)
        if self.axis:
            check_vector("axis", self.axis, self.losses.dimension)
            if not abs(math.hypot(*self.axis) - 1) <= 1e-12:
                raise ConfigurationError(f"axis must have norm 1, got {math.hypot(*self.axis)}")

    @property
    def direction(self) -> Array:
        """`axis` as an array, shape (d,)."""
        return np.array(self.axis) if self.axis else np.eye(1, self.losses.dimension)[0]

    @property
    def second_moment(self) -> float:
        """A bound on (E|g|^2)^(1/2): sqrt(max |h|^2 + spread^2), with |h| = 0 where all records are ZERO."""
        steepest = float((self.losses.norms * (self.losses.kinds != Ridge.ZERO)).max()) * self.losses.lipschitz
        return math.hypot(steepest, self.spread)

    def choices(self, uniforms: Array) -> tuple[Integers, Array]:
        """Records in [0, n) and signs from uniforms (..., 2): floor(n u) and -1 for u' < 1/2, else 1; shape (...)."""
        n = self.losses.records
        return np.minimum((n * uniforms[..., 0]).astype(np.int64), n - 1), np.where(uniforms[..., 1] < 0.5, -1.0, 1.0)

    def query(self, points: Array, records: Integers, signs: Array) -> Array:
        """g at points (..., d) for the drawn records and signs, each (...); shape (..., d)."""
        if self.selection == "mean":
            h = mean_subgradient(self.losses, points)
        else:
            h = subgradient(self.losses, records, points)
        return np.asarray(h + (self.spread * signs)[..., None] * self.direction)
