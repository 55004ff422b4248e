"""Fisher's linear discriminant: the direction in which outputs on D and on D' differ most, against their spread.

Fitted on trials that are not counted, so that a poor fit costs power and never validity. For Gaussian outputs with one
covariance the score is the log-likelihood ratio up to a constant. The covariance is shrunk towards its diagonal, by the
intensity that minimises the expected squared error of the standardised one.

Scores: a weighted sum of the columns of the output.

Finds: a shift of the mean in any direction, against the spread: a statistic that moves too far for its noise.

Cannot find: differences of spread or shape where the means are the same, and rare events.

Needs: held-out trials, two a side at least. No model of the release.

Costs: a covariance matrix of the columns of half of the held-out trials, and one linear system of that size; then an
inner product a trial.

Competes: as "linear discriminant" in `Release` and `Command`, and in the adapters of trainings where every step is
seen; elsewhere where a target file names it in `ATTACKS`.

Source: Fisher, "The use of multiple measurements in taxonomic problems" (1936); Schaefer, Strimmer, "A shrinkage
approach to large-scale covariance matrix estimation and implications for functional genomics" (2005), section 2.3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.attacks._outputs import Outputs, rows


@dataclass(frozen=True)
class LinearDiscriminant:
    """NumPy alone; needs two trials a side to say anything."""

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """The linear score as a function of outputs (trials, ...), larger on D; nothing is drawn from `rng`.

        Infinite outputs count as just beyond the finite ones of their column; constant columns are left out. With
        fewer than two trials on a side every score is 0.
        """
        sides = [rows(side) for side in (outputs_on_data, outputs_on_neighbour)]
        if min(map(len, sides)) < 2:
            return lambda outputs: np.zeros(len(outputs))
        low, high = _range(np.concatenate(sides))
        inside = [np.clip(side, low, high) for side in sides]
        weights = _weights(*inside)
        return lambda outputs: np.asarray(np.clip(rows(outputs), low, high) @ weights)


def _range(columns: Array) -> tuple[Array, Array]:
    """Where the columns are cut off: a quarter of their range beyond the finite numbers in them."""
    finite = np.isfinite(columns)
    low = np.where(finite, columns, np.inf).min(axis=0)
    high = np.where(finite, columns, -np.inf).max(axis=0)
    empty = low > high  # nothing finite in the column
    low, high = np.where(empty, -1.0, low), np.where(empty, 1.0, high)
    beyond = np.where(high > low, (high - low) / 4, 1.0)
    return low - beyond, high + beyond


def _weights(first: Array, second: Array) -> Array:
    """S^-1 (mean on D - mean on D') with the shrunk pooled covariance S; 0 where a column never varies."""
    apart = first.mean(axis=0) - second.mean(axis=0)
    centred = np.concatenate([first - first.mean(axis=0), second - second.mean(axis=0)])
    scale = centred.std(axis=0)
    varied = scale > 0
    weights = np.where(varied, 0.0, apart)  # a column that is constant on each side, but not the same constant
    if varied.any() and not weights.any():
        standard = centred[:, varied] / scale[varied]
        correlation = _shrunk(standard)
        weights[varied] = np.linalg.solve(correlation, apart[varied] / scale[varied]) / scale[varied]
    return np.asarray(weights)


def _shrunk(standard: Array) -> Array:
    """The correlation matrix of standardised rows, its off-diagonal part shrunk."""
    count = len(standard)
    correlation = standard.T @ standard / count
    squares = (standard**2).T @ standard**2 / count  # means of the squared products
    off = ~np.eye(len(correlation), dtype=bool)
    noise = float((squares - correlation**2)[off].sum()) / max(count - 1, 1)
    signal = float((correlation[off] ** 2).sum())
    kept = 0.0 if signal == 0 else max(0.0, 1.0 - noise / signal)
    return np.asarray(np.where(off, kept * correlation, 1.0 + 1e-9))
