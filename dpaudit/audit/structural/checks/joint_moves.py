"""Does one record move all releases together by no more of their joint noise than is claimed?

Asked where the noise is correlated by design, so that no release can be judged alone: noise of prefix sums, of matrix
factorisations, noise that is taken back in part, shares that hide each other. Releases of one shape are weighted and
added up; the sum is a Gaussian mechanism, whose move over its noise is at most the claimed mu. The weights are those
that a third of the recordings shows to be worst, and the noise of the sum is measured on the others: an exact
chi-square test, at the share of alpha of each pair and shape. The record in question is each of some that stand in
different batches, and is left out of them; where a record is replaced, it is that of the usual neighbours.

Sees: noise that is too small for what a record does over several steps, noise that steps have in common and that their
differences are bare of.

Cannot see: sampled batches, noise of another law, releases of different shapes together, more than 64 releases.

False alarms: The share of alpha is split evenly over the pairs and shapes. The chi-square law is exact for a sum whose
coordinates are independent and Gaussian; where their squares show that they are not alike, nothing is said, and what
the squares do not show is not seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammainc, gammaincc, gammaincinv

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.audit.structural import other_batches
from dpaudit.audit.structural.finding import Array, Finding, Pair, matched
from dpaudit.audit.structural.measures import RELATIVE_SLACK, rounding, standardised
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.audit.wording import probability
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours
from dpaudit.records.verdict import Outcome

NAME = "joint moves"
FALSE_ALARM = "alpha"
PLACE = 18
REPLAYS = True
SPLIT = False
EXCEPTION = (
    "`Assumptions(independent_noise=True)`, where the noise of each release is its own; leave the check out "
    "(`--ignore joint-moves`) where the claim holds only for somebody who does not see every release."
)
MOST_ROWS, MOST_TRIED = 64, 4
"""Releases that are added up, and records that are tried."""
RECORDINGS, ENOUGH = 30, 4_000
"""Recordings in which the noise is measured, and numbers from which on fewer are enough."""
_UNLIKE = 1e-4
"""Below this probability of their spread coordinates are not independent and alike, and nothing is said of them."""
Key = tuple[str, int]


def tests(mechanism: Mechanism | None, assumptions: Assumptions) -> int:
    """How many tests this check makes at most: none where noise is meant to be independent."""
    return int(not assumptions.independent_noise)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    if seen.assumptions.independent_noise:
        return Finding(NAME, Outcome.NOT_RUN, "the noise of every release is its own")
    if seen.training.sampled:
        return Finding(NAME, Outcome.NOT_RUN, "batches are sampled, so that moves of several steps do not add up")
    if seen.recorded.inferred:
        return Finding(NAME, Outcome.NOT_RUN, "noise and statistics were told apart from outside")
    made = max(sum(r.statistic.size for r in seen.recorded.releases), 1)
    wanted = range(len(seen.recordings), min(RECORDINGS, max(3, math.ceil(ENOUGH / made))))
    more = [seen.training.record(seen.data, seed=seen.seed + number)[0] for number in wanted]
    pairs = [*seen.pairs, *_left_out(seen)]
    return check(pairs, [*seen.recordings, *more], seen.claim.guarantee, seen.alpha)


def _left_out(seen: Observed) -> Iterator[Pair]:
    """Replays with a record in no batch, for records that stand in different batches."""
    batches = [batch for batch in seen.recorded.logical() if len(batch)]
    if seen.claim.neighbours is Neighbours.REPLACE_ONE or not batches:
        return
    places = np.unique(np.linspace(0, len(batches) - 1, MOST_TRIED).astype(int))
    here = seen.training.replay(seen.recorded, seen.data)
    for record in dict.fromkeys(int(batches[place][0]) for place in places):
        yield (
            f"without record {record}",
            here,
            seen.training.replay(other_batches.without(seen.recorded, record), seen.data),
        )


def check(pairs: Sequence[Pair], recordings: Sequence[Recording], claimed: Guarantee, alpha: float) -> Finding:
    """REFUTED by a weighted sum of releases that moves by more of its noise than is claimed.

    recordings: trainings with seeds of their own, whose noise is independent of each other's.
    """
    usual = [pair for pair in pairs if not (pair[1].draws.misaligned or pair[2].draws.misaligned)]
    groups = [(label, moves) for label, one, other in usual for moves in _moves(one, other)]
    third = max(len(recordings) // 3, 1)
    tried = [
        found
        for label, moves in groups
        if (found := _tested(label, moves, recordings[:third], recordings[third:])) is not None
    ]
    if not tried or _largest(claimed) is None:
        return Finding(NAME, Outcome.NOT_RUN, "no releases of one shape with declared Gaussian noise move, or no claim")
    most, share = _largest(claimed) or 0.0, alpha / len(tried)
    worst = min(tried, key=lambda one: one.p_value(most))
    shown, p_value = worst.shown(share), worst.p_value(most * (1 + RELATIVE_SLACK))
    numbers = (
        ("pair", worst.label),
        ("measured", worst.measured),
        ("at_least", shown),
        ("claimed", most),
        ("p_value", p_value),
        ("alpha", share),
        ("releases", worst.rows),
        ("coordinates", worst.count),
    )
    told = f"{worst.rows} releases together move by {worst.measured:.4g} of their joint noise ({worst.label})"
    if p_value <= share:
        said = f"at least {shown:.4g}, and a mu of {most:.4g} is claimed (p {probability(p_value)})"
        return Finding(NAME, Outcome.REFUTED, f"statistical: {told}, {said}", numbers)
    return Finding(NAME, Outcome.CONSISTENT, f"{told}; a mu of {most:.4g} is claimed", numbers)


def _largest(claimed: Guarantee) -> float | None:
    """The largest mu that the claim allows a Gaussian mechanism, rounded up; None where it says nothing of one."""
    if isinstance(claimed, GaussianDP):
        return claimed.mu
    if not isinstance(claimed, ApproximateDP) or not 0 < claimed.delta < 1 or not 0 < claimed.epsilon < math.inf:
        return None
    low, high = 0.0, 1.0
    while gaussian_epsilon(claimed.delta, high) <= claimed.epsilon:
        low, high = high, 2 * high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if gaussian_epsilon(claimed.delta, middle) <= claimed.epsilon else (low, middle)
    return high


@dataclass(frozen=True)
class Tested:
    """A weighted sum of releases. move: l2, of the sum; noise: its sum of squares over `count` coordinates; rows: how
    many releases it has."""

    label: str
    move: float
    noise: float
    count: int
    rows: int

    @property
    def measured(self) -> float:
        """The move over the standard deviation of the noise."""
        return self.move / math.sqrt(self.noise / self.count) if self.noise > 0 else math.inf

    def p_value(self, most: float) -> float:
        """The chance of so little noise where the move is at most that many standard deviations of it."""
        return float(gammainc(self.count / 2, self.noise * (most / self.move) ** 2 / 2))

    def shown(self, error: float) -> float:
        """What the move over the standard deviation is at least, but for this error."""
        return self.move * math.sqrt(2 * gammaincinv(self.count / 2, error) / self.noise) if self.noise else math.inf


def _moves(one: Recording, other: Recording) -> list[dict[Key, Array]]:
    """The moves of noisy releases in units of their noise, by shape; without what may be rounding."""
    groups: dict[tuple[int, ...], dict[Key, Array]] = {}
    for here, there in matched(one, other):
        if not here.noise_scale or here.noise is None or here.law != "gaussian":
            continue
        with np.errstate(invalid="ignore", over="ignore"):
            move = np.ravel(there.statistic).astype(np.float64) - np.ravel(here.statistic).astype(np.float64)
        moved = np.isfinite(move).all() and np.linalg.norm(move) > rounding(here, "l2")
        rows = groups.setdefault(here.statistic.shape, {})
        if len(rows) < MOST_ROWS:
            rows[here.name, here.step] = move / here.noise_scale if moved else np.zeros(move.shape)
    return [rows for rows in groups.values() if any(move.any() for move in rows.values())]


def _tested(
    label: str, moves: Mapping[Key, Array], first: Sequence[Recording], second: Sequence[Recording]
) -> Tested | None:
    """The sum that the first recordings show to be worst, measured on the second ones; None where too few coordinates
    tell."""
    keys = list(moves)
    shown, held = (_noises(keys, part) for part in (first, second))
    if shown is None or held is None or shown.shape[1] < 2 * len(keys):
        return None
    change = np.stack([moves[key] for key in keys])
    weights = _worst(change, shown)
    summed = weights @ held
    if not _alike(summed.reshape(-1, change.shape[1])):
        return None
    return Tested(label, float(np.linalg.norm(weights @ change)), float(summed @ summed), held.shape[1], len(keys))


def _noises(keys: Sequence[Key], recordings: Sequence[Recording]) -> Array | None:
    """The noise of these releases, (releases, coordinates of all recordings), in declared units."""
    parts = []
    for recording in recordings:
        known: dict[Key, Release] = {(r.name, r.step): r for r in recording.releases if r.noise is not None}
        if any(key not in known for key in keys):
            continue
        rows = [standardised(known[key]) for key in keys]
        if len({len(row) for row in rows}) == 1 and all(np.isfinite(row).all() for row in rows):
            parts.append(np.stack(rows))
    return np.concatenate(parts, axis=1) if parts else None


def _alike(summed: Array) -> bool:
    """May the coordinates of these sums, (recordings, coordinates), be independent and of one scale? Then their squares
    add up to as much in each recording and for each coordinate, but for the spread of a chi-square variable."""
    squares = summed**2
    for axis in (0, 1):
        sums = squares.sum(axis=axis)
        if len(sums) > 1 and squares.shape[axis] > 1:
            dispersion = ((sums - sums.mean()) ** 2).sum() / (2 * sums.mean() ** 2 / squares.shape[axis])
            if gammaincc((len(sums) - 1) / 2, dispersion / 2) < _UNLIKE:
                return False
    return True


def _worst(change: Array, noise: Array) -> Array:
    """The weights whose sum moves furthest, in units of its noise: the first generalised eigenvector."""
    covariance = noise @ noise.T / noise.shape[1]
    ridge = 1e-12 * float(np.trace(covariance)) / len(covariance)
    root = np.linalg.cholesky(covariance + ridge * np.eye(len(covariance)))
    along = np.linalg.svd(np.linalg.solve(root, change))[0][:, 0]
    return np.asarray(np.linalg.solve(root.T, along))
