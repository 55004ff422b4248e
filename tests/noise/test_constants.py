"""Addresses of trials are checked; the constants of the logarithm and the square root are those of their meaning."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from dpaudit.noise import constants
from dpaudit.noise.constants import check_trials
from dpaudit.records.errors import ConfigurationError


def test_trials_become_whole_numbers_of_64_bits() -> None:
    found = check_trials(np.array([0, 7, 2**40], dtype=np.uint64))
    assert (found.dtype, found.tolist()) == (np.int64, [0, 7, 2**40])
    assert check_trials(np.zeros(0, dtype=int)).shape == (0,)


@pytest.mark.parametrize("wrong", [3, [0.5], [[1, 2]], [True]], ids=str)
def test_what_is_no_list_of_integers_is_refused(wrong: object) -> None:
    with pytest.raises(ConfigurationError, match="trials must be a list of integers"):
        check_trials(wrong)


@pytest.mark.parametrize("wrong", [np.array([-1]), np.array([1 << 63], dtype=np.uint64)], ids=["-1", "2^63"])
def test_numbers_that_are_no_address_are_refused(wrong: np.ndarray) -> None:
    with pytest.raises(ConfigurationError, match="trial numbers must be in"):
        check_trials(wrong)


def test_constants_are_what_they_are_called() -> None:
    (bits,) = struct.unpack("<q", struct.pack("<d", math.sqrt(2)))
    assert bits & constants.MANTISSA == constants.SQRT_TWO_MANTISSA
    assert math.log(2) == constants.LOG_TWO_HIGH + constants.LOG_TWO_LOW
    guess = struct.unpack("<d", struct.pack("<q", constants.SQRT_SEED + (bits >> 1)))[0]
    assert guess == pytest.approx(2**0.25, rel=0.035)
