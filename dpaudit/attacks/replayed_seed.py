"""The same-seed replay: does a release give away the seed of its noise?

Whoever knows the seed makes the release again on both data sets and sees which one it came from. A released coordinate
is tried as the seed where it is a whole number that differs from trial to trial; on trials that are not counted, it
must repeat what was released on the right data set and not on the other. All other generators are in another state on
the replay, so that what repeats hangs on the released number alone. The counted trials decide, as of every attack.

Scores: 1 where the released seed makes the release again on D, -1 where on D', 0 for both or neither.

Finds: a released whole number that seeds the noise.

Cannot find: a seed that is changed before it is used, released in parts, or 2^53 and above; one of which fewer than
nine in ten differ from trial to trial, because it is constant or of a short range; one for a generator that a replay
cannot seed.

Needs: a release that can be made again with a given seed, and held-out trials.

Costs: where a coordinate may be a seed, two more releases for every counted trial; else next to nothing.

Competes: as "replayed seed" in every `Release` that is called once a trial (without `batched=True`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.attacks._outputs import Outputs, rows

Replay = Callable[[Any, int], ArrayLike]
"""replay(data, seed) -> what would be released of the data set if this were the seed."""

_TRIED = 4
"""Trials of each side by which a coordinate is tried."""
_LARGEST_SEED = 2.0**53
_DISTINCT = 0.9


@dataclass(frozen=True)
class ReplayedSeed:
    """replays: ways to use a seed, each tried; whole_numbers: outputs without a coordinate of whole numbers have no
    seed, so that nothing need be played for them."""

    replays: tuple[Replay, ...]
    whole_numbers: bool = True

    def fit(
        self,
        outputs_on_data: Outputs,
        outputs_on_neighbour: Outputs,
        data: object,
        neighbour: object,
        rng: np.random.Generator,
    ) -> Callable[[Outputs], Array]:
        """1 for outputs (trials, ...) that their seed repeats on D, -1 for those on D', 0 for both or neither; 0
        everywhere where no coordinate is a seed. Draws nothing from `rng`."""
        sides, pair = (rows(outputs_on_data), rows(outputs_on_neighbour)), (data, neighbour)
        for seed in _candidates(np.concatenate(sides)):
            for replay in self.replays:
                told = _told(replay, sides, pair, seed)
                if told.any():
                    return _Score(replay, pair, seed, told)
        return lambda outputs: np.zeros(len(outputs))


@dataclass(frozen=True)
class _Score:
    """seed: the coordinate of the seed; told: the coordinates that it repeats."""

    replay: Replay
    pair: tuple[object, object]
    seed: int
    told: Flags

    def __call__(self, outputs: Outputs) -> Array:
        return np.array([float(self._fits(row, 0)) - float(self._fits(row, 1)) for row in rows(outputs)])

    def _fits(self, row: Array, side: int) -> bool:
        return _is_seed(row[self.seed]) and bool(_alike(self.replay, row, self.pair[side], self.seed)[self.told].all())


def _told(replay: Replay, sides: tuple[Array, Array], pair: tuple[object, object], seed: int) -> Flags:
    """The coordinates that the seed repeats on the right side, in every trial, and not on the other, in one."""
    repeats, differs = np.ones(sides[0].shape[1], dtype=bool), np.zeros(sides[0].shape[1], dtype=bool)
    for side, right, wrong in ((sides[0], *pair), (sides[1], *pair[::-1])):
        for row in side[:_TRIED]:
            repeats &= _alike(replay, row, right, seed)
            differs |= ~_alike(replay, row, wrong, seed)
    return repeats & differs


def _alike(replay: Replay, row: Array, data: object, seed: int) -> Flags:
    """Which coordinates a replay on `data` repeats up to rounding."""
    again = np.asarray(replay(data, int(row[seed])), dtype=np.float64).ravel()
    if again.shape != row.shape:
        return np.zeros(len(row), dtype=bool)
    return np.isclose(again, row, rtol=1e-9, atol=0.0)


def has_whole_numbers(outputs: Outputs) -> bool:
    """May a coordinate of these outputs (trials, ...) be a seed?"""
    return bool(len(outputs)) and bool(_candidates(rows(outputs)))


def _candidates(given: Array) -> list[int]:
    """Coordinates that are whole numbers, nearly all different."""
    if not len(given):
        return []
    whole = [column for column in range(given.shape[1]) if all(map(_is_seed, given[:_TRIED, column]))]
    return [
        column
        for column in whole
        if len(np.unique(given[:, column])) >= _DISTINCT * len(given) and all(map(_is_seed, given[:, column]))
    ]


def _is_seed(value: float) -> bool:
    return bool(0 <= value < _LARGEST_SEED and value == np.rint(value))
