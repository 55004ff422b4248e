"""Noise that is exact where a continuous law is not: zeros that leave a coordinate bare, and numbers of a coarse type.

Zero: a continuous law in floating point gives an exact 0 with a probability of a few units roundoff, and so does a sum
of statistic and noise from which the noise is taken back, by the unit roundoff of the statistic over the scale. Noise
on a grid, such as whole numbers, is 0 with a probability of the grid over the scale. Zeros count where they are too
many for that, and where the statistic moves between neighbours: what is 0 on both is public.

Coarse type: a draw in single or double precision is a number of a 16-bit type with a probability below 2^-12. Such
noise on a statistic that has digits below all digits of the noise leaves these digits as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.finding import ROUNDINGS, Array, precision
from dpaudit.audit.structural.recording import Recording, Release

CHANCE = 1e-10
"""Below this probability zeros of a release are none of its declared law."""
ENOUGH = 64
"""Draws of a coarse type: fewer may be so by chance, or by hand; with these the chance is below 2^-600."""


def bare_coordinate(one: Release, other: Release, inferred: bool = False) -> tuple[int, float] | None:
    """A coordinate whose noise is exactly 0 on one side, and how far its statistic moves; None where zeros may be
    chance, or public. inferred: noise was told from statistics, and must be 0 on both sides: what hides a coordinate
    may itself hang on noise."""
    if not one.noise_scale or one.noise is None or other.noise is None or not (one.noise.any() and other.noise.any()):
        return None
    first, second = one.statistic.ravel().astype(np.float64), other.statistic.ravel().astype(np.float64)
    with np.errstate(invalid="ignore"):
        moved = np.abs(first - second)
    finite = np.isfinite(moved)
    slack = ROUNDINGS * precision(one.statistic, other.statistic) * np.max(np.abs(first[finite]), initial=1e-300)
    zero = [side.noise.ravel() == 0 for side in (one, other) if side.noise is not None]
    sides = [(one, zero[0] & zero[1])] if inferred else [(one, zero[0]), (other, zero[1])]
    for side, bare in sides:
        found = np.flatnonzero(bare & finite & (moved > slack))
        if len(found) and _chance(side, len(found)) <= CHANCE:
            place = found[np.argmax(moved[found])]
            return int(place), float(moved[place])
    return None


def _chance(release: Release, zeros: int) -> float:
    """A bound on the probability of so many coordinates that are 0: (sum of their probabilities)^zeros / zeros!."""
    scale, noise = release.noise_scale or 0.0, np.ravel(np.zeros(0) if release.noise is None else release.noise)
    size = np.abs(np.nan_to_num(release.statistic.ravel().astype(np.float64)))
    expected = float(precision(noise) * (4 * len(noise) + (size / scale).sum()) + len(noise) * grid(noise) / scale)
    return math.exp(min(0.0, zeros * math.log(expected) - math.lgamma(zeros + 1)))


def grid(values: Array) -> float:
    """The largest power of two of which all finite values are multiples; infinite where all are 0."""
    chosen = np.asarray(values, dtype=np.float64)
    chosen = chosen[np.isfinite(chosen) & (chosen != 0)]
    if not len(chosen):
        return math.inf
    fractions, exponents = np.frexp(chosen)
    whole = np.abs(np.ldexp(fractions, 53)).astype(np.int64)
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return float(np.ldexp(1.0, int((exponents - 53 + lowest).min())))


def coarse_noise(recordings: Sequence[Recording]) -> tuple[str, str, int] | None:
    """The name of a release whose noise is all of a 16-bit type though its statistic has digits below the noise, the
    type, and how many draws say so."""
    named: dict[str, list[Release]] = {}
    for recording in () if any(one.unclear for one in recordings) else recordings:
        for release in recording.releases:
            if release.noise is not None and (release.name, release.step) not in recording.processed:
                named.setdefault(release.name, []).append(release)
    for name, releases in named.items():
        found = _coarse(releases)
        if found:
            return (name, *found)
    return None


def _coarse(releases: Sequence[Release]) -> tuple[str, int] | None:
    fine = [r for r in releases if r.noise is not None and min(r.noise.dtype.itemsize, r.statistic.dtype.itemsize) >= 4]
    if len(fine) < len(releases):
        return None
    noise = np.concatenate([np.ravel(r.noise).astype(np.float64) for r in fine if r.noise is not None])
    noise = noise[noise != 0]
    kind = next((name for name, is_of in TYPES.items() if len(noise) >= ENOUGH and is_of(noise).all()), "")
    if not kind:
        return None
    units = np.concatenate([r.statistic.ravel().astype(np.float64) for r in fine]) / grid(noise)
    units = units[np.isfinite(units)]
    return (kind, len(noise)) if np.any(units != np.rint(units)) else None


def _of_float16(values: Array) -> NDArray[np.bool_]:
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(np.float16).astype(np.float64) == values)


def _of_bfloat16(values: Array) -> NDArray[np.bool_]:
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    return np.asarray((single.astype(np.float64) == values) & (single.view(np.uint32) & 0xFFFF == 0))


TYPES: dict[str, Callable[[Array], NDArray[np.bool_]]] = {"bfloat16": _of_bfloat16, "float16": _of_float16}
