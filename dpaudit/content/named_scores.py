"""The scores of the canaries of one training, each with the name of its canary: what joins it to its coin.

Loaders shuffle, reports sort. A score that is taken to be of the canary that stands where it stands may be of another
one, and an audit of such scores sees nothing. So a score comes with the number of its canary, and is looked up by it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.records.errors import ContentError

_TAKES = "named_scores(names, scores) takes one integer and one score a canary, shape (canaries,) each"


def named_scores(names: ArrayLike, scores: ArrayLike) -> Array:
    """What `run` and `without_noise` return of one training with canaries, shape (1, 2, canaries).

    names: of the canary that each score is of, (canaries,) integers: canary i is in if `included[i]`, and is called i;
    scores: (canaries,), larger for members; in any order, as long as it is that of the names.
    ContentError where the two do not fit one another.
    """
    try:
        known, found = np.asarray(names), np.asarray(scores)
    except (TypeError, ValueError, RuntimeError) as error:  # rows of unlike length, a tensor with a gradient
        raise ContentError(f"{_TAKES}: {error}") from error
    masked = any(isinstance(one, np.ma.MaskedArray) for one in (names, scores))
    fits = known.dtype.kind in "iu" and found.dtype.kind in "biuf" and known.ndim == 1 and found.shape == known.shape
    if masked or not fits:
        raise ContentError(
            f"{_TAKES}, got {'masked arrays, ' if masked else ''}names of {known.dtype} and shape {known.shape}, "
            f"scores of {found.dtype} and shape {found.shape}"
        )
    return np.stack([known.astype(np.float64), found.astype(np.float64)])[None]


def by_name(found: Array, canaries: int, what: str) -> Array:
    """The scores by the names of their canaries, (canaries,); found: what the function `what` of a target returned.

    ContentError where it is not of `named_scores`, or not every canary has one score.
    """
    if found.shape != (1, 2, canaries):
        raise ContentError(
            f"{what} must return named_scores(names, scores) of {canaries} canaries, shape (1, 2, {canaries}), got "
            f"{found.shape}: from dpaudit import named_scores"
        )
    names, scores = found[0]
    places = np.searchsorted(np.arange(canaries), names)
    wrong = (places == canaries) | (np.minimum(places, canaries - 1) != names)
    if wrong.any():
        raise ContentError(f"{what} names a canary {names[wrong][0]:g}; canaries are called 0 to {canaries - 1}")
    times = np.bincount(places, minlength=canaries)
    if (times != 1).any():
        name = int(np.argmax(times != 1))
        raise ContentError(f"{what} gives canary {name} {times[name]} scores; each canary has one")
    ordered = np.empty(canaries)
    ordered[places] = scores
    return ordered
