"""The noise-free part of a vector release: directions in which the outputs of one data set never vary.

Where one noise serves several coordinates or steps, combinations of them cancel it: the difference of two coordinates
with the same noise, x + z and x - z summed, a coordinate without noise. Trials on either side lie in an affine space of
fewer dimensions then. The directions across it are found from trials that are not counted, and the score is the
projection on that one of them in which the sides differ: constant on each side, up to rounding. That it stays so is not
taken for granted: the counted trials show it, so that a wrong direction costs power and never validity.

Coordinates are taken in blocks of a few, those with proportional noise side by side, since among more coordinates than
trials every set of trials leaves directions across.

Scores: on which side the noise-free combination of the coordinates lies, rounded to a few levels.

Finds: linear combinations of coordinates that carry no noise: one noise for several coordinates or steps, a coordinate
that was forgotten.

Cannot find: combinations that span coordinates of several blocks, those that are not linear, and noise that is small
but there.

Needs: held-out trials, two a side at least, of vectors. No model of the release.

Costs: a singular value decomposition for each block of coordinates, on up to 1,000 held-out trials a side; then an
inner product a trial.

Competes: as "noise-free part" in every `Release` and `Command`; elsewhere where a target file names it in `ATTACKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, rows
from dpaudit.records.validation import check_count

_ROUNDINGS = 2.0**10
"""Roundings of the largest number of a column that pass for no variation."""


@dataclass(frozen=True)
class NoiseFree:
    """most: trials of each side that are looked at, at least 2. Raises ConfigurationError."""

    most: int = 1_000

    def __post_init__(self) -> None:
        check_count("most", self.most, 2)

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The projection of outputs (trials, ...), larger on D; every score is 0 where noise is everywhere, or the
        noise-free parts are equal, or a side has fewer than two trials. Draws nothing from `rng`.
        """
        sides = [rows(side)[: self.most] for side in (outputs_on_data, outputs_on_neighbour)]
        weights = _weights(*sides) if min(map(len, sides)) > 1 else np.zeros(0)
        used = np.flatnonzero(weights)
        if not len(used):
            return lambda outputs: np.zeros(len(outputs))
        origin, weights = sides[1][0, used], weights[used]
        here, there = (float(((side[:, used] - origin) @ weights).mean()) for side in sides)

        def score(outputs: Outputs) -> Array:
            values = rows(outputs)[:, used]
            seen = np.isfinite(values).all(axis=1)
            found = np.zeros(len(values))
            place = ((values[seen] - origin) @ weights - there) / (here - there)  # 1 on D, 0 on D', up to rounding
            found[seen] = np.rint(4 * place) - 2  # a threshold between equal numbers would part them
            return found

        return score


def _weights(first: Array, second: Array) -> Array:
    """The direction of the block whose noise-free parts are furthest apart in units of rounding; 0 if there is none."""
    usable = np.isfinite(first).all(axis=0) & np.isfinite(second).all(axis=0)
    places = np.flatnonzero(usable)
    sides = first[:, places], second[:, places]
    found, best = np.zeros(first.shape[1]), 1.0
    for block in _blocks(*sides):
        direction, clear = _across(*(side[:, block] for side in sides))
        if clear > best:
            found, best = np.zeros(first.shape[1]), clear
            found[places[block]] = direction
    return found


def _blocks(first: Array, second: Array) -> Iterator[np.ndarray]:
    """Columns in blocks of a quarter of the trials, those whose noise is proportional next to each other."""
    centred = _centred(first, second)
    size = max(len(centred) // 4, 1)
    scale = centred.std(axis=0)
    first_row = np.abs(centred[0]) / np.where(scale > 0, scale, 1.0)
    order = np.argsort(first_row, kind="stable") if len(scale) > size else np.arange(len(scale))
    for start in range(0, len(order), size):
        yield order[start : start + size]


def _across(first: Array, second: Array) -> tuple[Array, float]:
    """A direction in which neither side varies, larger on the first, and how far apart the sides are in it over the
    rounding that is allowed for: at most 1 says that there is none."""
    centred = _centred(first, second)
    largest = np.maximum(np.abs(first).max(axis=0), np.abs(second).max(axis=0))
    rounding = np.maximum(_ROUNDINGS * _precision(first, second) * largest, np.finfo(np.float64).tiny)
    spread = centred.std(axis=0)
    varied = spread > rounding
    scale = np.where(varied, spread, rounding)
    apart = (first.mean(axis=0) - second.mean(axis=0)) / scale
    standard = np.where(varied, centred / scale, 0.0) / np.sqrt(len(centred))
    _, values, directions = np.linalg.svd(standard, full_matrices=False)
    null = directions[values <= float(np.linalg.norm((rounding / scale)[varied]))]
    witness = null.T @ (null @ apart)
    weights = witness / scale
    gap = float(((first - second[0]) @ weights).min() - ((second - second[0]) @ weights).max())
    allowed = float(np.abs(weights) @ rounding)
    return weights, gap / allowed if allowed else 0.0


def _centred(first: Array, second: Array) -> Array:
    """Both sides in one array, each without its mean."""
    return np.concatenate([first - first.mean(axis=0), second - second.mean(axis=0)])


def _precision(*sides: Array) -> float:
    """The unit roundoff of single precision where all numbers have it, else of double."""
    single = all(np.array_equal(side, side.astype(np.float32)) for side in sides)
    integer = all(np.array_equal(side, np.rint(side)) for side in sides)
    return float(np.finfo(np.float32 if single and not integer else np.float64).eps)
