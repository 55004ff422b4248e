"""Is every noise drawn anew, and independent of the others: over steps, parameters, workers, releases and trainings?

Equal or proportional noise is found exactly: two continuous draws never agree in four coordinates (eight in single
precision; of whole numbers in 32 that are not 0), of one training or of several together. Of correlated noise the
cosine of two halves of all coordinates is tested, paired six ways; its null law is exact for Gaussian noise, and the
signs of numbers that are not 0 have an exact one for every symmetric law.

Sees: the same noise every step, one key for several parameters of equal or different shapes, noise shared by workers.

Cannot see: dependence that leaves these pairs uncorrelated, and most repeats of whole numbers that are mostly 0.

False alarms: The six pairings have a sixth of alpha each. The null law of the cosine is exact for Gaussian noise; the
signs, of pairs in which neither number is 0, have an exact one for every symmetric law; both for independent
coordinates. Noise that is correlated by design may be refuted until the exception is declared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from dpaudit.audit.structural.finding import ROUNDINGS, Array, Finding
from dpaudit.audit.structural.measures import standardised
from dpaudit.audit.structural.observed import Observed, correlated_by_design
from dpaudit.audit.structural.random_bits import DOUBLE, enough, shortest
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.audit.structural.tails import binomial_two_sided, correlation_two_sided
from dpaudit.audit.wording import probability
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.verdict import Outcome

NAME = "fresh noise"
FALSE_ALARM = "alpha"
PLACE = 16
REPLAYS = False
SPLIT = True
EXCEPTION = "`Assumptions(independent_noise=False)`, where noise is correlated by design, as in prefix sums."
EXACT, COARSE = float(np.finfo(np.float64).eps), float(np.finfo(np.float32).eps)
PAIRINGS = 6
"""Even steps with the next, odd steps with the next, names in even and odd places with the next, halves,
trainings."""

Halves = tuple[list[Array], list[Array]]


def tests(mechanism: Mechanism | None, assumptions: Assumptions) -> int:
    """How many tests this check makes at most: none where noise is not meant to be independent."""
    return int(assumptions.independent_noise)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return correlated_by_design(seen, NAME) or check(seen.recorded, seen.alpha, seen.second[0], *seen.recordings[2:])


def check(recorded: Recording, alpha: float, *others: Recording) -> Finding:
    """REFUTED if two noises are equal or proportional, or one of the pairings is correlated at alpha / PAIRINGS.

    others: trainings on the same data, each with a seed of its own. Releases must be meant to have independent noise.
    Pairings within a training are joined over all of them, and each coordinate still occurs in one pair, so that both
    halves are independent under the null and the p-value is exact for however many trainings there are.
    """
    recordings = (recorded, *others)
    noisy = [r for one in recordings for r in _noisy(one)]
    if not any(_noisy(recorded)):
        return Finding(NAME, Outcome.NOT_RUN, "nothing was released with noise")
    again = next(filter(None, (repeated(list(_noisy(one))) for one in recordings)), None)
    if again := again or repeated(over_trainings(recordings)):
        return _repeats(*again)
    found = [(label, *tested(halves, noisy)) for label, halves in pairings(recordings) if count(halves) >= 2]
    if not found:
        return Finding(NAME, Outcome.NOT_RUN, "no two noises to compare: one coordinate was released")
    label, p_value, cosine, coordinates = min(found, key=lambda item: item[1])
    share = alpha / PAIRINGS
    seen = max(smallest_correlation(found_count, share) for _, _, _, found_count in found)
    numbers = (
        ("pairing", label),
        ("p_value", p_value),
        ("alpha", share),
        ("cosine", cosine),
        ("coordinates", coordinates),
        ("correlation_caught_at_90", seen),
    )
    if p_value <= share:
        detail = f"statistical: noise is correlated over {label}: cosine {cosine:.4g} (p {probability(p_value)})"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    detail = f"no noise repeats another; a correlation of {seen:.3g} would be seen in each of {len(found)} pairings"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


def over_trainings(recordings: Sequence[Recording]) -> list[Release]:
    """Each release with its noise in all trainings, one behind the other: numbers that agree by chance in one training
    do not agree in all. Trainings with the same noise count once."""
    own: dict[bytes, dict[tuple[str, int], Release]] = {}
    for one in recordings:
        releases = {(release.name, release.step): release for release in _noisy(one)}
        own.setdefault(b"|".join(_flat(release).tobytes() for release in releases.values()), releases)
    first, *others = own.values()
    together = ((release, [one[key] for one in others if key in one]) for key, release in first.items())
    return [
        replace(release, noise=np.concatenate([_flat(release), *map(_flat, there)]))
        for release, there in together
        if len(there) == len(others) and all(_flat(one).shape == _flat(release).shape for one in there)
    ]


def _flat(release: Release) -> Array:
    return np.zeros(0) if release.noise is None else np.ravel(release.noise)


def repeated(noisy: Sequence[Release]) -> tuple[Release, Release] | None:
    """Two releases whose noise is equal or proportional on the coordinates that both have; None if there are none.

    Noises shorter than `shortest` are compared for equality, those of single precision from three coordinates on. What
    is 0 does not count as a coordinate: of whole numbers most may be.
    """
    flat = [np.ravel(r.noise).astype(np.float64) for r in noisy if r.noise is not None]
    least = [shortest(x) for x in flat]
    drawn = [int(np.count_nonzero(x)) for x in flat]
    long = [(x / x[0], n) for n, x in enumerate(flat) if drawn[n] >= least[n] and x[0] != 0 and np.isfinite(x).all()]
    short = [(x, n) for n, x in enumerate(flat) if enough(x, least[n]) <= drawn[n] < least[n]]
    for listed, place, slack in ((long, 1, ROUNDINGS), (short, 0, 0.0)):
        listed.sort(key=lambda item: float(item[0][place]))  # noises that repeat each other come to lie side by side
        for (x, first), (y, second) in pairwise(listed):
            near = slack * (EXACT if max(least[first], least[second]) == DOUBLE else COARSE)
            if abs(x[place] - y[place]) <= near * (1 + abs(x[place])) and _alike(x, y, near):
                return noisy[min(first, second)], noisy[max(first, second)]
    return None


def _alike(x: Array, y: Array, slack: float) -> bool:
    shared = min(len(x), len(y))
    x, y = x[:shared], y[:shared]
    return bool(np.all(np.abs(x - y) <= slack * (1 + np.abs(x))))


def _repeats(one: Release, two: Release) -> Finding:
    detail = f"the noise of {two.name} at step {two.step} repeats that of {one.name} at step {one.step}"
    numbers = (("first", one.name), ("first_step", one.step), ("second", two.name), ("second_step", two.step))
    return Finding(NAME, Outcome.REFUTED, detail, numbers)


def pairings(recordings: Sequence[Recording]) -> Iterator[tuple[str, Halves]]:
    """The pairings by label; each coordinate occurs once in a pairing, so that both halves are independent."""
    scaled = [[r for r in _noisy(one) if r.noise_scale] for one in recordings]
    for found in zip(*(within(releases) for releases in scaled), strict=True):
        yield found[0][0], joined([halves for _, halves in found])
    pairs = zip(scaled[::2], scaled[1::2], strict=False)
    yield "two trainings", joined([paired(both) for pair in pairs for both in _matched(*pair)])


def within(scaled: Sequence[Release]) -> Iterator[tuple[str, Halves]]:
    """The pairings inside of one training."""
    names = list(dict.fromkeys(r.name for r in scaled))
    by_name = [[standardised(r) for r in scaled if r.name == name] for name in names]
    for offset, which in ((0, "even"), (1, "odd")):
        yield f"{which} steps and the next", joined([paired(steps[offset:]) for steps in by_name])
    by_step = [[steps[t] for steps in by_name if t < len(steps)] for t in range(max(map(len, by_name), default=0))]
    for offset, which in ((0, "even"), (1, "odd")):
        yield f"{which} names and the next", joined([paired(parts[offset:]) for parts in by_step])
    cut = [(x[: len(x) // 2], x[len(x) // 2 :][: len(x) // 2]) for steps in by_name for x in steps]
    yield "halves of one noise", ([a for a, _ in cut], [b for _, b in cut])


def _matched(first: Sequence[Release], second: Sequence[Release]) -> list[list[Array]]:
    """The noises of both trainings with the same name and step."""
    elsewhere = {(r.name, r.step): r for r in second}
    return [[standardised(r), standardised(elsewhere[r.name, r.step])] for r in first if (r.name, r.step) in elsewhere]


def _noisy(recording: Recording) -> Iterator[Release]:
    """Releases with noise."""
    return (r for r in recording.releases if r.noise is not None and np.any(r.noise))


def paired(noises: Sequence[Array]) -> Halves:
    """Numbers 0, 2, ... with numbers 1, 3, ..., each pair on the coordinates that both have."""
    pairs = [
        (a[: min(len(a), len(b))], b[: min(len(a), len(b))]) for a, b in zip(noises[::2], noises[1::2], strict=False)
    ]
    return [a for a, _ in pairs], [b for _, b in pairs]


def joined(parts: Sequence[Halves]) -> Halves:
    """One pairing of all parts."""
    return [x for first, _ in parts for x in first], [y for _, second in parts for y in second]


def count(halves: Halves) -> int:
    """Pairs of coordinates."""
    return sum(map(len, halves[0]))


def tested(halves: Halves, noisy: Sequence[Release]) -> tuple[float, float, int]:
    """p-value, cosine and number of pairs of coordinates."""
    x, y = np.concatenate(halves[0]), np.concatenate(halves[1])
    size = float(np.linalg.norm(x) * np.linalg.norm(y))
    cosine = float(x @ y) / size if size > 0 else 0.0
    if not math.isfinite(cosine):
        return 1.0, 0.0, len(x)
    if all(r.law == "gaussian" for r in noisy):
        return correlation_two_sided(cosine, len(x)), cosine, len(x)
    signs = (np.sign(x) * np.sign(y))[(x != 0) & (y != 0)]  # of whole numbers many are 0, and have none
    alike = binomial_two_sided(int((signs > 0).sum()), len(signs), 0.5) if len(signs) else 1.0
    return float(alike), cosine, len(x)


def smallest_correlation(pairs: int, alpha: float) -> float:
    """The correlation of Gaussian noise that is caught with probability 0.9, by Fisher's approximation; 1 if none
    is."""
    if pairs < 4:
        return 1.0
    from scipy.special import ndtri

    return math.tanh((-float(ndtri(alpha / 2)) + float(ndtri(0.9))) / math.sqrt(pairs - 3))
