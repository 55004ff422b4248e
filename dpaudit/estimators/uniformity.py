"""Are the p-values of null audits too small? A one-sided test, exact for any number of them.

Under a claim that is kept, P(p <= u) <= u for every u: p-values may be larger than uniform ones (discrete data, a
claim with room), never smaller. Both tests below reject only where small p-values are too many:

    Kolmogorov    D+ = max over u of (share of p-values <= u) - u, with the exact law of Birnbaum and Tingey
    binomial      the number of p-values at or below one level, against Binomial(n, level): stronger at that level

Both need independent p-values. They are exact if the p-values are uniform, and reject less often if they are larger.

Promises: if P(p <= u) <= u for every u and every p-value, each of the two tests rejects at level a with probability at
most a.

Assumes: independent p-values.

Decides: of null controls alone: p-values of blocks that are too small refute the auditor, or that the control is null.

Source: Birnbaum, Tingey, "One-sided confidence contours for probability distribution functions" (1951).

Example:

    >>> from dpaudit.estimators.uniformity import uniformity
    >>> uniformity([0.2, 0.5, 0.9]).p_value > 0.5, uniformity([0.001, 0.002, 0.003]).p_value < 0.001
    (True, True)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, smirnov

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError


@dataclass(frozen=True)
class Uniformity:
    """values: the p-values, ascending; excess: D+, in [0, 1]; p_value: of the Kolmogorov test, 1 without a value."""

    values: Array
    excess: float
    p_value: float

    @property
    def shares(self) -> Array:
        """Share of p-values at or below each of `values`: to be drawn over them, below the diagonal but for chance."""
        return np.arange(1, len(self.values) + 1) / max(len(self.values), 1)


def uniformity(p_values: ArrayLike) -> Uniformity:
    """The one-sided Kolmogorov test of p-values, (n,), in [0, 1]; ContentError for others and for NaN."""
    values = _checked(p_values)
    if not len(values):
        return Uniformity(values, 0.0, 1.0)
    excess = max(float((np.arange(1, len(values) + 1) / len(values) - values).max()), 0.0)
    return Uniformity(values, excess, float(smirnov(len(values), excess)))


def too_many_below(p_values: ArrayLike, level: float) -> float:
    """Exact binomial p-value of "no more p-values are at or below `level`, in (0, 1), than uniform ones would be"."""
    if not 0 < level < 1:
        raise ContentError(f"level must be in (0, 1), got {level}")
    values = _checked(p_values)
    count = int(np.count_nonzero(values <= level))
    return float(betainc(count, len(values) - count + 1, level)) if count else 1.0


def _checked(p_values: ArrayLike) -> Array:
    values = np.sort(np.asarray(p_values, dtype=np.float64))
    if values.ndim != 1 or not np.all((values >= 0) & (values <= 1)):  # NaN fails here too
        raise ContentError("p-values must be one number each, in [0, 1] and not NaN")
    return values
