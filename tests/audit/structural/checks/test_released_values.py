"""Released values are statistic + noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from recordings import recording

from dpaudit.audit.structural.checks import released_values
from dpaudit.records.verdict import Outcome


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ({"statistic": 1.0, "noise": 0.3}, Outcome.CONSISTENT),
        ({"statistic": 1.0, "noise": 0.3, "value": 1.3 + 1e-14}, Outcome.CONSISTENT),
        ({"statistic": 1.0, "noise": 0.3, "value": 1.0}, Outcome.REFUTED),
        ({"statistic": 1.0, "noise": 0.3, "value": math.nan}, Outcome.REFUTED),
        ({"statistic": 1.0, "noise": None, "value": 1.0}, Outcome.CONSISTENT),
        ({"statistic": 1.0, "noise": None, "value": 1.1}, Outcome.REFUTED),
        ({"statistic": np.float32(1), "noise": np.float32(0.3), "value": np.float32(1.3)}, Outcome.CONSISTENT),
        ({"statistic": math.nan, "noise": 0.3}, Outcome.CONSISTENT),
    ],
)
def test_released_values(release: dict, expected: Outcome) -> None:
    assert released_values.check(recording(release)).outcome is expected


def test_values_that_nobody_can_take_apart_are_inconclusive() -> None:
    found = released_values.check(replace(recording({"value": 1.0}), unclear="clipped after the noise"))
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.detail.startswith("clipped after the noise; to settle it: draw the noise in a statement of its own")


def test_no_release_is_said() -> None:
    assert released_values.check(recording()).outcome is Outcome.NOT_RUN
