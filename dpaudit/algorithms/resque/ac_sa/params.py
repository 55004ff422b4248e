"""Parameters of `ac_sa`, checked as they are made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Numbers, OneOf, Positive, check_fields

FORMS = ("GL12", "printed")


GRADIENTS = ("samples", "moments", "limit", "exact")


MOST_SAMPLES = 1 << 39


@dataclass(frozen=True)
class Params:
    """centre: xbar, d finite numbers; ball_radius: r, smoothing_radius: rho, strength: lambda, tolerance: phi,
    lipschitz: L with E|g|^2 <= L^2, all above 0; index, weight, linear: "GL12" or "printed"; gradient: one of
    GRADIENTS. Raises ConfigurationError, also where the draws reach 2^39."""

    centre: Numbers
    ball_radius: Positive
    smoothing_radius: Positive
    strength: Positive
    tolerance: Positive
    lipschitz: Positive
    index: Annotated[str, OneOf(FORMS)] = "GL12"
    weight: Annotated[str, OneOf(FORMS)] = "GL12"
    linear: Annotated[str, OneOf(FORMS)] = "GL12"
    gradient: Annotated[str, OneOf(GRADIENTS)] = "samples"

    def __post_init__(self) -> None:
        check_fields(self)
        if self.gradient in ("moments", "limit") and len(self.centre) > 1:
            raise ConfigurationError(f"gradient={self.gradient!r} needs one dimension, got {len(self.centre)}")
        if self.gradient in ("samples", "moments") and not self.queries < MOST_SAMPLES:
            raise ConfigurationError("the draws reach 2^39; raise tolerance or strength, or take gradient='limit'")

    @property
    def loops(self) -> int:
        """K = ceil(log2(lambda r^2/phi)), at least 0."""
        return max(0, math.ceil(math.log2(self.strength * self.ball_radius**2 / self.tolerance)))

    @property
    def steps(self) -> int:
        """T = ceil(4 sqrt(L/(rho lambda) + 1))."""
        return math.ceil(4 * math.sqrt(self.lipschitz / (self.smoothing_radius * self.strength) + 1))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """N_k = ceil(48 2^k L^2/(lambda^2 r^2 T)), k = 1, ..., K."""
        one = 48 * self.lipschitz**2 / (self.strength**2 * self.ball_radius**2 * self.steps)
        return tuple(math.ceil(2**k * one) for k in range(1, self.loops + 1))

    @property
    def queries(self) -> int:
        """N = T (N_1 + ... + N_K)."""
        return self.steps * sum(self.sizes)
