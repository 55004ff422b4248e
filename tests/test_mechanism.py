"""Mechanisms are nested data; each refuses parameters that describe nothing."""

from __future__ import annotations

import math

import pytest

from dpaudit.errors import ContentError
from dpaudit.mechanism import Composed, Constant, Gaussian, Laplace, PoissonSampled, SelfComposed


@pytest.mark.parametrize("kind", [Gaussian, Laplace])
@pytest.mark.parametrize("noise_multiplier", [0.0, -1.0, math.nan])
def test_noise_is_positive(kind: type, noise_multiplier: float) -> None:
    with pytest.raises(ContentError, match="noise_multiplier must be above 0"):
        kind(noise_multiplier)


@pytest.mark.parametrize("rate", [0.0, 1.5, math.nan])
def test_a_sampling_rate_is_a_probability(rate: float) -> None:
    with pytest.raises(ContentError, match=r"rate must be in \(0, 1\]"):
        PoissonSampled(rate, Gaussian(1.0))


def test_a_composition_has_at_least_one_run() -> None:
    with pytest.raises(ContentError, match="count must be at least 1"):
        SelfComposed(Gaussian(1.0), 0)


def test_equal_data_is_equal() -> None:
    one = SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 3)
    assert one == SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 3)
    assert one != SelfComposed(PoissonSampled(0.1, Gaussian(2.0)), 4)
    assert hash(Composed((one, Constant()))) == hash(Composed((one, Constant())))
