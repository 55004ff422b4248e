"""Windows of the hidden-state bound: which constants, which start distance, which shifts, which failure.

The theorem bounds the last N = T - tau steps, given a distance Z = min(2R, drift tau) of two runs at their start. The
form says with which constants; see `hidden_state` for both forms and why they hold, `shifts` for the options.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", theorem 3.2, lemmas 3.7 to 3.9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from dpaudit.algorithms.zeroth.accounting.public_states import Setting
from dpaudit.algorithms.zeroth.accounting.shifts import (
    FREE,
    INDEX_CONVENTIONS,
    TAILS,
    Shifts,
    constant_shifts,
    contraction,
    failure,
    printed_contraction,
    step_failure,
)
from dpaudit.arithmetic.roots import bisected
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import OneOf, check_fields

FORMS = ("sharp", "printed")
DELTA_SPLITS = ("remaining", "half")
SMOOTH = "smooth and Lipschitz"


@dataclass(frozen=True)
class Reading:
    """Which form of the theorem, and how its ambiguities are read: index convention, tails and delta_split matter for
    the printed form only (see `shifts`). free_split: b_dir is chosen best, in place of that of the setting, to
    design a run. Raises ConfigurationError."""

    form: Annotated[str, OneOf(FORMS)] = "sharp"
    index_convention: Annotated[str, OneOf(INDEX_CONVENTIONS)] = "proof"
    tails: Annotated[str, OneOf(TAILS)] = "both"
    delta_split: Annotated[str, OneOf(DELTA_SPLITS)] = "remaining"
    free_split: bool = False

    def __post_init__(self) -> None:
        check_fields(self)
        if self.form == "sharp" and self.index_convention == "display":
            raise ConfigurationError("index_convention 'display' is false, so it is for form 'printed' only")


SHARP, PRINTED = Reading(), Reading("printed")


@dataclass(frozen=True)
class Bound:
    """The theorem as read, for one run; delta in (0, 1)."""

    setting: Setting
    delta: float
    reading: Reading

    @property
    def sharp(self) -> bool:
        """Is it the sharp form of the bound that is read?"""
        return self.reading.form == "sharp"

    @property
    def drift(self) -> float:
        """How far one step may part two runs; divided by n, how far one record may move one run."""
        return self.setting.drift(SMOOTH if self.sharp else "clipping")

    @property
    def offset(self) -> float:
        """c2."""
        run = self.setting
        printed = run.step_size * run.smoothness * run.perturbation
        return printed / math.sqrt(run.directions) if self.sharp else printed

    def distance(self, length: int) -> float:
        """Z = min(2R, drift tau)."""
        return min(2 * self.setting.radius, self.drift * (self.setting.steps - length))

    def growth(self, slack: float) -> float:
        """c1."""
        run = self.setting
        form = contraction if self.sharp else printed_contraction
        return form(run.constant, run.dimension, run.directions, slack)

    def step_failure(self, slack: float) -> float:
        """Probability, at most, that one step contracts less than `growth` says."""
        run = self.setting
        return step_failure(run.dimension, run.directions, slack, "beta" if self.sharp else self.reading.tails)

    def left(self, failed: float) -> float:
        """The delta that is left for the conversion; 0 or less if there is none."""
        if self.sharp:
            return (self.delta - failed) / (1 - failed) if failed < 1 else 0.0
        if self.reading.delta_split == "half":
            return self.delta / 2 if failed <= self.delta / 2 else 0.0
        return self.delta - failed

    def met(self, length: int) -> bool:
        """Whether the window starts with equal iterates that stay equal at no cost."""
        return self.distance(length) == 0 and (self.sharp or self.offset == 0)

    def failure(self, length: int, slack: float) -> float:
        """delta_G: the event of the window fails with this probability at most."""
        if self.met(length):
            return 0.0
        single = self.step_failure(slack)
        return failure(single, length) if self.sharp else min(1.0, length * single)

    def shifts(self, length: int, slack: float) -> Shifts:
        """The cheapest shifts for a split that is the same at all steps."""
        if self.met(length):
            return FREE
        growth, convention = self.growth(slack), self.reading.index_convention
        return constant_shifts(length, self.distance(length), growth, self.offset, convention, self.sharp)

    def lengths(self, count: int) -> list[int]:
        """1..T on a logarithmic grid of about `count` points."""
        return sorted({round(self.setting.steps ** (i / (count - 1))) for i in range(count)})

    def slacks(self, count: int) -> list[float]:
        """Slacks from one that fails with probability delta to one that may be used at all T steps."""
        run, constant = self.setting, self.setting.constant
        if run.directions == run.dimension and self.sharp:
            return [0.0]
        low = self._slack_for(self.delta)
        high = max(self._slack_for(self.delta / (100 * run.steps)), low * 1.01)
        found = [low * (high / low) ** (i / (count - 1)) for i in range(count)]
        if constant < 1:
            found.append((1 - constant**2) / (1 + constant**2))
        return [*found, math.inf] if self.sharp else found

    def _slack_for(self, target: float) -> float:
        """A slack whose failure is just below `target`; the largest tried if none is."""
        low, high = 0.0, 1e-6
        while self.step_failure(high) > target and high < 1e9:
            low, high = high, 2 * high
        return bisected(lambda slack: self.step_failure(slack) > target, low, high, halvings=40).outside
