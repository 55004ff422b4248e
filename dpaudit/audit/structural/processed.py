"""What is done to gradients after their noise was added, where noise and statistics were told apart from outside.

A torch training is made again without its noise, and what then is missing counts as noise on what the step is handed
or moves by. That is the noise of the mechanism where nothing is done to it any more. A training may do more, and be as
private as before: what is made of a private value is private. Its noise is then no longer the declared one, nor is what
a record moves, and a refutation that rests on the two being told apart would accuse a correct training. So it becomes
INCONCLUSIVE where one of three things was seen:

    no sum      half of the noise does not move a step half as far: clipped, rounded, normalised, made to signs
    averages    what a step releases moves with the batch of the step before, in proportion, along one path, and its
                noise with the noise before, and is not as declared: averages, filters, momentum over noisy gradients
    masks       coordinates hold neither noise nor statistic, and without them the noise is as declared

Momentum over gradients that have no noise yet moves with earlier batches too, yet its noise does not move with that of
the step before: it stays REFUTED by its sensitivity, and by whatever else its noise is not. So do coordinates without
noise that move on a neighbour. A gradient that is scaled after its noise was added cannot be told from one with less
noise: a step must move by what is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.finding import Array, Finding, matched
from dpaudit.audit.structural.measures import rounding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Outcome

AVERAGES = (
    "what a step releases moves with the batch of the step before, in proportion: gradients are averaged or filtered "
    "after their noise was added"
)
_SETTLED = (
    "to settle it: audit with Training, hand statistic and noise over with recorder.release, and go on with what it "
    "returns"
)
_IN_PROPORTION = 0.01
"""Share of a move by which it may be off the direction of the one before."""
_ENOUGH, _FAR = 100, 3.0
"""Coordinates from which on noise is called fresh whose correlation with that of the step before is within so many
standard deviations of 0."""


@dataclass(frozen=True)
class Made:
    """A finding; split: its check rests on statistic and noise being told apart; replays: and on replays; again: makes
    the check on other observations."""

    finding: Finding
    split: bool
    replays: bool
    again: Callable[[Observed], Finding]

    @property
    def accuses(self) -> bool:
        """Is it a refutation that rests on what is noise?"""
        return self.split and self.finding.outcome is Outcome.REFUTED

    def softened(self, why: str) -> Finding:
        """INCONCLUSIVE in the place of a refutation."""
        return replace(
            self.finding, outcome=Outcome.INCONCLUSIVE, detail=f"{self.finding.detail}; but {why}; {_SETTLED}"
        )


def explained(made: Sequence[Made], seen: Observed) -> list[Finding]:
    """The findings, INCONCLUSIVE those that are refuted by what was done after the noise was added."""
    found = [one.finding for one in made]
    if not any(one.accuses for one in made) or not seen.recorded.inferred:
        return found
    of_noise = [one for one in made if one.accuses and not one.replays]
    why = seen.recorded.processed or (AVERAGES if of_noise and averages(seen) else "")
    if why:
        return [one.softened(why) if one.accuses else one.finding for one in made]
    bare, without = _unmasked(seen)
    if not bare:
        return found
    masked = f"{bare} coordinates hold neither noise nor statistic, as masked ones do, and without them this holds"
    held = {one.finding.check for one in of_noise if one.again(without).outcome is not Outcome.REFUTED}
    return [one.softened(masked) if one.finding.check in held else one.finding for one in made]


def averages(seen: Observed) -> bool:
    """Does half of one batch move the release after the next in proportion, though all releases are as recorded?"""
    recorded = seen.recorded
    if _fresh(recorded):
        return False
    place = next((i for i, batch in enumerate(recorded.batches) if len(batch) > 1), None)
    if place is None:
        return False
    fewer = recorded.batches[place][: len(recorded.batches[place]) // 2]
    batches = (*recorded.batches[:place], fewer, *recorded.batches[place + 1 :])
    other = seen.training.replay(replace(recorded, batches=batches), seen.data)
    return not other.draws.misaligned and _moves_on(recorded, other)


def _fresh(recorded: Recording) -> bool:
    """Is the noise of each step uncorrelated with that of the step before, as far as many coordinates tell?"""
    noises: dict[str, list[Array]] = {}
    for one in recorded.releases:
        if one.noise is not None:
            noises.setdefault(one.name, []).append(one.noise.astype(np.float64).ravel())
    pairs = [two for steps in noises.values() for two in pairwise(steps) if two[0].shape == two[1].shape]
    if sum(len(before) for before, _ in pairs) < _ENOUGH:
        return False
    before, after = (np.concatenate(side) for side in zip(*pairs, strict=True))
    correlation = np.vdot(before, after) / (np.linalg.norm(before) * np.linalg.norm(after))
    return bool(abs(correlation) * np.sqrt(len(before)) < _FAR)


def _moves_on(recorded: Recording, other: Recording) -> bool:
    """Is the second move of a name in the direction of its first one, in the step before?"""
    moves: dict[str, dict[int, Array]] = {}
    for one, there in matched(recorded, other):
        move = (there.statistic - one.statistic).astype(np.float64).ravel()
        if np.linalg.norm(move) > rounding(one, "l2"):
            moves.setdefault(one.name, {})[one.step] = move
    return any(_in_proportion(steps[first], steps.get(first + 1)) for steps in moves.values() for first in [min(steps)])


def _in_proportion(first: Array, second: Array | None) -> bool:
    if second is None or not np.isfinite(first).all() or not np.isfinite(second).all():
        return False
    factor = np.vdot(second, first) / np.vdot(first, first)
    return bool(np.linalg.norm(second - factor * first) <= _IN_PROPORTION * np.linalg.norm(second))


def _unmasked(seen: Observed) -> tuple[int, Observed]:
    """How many coordinates hold neither noise nor statistic, and what was observed without them."""
    without = replace(seen)
    recordings = tuple(_kept(one) for one in seen.recordings)
    (_, first), (_, second) = seen.first, seen.second
    vars(without).update(first=(recordings[0], first), second=(recordings[1], second), recordings=recordings)
    bare = sum(
        int(np.size(r.noise) - np.count_nonzero(_held(r))) for r in seen.recorded.releases if r.noise is not None
    )
    return bare, without


def _kept(recording: Recording) -> Recording:
    releases = (one if one.noise is None else _flat(one, _held(one)) for one in recording.releases)
    return replace(recording, releases=tuple(one for one in releases if one.noise is None or one.noise.size))


def _held(release: Release) -> NDArray[np.bool_]:
    noise = np.zeros(()) if release.noise is None else release.noise
    return np.asarray((release.statistic != 0) | (noise != 0))


def _flat(release: Release, held: NDArray[np.bool_]) -> Release:
    assert release.noise is not None
    statistic, noise, value = release.statistic[held], release.noise[held], release.value[held]
    return replace(release, statistic=statistic, noise=noise, value=value)
