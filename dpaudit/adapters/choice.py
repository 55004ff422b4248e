"""What the choice of the record costs, and how candidates are measured against the spread of trials.

All trainings of the choice have seeds of their own, drawn from the generator of the neighbours; the trials of the game
have the seeds of their streams. So the pair, the filters and the score are fixed before a trial is played, as if they
had been written into the target, and the trials remain independent of each other given them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.projections import Directions
from dpaudit.audit.structural.data_sets import rows, size
from dpaudit.content.audits import Data
from dpaudit.records.target import TrialPlan

Floats = NDArray[np.float64]
Row = Callable[[Data, int, Directions], Floats]
"""(data, seed, directions) -> the projections of one trial."""

LEADING = 3
"""Candidates that are played."""
PATHS = 3
"""Recordings on whose paths the directions are taken; the record is measured on those that are left."""
_SHARE = 10
"""A tenth of the trainings of a smoke game, of both sides, is what the choice may add."""
_RECORDED = 2 * PATHS
"""Trainings that are recorded without the record in question, for each data set without it."""
_FEWEST, _MOST = 4, 32
"""Trials of each candidate that is played."""


@dataclass(frozen=True)
class Budget:
    """What each data set without the record, and each candidate that is played, may cost in trainings."""

    recordings: int
    trials: int

    @property
    def replays(self) -> int:
        """Of each candidate: the record joins the batches of every recording."""
        return self.recordings if self.trials else 0


def budget(plan: TrialPlan | None, backgrounds: int, candidates: int) -> Budget:
    """What a game of `plan` pays for; nothing where there is none.

    backgrounds: data sets without the record; candidates: that are played.
    """
    total = 0 if plan is None else 2 * plan.smoke // _SHARE
    recordings = _RECORDED if total >= _RECORDED * backgrounds else 0
    trials = (total - recordings * backgrounds) // candidates - recordings
    return Budget(recordings, min(trials, _MOST) if recordings and trials >= _FEWEST else 0)


def without(pair: tuple[Data, Data]) -> Data:
    """The data set that lacks the record in question, or has the other one."""
    one, other = pair
    return one if size(one) < size(other) else other


def background(pair: tuple[Data, Data]) -> bytes:
    """What all records but the one in question are, to be compared."""
    one, other = pair
    kept = rows(one if size(one) >= size(other) else other, slice(0, -1))
    return b"".join(np.ascontiguousarray(part).tobytes() for part in (kept if isinstance(kept, tuple) else (kept,)))


def trials(row: Row, pair: tuple[Data, Data], found: Directions, seeds: NDArray[np.int64]) -> Floats:
    """Projections of trials without the record, (trials, columns)."""
    return np.stack([row(without(pair), int(seed), found) for seed in seeds])


def apart(found: Directions, absent: Floats, final: bool) -> float:
    """How far the record in every batch moves the sum of the projections, over the spread of trials without it.

    Its share of the batches is the same for all candidates. Never negative; 0 where a trial is not finite. final: the
    projection of the final model is spread in the place of the sum.
    """
    scores = absent[:, -1] if final else absent[:, :-1].sum(axis=1)
    spread = float(scores.std(ddof=1))
    moved = 0.0 if found.law is None else float(found.law.shift.sum())
    told = moved / spread if spread > 0 else 0.0
    return max(0.0, told) if np.isfinite(told) else 0.0
