"""How much noise must agree before it is one draw."""

from __future__ import annotations

import numpy as np
import pytest

from dpaudit.audit.structural import random_bits

DRAWS = np.random.default_rng(0).normal(size=9)


@pytest.mark.parametrize(
    ("kind", "proportional", "equal"),
    [("float64", 4, 1), ("float32", 8, 3), ("float16", 8, 8), ("integer", 32, 32)],
)
def test_coarser_noise_must_agree_in_more_coordinates(kind: str, proportional: int, equal: int) -> None:
    noise = np.rint(100 * DRAWS) if kind == "integer" else DRAWS.astype(kind).astype(np.float64)
    assert random_bits.shortest(noise) == proportional
    assert random_bits.enough(noise, proportional) == equal
