"""The attacks of training adapters: scores of the rows that `Training.run` gives.

Where every released value is seen: the projections of the steps, what is told by values that are 0, the projection of
the final model, and the log-likelihood ratio of the steps. Where the final model alone is seen: its projection.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.attacks.linear_discriminant import LinearDiscriminant
from dpaudit.content.audits import Attack


def projections_summed(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The sum over the steps; the final model is the sum of what was released anyway."""
    return np.asarray(np.asarray(outputs, dtype=np.float64)[:, :-3].sum(axis=1))


def largest_projection(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The largest over the steps: for records that few batches hold."""
    return np.asarray(np.asarray(outputs, dtype=np.float64)[:, :-3].max(axis=1))


def likelihood_ratio(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The sum over the steps of `dpaudit.adapters.step_laws`: for batches that hold the record at random."""
    return np.asarray(outputs, dtype=np.float64)[:, -1]


def zeros(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """Which released values are 0, see `dpaudit.adapters.zeros`."""
    return np.asarray(outputs, dtype=np.float64)[:, -3]


def projection(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The projection of the final model."""
    return np.asarray(outputs, dtype=np.float64)[:, -1]


def projection_negated(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """Minus `projection`: where steps go against the gradient."""
    return -projection(outputs, data, neighbour)


STEP_ATTACKS: dict[str, Attack] = {
    "sum of projections": projections_summed,
    "largest projection": largest_projection,
    "likelihood ratio of the steps": likelihood_ratio,
    "values that are 0": zeros,
    "linear discriminant": LinearDiscriminant(),
}
FINAL_ATTACKS: dict[str, Attack] = {
    "projection": projection,
    "projection, negated": projection_negated,
}
