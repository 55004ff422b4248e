"""What the choice of the record costs, and how candidates are measured against the spread of trials.

All trainings of the choice have seeds of their own, drawn from the generator of the neighbours; the trials of the game
have the seeds of their streams. So the pair, the filters and the score are fixed before a trial is played, as if they
had been written into the target, and the trials remain independent of each other given them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters import zeros
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.spreads import Spread, spread
from dpaudit.audit import side_by_side
from dpaudit.audit.structural.data_sets import rows, size
from dpaudit.audit.structural.recording import Recording
from dpaudit.content.audits import Data
from dpaudit.records.target import TrialPlan

Floats = NDArray[np.float64]
Tried = tuple[str, tuple[Data, Data], Directions]
"""What the record in question is, the pair, and what the record does to each release."""

Listed = tuple[str, tuple[Data, Data]]
"""What the record in question is, and the pair."""

Seeded = tuple[int, Recording]
"""A training's seed, and what it recorded."""

Row = Callable[[Data, int, Directions], Floats]
"""(data, seed, directions) -> the projections of one trial."""

_AS_GOOD = 0.95
"""A candidate that is told apart so well, of the best, leads if it stands before that one in the list."""
LEADING = 3
"""Candidates that are played."""
PATHS = 3
"""Recordings on whose paths the directions are taken; the record is measured on those that are left."""
_SHARE = 10
"""A tenth of the trainings of a smoke game, of both sides, is what the choice may add."""
_RECORDED = 2 * PATHS
"""Trainings that are recorded without the record in question, for each data set without it."""
_MOST_NUMBERS = 1 << 27
"""In all recordings together: about a gigabyte."""
_FEWEST, _MOST = 4, 32
"""Trials of each candidate that is played."""


@dataclass(frozen=True)
class Budget:
    """What each data set without the record, and each candidate that is played, may cost in trainings."""

    recordings: int
    trials: int
    sides: int = 1

    @property
    def replays(self) -> int:
        """Of each candidate: the record joins the batches of every recording, and so does the one in its place."""
        return self.sides * self.recordings if self.trials else 0


def budget(plan: TrialPlan | None, backgrounds: int, candidates: int, sides: int = 1, numbers: int = 0) -> Budget:
    """What a game of `plan` pays for; nothing where there is none, or where recordings fill the memory.

    backgrounds: data sets without the record; candidates: that are played; sides: 2 where on the neighbour another
    record stands in the place of the one in question, else 1; numbers: that one recording keeps.
    """
    total = 0 if plan is None else 2 * plan.smoke // _SHARE
    number = _RECORDED * backgrounds
    recordings = _RECORDED if total >= number and numbers * number <= _MOST_NUMBERS else 0
    trials = (total - recordings * backgrounds) // candidates - sides * recordings
    return Budget(recordings, min(trials, _MOST) if recordings and trials >= _FEWEST else 0, sides)


def without(pair: tuple[Data, Data]) -> Data:
    """The data set that lacks the record in question, or has the other one."""
    one, other = pair
    return one if size(one) < size(other) else other


def background(pair: tuple[Data, Data]) -> bytes:
    """A digest of all records but the one in question, to be compared."""
    one, other = pair
    return digest(rows(one if size(one) >= size(other) else other, slice(0, -1)))


def digest(data: Data) -> bytes:
    """Of all that a data set holds, to be compared."""
    found = hashlib.blake2b()
    for part in data if isinstance(data, tuple) else (data,):
        found.update(np.ascontiguousarray(part).tobytes())
    return found.digest()


@dataclass(frozen=True)
class Absent:
    """Trainings without the record in question: by `background`, their seeds and recordings; rng: of further seeds."""

    budget: Budget
    recordings: Mapping[bytes, list[Seeded]]
    rng: np.random.Generator

    @cached_property
    def spreads(self) -> dict[bytes, Spread | None]:
        """Of the statistics, by `background`."""
        return {key: spread([one for _, one in several]) for key, several in self.recordings.items()}

    def spread(self, pair: tuple[Data, Data]) -> Spread | None:
        """That of all records but the one in question."""
        return self.spreads[background(pair)]

    @property
    def rate(self) -> float:
        """The share of the records that a batch holds."""
        return rate_of([one for several in self.recordings.values() for _, one in several])

    def cost(self, played: int) -> tuple[int, int]:
        """Recordings and trials, of so many candidates that are played."""
        recorded = len(self.recordings) * self.budget.recordings
        return recorded + played * self.budget.replays, played * self.budget.trials


