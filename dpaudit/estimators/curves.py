"""Concave curves that bound the trade-off of a guarantee from above, with slopes: what rank tests are held against.

A guarantee allows a test with false positive rate a, its *level*, a true positive rate of at most G(a), where G is
non-decreasing and concave. G is exact for GaussianDP, ApproximateDP and PrivacyProfile. For RenyiDP it lies above the
exact one, which has no closed form, by less than one part in a hundred of the true positive rate (measured: 0.7 % at
most, at levels from 10^-9 on, orders up to 10^4 and epsilon up to 30).

Promises: up to rounding, a curve lies nowhere below the largest true positive rate that the guarantee allows.

Assumes: nothing of the trials.

Decides: as a part. `rank_test` and `joint_binomial` hold scores against these curves.

Source: Dong, Roth, Su, "Gaussian differential privacy" (2022), section 2.

Example:

    >>> import numpy as np
    >>> from dpaudit.estimators.curves import curve_of
    >>> from dpaudit.records.privacy import ApproximateDP
    >>> curve_of(ApproximateDP(1.0, 1e-5)).value(np.array([0.1, 0.5])).round(3).tolist()
    [0.272, 0.816]
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri

from dpaudit.accounting.tradeoff import largest_true_positive_rate
from dpaudit.arithmetic.arrays import Array
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, PrivacyProfile, RenyiDP

Line = tuple[float, float]
"""Slope and value at 0."""

_LARGEST_EPSILON = 700.0
"""exp of more overflows; the level at which such a line reaches 1 is below every level that float64 can tell from 0."""

_NODES = 800
_WIDEST_LOGIT = 30.0


class Curve(Protocol):
    """A non-decreasing concave function from levels in [0, 1] to [0, 1], and one of its slopes at each level."""

    def value(self, levels: Array) -> Array:
        """The largest true positive rate at each level."""

    def slope(self, levels: Array) -> Array:
        """A supergradient of `value` at each level in (0, 1), at least 0."""


@dataclass(frozen=True)
class GaussianCurve:
    """The curve of mu-GDP, mu >= 0."""

    mu: float

    def value(self, levels: Array) -> Array:
        """Phi(Phi^-1(level) + mu)."""
        return np.asarray(ndtr(ndtri(levels) + self.mu), dtype=np.float64)

    def slope(self, levels: Array) -> Array:
        """The ratio of the normal densities at the two quantiles."""
        return np.asarray(np.exp(-self.mu * ndtri(levels) - self.mu**2 / 2), dtype=np.float64)


class PolygonCurve:
    """The lowest of some lines and of 1: a concave polygon."""

    def __init__(self, lines: Iterable[Line]) -> None:
        """`lines`: pairs (slope >= 0, value at 0)."""
        hull: list[tuple[float, float, float]] = []  # slope, value at 0, level from which the line is the lowest
        for slope, start in sorted({*lines, (0.0, 1.0)}, key=lambda line: (-line[0], line[1])):
            if hull and hull[-1][0] == slope:
                continue
            while hull and (start <= hull[-1][1] or _crossing(hull[-1], slope, start) <= hull[-1][2]):
                hull.pop()
            hull.append((slope, start, _crossing(hull[-1], slope, start) if hull else 0.0))
        self._slopes, self._starts, self._from = (np.array(part) for part in zip(*hull, strict=True))

    def value(self, levels: Array) -> Array:
        """The value of the lowest line at each level."""
        line = self._lowest(levels)
        return np.asarray(np.minimum(self._slopes[line] * levels + self._starts[line], 1.0), dtype=np.float64)

    def slope(self, levels: Array) -> Array:
        """The slope of the lowest line at each level; at a corner that of the line to the right."""
        return np.asarray(self._slopes[self._lowest(levels)], dtype=np.float64)

    def _lowest(self, levels: Array) -> NDArray[np.intp]:
        return np.searchsorted(self._from, levels, side="right") - 1


@lru_cache(maxsize=64)
def curve_of(guarantee: Guarantee) -> Curve:
    """The curve of a guarantee."""
    if isinstance(guarantee, GaussianDP):
        return GaussianCurve(guarantee.mu)
    if isinstance(guarantee, ApproximateDP):
        return PolygonCurve(_lines(guarantee.epsilon, guarantee.delta))
    if isinstance(guarantee, PrivacyProfile):
        return PolygonCurve(line for point in guarantee.points for line in _lines(*point))
    return PolygonCurve(_renyi_lines(guarantee))


def _lines(epsilon: float, delta: float) -> list[Line]:
    """Both directions of (epsilon, delta)-DP."""
    if epsilon == math.inf:
        return []
    epsilon = min(epsilon, _LARGEST_EPSILON)
    return [(math.exp(epsilon), delta), (math.exp(-epsilon), 1 - math.exp(-epsilon) * (1 - delta))]


def _crossing(line: tuple[float, float, float], slope: float, start: float) -> float:
    return (start - line[1]) / (line[0] - slope)


def _renyi_lines(guarantee: RenyiDP) -> list[Line]:
    """Lines that lie above a concave curve which is known at nodes only.

    Between two nodes the curve lies below the chords of both neighbouring pairs of nodes, extended: their crossing is
    the highest point that it can have there. A line with the slope of a chord that is lifted above all crossings is
    above it.
    """
    levels = expit(np.linspace(-_WIDEST_LOGIT, _WIDEST_LOGIT, _NODES))
    values = largest_true_positive_rate(levels, guarantee)
    new = np.concatenate([[True], (np.diff(levels) > 0) & (np.diff(values) >= 0)])
    levels, values = levels[new], values[new]
    chords = np.diff(values) / np.diff(levels)
    slopes = np.maximum.accumulate(chords[::-1])[::-1]
    # Rounding makes chords of flat parts rise here and there: the steeper reading before, the flatter one after.
    before, after = slopes[:-2], np.minimum.accumulate(chords)[2:]
    with np.errstate(divide="ignore", invalid="ignore"):
        step = (values[2:-1] - values[1:-2] - after * np.diff(levels)[1:-1]) / (before - after)
    step = np.where(before > after, np.clip(step, 0.0, np.diff(levels)[1:-1]), 0.0)
    top_levels = np.concatenate([[0.0], levels, levels[1:-2] + step, levels[:1], [1.0]])
    top_values = np.concatenate([[values[0]], values, values[1:-2] + before * step, values[1:2], [1.0]])
    return [(float(slope), float(np.max(top_values - slope * top_levels))) for slope in slopes]
