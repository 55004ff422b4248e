"""Small releases, correct and with the bugs that such code has had, and both as audit targets.

Each function is release(data, trials, broken) -> (trials, ...) of one claimed (EPSILON, 0)-DP release unless it says
otherwise; CASES has the pairs of data sets in which the bugs show, and the sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.audit.planted._laplace import laplace
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Release = Callable[[Array, Trials, bool], Array]
Score = Callable[[Array, Array, Array], Array]

EPSILON = 1.0
LOWER, UPPER = 1.0, 4.0
KEYS, ABSENT = 8, -1e6
RUNS = 40
WIDTH = 4
SEEDS = 2**16
ANSWERS = 8


def sum_of_squares(data: Array, trials: Trials, broken: bool) -> Array:
    """Records in [LOWER, UPPER]. Broken: the lower bound is used twice in the sensitivity of the squares."""
    sensitivity = LOWER**2 if broken else max(LOWER**2, UPPER**2)
    return np.asarray((data**2).sum() + sensitivity / EPSILON * laplace(trials, 1)[:, 0])


def best_difference(data: Array, trials: Trials, broken: bool) -> Array:
    """The exponential mechanism on differences of two errors, data (candidates,), each moved by 2 by one record.

    Broken: only one of the two terms is thought to move, sensitivity 2 instead of 4.
    """
    sensitivity = 2.0 if broken else 4.0
    gumbel = -np.log(-np.log(trials.stream.uniforms(trials.numbers, 0, len(data))))
    return np.asarray(np.argmax(EPSILON * data / (2 * sensitivity) + gumbel, axis=1), dtype=np.float64)


def mean(data: Array, trials: Trials, broken: bool) -> Array:
    """The mean of records in [0, 1]. Broken: noise for the number of records at hand, which is private itself.

    Correct: sum and number, each with half of the budget, (trials, 2).
    """
    noise = laplace(trials, 2)
    if broken:
        return np.asarray(data.mean() + noise[:, 0] / (len(data) * EPSILON))
    return np.asarray(np.array([data.sum(), len(data)]) + 2 / EPSILON * noise)


def median(data: Array, trials: Trials, broken: bool) -> Array:
    """The median of records in [0, 1]. Broken: noise for what one record can do to it on these data."""
    middle = len(data) // 2
    ordered = np.sort(data)
    local = float(max(ordered[middle + 1] - ordered[middle], ordered[middle] - ordered[middle - 1]))
    sensitivity = max(local, 0.01) if broken else 1.0
    return np.asarray(ordered[middle] + sensitivity / EPSILON * laplace(trials, 1)[:, 0])


def counts_by_key(data: Array, trials: Trials, broken: bool) -> Array:
    """Noisy counts of the keys 0, ..., KEYS - 1, (trials, KEYS). Broken: only of keys that occur, the others ABSENT."""
    counts = np.bincount(data.astype(np.int64), minlength=KEYS).astype(np.float64)
    noisy = counts + laplace(trials, KEYS) / EPSILON
    return np.where(counts > 0, noisy, ABSENT) if broken else noisy


def best_of_runs(data: Array, trials: Trials, broken: bool) -> Array:
    """The best of RUNS runs, each a sum with Gaussian noise; claimed 1-GDP. Broken: noise for one run."""
    scale = 1.0 if broken else math.sqrt(RUNS)
    return np.asarray((data.sum() + scale * trials.stream.normals(trials.numbers, 0, RUNS)).max(axis=1))


def seeded(data: Array, trials: Trials, broken: bool) -> Array:
    """Sums (WIDTH,) with Gaussian noise; claimed 1-GDP. Broken: the generator of the noise has 16 bits of seed."""
    if not broken:
        return np.asarray(data + trials.stream.normals(trials.numbers, 0, WIDTH))
    seeds = (trials.stream.uniforms(trials.numbers, 0, 1)[:, 0] * SEEDS).astype(np.int64)
    return np.asarray(data + every_noise()[seeds])


@cache
def every_noise() -> Array:
    """What a generator of standard normal noise with 16 bits of seed can make, (SEEDS, WIDTH)."""
    return Stream(0, "a generator with a short seed").normals(np.arange(SEEDS), 0, WIDTH)


def vector(data: Array, trials: Trials, broken: bool) -> Array:
    """A vector of l2 norm 1 at most, with Laplace noise. Broken: noise for the l2 norm, where the l1 norm counts."""
    sensitivity = 1.0 if broken else math.sqrt(len(data))
    return np.asarray(data + sensitivity / EPSILON * laplace(trials, len(data)))


def visits(data: Array, trials: Trials, broken: bool) -> Array:
    """How many visits there were, from the numbers of the visitors. Broken: each may come as often as they like."""
    counted = len(data) if broken else len(np.unique(data))
    return np.asarray(counted + laplace(trials, 1)[:, 0] / EPSILON)


def answer(data: Array, trials: Trials, broken: bool) -> Array:
    """Randomised response over ANSWERS answers. Broken: true with the chance that is right for two answers."""
    odds = math.exp(EPSILON) / (1 if broken else ANSWERS - 1)
    uniforms = trials.stream.uniforms(trials.numbers, 0, 2)
    other = (data[0] + 1 + np.floor(uniforms[:, 1] * (ANSWERS - 1))) % ANSWERS
    return np.asarray(np.where(uniforms[:, 0] < odds / (1 + odds), data[0], other))


PURE, GAUSSIAN = ApproximateDP(EPSILON, 0.0), GaussianDP(1.0)
ADDED, REPLACED = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
PLAN = TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000)


@dataclass(frozen=True)
class Twins:
    """slug: of the names of both targets; pair: data set and neighbour; cost: trials a side at which the bug is found
    nine times in ten."""

    slug: str
    release: Release
    title: str
    source: str
    effect: str
    pair: tuple[tuple[float, ...], tuple[float, ...]]
    score: Score
    cost: int
    relation: Neighbours = ADDED
    guarantee: Guarantee = PURE
    trials: TrialPlan = PLAN

    def audit(self, broken: bool) -> Audit:
        """The audit of the broken or of the correct release."""
        return Audit(
            self.target(broken),
            neighbours=lambda rng: (np.array(self.pair[0]), np.array(self.pair[1])),
            run=lambda data, trials: self.release(data, trials, broken),
            score=self.score,
        )

    def target(self, broken: bool) -> Target:
        """The target of the broken or of the correct release."""
        return Target(
            name=f"known-bad/release-{self.slug}" if broken else f"release/{self.slug}",
            title=f"{self.title}{'' if broken else ', put right'}",
            view=View.TRANSCRIPT,
            claim=PrivacyClaim(self.guarantee, self.relation, delta=1e-5, source=self.source),
            trials=self.trials,
            control=Control.KNOWN_BAD if broken else Control.NONE,
            expects=Outcome.REFUTED if broken else Outcome.CONSISTENT,
            effect=self.effect if broken else "a release that is right is called wrong",
            repair=f"release/{self.slug}" if broken else "",
            bug=PlantedBug(self.source, Tier.GAME, self.cost) if broken else None,
        )


def _value(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The released number."""
    return outputs


