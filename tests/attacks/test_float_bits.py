"""Bit patterns: against exact rational arithmetic, and the event that tells NumPy's Laplace noise apart."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpaudit.attacks import float_bits
from dpaudit.audit import tiers
from dpaudit.content.loading import load_targets
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context, Level
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.verdict import Outcome

AUDITS = Path(__file__).parents[2] / "audits"
TARGETS = {item.name: item.carrier for item in load_targets([AUDITS / "mechanisms" / "floating_point.py"])}

NUMBERS = np.concatenate(
    [[1.0, -1.0, 0.75, 2.0**-1022, 1e300, -3.5, 1 / 3, 6.0], np.random.default_rng(0).normal(size=50) * 1e3]
)


def test_against_fractions() -> None:
    for value, place, power in zip(NUMBERS, float_bits.last_place(NUMBERS), float_bits.exponent(NUMBERS), strict=True):
        exact = abs(Fraction(float(value)))
        assert (exact / Fraction(2) ** int(place)).denominator == 1
        assert (exact / Fraction(2) ** (int(place) + 1)).denominator == 2
        assert int(power) == math.frexp(value)[1] - 1


def test_trailing_zeros() -> None:
    values = [[1.0, 1.5], [1 + 2.0**-52, 0.0]]
    assert float_bits.trailing_zeros(values).tolist() == [[52, 51], [0, 52]]


def test_off_grid_is_the_fixed_event() -> None:
    grid = 2.0**-53
    outputs = np.array([0.25 + grid, 0.25 + grid / 2, 0.5 + grid, 0.75, 0.1])
    assert float_bits.off_grid(outputs, -53, 0.25, 0.5).tolist() == [0.0, 1.0, 0.0, 0.0, 0.0]
    assert float_bits.off_grid(np.array([[0.75, 0.25 + grid / 2]]), -53, 0.25, 0.5).tolist() == [1.0]
    assert float_bits.off_grid(np.array([0.3, 0.6]), -50, 0.25, 0.5).tolist() == [1.0, 0.0]
    assert float_bits.off_grid(np.zeros((0, 3)), -53, 0.25, 0.5).shape == (0,)


def test_adding_a_larger_number_clears_the_low_bits() -> None:
    """1 + noise in (0, 1/2) has noise in (-1, -1/2), whose grid is 2^-53: certain, not a matter of chance."""
    noise = np.random.default_rng(1).laplace(size=20_000)
    assert float_bits.off_grid(noise, -53, 0.0, 0.5).mean() > 0.1
    assert float_bits.off_grid(1.0 + noise, -53, 0.0, 0.5).sum() == 0.0


def test_features_of_vectors() -> None:
    features = float_bits.low_bits(np.array([[-1.5, 4.0]], dtype=np.float32))
    assert features.tolist() == [[1, 0, 0, 2, -1, 2]]


def test_infinities_are_patterns_and_nan_is_refused() -> None:
    assert float_bits.low_bits(np.array([-np.inf])).tolist() == [[1, 1024, 1024]]
    with pytest.raises(ContentError, match="NaN"):
        float_bits.off_grid(np.array([np.nan]), -53, 0.0, 1.0)


def test_integers_have_no_bit_pattern_and_powers_a_range() -> None:
    with pytest.raises(ContentError, match="floating-point"):
        float_bits.low_bits(np.arange(3))
    with pytest.raises(ConfigurationError, match="power"):
        float_bits.off_grid(NUMBERS, -2000, 0.0, 1.0)
    for power in (-1023, 1001):
        with pytest.raises(ConfigurationError, match=f"from -1022 to 1000, got {power}"):
            float_bits.off_grid(NUMBERS, power, 0.0, 1.0)
    assert not float_bits.off_grid(NUMBERS, -1022, 0.0, 1.0).any()  # no normal number has a smaller last place


@pytest.mark.deep(keep=1)
@pytest.mark.parametrize(
    ("name", "refuted"),
    [
        ("known-bad/float-laplace", True),
        ("known-bad/float-gaussian", True),
        ("dpaudit/float-noise", True),
        ("discrete/float-grid", False),
    ],
)
def test_low_bits_give_floats_away_and_a_grid_does_not(name: str, refuted: bool) -> None:
    """At the level 1e-6, which is also the false alarm of the grid."""
    verdict = tiers.audit(TARGETS[name], Context(0, Level.SMOKE, 1e-6))
    assert (verdict.outcome is Outcome.REFUTED) == refuted
    assert verdict.as_expected


def test_the_grid_is_exact() -> None:
    """Every output of the corrected twin is a multiple of 2^-20, on both sides."""
    released = [
        TARGETS["discrete/float-grid"].run(side, Trials(Stream(2, "grid"), np.arange(5000))) for side in (0.0, 1.0)
    ]
    assert float_bits.last_place(released[0][released[0] != 0]).min() >= -20
    assert np.array_equal(released[0] + 1.0, released[1])