@dataclass(frozen=True)
class Look:
    """What a few trainings show before any candidate is tried.

    seed: of the neighbours; listed: what the record may be, and the pairs; sampled: batches are random; numbers: that
    one recording keeps; lone: records with a label of their own; refused: sentences on pairs that the training does not
    take.
    """

    seed: int
    listed: Sequence[Listed]
    sampled: bool
    numbers: int
    lone: Sequence[Tried]
    refused: Sequence[str]


def trials(
    row: Row, pair: tuple[Data, Data], found: Directions, seeds: NDArray[np.int64], repeatable: bool = True
) -> Floats:
    """Projections of trials without the record, (trials, columns); repeatable: as in `side_by_side.rows`."""
    return side_by_side.rows(lambda seed: row(without(pair), seed, found), seeds, repeatable)


def separation(found: Directions, absent: Floats, final: bool) -> float:
    """How far the record in every batch moves the sum of the projections, over the spread of trials without it.

    Its share of the batches is the same for all candidates. Never negative; 0 where a trial is not finite. final: the
    projection of the final model is spread in the place of the sum. Values that are 0 on one data set alone count by
    their number, over that of trials without the record or 1.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        scores = absent[:, -1] if final else absent[:, :-2].sum(axis=1)
        spread = float(scores.std(ddof=1))
    by_zeros = 0.0 if final or not found.zeros else zeros.size(found.zeros) / max(1.0, absent[:, -2].std(ddof=1))
    moved = 0.0 if found.law is None else float(found.law.shift.sum())
    told = moved / spread if spread > 0 else 0.0
    return float(max(by_zeros, told if np.isfinite(told) else 0.0))


def leading(tried: Sequence[Tried], number: int) -> list[Tried]:
    """The candidates that noise and spread of the batches leave furthest apart, or whose values are 0 on one data set
    alone; of about equal ones, the first."""
    usable = [one for one in tried if moves(one[2])]
    apart = [max(one[2].separation, zeros.size(one[2].zeros)) for one in usable]
    enough = _AS_GOOD * max(apart, default=0.0)
    ranked = sorted(range(len(usable)), key=lambda place: -min(apart[place], enough))
    return [usable[place] for place in ranked[:number]]


def numbers(recorded: Recording) -> int:
    """How many numbers of the releases a recording keeps."""
    kept = [part for one in recorded.releases for part in (one.statistic, one.noise, one.value) if part is not None]
    return sum(part.size for part in kept)


def of_law(found: Directions, rate: float, replaced: bool) -> Directions:
    """The directions with what is known of the batches."""
    return found if found.law is None else replace(found, law=replace(found.law, rate=rate, replaced=replaced))


def rate_of(recordings: Sequence[Recording]) -> float:
    """The share of the records that a batch holds, above 0; 1 where no batch was seen."""
    shares = [
        np.unique(batch).size / records
        for one in recordings
        if (records := 1 + max((int(batch.max(initial=-1)) for batch in one.batches), default=-1))
        for batch in one.logical(unread=True)
    ]
    return min(1.0, float(np.mean(shares))) if shares and np.mean(shares) > 0 else 1.0


def seeds(rng: np.random.Generator, number: int) -> NDArray[np.int64]:
    """Seeds of trainings, (number,), in [0, 2^31)."""
    return rng.integers(2**31, size=number)


def note(label: str, found: Directions, measured: float | None, tried: int, made: tuple[int, int]) -> str:
    """Which record it is, how far it is told apart, and what that cost."""
    if found.reshaped:
        return f"neighbours differ in {label}: {found.reshaped}"
    text = f"neighbours differ in {label}, which moves the steps by {found.moved:.3g} noise scales"
    if measured is not None:
        text += f", in every batch a trial by {measured:.3g} standard deviations"
    if tried > 1:
        text += f"; of {tried} candidates none does much more"
    recorded, played = made
    return f"{text}; chosen with {recorded} recordings and {played} trials of its own" if recorded else text


def unmoved(look: Look) -> str:
    """That none of the candidates moves anything."""
    return (
        f"no record moves any recorded statistic (tried: {', '.join(label for label, _ in look.listed)}): does the "
        "training release what it computes from the records, and does a batch hold the last record?"
    )


def moves(found: Directions) -> bool:
    """Does the record move anything, and nothing without bound?"""
    return bool(np.isfinite(found.moved) and found.moved > 0)
