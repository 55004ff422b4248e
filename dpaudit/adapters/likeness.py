"""What random draws do to the gradients of a training on two data sets: the same, a multiple of it, or something else.

It is the difference of the gradients with the draws and without them, so that only roundings of the gradients may make
it differ where it is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.finding import matched
from dpaudit.audit.structural.recording import Recording

Array = NDArray[np.floating]
Both = tuple[Array, Array, Array, Array]
"""One parameter at one step: the gradient with a draw and without it, on the data set, and on its neighbour."""

ROUNDINGS = 64
"""How many roundings of the largest number in a gradient pass for equal: noise may be added before many terms are."""


class Likeness(IntEnum):
    """What draws do to the gradients on two data sets."""

    NOTHING = 0
    SAME = 1
    SCALED = 2  # the same up to one number for each step, as one coordinate always is
    OTHER = 3


def noise_likeness(recorded: Recording, replayed: Recording, roundoff: float) -> Likeness:
    """How the noise of a replay on a neighbour is like the recorded one; roundoff: of the parameters."""
    steps: dict[int, list[Both]] = {}
    for one, other in matched(recorded, replayed):
        steps.setdefault(one.step, []).append((one.value, one.statistic, other.value, other.statistic))
    return likeness(steps.values(), roundoff)


def likeness(steps: Iterable[Sequence[Both]], roundoff: float) -> Likeness:
    """The worst of all steps; roundoff: of the parameters."""
    with np.errstate(invalid="ignore"):  # what is not finite without the draws is never close to anything
        return max((_of_step(step, roundoff) for step in steps), default=Likeness.NOTHING)


def _of_step(step: Sequence[Both], roundoff: float) -> Likeness:
    parts = [(*_parts(both), np.full(both[0].size, _slack(both, roundoff))) for both in step]
    here, there, slack = (np.concatenate(part) for part in zip(*parts, strict=True))
    if (np.abs(here) <= slack).all() and (np.abs(there) <= slack).all():
        return Likeness.NOTHING
    if (np.abs(here - there) <= slack).all():
        return Likeness.SAME
    if (np.abs(here) <= slack).all():
        return Likeness.OTHER
    factor = float(here @ there) / float(here @ here)
    scaled = np.abs(there - factor * here) <= slack * (1 + abs(factor))
    return Likeness.SCALED if scaled.all() else Likeness.OTHER


def _parts(both: Both) -> tuple[Array, Array]:
    """What the draws do here and there, flat; 0 where a gradient is not finite with them."""
    loud, silent, loud_there, silent_there = (one.astype(np.float64).reshape(-1) for one in both)
    here, there = loud - silent, loud_there - silent_there
    known = np.isfinite(loud) & np.isfinite(loud_there)
    return np.where(known, here, 0.0), np.where(known, there, 0.0)


def _slack(both: Iterable[Array], roundoff: float) -> float:
    """What may be rounding, from the largest finite number."""
    return ROUNDINGS * roundoff * max(float(np.max(np.abs(one[np.isfinite(one)]), initial=0.0)) for one in both)


def moves(steps: Iterable[Sequence[Both]], roundoff: float) -> bool:
    """Is any statistic another one on the neighbour?"""
    with np.errstate(invalid="ignore"):
        return any(bool((np.abs(b[1] - b[3]) > _slack(b, roundoff)).any()) for step in steps for b in step)


def noisy(steps: Iterable[Sequence[Both]], roundoff: float) -> set[int]:
    """The numbers of the parameters to which the draws do anything."""
    with np.errstate(invalid="ignore"):
        return {
            number
            for step in steps
            for number, both in enumerate(step)
            if not (np.abs(both[0] - both[1]) <= _slack(both, roundoff)).all()
        }
