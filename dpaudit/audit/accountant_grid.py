"""What an accountant states of DP-SGD on a grid of parameters, held against enclosures of the true epsilon.

A cell is `steps` releases of Gaussian noise, each on a Poisson sample of the records with the same rate, under adding
or removing a record. With rate 1 the true epsilon is known up to a root, else enclosed (`accounting.epsilon`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpaudit.audit import accounts
from dpaudit.audit.accounts import Account
from dpaudit.audit.structural.finding import Finding
from dpaudit.records.mechanism import Gaussian, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours
from dpaudit.records.verdict import Outcome

NEIGHBOURS = Neighbours.ADD_OR_REMOVE
BELOW, WITHIN, ABOVE, UNKNOWN, ERROR = "below", "within", "above", "unknown", "error"
"""Where a stated epsilon stands: below the lower end of the enclosure (too small), in it, above it (valid, loose);
unknown: there is no enclosure; error: nothing was stated."""


_ENDS = ("epsilon_lower", "epsilon_upper")


@dataclass(frozen=True)
class Cell:
    """noise_multiplier: above 0; sampling_rate: in (0, 1]; steps: at least 1; delta: in (0, 1)."""

    noise_multiplier: float
    sampling_rate: float
    steps: int
    delta: float

    @property
    def mechanism(self) -> Mechanism:
        """What is run."""
        gaussian = Gaussian(self.noise_multiplier)
        step = gaussian if self.sampling_rate == 1 else PoissonSampled(self.sampling_rate, gaussian)
        return SelfComposed(step, self.steps)

    @property
    def arguments(self) -> tuple[float, float, int, float]:
        """In the order in which an accountant takes them."""
        return self.noise_multiplier, self.sampling_rate, self.steps, self.delta

    def stated(self, epsilon: float) -> Account:
        """That an accountant states this epsilon; ContentError for NaN."""
        noise, rate, steps, delta = self.arguments
        label = f"noise multiplier {noise:g}, sampling rate {rate:g}, {steps} steps, delta {delta:g}"
        return Account(label, self.mechanism, delta, epsilon)


@dataclass(frozen=True)
class Judged:
    """standing: one of the words above; stated, lower, upper: epsilons, NaN where unknown; detail: one sentence."""

    cell: Cell
    standing: str
    stated: float
    lower: float
    upper: float
    detail: str

    @property
    def looseness(self) -> float:
        """The stated epsilon over the upper end of the enclosure; NaN unless it is above a finite one above 0."""
        known = self.standing == ABOVE and 0 < self.upper < math.inf
        return self.stated / self.upper if known else math.nan


def grid(
    noises: Sequence[float], rates: Sequence[float], steps: Sequence[int], deltas: Sequence[float]
) -> tuple[Cell, ...]:
    """Every combination, once."""
    return tuple(dict.fromkeys(itertools.starmap(Cell, itertools.product(noises, rates, steps, deltas))))


def judge(cell: Cell, epsilon: float) -> Judged:
    """The stated epsilon of a cell against its enclosure."""
    [finding] = accounts.examine([cell.stated(epsilon)], NEIGHBOURS)
    if finding.outcome is Outcome.NOT_RUN:
        return Judged(cell, UNKNOWN, epsilon, math.nan, math.nan, finding.detail)
    lower, upper = (float(value) for name, value in finding.numbers if name in _ENDS and value is not None)
    return Judged(cell, _standing(finding, epsilon, upper), epsilon, lower, upper, finding.detail)


def failed(cell: Cell, reason: str) -> Judged:
    """A cell of which nothing was stated."""
    return Judged(cell, ERROR, math.nan, math.nan, math.nan, reason)


def _standing(finding: Finding, epsilon: float, upper: float) -> str:
    if finding.outcome is Outcome.REFUTED:
        return BELOW
    above = epsilon > upper + accounts.RELATIVE_SLACK * abs(upper) + accounts.ABSOLUTE_SLACK
    return ABOVE if above or epsilon == math.inf else WITHIN
