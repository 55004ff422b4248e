"""Where the power of a test falls below a half, between the points of an even grid."""

from __future__ import annotations

import numpy as np
import one_run_limits
import pytest


@pytest.mark.parametrize(
    ("powers", "share"), [([1.0, 1.0, 0.0, 0.0], 0.5), ([1.0, 0.75, 0.25, 0.0], 0.5), ([0.6, 0.5, 0.1, 0.0], 0.375)]
)
def test_the_power_is_a_half_where_a_line_says(powers: list[float], share: float) -> None:
    assert one_run_limits.halved(np.arange(4.0), powers) == pytest.approx(share)
