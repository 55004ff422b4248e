"""The releases of `releases` as audit targets, each as it is broken and as it is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.planted import releases
from dpaudit.audit.planted.releases import EPSILON
from dpaudit.content.audits import Audit
from dpaudit.noise.stream import Trials
from dpaudit.records.privacy import ApproximateDP, GaussianDP, Guarantee, Neighbours, PrivacyClaim, View
from dpaudit.records.target import Control, PlantedBug, Target, Tier, TrialPlan
from dpaudit.records.verdict import Outcome

Array = NDArray[np.float64]
Release = Callable[[Array, Trials, bool], Array]
Score = Callable[[Array, Array, Array], Array]

PURE, GAUSSIAN = ApproximateDP(EPSILON, 0.0), GaussianDP(1.0)
ADDED, REPLACED = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE


@dataclass(frozen=True)
class Case:
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
            trials=TrialPlan(smoke=20_000, standard=200_000, deep=1_000_000),
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
    """Is what is left a noise that some seed makes, for the data set (1), for its neighbour (-1), for neither or both
    (0)?"""
    return np.asarray(_made(outputs - data) - 1.0 * _made(outputs - neighbour))


def _made(noise: Array) -> NDArray[np.bool_]:
    """Which rows are among all noises of 16 bits of seed, up to rounding; by the nearest first coordinate."""
    every = releases.every_noise()
    order = np.argsort(every[:, 0])
    place = np.searchsorted(every[order, 0], noise[:, 0])
    near = [order[np.clip(place + shift, 0, len(every) - 1)] for shift in (-1, 0)]
    return np.asarray(np.any([np.abs(every[rows] - noise).max(axis=1) < 1e-9 for rows in near], axis=0))


CASES = (
    Case(
        "sum-of-squares", releases.sum_of_squares, "Sum of squares with the sensitivity of the lower bound",
        "https://github.com/IBM/differential-privacy-library/issues/104, "
        "https://github.com/IBM/differential-privacy-library/issues/105",
        "epsilon is 16, not 1; with a lower bound of 0 there is no noise at all",
        ((2.0, 3.0, 4.0), (2.0, 3.0)), _value, 100,
    ),
    Case(
        "best-difference", releases.best_difference, "Exponential mechanism on differences of which both terms move",
        "https://github.com/ryan112358/mbi/issues/65", "the choice has epsilon 2, not 1",
        ((2.0, *(-2.0,) * 19), (-2.0, *(2.0,) * 19)), _says_first, 10_000, REPLACED,
    ),
    Case(
        "mean", releases.mean, "Mean with noise for the number of records at hand",
        "https://github.com/opendp/smartnoise-core/issues/356",
        "the size of the noise gives the number of records away: no epsilon holds",
        ((1.0,), (1.0, 1.0)), _far_from_one, 5_000,
    ),
    Case(
        "median", releases.median, "Median with noise for its local sensitivity",
        "Nissim, Raskhodnikova, Smith (2007), https://doi.org/10.1145/1250790.1250803, section 1",
        "the size of the noise tells neighbours apart: no epsilon holds",
        ((0.0, 0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0, 1.0)), _size, 100, REPLACED,
    ),
    Case(
        "counts-by-key", releases.counts_by_key, "Noisy counts of the keys that occur",
        "Korolova et al. (2009), https://doi.org/10.1145/1526709.1526733, without its threshold",
        "whoever is alone with a word, an item or a place is in the list by that name",
        ((0.0, 1.0, 1.0, 7.0), (0.0, 1.0, 1.0)), _last_key, 200,
    ),
    Case(
        "best-of-runs", releases.best_of_runs, "The best of forty private runs, noise for one",
        "Papernot, Steinke (2022), https://arxiv.org/abs/2110.03620; https://github.com/aidotse/LeakPro/pull/438",
        "the best result is twice as sure of a record as one run is: about epsilon 10, not 4.4",
        ((1.0,), (0.0,)), _value, 200, guarantee=GAUSSIAN,
    ),
    Case(
        "short-seed", releases.seeded, "Gaussian noise from a seed of sixteen bits",
        "Garfinkel, Leclerc (2020), https://arxiv.org/abs/2009.03777, on randomness for differential privacy",
        "whoever tries all 65,536 seeds takes the noise off",
        ((0.5, 0.5, 0.5, 0.5), (0.0, 0.0, 0.0, 0.0)), _known_noise, 100, guarantee=GAUSSIAN,
    ),
    Case(
        "vector", releases.vector, "Laplace noise for the l2 norm",
        "Dwork, Roth (2014), https://doi.org/10.1561/0400000042, definition 3.1, the l1 sensitivity",
        "a record that moves sixteen coordinates has epsilon 4, not 1",
        ((0.25,) * 16, (0.0,) * 16), _sum_of_coordinates, 2_000, REPLACED,
    ),
    Case(
        "visits", releases.visits, "A count of visits with noise for one visit of each visitor",
        "Wilson et al. (2020), https://arxiv.org/abs/1909.01917, on bounding contributions",
        "a visitor who came five times has epsilon 5, not 1",
        ((1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 3.0), (1.0, 2.0)), _value, 100,
    ),
    Case(
        "answer", releases.answer, "Randomised response over eight answers, calibrated for two",
        "Wang et al. (2017), https://arxiv.org/abs/1705.04421, direct encoding",
        "an answer has epsilon 2.9, not 1", ((0.0,), (1.0,)), _says_first, 500, REPLACED,
    ),
)  # fmt: skip
