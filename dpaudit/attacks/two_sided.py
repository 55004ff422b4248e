"""Two-sided attacks: how far an output lies from the middle of all outputs, whichever way.

Where the size of the noise hangs on the data, both sides have the same mean and no direction tells them apart, but one
of them lies further out. Fitted on trials that are not counted, so that a wrong middle costs power and never validity.

Scores: how far the output lies from the middle of all outputs, or minus that.

Finds: noise whose size hangs on the data: both sides have the same middle, and one lies further out.

Cannot find: shifts of the middle, which move both tails against each other.

Needs: held-out trials. No model of the release.

Costs: medians of the columns of half of the held-out trials; then a sum a trial.

Competes: as "distance from the middle" and "nearness to the middle" in every `Release` and `Command`; elsewhere where a
target file names it in `ATTACKS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, finite, rows


@dataclass(frozen=True)
class TwoSided:
    """far: outputs far from the middle look like D, else those near to it."""

    far: bool = True

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The distance of outputs (trials, ...) from the median of both sides, each coordinate in units of its median
        deviation; minus that unless `far`. Draws nothing from `rng`; every score is 0 where no trial was given."""
        both = np.concatenate([rows(finite(side)) for side in (outputs_on_data, outputs_on_neighbour)])
        if not len(both):
            return lambda outputs: np.zeros(len(outputs))
        centre = np.median(both, axis=0)
        deviation = np.median(np.abs(both - centre), axis=0)
        unit, sign = np.where(deviation > 0, deviation, 1.0), 1.0 if self.far else -1.0
        return lambda outputs: np.asarray(sign * np.abs((rows(finite(outputs)) - centre) / unit).mean(axis=1))
