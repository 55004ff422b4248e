"""Does the noise hang on a generator that other code can seed, or on a seed of its own?

Trainings with different seeds: noise that is the same in all of them is a constant of the code and hides nothing. Where
batches are random, so is noise that is the same on equal batches: it is made of the batch, as by a key that is its
checksum, and whoever knows the records can draw the noise of every batch that may have been. Global generators (Python
`random`, NumPy's legacy functions, torch's default) that the training moved are shared: whoever seeds them knows the
noise. A whole number that leaves, or is public, and differs between two trainings is tried as the seed: the training is
made again with another seed of its own, and with that number wherever it seeds a generator. Where that repeats the
noise of both, whoever reads the number takes the noise away.

Sees: seeds in the code or made of a batch, noise from a generator that a caller may have seeded, seeds that are
published.

Cannot see: a seed that is taken from the time or from a short range, a published one that is changed before it is used,
or that seeds a generator in another way than by a number.

False alarms: A generator that other code could seed, and does not, is refuted until the exception is declared. Noise
counts as the same in all trainings only on so many coordinates that no continuous law repeats them. A training that
sets a global generator to a constant is refuted even where its noise comes from elsewhere; the exception does not lift
that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpaudit.audit.alignment.log import Log
from dpaudit.audit.randomness import Frozen
from dpaudit.audit.structural.finding import Array, Finding
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.random_bits import enough, shortest
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Outcome

NAME = "global random state"
FALSE_ALARM = "0"
PLACE = 12
REPLAYS = False
SPLIT = False
EXCEPTION = (
    "`Assumptions(shared_generators=True)`, where no other code seeds the shared generators; adapters of "
    "trainings assume it."
)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    (one, first), (two, second) = seen.first, seen.second
    found = check(_enough(seen), (first, second), seen.assumptions.shared_generators)
    return found if found.outcome is Outcome.REFUTED else _of_the_batch(seen) or _published(seen, one, two) or found


def _enough(seen: Observed) -> list[Recording]:
    """The recordings, and more of them while noise repeats that may do so by chance."""
    made = list(seen.recordings)
    while len(made) < MOST_RECORDED and (constant := _constant(made)) and not _sure(constant, len(made)):
        made.append(seen.training.record(seen.data, seed=seen.seed + 1_000 + len(made))[0])
    return made


def _of_the_batch(seen: Observed) -> Finding | None:
    """REFUTED by noise that other seeds draw again, on the same batches and after the same releases."""
    if not seen.recorded.batches or not seen.training.sampled:
        return None
    batches = replace(seen.recorded, draws=Log(seen.recorded.draws.records))  # no draw of it is made again
    made = [seen.recorded]
    for number in range(1, MOST_TRIED + 1):
        try:
            made.append(replace(seen.training, seed=seen.seed + number).replay(batches, seen.data))
        except Exception:  # batches that a training with this seed does not take
            return None
        constant = _constant(made)
        if found := _sure(constant, len(made)):
            return _repeats_itself(found, f"{len(made)} trainings with different seeds and the same batches")
        if not constant:
            return None
    return None


def _constant(recordings: Sequence[Recording]) -> list[Release]:
    """The releases whose noise is the same in all of them."""
    releases = (both for both in zip(*(one.releases for one in recordings), strict=False) if all(map(_noisy, both)))
    return [first for first, *others in releases if all(_equal(first.noise, one.noise) for one in others)]


def _noisy(release: Release) -> bool:
    return release.noise is not None and bool(np.any(release.noise))


def _equal(one: Array | None, two: Array | None) -> bool:
    return one is not None and two is not None and np.array_equal(one, two)


def _sure(constant: Sequence[Release], trainings: int) -> Release | None:
    """The first of the releases that so many trainings do not repeat by chance."""
    for release in constant:
        noise = np.ravel(np.zeros(0) if release.noise is None else release.noise).astype(np.float64)
        drawn = noise[noise != 0]
        if len(drawn) * (trainings - 1) >= enough(drawn, shortest(drawn)):
            return release
    return None


def _repeats_itself(release: Release, where: str) -> Finding:
    detail = f"the noise of {release.name} at step {release.step} is the same in {where}"
    return Finding(NAME, Outcome.REFUTED, detail, (("release", release.name), ("step", release.step)))


def _published(seen: Observed, one: Recording, two: Recording) -> Finding | None:
    """REFUTED by a number that leaves both trainings and makes the noise of each again."""
    noises = _noise(one), _noise(two)
    if any(noise is None for noise in noises):
        return None
    for name, *numbers in candidates(one, two):
        runs = zip(numbers, noises, strict=True)
        if all(_repeats(seen, number, noise, place) for place, (number, noise) in enumerate(runs)):
            said = f"{name} holds the number {numbers[0]}, with which the noise of the training can be drawn again"
            return Finding(NAME, Outcome.REFUTED, said, (("what", name), ("seed", numbers[0])))
    return None


def candidates(one: Recording, two: Recording) -> list[tuple[str, int, int]]:
    """Whole numbers that leave both trainings in one place, or are public, and differ: names, and the two numbers; the
    largest first, and no more than MOST_TRIED."""
    found: list[tuple[str, int, int]] = []
    for kind, first, second in (("output", one.outputs, two.outputs), ("public value", one.public, two.public)):
        for (name, value), (other, there) in zip(first, second, strict=False):
            if name == other:
                found += [(f"{kind} {name}", *pair) for pair in _whole(value, there)]
    return sorted(dict.fromkeys(found), key=lambda each: -each[1])[:MOST_TRIED]


def _whole(one: object, two: object) -> list[tuple[int, int]]:
    try:
        first, second = np.ravel(np.asarray(one)), np.ravel(np.asarray(two))
    except ValueError:  # ragged
        return []
    if first.shape != second.shape or first.dtype.kind not in "iuf" or second.dtype.kind not in "iuf":
        return []
    with np.errstate(invalid="ignore"):
        whole = [(x >= 0) & (x < 2.0**63) & (x == np.rint(x)) for x in (first, second)]
    places = np.flatnonzero(whole[0] & whole[1] & (first != second))[:MOST_TRIED]
    return [(int(first[place]), int(second[place])) for place in places]


def _noise(recording: Recording) -> Array | None:
    """The first noise, of so many releases as have 64 numbers; None where it may repeat by chance."""
    parts: list[Array] = []
    for noise in (np.ravel(r.noise).astype(np.float64) for r in recording.releases if r.noise is not None):
        parts.append(noise)
        if sum(map(len, parts)) >= ENOUGH:
            break
    found = np.concatenate(parts) if parts else np.zeros(0)
    drawn = found[found != 0]
    return found if len(drawn) and len(drawn) >= enough(drawn, shortest(drawn)) else None


def _repeats(seen: Observed, number: int, noise: Array | None, place: int) -> bool:
    """Is the noise that of a training with a seed of its own that seeds its generators with this number?"""
    try:
        again = _noise(seen.training.reseeded(seen.data, number, seen.seed + 1_000 + place))
    except Exception:  # a number that is no seed, or batches that the training does not take
        return False
    if noise is None or again is None or again.shape != noise.shape:
        return False
    return np.allclose(again, noise, rtol=1e-4, atol=1e-4 * float(np.abs(noise).max()))


MOST_TRIED, ENOUGH, MOST_RECORDED = 8, 64, 40
"""Numbers that are tried, numbers of noise that are compared, and recordings that noise may repeat in."""


def check(recordings: Sequence[Recording], generators: tuple[Frozen, Frozen], shared_allowed: bool = False) -> Finding:
    """REFUTED if noise repeats over the trainings, if two of them seed a global generator, or read one and may not.

    recordings: of the same data with different seeds; generators: what `frozen` saw of two; shared_allowed: the
    training may draw from generators that other code can seed.
    """
    if found := _sure(_constant(recordings), len(recordings)):
        return _repeats_itself(found, f"{len(recordings)} trainings with different seeds")
    seeded = generators[0].reset_alike(generators[1])
    if seeded:
        detail = f"the training sets {', '.join(seeded)} to a seed of its own"
        return Finding(NAME, Outcome.REFUTED, detail, (("generators", ", ".join(seeded)),))
    moved = ", ".join(generators[0].moved())
    numbers = (("generators", moved),)
    if moved and not shared_allowed:
        return Finding(
            NAME, Outcome.REFUTED, f"the training draws from {moved}: whoever seeds it knows the noise", numbers
        )
    note = f"; it draws from {moved}, which must not be seeded" if moved else " and moves no global generator"
    return Finding(NAME, Outcome.CONSISTENT, f"the noise changes with the seed{note}", numbers)
