"""Parameters of `dp_agd`, checked as they are made."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np

from dpaudit.algorithms.stepwise import Vector
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import NotNegative, Numbers, Positive, Range, check_fields
from dpaudit.records.validation import check_number

GRAINS, LIMB, MOST_STEPS = 1 << 40, 1 << 20, 1_000_000


@dataclass(frozen=True)
class Params:
    """Everything public about a run.

    start: w_0, d finite numbers; candidates: phi, at least 0, with 0 and another; gradient_clip: C_grad,
    value_clip: C_obj, total_rho: the zCDP budget, gradient_rho: rho_ng at the start, choice_rho: rho_nmax, growth: all
    above 0; noise_factor: 1 as printed, at least 0: all noises are multiplied by it, and the promise is about that.
    Raises ConfigurationError, also where the budget covers no choice or more than 10^6 steps.
    """

    start: Numbers
    candidates: Annotated[tuple[float, ...], Range(least=0.0)]
    gradient_clip: Positive
    value_clip: Positive
    total_rho: Positive
    gradient_rho: Positive
    choice_rho: Positive
    growth: Positive
    noise_factor: NotNegative = 1.0

    def __post_init__(self) -> None:
        check_fields(self)
        if not min(self.candidates) == 0 < max(self.candidates):
            raise ConfigurationError(
                f"candidates must contain 0, which asks for a better gradient, and a step size, got {self.candidates}"
            )
        if self.gradient_rho + self.choice_rho > self.total_rho:
            raise ConfigurationError(
                f"total_rho must cover one gradient and one choice, {self.gradient_rho} + {self.choice_rho}, "
                f"got {self.total_rho}"
            )
        if self.steps > MOST_STEPS:
            raise ConfigurationError(f"total_rho allows {self.steps} steps, more than {MOST_STEPS}; raise choice_rho")

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """rho_ng before any growth, after one, ..., as far as the budget may reach."""
        found = [self.gradient_rho]
        while found[-1] * self.growth <= self.total_rho and len(found) <= MOST_STEPS:
            found.append(found[-1] * (1 + self.growth))
        return tuple(found)

    def grains(self, rho: float) -> int:
        """rho in grains, rounded down; more than all grains where it exceeds the budget."""
        return min(math.floor(Fraction(rho) * GRAINS / Fraction(self.total_rho)), GRAINS + 1)

    @cached_property
    def costs(self) -> Integers:
        """Grains of a fresh gradient and of a growth by level, shape (2, levels); the last level cannot grow."""
        grown = [b - a for a, b in zip(self.levels, self.levels[1:], strict=False)]
        fresh = [self.grains(rho) for rho in self.levels]
        return np.array([fresh, [*(self.grains(rho) for rho in grown), GRAINS + 1]], dtype=np.int64)

    @cached_property
    def deviations(self) -> Array:
        """Standard deviations of a fresh copy and of one for growth by level, shape (2, levels)."""
        grown = np.append(np.diff(self.levels), np.inf)
        return np.asarray(self.noise_factor * self.gradient_clip / np.sqrt(2 * np.array([self.levels, grown])))

    @property
    def choice_cost(self) -> int:
        """Grains of a choice, at least 1."""
        return max(1, self.grains(self.choice_rho))

    @property
    def choice_scale(self) -> float:
        """The scale of the Laplace noise of a choice."""
        return self.noise_factor * self.value_clip / math.sqrt(2 * self.choice_rho)

    @cached_property
    def steps(self) -> int:
        """T: no run draws more gradients."""
        grown = self.gradient_rho * (1 + self.growth) - self.gradient_rho
        return GRAINS // (self.choice_cost + self.grains(min(self.gradient_rho, grown))) + 1


class State(NamedTuple):
    """w, the clipped gradient sum, the averaged noisy gradient, (d,) each; then four numbers: the mode, the level of
    the gradient budget, and the grains spent modulo 2^20 and above."""

    w: Vector
    total: Vector
    noisy: Vector
    mode: Vector
    level: Vector
    low: Vector
    high: Vector


class Draws(NamedTuple):
    """noise: standard normals, (T, d); tails: twice the signed tail probabilities of the Laplace noise, (T, m)."""

    noise: Array
    tails: Array


def total_rho(epsilon: float, delta: float) -> float:
    """The rho with epsilon = rho + 2 sqrt(rho log(1/delta)) (Bun, Steinke 2016, proposition 1.3)."""
    check_number("epsilon", epsilon, above=0.0)
    if not 0 < check_number("delta", delta) < 1:
        raise ConfigurationError(f"delta must be in (0, 1), got {delta}")
    logarithm = math.log(1 / delta)
    return (epsilon / (math.sqrt(logarithm + epsilon) + math.sqrt(logarithm))) ** 2
