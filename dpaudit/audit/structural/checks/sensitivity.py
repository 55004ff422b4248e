"""Do statistics move between neighbours by at most the sensitivity that they declare?

The replay evaluates each statistic on the neighbour at the recorded path. Slack: a millionth of the sensitivity, and
roundings in proportion to the statistic. Sees: no clipping, clipping of the mean, wrong divisors, a relation mixed
up, records that count more than once, non-finite records. Cannot see: a record that moves nothing on this path, or
less than another record would.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpaudit.audit.structural.finding import ROUNDINGS, Array, Finding, Pair, matched, precision
from dpaudit.audit.structural.recording import Release
from dpaudit.records.verdict import Outcome

NAME = "sensitivity"
FALSE_ALARM = "0"
RELATIVE_SLACK = 1e-6


def check(pairs: Sequence[Pair]) -> Finding:
    """REFUTED by the largest excess over a declared sensitivity among all releases of all pairs."""
    moves = [
        (distance(one, other), one, label)
        for label, recorded, replayed in pairs
        for one, other in matched(recorded, replayed)
        if one.sensitivity is not None
    ]
    if not moves:
        return Finding(
            NAME, Outcome.NOT_RUN, "no release declares a sensitivity, or there is no neighbour to replay on"
        )
    ratio, moved, release, label = max(((m / allowed(r), m, r, pair) for m, r, pair in moves), key=lambda item: item[0])
    numbers = (
        ("pair", label),
        ("release", release.name),
        ("step", release.step),
        ("distance", moved),
        ("sensitivity", release.sensitivity),
        ("norm", release.norm),
        ("compared", len(moves)),
    )
    if ratio > 1:
        where = f"{release.name} at step {release.step} ({label})"
        detail = f"{where} moves by {moved:.6g}, declared is {release.sensitivity:.6g}"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    if moved == 0:
        return Finding(NAME, Outcome.NOT_RUN, "no statistic moves between the neighbours: choose others", numbers)
    detail = f"no statistic moves by more than {ratio:.4g} of its declared sensitivity; anything above 1 would be seen"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


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
