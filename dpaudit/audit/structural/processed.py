"""What is done to gradients after their noise was added, where noise and statistics were told apart from outside.

A torch training is made again without its noise, and what then is missing counts as noise on what the step is handed
or moves by. That is the noise of the mechanism where nothing is done to it any more. A training may do more, and be as
private as before: what is made of a private value is private. Its noise is then no longer the declared one, nor is what
a record moves, and a refutation that rests on the two being told apart would accuse a correct training. So it becomes
INCONCLUSIVE where one of three things was seen, and where it does not hold once that is left out:

    no sum      half of the noise does not move a step half as far, and it does something else to other gradients:
                clipped, rounded, normalised, made to signs. Such releases are left out.
    averages    what a step releases moves with the batch of the step before, in proportion, along one path, and its
                noise may be such an average too: filters, momentum over noisy gradients. What is declared of releases
                is left out. Not where the first step, which has nothing to average, shows that a record moves it by
                more of its noise than is declared.
    masks       coordinates hold neither noise nor statistic, the same ones on neighbours. They are left out.

Momentum over gradients that have no noise yet moves with earlier batches too, and stays REFUTED by its sensitivity, as
far as its coordinates are enough to show that its noise does not. Not seen are gradients that are scaled after their
noise was added, which cannot be told from ones with less noise, and what mixes the coordinates: rotations, projections,
smoothing over the layer, a preconditioner. There a correct training is REFUTED: a step must move by what is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from dpaudit.audit.structural.finding import Array, Finding, matched
from dpaudit.audit.structural.measures import allowed, distance, rounding, standardised
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Outcome

NO_SUM = (
    "{} releases are no sum of statistic and noise: half of the noise does not move the step half as far, as where "
    "step() clips, rounds or normalises what is noisy, or moves by more than the noisy gradient, as Adam does; without "
    "them this holds"
)
AVERAGES = (
    "what a step releases moves with the batch of the step before, in proportion, as it would where gradients are "
    "averaged or filtered after their noise was added"
)
MASKS = "{} coordinates hold neither noise nor statistic, as masked ones do, and without them this holds"
_SETTLED = (
    "to settle it: audit with Training, hand statistic and noise over with recorder.release, and go on with what it "
    "returns"
)
_IN_PROPORTION = 0.01
"""Share of a move by which it may be off the direction of the one before."""
_LEAST = 0.05
"""Of the move of the step before: less is no average."""
_CERTAIN = 1e-9
"""Probability with which the noise of first steps is larger than what is taken for its bound."""

Seen = Callable[[Recording], Recording]


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

    def holds(self, without: Observed) -> bool:
        """Is it refuted no longer by what is left?"""
        return self.again(without).outcome is not Outcome.REFUTED

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
    if marks := _marks(seen):
        without, why = mapped(seen, lambda one: _left_out(one, marks)), NO_SUM.format(len(marks))
    elif averages(seen):
        without, why = mapped(seen, _undeclared), AVERAGES
    elif of_noise and (bare := _bare(seen)):
        without, why = mapped(seen, _kept), MASKS.format(bare)
    else:
        return found
    return [one.softened(why) if one.accuses and one.holds(without) else one.finding for one in made]


def _marks(seen: Observed) -> frozenset[tuple[str, int]]:
    """Names and steps of the releases that are no sum in any recording that was made so far."""
    kept = vars(seen)
    pairs = [pair for name in ("pairs", "level_pairs", "unseen") for pair in kept.get(name, ())]
    pairs += [pair for part in kept.get("_broken", ())[:2] for pair in part]
    recordings = (*seen.recordings, *(recorded for _, recorded, _ in pairs))
    return frozenset(mark for one in recordings for mark in one.processed)


def mapped(seen: Observed, change: Seen) -> Observed:
    """The same with every recording changed that was made so far."""
    other, kept = replace(seen), vars(seen)
    for name in ("pairs", "level_pairs", "unseen"):
        if name in kept:
            vars(other)[name] = [(label, change(one), change(there)) for label, one, there in kept[name]]
    for name in ("first", "second"):
        if name in kept:
            vars(other)[name] = (change(kept[name][0]), kept[name][1])
    if "recordings" in kept:
        vars(other)["recordings"] = tuple(change(one) for one in kept["recordings"])
    if "_broken" in kept:
        near, odd, refused = kept["_broken"]
        both = ([(label, change(one), change(there)) for label, one, there in part] for part in (near, odd))
        vars(other)["_broken"] = (*both, refused)
    return other


def averages(seen: Observed) -> bool:
    """Does half of one batch move the release after the next in proportion, though all releases are as recorded, and
    may the noise be such an average too?"""
    recorded = seen.recorded
    place = next((i for i, batch in enumerate(recorded.batches) if len(batch) > 1), None)
    if place is None or _too_much_at_first(seen):
        return False
    fewer = recorded.batches[place][: len(recorded.batches[place]) // 2]
    batches = (*recorded.batches[:place], fewer, *recorded.batches[place + 1 :])
    other = seen.training.replay(replace(recorded, batches=batches), seen.data)
    factors = {} if other.draws.misaligned else _factors(recorded, other)
    return any(not _fresh(seen, name, factor) for name, factor in factors.items())


def _factors(recorded: Recording, other: Recording) -> dict[str, float]:
    """By how much of its first move each noisy release moves in the step after that, where the two are in proportion.

    Coordinates that do not move in one of the two steps may be masked there.
    """
    moves: dict[str, dict[int, Array]] = {}
    for one, there in matched(recorded, other):
        move = (there.statistic - one.statistic).astype(np.float64).ravel()
        if one.noise is not None and np.isfinite(move).all() and np.linalg.norm(move) > rounding(one, "l2"):
            moves.setdefault(one.name, {})[one.step] = move
    found = {}
    for name, steps in moves.items():
        first, second = steps[min(steps)], steps.get(min(steps) + 1)
        if second is None:
            continue
        both = (first != 0) & (second != 0)
        first, second = first[both], second[both]
        factor = float(np.vdot(second, first) / max(np.vdot(first, first), np.finfo(float).tiny))
        rest = np.linalg.norm(second - factor * first)
        if abs(factor) >= _LEAST and rest <= _IN_PROPORTION * np.linalg.norm(second):
            found[name] = factor
    return found


def _fresh(seen: Observed, name: str, factor: float) -> bool:
    """Is the noise less correlated with that of the step before than half of what an average with this factor makes it?
    It is near 0 or near all of that, as far as coordinates and recordings are many."""
    pairs = [
        two
        for recording in seen.independent
        for two in pairwise(r.noise for r in recording.releases if r.name == name and r.noise is not None)
        if two[0].shape == two[1].shape
    ]
    if not pairs:
        return False
    before, after = (
        np.concatenate([one.ravel() for one in side]).astype(np.float64) for side in zip(*pairs, strict=True)
    )
    correlation = float(np.vdot(before, after) / (np.linalg.norm(before) * np.linalg.norm(after)))
    expected = abs(factor) / (1 + factor**2)  # of two terms; of more it is larger
    return bool(correlation * np.sign(factor) < expected / 2)


def _too_much_at_first(seen: Observed) -> bool:
    """Does a record move a first step by more of its noise than is declared? Both are in the unit of the first step,
    which may not be the declared one."""
    noises: dict[str, list[Array]] = {}
    for one in (r for recording in seen.independent for r in recording.releases if r.step == 0):
        if one.noise is not None and one.noise_scale:
            standard = standardised(one)
            noises.setdefault(one.name, []).append(standard[standard != 0])  # masked ones hold no statistic either
    largest = {name: _largest_scale(np.concatenate(parts)) for name, parts in noises.items()}
    return any(
        one.sensitivity is not None and distance(one, there) > largest[one.name] * allowed(one)
        for _, recorded, replayed in seen.pairs
        for one, there in matched(recorded, replayed)
        if one.step == 0 and one.name in largest
    )


def _largest_scale(standard: Array) -> float:
    """What the scale of Gaussian noise is at most, over the declared one; infinite where there is none."""
    if not standard.size:
        return np.inf
    return float(np.sqrt((standard**2).sum() / 2 / gammaincinv(standard.size / 2, _CERTAIN)))


def _bare(seen: Observed) -> int:
    """How many coordinates hold neither noise nor statistic; 0 where others have noise on a neighbour: no mask hangs on
    the records."""
    for _, recorded, replayed in seen.pairs:
        for one, there in matched(recorded, replayed):
            if one.noise is not None and there.noise is not None and np.any((one.noise != 0) != (there.noise != 0)):
                return 0
    return sum(
        int(np.size(r.noise) - np.count_nonzero(_held(r))) for r in seen.recorded.releases if r.noise is not None
    )


def _left_out(recording: Recording, marks: frozenset[tuple[str, int]]) -> Recording:
    """Without the releases of these names and steps, and without outputs: a replay cannot lead such a step back to its
    draws, so that it leaves the path."""
    releases = tuple(one for one in recording.releases if (one.name, one.step) not in marks)
    return replace(recording, releases=releases, outputs=())


def _undeclared(recording: Recording) -> Recording:
    """Only what needs no declared number counts: coordinates without noise, noise that repeats, statistics that are not
    finite."""
    releases = (replace(one, sensitivity=None, noise_scale=None) for one in recording.releases)
    return replace(recording, releases=tuple(releases))


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
