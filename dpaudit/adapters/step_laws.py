"""The log-likelihood ratio of the projections of one trial, step by step, where each batch holds the record at random.

Without the record the projection of a step is taken to be normal about `centre`; a batch that holds the record moves it
by `shift`. The score of a step is log(1 - q + q exp(c x - c^2/2)) with x = (projection - centre) / spread and
c = shift / spread: the ratio of the densities of a Poisson-sampled Gaussian mechanism. The scores of the steps are
added up. A law that is wrong costs power, never validity.
Source: Mironov, Talwar, Zhang, "Rényi differential privacy of the sampled Gaussian mechanism" (2019), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_TRUSTED = 10
"""Trials that weigh as much as the law of the noise."""


@dataclass(frozen=True)
class StepLaw:
    """shift, centre, spread: (steps,), spread above 0; rate: the share of the batches that hold the record, in (0, 1];
    replaced: on the neighbour another record stands in its place, and moves as far the other way."""

    shift: Floats
    centre: Floats
    spread: Floats
    rate: float = 1.0
    replaced: bool = False

    def score(self, projections: Floats) -> Floats:
        """(trials, steps) -> (trials,), larger where the record was in some batches."""
        if not self.replaced:
            return self._ratio(projections, self.shift)
        return self._ratio(projections, self.shift / 2) - self._ratio(projections, -self.shift / 2)

    def fitted(self, absent: Floats) -> StepLaw:
        """The law as some trials without the record show it (replaced: with the other one); absent: projections,
        (trials, steps), of two trials at least."""
        weight = len(absent) / (len(absent) + _TRUSTED)
        with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is not sound
            seen = absent.var(axis=0, ddof=1)
            pooled = self.spread**2 * float(np.mean(seen / self.spread**2))
            variance = weight * seen + (1 - weight) * pooled
            centre = absent.mean(axis=0) + (self.rate * self.shift / 2 if self.replaced else 0.0)
        sound = np.isfinite(variance) & (variance > 0) & np.isfinite(centre)
        return replace(
            self,
            centre=np.where(sound, centre, self.centre),
            spread=np.where(sound, np.sqrt(np.where(sound, variance, 1.0)), self.spread),
        )

    def _ratio(self, projections: Floats, shift: Floats) -> Floats:
        moved = shift / self.spread
        with np.errstate(invalid="ignore", over="ignore"):  # trials that are NaN are refused where all trials are
            exponent = moved * (projections - self.centre) / self.spread - moved**2 / 2
            if self.rate < 1:
                exponent = np.logaddexp(np.log1p(-self.rate), np.log(self.rate) + exponent)
            return np.asarray(exponent.sum(axis=-1))
