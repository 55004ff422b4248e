"""What is done to gradients after their noise was added, where noise and statistics were told apart from outside.

A torch training is made again without its noise, and what then is missing counts as noise on what the step is handed
or moves by. That is the noise of the mechanism where nothing is done to it any more. A training may do more, and be as
private as before: what is made of a private value is private. Its noise is then no longer the declared one, nor is what
a record moves, and a refutation that rests on the two being told apart would accuse a correct training. So it becomes
INCONCLUSIVE where one of four things was seen, and where it does not hold once that is left out:

    no sum      half of the noise does not move a step half as far, and it does something else to other gradients:
                clipped, rounded, normalised, made to signs. Such releases are left out.
    averages    what a step releases moves with the batch of the step before, in proportion, along one path, and its
                noise may be such an average too: filters, momentum over noisy gradients. What is declared of releases
                is left out. Not where the first step, which has nothing to average, shows that a record moves it by
                more of its noise than is declared.
    masks       coordinates hold neither noise nor statistic, the same ones on neighbours. They are left out.
    scaled      noise of another size than declared, while no record moves a release by more of it than is declared: so
                it is where gradients are scaled after their noise was added. What is declared is scaled alike, by what
                the noise of each name may be, and what held must hold then too. Not where the noise is another one on a
                neighbour.

Momentum over gradients that have no noise yet moves with earlier batches too, and stays REFUTED by its sensitivity, as
far as its coordinates are enough to show that its noise does not. Not seen is what mixes the coordinates: rotations,
projections, smoothing over the layer, a preconditioner. There a correct training is REFUTED: a step must move by what
is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.averages import averages
from dpaudit.audit.structural.checks import accountant, noise_scale, sensitivity
from dpaudit.audit.structural.finding import Array, Finding, matched, same
from dpaudit.audit.structural.measures import largest_scale, standardised
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
SCALED = (
    "no record moves a release by more of its noise than is declared, as where gradients are scaled after their noise "
    "was added"
)
_SETTLED = (
    "to settle it: audit with Training, hand statistic and noise over with recorder.release, and go on with what it "
    "returns"
)
_OF_MOVES = (sensitivity.NAME, accountant.NAME)
"""Checks of how far a record moves a release."""
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
    elif noise_scale.NAME in {one.finding.check for one in of_noise} and not _hangs_on_the_records(seen):
        return _softened_if_scaled(made, seen)
    else:
        return found
    return [one.softened(why) if one.accuses and one.holds(without) else one.finding for one in made]


def _softened_if_scaled(made: Sequence[Made], seen: Observed) -> list[Finding]:
    """INCONCLUSIVE what holds where all is declared in proportion to the noise; nothing where a record moves too much
    for that, or where something that was not refuted does not hold then."""
    others = list(_scaled(seen))
    holds = [not one.split or any(one.holds(other) for other in others) for one in made]
    asked = [not one.accuses or one.finding.check in _OF_MOVES for one in made]
    kept = all(held for held, of_it in zip(holds, asked, strict=True) if of_it)
    return [
        one.softened(SCALED) if kept and held and one.accuses else one.finding
        for one, held in zip(made, holds, strict=True)
    ]


def _marks(seen: Observed) -> frozenset[tuple[str, int]]:
    """Names and steps of the releases that are no sum in any recording that was made so far."""
    kept = vars(seen)
    pairs = [pair for name in ("pairs", "level_pairs", "unseen") for pair in kept.get(name, ())]
    pairs += [pair for part in kept.get("_broken", ())[:2] for pair in part]
    pairs += seen.far.pairs if "far" in kept else []
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
        *lists, refused = kept["_broken"]
        changed = ([(label, change(one), change(there)) for label, one, there in part] for part in lists)
        vars(other)["_broken"] = (*changed, refused)
    if "far" in kept:
        vars(other)["far"] = seen.far.changed(lambda pair: (pair[0], change(pair[1]), change(pair[2])))
    return other


def _hangs_on_the_records(seen: Observed) -> bool:
    """Is the noise another one on a neighbour, or may it be? Then its scale is no public one."""
    return bool(seen.recorded.unclear) or any(
        one.noise is not None and there.noise is not None and not same(one.noise, there.noise, _largest(one))
        for _, recorded, replayed in seen.pairs
        for one, there in matched(recorded, replayed)
    )


def _largest(release: Release) -> float:
    """Noise is a difference of two sums, so that it has their roundings."""
    return float(np.max(np.abs(release.value), initial=0.0))


def _scaled(seen: Observed) -> Iterator[Observed]:
    """With the declared numbers of each name times what its noise measures, and times what it may be at most: at the
    error of a test, so that noise which is refuted as too small stays smaller than declared."""
    noises: dict[str, list[Array]] = {}
    for one in (release for recording in seen.independent for release in recording.releases):
        if one.noise is not None and one.noise_scale:
            noises.setdefault(one.name, []).append(standardised(one).ravel())
    standard = {name: np.concatenate(parts) for name, parts in noises.items()}
    for factors in (
        {name: float(np.sqrt((one**2).mean())) for name, one in standard.items()},
        {name: largest_scale(one, seen.alpha) for name, one in standard.items()},
    ):
        yield mapped(seen, partial(_times, factors))


def _times(factors: Mapping[str, float], recording: Recording) -> Recording:
    """With what is declared of its noisy releases times the factor of their name."""

    def scaled(one: Release) -> Release:
        factor = factors.get(one.name)
        if factor is None or one.noise_scale is None or not (0 < factor < np.inf):
            return one
        sensitivity = None if one.sensitivity is None else factor * one.sensitivity
        return replace(one, sensitivity=sensitivity, noise_scale=factor * one.noise_scale)

    return replace(recording, releases=tuple(map(scaled, recording.releases)))


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
