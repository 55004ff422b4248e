"""Is every released value its statistic plus its noise?

Sees: a value that was computed from other data than the statistic whose sensitivity is declared, a noise that was
drawn and not added. Cannot see: anything where the recorder forms the sum itself, which is then right by
construction.
"""

from __future__ import annotations

import numpy as np

from dpaudit.checks.finding import ROUNDINGS, Finding, largest_difference, precision
from dpaudit.recording import Recording, Release
from dpaudit.verdict import Outcome

NAME = "released values"
FALSE_ALARM = "0"


def check(recorded: Recording) -> Finding:
    """REFUTED by the first released value that is not statistic + noise up to rounding."""
    for release in recorded.releases:
        gap = largest_difference(release.value, release.statistic + _noise(release))
        if not gap <= ROUNDINGS * precision(release.value, release.statistic, _noise(release)) * _size(release):
            detail = f"{release.name} at step {release.step} is released {gap:.6g} away from statistic + noise"
            numbers = (("release", release.name), ("step", release.step), ("largest_difference", gap))
            return Finding(NAME, Outcome.REFUTED, detail, numbers)
    if not recorded.releases:
        return Finding(NAME, Outcome.NOT_RUN, "nothing was released")
    count = len(recorded.releases)
    return Finding(NAME, Outcome.CONSISTENT, f"{count} released values are statistic + noise", (("compared", count),))


def _noise(release: Release) -> np.ndarray:
    return np.zeros_like(release.statistic) if release.noise is None else release.noise


def _size(release: Release) -> float:
    parts = (release.statistic, _noise(release), release.value)
    return sum(float(np.max(np.abs(part[np.isfinite(part)]), initial=0.0)) for part in parts)