def _far_from_one(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The distance from 1 of a mean; of sum and number, how much they look like the smaller data set."""
    return np.asarray(np.abs(outputs - 1) if outputs.ndim == 1 else -np.clip(outputs, 1, 2).sum(axis=1))


def _size(outputs: Array, data: Array, neighbour: Array) -> Array:
    return np.asarray(np.abs(outputs))


def _says_first(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Was the first candidate, or answer, released?"""
    return np.asarray(outputs == 0, dtype=np.float64)


def _last_key(outputs: Array, data: Array, neighbour: Array) -> Array:
    """The count of the key that one record has, cut where both data sets lie."""
    return np.clip(outputs[:, -1], 0, 1)


def _sum_of_coordinates(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Every coordinate cut at its values on both data sets: the logarithm of the likelihood ratio, but for a factor."""
    return np.asarray(np.clip(outputs, neighbour, data).sum(axis=1))


def _known_noise(outputs: Array, data: Array, neighbour: Array) -> Array:
    """Is what is left a noise that some seed makes, for the data set or for its neighbour? For neither or both the sum
    decides, which is far smaller: an attack that gives every output of the correct release the same score says nothing.
    """
    known = _made(outputs - data) - 1.0 * _made(outputs - neighbour)
    return np.asarray(1e3 * known + outputs.sum(axis=1))


def _made(noise: Array) -> Flags:
    """Which rows are among all noises of 16 bits of seed, up to rounding; by the nearest first coordinate."""
    every = every_noise()
    order = np.argsort(every[:, 0])
    place = np.searchsorted(every[order, 0], noise[:, 0])
    near = [order[np.clip(place + shift, 0, len(every) - 1)] for shift in (-1, 0)]
    return np.asarray(np.any([np.abs(every[rows] - noise).max(axis=1) < 1e-9 for rows in near], axis=0))


CASES = (
    Twins(
        "sum-of-squares", sum_of_squares, "Sum of squares with the sensitivity of the lower bound",
        "https://github.com/IBM/differential-privacy-library/issues/104, "
        "https://github.com/IBM/differential-privacy-library/issues/105",
        "epsilon is 16, not 1; with a lower bound of 0 there is no noise at all",
        ((2.0, 3.0, 4.0), (2.0, 3.0)), _value, 100,
    ),
    Twins(
        "best-difference", best_difference, "Exponential mechanism on differences of which both terms move",
        "https://github.com/ryan112358/mbi/issues/65", "the choice has epsilon 2, not 1",
        ((2.0, *(-2.0,) * 19), (-2.0, *(2.0,) * 19)), _says_first, 10_000, REPLACED,
    ),
    Twins(
        "mean", mean, "Mean with noise for the number of records at hand",
        "https://github.com/opendp/smartnoise-core/issues/356",
        "the size of the noise gives the number of records away: no epsilon holds",
        ((1.0,), (1.0, 1.0)), _far_from_one, 5_000,
    ),
    Twins(
        "median", median, "Median with noise for its local sensitivity",
        "Nissim, Raskhodnikova, Smith (2007), https://doi.org/10.1145/1250790.1250803, section 1",
        "the size of the noise tells neighbours apart: no epsilon holds",
        ((0.0, 0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0, 1.0)), _size, 100, REPLACED,
    ),
    Twins(
        "counts-by-key", counts_by_key, "Noisy counts of the keys that occur",
        "Korolova et al. (2009), https://doi.org/10.1145/1526709.1526733, without its threshold",
        "whoever is alone with a word, an item or a place is in the list by that name",
        ((0.0, 1.0, 1.0, 7.0), (0.0, 1.0, 1.0)), _last_key, 200,
    ),
    Twins(
        "best-of-runs", best_of_runs, "The best of forty private runs, noise for one",
        "Papernot, Steinke (2022), https://arxiv.org/abs/2110.03620; https://github.com/aidotse/LeakPro/pull/438",
        "the best result is twice as sure of a record as one run is: about epsilon 10, not 4.4",
        ((1.0,), (0.0,)), _value, 200, guarantee=GAUSSIAN,
    ),
    Twins(
        "short-seed", seeded, "Gaussian noise from a seed of sixteen bits",
        "Garfinkel, Leclerc (2020), https://arxiv.org/abs/2009.03777, on randomness for differential privacy",
        "whoever tries all 65,536 seeds takes the noise off",
        ((0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 0.0, 0.0)), _known_noise, 100, guarantee=GAUSSIAN,
    ),
    Twins(
        "vector", vector, "Laplace noise for the l2 norm",
        "Dwork, Roth (2014), https://doi.org/10.1561/0400000042, definition 3.1, the l1 sensitivity",
        "a record that moves sixteen coordinates has epsilon 4, not 1",
        ((0.25,) * 16, (0.0,) * 16), _sum_of_coordinates, 2_000, REPLACED,
    ),
    Twins(
        "visits", visits, "A count of visits with noise for one visit of each visitor",
        "Wilson et al. (2020), https://arxiv.org/abs/1909.01917, on bounding contributions",
        "a visitor who came five times has epsilon 5, not 1",
        ((1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0), (1.0, 2.0)), _value, 100,
    ),
    Twins(
        "answer", answer, "Randomised response over eight answers, calibrated for two",
        "Wang et al. (2017), https://arxiv.org/abs/1705.04421, direct encoding",
        "an answer has epsilon 2.9, not 1", ((0.0,), (1.0,)), _says_first, 500, REPLACED,
    ),
)  # fmt: skip
