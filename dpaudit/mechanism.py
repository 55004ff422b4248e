"""A mechanism as frozen, nested data that accountants, games, plots and reports all read.

Promise: the meaning of a class never changes and a field is never removed; a reader
that does not know a class must refuse it. Noise multipliers are relative to the
sensitivity of the released value under the neighbouring relation of the claim.
"""

from __future__ import annotations

from dpaudit.errors import ContentError
from dpaudit.serial import record


@record
class Gaussian:
    """Releases q(D) + N(0, (noise_multiplier * l2-sensitivity)^2 I); noise_multiplier > 0."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        if not self.noise_multiplier > 0:
            raise ContentError(f"noise_multiplier must be above 0, got {self.noise_multiplier}")


@record
class Laplace:
    """Releases q(D) + Laplace(scale = noise_multiplier * l1-sensitivity); noise_multiplier > 0."""

    noise_multiplier: float

    def __post_init__(self) -> None:
        if not self.noise_multiplier > 0:
            raise ContentError(f"noise_multiplier must be above 0, got {self.noise_multiplier}")


@record
class Constant:
    """Releases a value that does not depend on the data: perfectly private."""


@record
class PoissonSampled:
    """Runs `mechanism` on a Poisson sample: each record is in with probability `rate`, independently."""

    rate: float
    mechanism: Mechanism

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ContentError(f"rate must be in (0, 1], got {self.rate}")


@record
class SelfComposed:
    """Adaptive composition of `count` runs of `mechanism`; count >= 1."""

    mechanism: Mechanism
    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ContentError(f"count must be at least 1, got {self.count}")


@record
class Composed:
    """Adaptive composition of `mechanisms`, in this order."""

    mechanisms: tuple[Mechanism, ...]


Mechanism = Gaussian | Laplace | Constant | PoissonSampled | SelfComposed | Composed
