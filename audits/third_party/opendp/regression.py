"""Linear regression of OpenDP 0.16.0 (Theil-Sen): a record that is added, and a record that is replaced.

What: `dp.sklearn.linear_model.LinearRegression(...).measurement` on rows (x, y). It drops the last of an odd number of
rows, shuffles, fits a line through each pair of rows and releases private medians of the lines' heights at two places.
Why: the map of the pairing states that one added row changes at most one pair. But a row that makes an even number odd
takes the place of the row that is dropped: one pair is removed and another is added, which is twice the distance
(OpenDP issue 2950, 2026-09-22).
A replaced row is a distance of 2 and changes one pair, so that the map holds there.
Worst-case neighbours: of four rows two always make a line between the first candidate and the second one, the others a
line above all candidates; a fifth row in front, far below, drops the fourth and turns the upper line upside down.
The adversary sees slope and intercept: both medians are the first candidate just where both are 0.
OpenDP draws from the operating system, and shuffles with NumPy's global generator: no trial can be made again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from dpaudit.adapters.release import Release
from dpaudit.arithmetic.arrays import Array
from dpaudit.audit.randomness import frozen
from dpaudit.noise.stream import Trials
from dpaudit.records.context import Level
from dpaudit.records.privacy import Neighbours, PrivacyClaim, claim
from dpaudit.records.target import TrialPlan
from dpaudit.records.verdict import Outcome

CANDIDATES, TOP = 6, 100.0
BETWEEN = TOP / (CANDIDATES - 1) / 2
"""A height between the first candidate, 0, and the second one."""
LEVEL = [[0.0, BETWEEN], [1.0, BETWEEN], [100.0, BETWEEN]]
UP, DOWN = [50.0, 1e9], [50.0, -1e9]
TRIALS = TrialPlan(smoke=4_000, standard=40_000, deep=400_000)


@cache
def measurement(scale: float) -> Any:
    """The measurement behind the class: rows (x, y) to (slope, intercept)."""
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
    regression = dp.sklearn.linear_model.LinearRegression(
        dp.max_divergence(), x_bounds=[(0.0, 100.0)], y_bounds=(0.0, TOP), scale=scale, candidates_count=CANDIDATES
    )
    return regression.measurement


def level_at_zero(outputs: Array, data: Any, neighbour: Any) -> Array:
    """1 if both medians are the first candidate."""
    return np.asarray(np.abs(outputs).sum(axis=1) < 1e-9, dtype=np.float64)


def audit(kind: str, title: str, pair: tuple[Any, Any], scale: float, stated: PrivacyClaim, **options: Any) -> Release:
    """The target opendp/<kind>."""

    def release(data: Any, trials: Trials) -> Array:
        with frozen(int(trials.seeds()[0])):  # the shuffle draws from NumPy's global generator
            fit = measurement(scale)
            return np.array([fit(data) for _ in range(len(trials))])

    return Release(
        f"opendp/{kind}",
        release,
        pair=pair,
        claim=stated,
        batched=True,
        title=title,
        trials=TRIALS,
        attacks={"both medians at the first candidate": level_at_zero},
        needs=(("opendp", "third-party"),),
        effect="a regression on an even number of rows costs one added row twice the epsilon that its map states",
        deterministic=False,
        isolate=True,
        optional=True,
        from_level=Level.STANDARD,
        **options,
    )


AUDITS = (
    audit(
        "theil-sen",
        "OpenDP, linear regression, one row added in front",
        (np.array([DOWN, *LEVEL, UP]), np.array([*LEVEL, UP])),
        1.0,
        claim(2.0, source="OpenDP 0.16.0, LinearRegression(..., scale=1.0).measurement.map(1) = 2.0"),
        expects=Outcome.REFUTED,
        repair="opendp/theil-sen-replaced",
    ),
    audit(
        "theil-sen-replaced",
        "OpenDP, linear regression, one row replaced",
        (np.array([*LEVEL, DOWN]), np.array([*LEVEL, UP])),
        2.0,
        claim(
            2.0,
            neighbours=Neighbours.REPLACE_ONE,
            source="OpenDP 0.16.0, LinearRegression(..., scale=2.0).measurement.map(2) = 2.0",
        ),
    ),
)
