"""What an accountant of the claimed mechanism assumes: of the batches, and of how far each step may move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpaudit.audit.structural.recorded_values import Ids
from dpaudit.records.assumptions import Sampling
from dpaudit.records.mechanism import (
    Composed,
    FixedSizeSampled,
    Gaussian,
    Laplace,
    Mechanism,
    PoissonSampled,
    SelfComposed,
    WithReplacementSampled,
)

SAMPLED = PoissonSampled | FixedSizeSampled | WithReplacementSampled


@dataclass(frozen=True)
class Assumed:
    """law: of every release; multipliers: of the compositions, with their counts; sampled: on random batches; draws:
    how often a batch may hold a record."""

    law: str
    multipliers: tuple[tuple[float, int], ...]
    sampled: bool
    draws: int = 1

    @property
    def smallest(self) -> float:
        """The smallest noise multiplier."""
        return min(multiplier for multiplier, _ in self.multipliers)

    @property
    def count(self) -> int:
        """The number of compositions."""
        return sum(count for _, count in self.multipliers)

    @property
    def total(self) -> float:
        """sum 1/m^2 (Gaussian) or sum 1/m (Laplace): what all steps together may move."""
        return sum(count / multiplier ** power(self.law) for multiplier, count in self.multipliers)

    def most(self, batches: Sequence[Ids]) -> float:
        """How far one step on one of these batches may move, in units of its noise."""
        held = max((int(np.bincount(batch).max(initial=1)) for batch in batches), default=self.draws)
        return min(held, self.draws) / self.smallest


def power(law: str) -> int:
    """Moves of Gaussian releases add up in squares, those of Laplace releases as they are."""
    return 2 if law == "gaussian" else 1


def sampling_of(mechanism: Mechanism | None, records: int) -> Sampling | None:
    """The sampling that an accountant of `mechanism` assumes of `records` records; None if it assumes none."""
    if isinstance(mechanism, SelfComposed):
        return sampling_of(mechanism.mechanism, records)
    if isinstance(mechanism, PoissonSampled):
        return Sampling("Poisson", records, mechanism.rate * records)
    if isinstance(mechanism, FixedSizeSampled):
        return Sampling("without replacement", mechanism.records, mechanism.size)
    if isinstance(mechanism, WithReplacementSampled):
        return Sampling("with replacement", mechanism.records, mechanism.draws)
    return None


def assumption(mechanism: Mechanism) -> Assumed | None:
    """What an accountant of `mechanism` assumes; None unless all parts are of one law, all sampled or none."""
    leaves: Counter[tuple[str, float, int]] = Counter()
    if not _collect(mechanism, 1, 0, leaves) or not leaves:
        return None
    laws, draws = {law for law, _, _ in leaves}, {number for _, _, number in leaves}
    if len(laws) > 1 or len({number > 0 for number in draws}) > 1:
        return None
    multipliers = tuple((m, count) for (_, m, _), count in leaves.items())
    return Assumed(laws.pop(), multipliers, max(draws) > 0, max(*draws, 1))


def _collect(mechanism: Mechanism, count: int, draws: int, leaves: Counter[tuple[str, float, int]]) -> bool:
    """Count the Gaussian and Laplace parts; draws: how often a random batch may hold a record, 0 for no batch."""
    if isinstance(mechanism, SelfComposed):
        return _collect(mechanism.mechanism, count * mechanism.count, draws, leaves)
    if isinstance(mechanism, SAMPLED):
        held = mechanism.draws if isinstance(mechanism, WithReplacementSampled) else 1
        return _collect(mechanism.mechanism, count, max(draws, 1) * held, leaves)
    if isinstance(mechanism, Composed):
        return all(_collect(part, count, draws, leaves) for part in mechanism.mechanisms)
    if not isinstance(mechanism, (Gaussian, Laplace)):
        return False
    law = "gaussian" if isinstance(mechanism, Gaussian) else "laplace"
    leaves[law, mechanism.noise_multiplier, draws] += count
    return True
