"""Where the curve of played audits is 0.9."""

from __future__ import annotations

import math

import forecasts
import numpy as np
import pytest
from scipy.special import ndtr


def test_the_number_that_catches_nine_of_ten_is_found() -> None:
    """10,000 audits at each of five numbers, whose shares are those of a probit curve that is 0.9 at 1,200."""
    trials = np.array([650.0, 800.0, 950.0, 1100.0, 1300.0])
    shares = ndtr(5 * (np.sqrt(trials / 1200) - 1) + 1.2815515655446004)
    found, error = forecasts.solved(trials, np.round(10_000 * shares), 10_000)
    assert math.exp(found) == pytest.approx(1200, rel=0.01)
    assert error < 0.02
    assert forecasts.solved(trials, np.round(100 * shares), 100)[1] == pytest.approx(10 * error, rel=0.3)


def test_a_violation_is_refuted_and_a_claim_that_holds_is_not() -> None:
    kept = forecasts.Setting(forecasts.CURVE, 1.0, 1e-4)
    violated = forecasts.Setting(forecasts.CURVE, 0.25, 1e-4)
    assert [one.refuted(2_000, 1) for one in (kept, violated)] == [False, True]


def test_settings_are_twenty_games_and_more_and_differ() -> None:
    assert len({one for one in forecasts.SETTINGS if not one.early_stop}) == 20
    assert len(set(forecasts.SETTINGS)) == len(forecasts.SETTINGS)
