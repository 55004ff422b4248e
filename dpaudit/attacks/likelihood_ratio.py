"""The log-likelihood ratio of releases whose law is known: the best test there is.

Neyman and Pearson (1933): no test of the same false positive rate has a larger true positive
rate than a threshold on this ratio, so that an audit with it is limited by its trials alone.

Scores: the log-likelihood ratio log p(output | D) - log p(output | D') of Gaussian releases whose means and scales are
known.

Finds: everything that releases of that law tell of the pair: no other test of the same false positive rate has a larger
true positive rate.

Cannot find: what an implementation leaks beside that law: last digits, seeds, running time. Where the law is another
one the score is some score, valid and not the best.

Needs: the law of the release: what is released without noise on both data sets, and the scale of the noise. No held-out
trials.

Costs: a few operations for each coordinate, beside computing the means, which the target does.

Competes: never by itself: it is a function that the `score` or an attack of a target file calls.

Source: Neyman, Pearson, "On the problem of the most efficient tests of statistical hypotheses" (1933).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError


def gaussian(outputs: ArrayLike, mean: ArrayLike, neighbour_mean: ArrayLike, noise_scale: ArrayLike) -> Array:
    """log p(output | D) - log p(output | D') of outputs with independent Gaussian noise; (trials, ...) -> (trials,).

    mean, neighbour_mean: what is released without noise on D and D'; noise_scale: standard
    deviation, > 0; all three broadcast against `outputs` and may depend on the trial (adaptive
    releases, given the earlier ones). Sums over all axes but the first.
    """
    values = np.asarray(outputs, dtype=np.float64)
    mean, neighbour_mean, scale = (np.asarray(a, dtype=np.float64) for a in (mean, neighbour_mean, noise_scale))
    if not np.all(scale > 0):
        raise ContentError("noise_scale must be above 0 everywhere")
    # (y - m')^2 - (y - m)^2 = (m - m') (2 y - m - m'), without the cancellation of two squares.
    ratio = (mean - neighbour_mean) * (values - (mean + neighbour_mean) / 2) / scale**2
    return np.asarray(ratio.sum(axis=tuple(range(1, values.ndim))), dtype=np.float64)
