"""Which of two centres is an output nearer to: for noise whose vectors have a length of any law.

Noise with a direction that is uniform lies about the value of the release in shells. The linear score looks at one
direction and compares middles; here the ratio of the two distances counts, which is unbounded near a centre. So it
shows a density that is too high near the value, as where the length of a vector is drawn with the wrong law, and at a
value that is released without noise sometimes.

Fitted on trials that are not counted, so that a wrong centre costs power and never validity. The centre of a side is
the one of two that its trials lie nearest to by their median logarithm of distances: the mean, and the spatial median
(Weiszfeld 1937), which finds a pole of the density far more precisely.

Scores: the logarithm of the distance from the centre on D' over that from the centre on D.

Finds: a density that is too high near the released value: lengths of noise vectors drawn with the wrong law, values
that are sometimes released without noise.

Cannot find: differences of spread around one centre; its score says little where the centres of both sides are the
same.

Needs: held-out trials, two a side at least. No model of the release.

Costs: at most 200 steps of Weiszfeld's iteration for each side, on half of the held-out trials; then two distances a
trial.

Competes: as "nearer centre" in every `Release` and `Command`; elsewhere where a target file names it in `ATTACKS`.

Source: of the spatial median, Weiszfeld, "Sur le point pour lequel la somme des distances de n points donnés est
minimum" (1937).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, finite, rows

_STEPS = 200
_TINY, _FURTHEST = 1e-300, 1e100


@dataclass(frozen=True)
class NearerCentre:
    """NumPy alone; needs two trials a side to say anything."""

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """log of the distance of outputs (trials, ...) from the centre on D' over that from the one on D, each
        coordinate in units of its median deviation. Draws nothing from `rng`; with fewer than two trials on a side
        every score is 0."""
        sides = [rows(finite(side)) for side in (outputs_on_data, outputs_on_neighbour)]
        if min(map(len, sides)) < 2:
            return lambda outputs: np.zeros(len(outputs))
        both = np.concatenate(sides)
        deviation = np.median(np.abs(both - np.median(both, axis=0)), axis=0)
        unit = np.where(deviation > 0, deviation, 1.0)
        here, there = (_centre(_within(side, unit)) for side in sides)

        def score(outputs: Outputs) -> Array:
            values = _within(rows(finite(outputs)), unit)
            near, far = (np.log(_distances(values, centre)) for centre in (here, there))
            return np.asarray(far - near)

        return score


def _within(values: Array, unit: Array) -> Array:
    """In these units, and so near that squares are finite."""
    with np.errstate(over="ignore"):
        return np.clip(values / unit, -_FURTHEST, _FURTHEST)


def _distances(values: Array, centre: Array) -> Array:
    return np.asarray(np.maximum(np.linalg.norm(values - centre, axis=1), _TINY))


def _centre(values: Array) -> Array:
    """The mean or the spatial median, whichever most trials lie nearer to."""
    centres = [values.mean(axis=0), _spatial_median(values)]
    return min(centres, key=lambda one: float(np.median(np.log(_distances(values, one)))))


def _spatial_median(values: Array) -> Array:
    """The point of the least sum of distances, by Weiszfeld's iteration from the coordinates' medians."""
    at = np.median(values, axis=0)
    for _ in range(_STEPS):
        weights = 1 / np.maximum(_distances(values, at), 1e-12)
        after = np.asarray((weights[:, None] * values).sum(axis=0) / weights.sum())
        if np.linalg.norm(after - at) <= 1e-12 * (1 + np.linalg.norm(at)):
            return after
        at = after
    return at
