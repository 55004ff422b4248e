"""What draws do to gradients on two data sets: nothing, the same, a multiple, or something else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpaudit.adapters.likeness import Both, Likeness, likeness, moves, noise_likeness, noisy
from dpaudit.audit.structural.recording import Recorder, Recording

ROUNDOFF = float(np.finfo(np.float32).eps)
STATISTIC, OTHER_STATISTIC = np.array([1.0, -2.0, 30.0]), np.array([1.5, 4.0, 10.0])
NOISE = np.array([0.5, -1.0, 0.25])


def both(there: Any, here: Any = NOISE) -> Both:
    """The gradients of one parameter with these noises and without."""
    return STATISTIC + here, STATISTIC, OTHER_STATISTIC + there, OTHER_STATISTIC


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        (NOISE, NOISE, Likeness.SAME),
        (NOISE, NOISE + 30 * 30 * ROUNDOFF, Likeness.SAME),  # 30 roundings of the largest number, 30
        (NOISE, NOISE + 30 * 200 * ROUNDOFF, Likeness.OTHER),
        (NOISE, 1.01 * NOISE, Likeness.SCALED),
        (NOISE, 0 * NOISE, Likeness.SCALED),
        (0 * NOISE, NOISE, Likeness.OTHER),
        (NOISE, NOISE[::-1], Likeness.OTHER),
        (np.array([0.5, 0.0, 0.0]), np.array([0.7, 0.0, 0.0]), Likeness.SCALED),
        (np.array([0.5, 0.0, 0.0]), np.array([0.7, 0.1, 0.0]), Likeness.OTHER),
        (0 * NOISE, 0 * NOISE, Likeness.NOTHING),
        (np.full(3, 1e-5), np.zeros(3), Likeness.NOTHING),
    ],
)
def test_one_parameter(here: Any, there: Any, expected: Likeness) -> None:
    assert likeness([[both(there, here)]], ROUNDOFF) is expected


def test_one_number_scales_all_parameters_of_a_step_and_the_worst_step_counts() -> None:
    assert likeness([[both(2 * NOISE), both(2 * NOISE)]], ROUNDOFF) is Likeness.SCALED
    assert likeness([[both(2 * NOISE), both(3 * NOISE)]], ROUNDOFF) is Likeness.OTHER
    assert likeness([[both(2 * NOISE)], [both(3 * NOISE)]], ROUNDOFF) is Likeness.SCALED
    assert likeness([[both(NOISE)], [both(2 * NOISE)], [both(0 * NOISE, 0 * NOISE)]], ROUNDOFF) is Likeness.SCALED


def test_a_statistic_that_is_not_finite_is_no_noise_but_a_gradient_that_is_not_says_nothing() -> None:
    loud, silent, loud_there, silent_there = both(NOISE)
    broken = np.array([np.nan, 0.0, 0.0])
    for wrong in (broken, np.array([np.inf, 0.0, 0.0])):
        assert likeness([[(loud, silent + wrong, loud_there, silent_there + wrong)]], ROUNDOFF) is Likeness.OTHER
    assert likeness([[(loud + broken, silent, loud_there, silent_there)]], ROUNDOFF) is Likeness.SAME


def test_statistics_that_move_and_parameters_with_noise() -> None:
    same = (STATISTIC + NOISE, STATISTIC, STATISTIC + NOISE, STATISTIC)
    bare = (STATISTIC, STATISTIC, STATISTIC, STATISTIC)
    broken = (STATISTIC, np.full(3, np.nan), STATISTIC, np.full(3, np.nan))
    assert moves([[same], [both(NOISE)]], ROUNDOFF)
    assert not moves([[same, bare]], ROUNDOFF)
    assert noisy([[bare, bare, bare], [bare, same, broken]], ROUNDOFF) == {1, 2}


def recorded(*noises: Any, name: str = "gradient") -> Recording:
    recorder = Recorder()
    for noise in noises:
        recorder.release(name, STATISTIC, noise)
    return recorder.recording()


def test_recordings_are_compared_by_name_and_step() -> None:
    one = recorded(NOISE, 2 * NOISE)
    assert noise_likeness(one, recorded(NOISE, 2 * NOISE), ROUNDOFF) is Likeness.SAME
    assert noise_likeness(one, recorded(2 * NOISE, NOISE), ROUNDOFF) is Likeness.SCALED
    assert noise_likeness(one, recorded(NOISE, name="other"), ROUNDOFF) is Likeness.NOTHING
    assert noise_likeness(recorded(None), recorded(None), ROUNDOFF) is Likeness.NOTHING
