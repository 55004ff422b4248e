"""What several checks measure of releases: how far a statistic moved, its noise in declared units, calls as text."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaincinv

from dpaudit.audit.structural.finding import ROUNDINGS, Array, precision
from dpaudit.audit.structural.recording import Recording, Release

RELATIVE_SLACK = 1e-6
"""Of a declared sensitivity: what statistics in float32 may exceed it by."""


def distance(one: Release, other: Release) -> float:
    """The distance of the statistics in the declared norm; infinite if one of them is not finite."""
    with np.errstate(invalid="ignore", over="ignore"):
        change = one.statistic.astype(np.float64) - other.statistic.astype(np.float64)
    return length(change, one.norm) if np.isfinite(change).all() else math.inf


def length(change: Array, norm: str) -> float:
    """The l1, l2 or linf norm of all coordinates."""
    size = np.abs(change).ravel()
    if norm == "l1":
        return float(size.sum())
    return float(np.max(size, initial=0.0)) if norm == "linf" else float(np.linalg.norm(size))


def allowed(release: Release) -> float:
    """The declared sensitivity with slack, above 0."""
    slack = rounding(release, release.norm) + np.finfo(np.float64).tiny
    return (release.sensitivity or 0.0) * (1 + RELATIVE_SLACK) + slack


def rounding(release: Release, norm: str) -> float:
    """How far, in this norm, the finite coordinates of the statistic may move by rounding alone."""
    size = release.statistic[np.isfinite(release.statistic)].astype(np.float64)
    return ROUNDINGS * precision(release.statistic) * length(size, norm)


def standardised(release: Release) -> Array:
    """The noise over its declared standard deviation, flat; standard deviation 1 if it is as declared."""
    noise = np.zeros(0) if release.noise is None else np.ravel(release.noise)
    return np.asarray(noise, dtype=np.float64) / (release.noise_scale or 1.0)


def half_degrees(release: Release) -> float:
    """The shape of the gamma law of `total`: half a coordinate for Gaussian noise, a whole one for Laplace."""
    return release.statistic.size * (0.5 if release.law == "gaussian" else 1.0)


def total(release: Release) -> float:
    """A sum that has the law Gamma(half_degrees, 1) if the noise is as declared; NaN noise makes it infinite."""
    standard = standardised(release)
    summed = (standard**2).sum() / 2 if release.law == "gaussian" else math.sqrt(2) * np.abs(standard).sum()
    return float(summed) if np.isfinite(summed) else math.inf


def shown(value: object) -> str:
    """The value in at most 60 characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."


def calls(recording: Recording) -> list[str]:
    """Each release as text, in order, then the number of logical batches and the names of the outputs; scales with nine
    digits, since the last ones may hang on where numbers stand in memory."""

    def scale(release: Release) -> str:
        return "None" if release.noise_scale is None else f"{release.noise_scale:.9g}"

    released = [
        f"{r.name} {r.statistic.shape} {r.law} scale {scale(r)}" + (" without noise" if r.noise is None else "")
        for r in recording.releases
    ]
    return [
        *released,
        f"{len(recording.pieces or recording.batches)} batches",
        *(f"output {name}" for name, _ in recording.outputs),
    ]


def largest_scale(standard: Array, error: float) -> float:
    """What the scale of Gaussian noise is at most, over the declared one; infinite where there is none.

    error: the probability that it is larger.
    """
    if not standard.size:
        return np.inf
    return float(np.sqrt((standard**2).sum() / 2 / gammaincinv(standard.size / 2, error)))
