"""Any Python callable that releases numbers, audited on a pair of data sets.

from dpaudit import Release, claim

def release(data, seed):
    return data.sum() + np.random.laplace(scale=1.0)

AUDIT = Release("mine/sum", release, pair=(np.ones(10), np.ones(9)), claim=claim(epsilon=1.0))
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.adapters import pair_search
from dpaudit.adapters.base import Adapter, Options
from dpaudit.adapters.outputs import numbers
from dpaudit.adapters.pair_search import Given, Pair
from dpaudit.attacks.best_feature import BestFeature
from dpaudit.attacks.float_bits import low_bits
from dpaudit.attacks.histogram import Histogram
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.attacks.linear_discriminant import LinearDiscriminant
from dpaudit.attacks.nearer_centre import NearerCentre
from dpaudit.attacks.noise_free import NoiseFree
from dpaudit.attacks.replayed_seed import ReplayedSeed
from dpaudit.attacks.two_sided import TwoSided
from dpaudit.audit.randomness import every_seed, seeded
from dpaudit.content.audits import Attack, Data, Outputs
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import PrivacyClaim

ReleaseFunction: TypeAlias = Callable[[Data, Any], ArrayLike]
"""release(data, seed), or with `batched=True` release(data, trials): its second argument hangs on `batched`."""

_SPARE_BITS = 10
"""Of the 63 bits of a seed, so that a release that returns its seed among floats returns all of it."""


class Release(Adapter):
    """A function that is called once a trial, or once for many trials, on each of two neighbouring data sets."""

    def __init__(
        self,
        name: str,
        release: ReleaseFunction,
        *,
        pair: tuple[Data, Data] | None = None,
        pairs: Given | None = None,
        claim: PrivacyClaim,
        batched: bool = False,
        float_bits: bool = False,
        **options: Unpack[Options],
    ) -> None:
        """release(data, seed) -> what one trial releases, always of one shape: numbers, texts (each becomes a number of
        its own), or several of them in a tuple or a dictionary, laid one behind the other. All global generators
        (`random`, `numpy.random`, torch) are seeded from the trial and put back afterwards, and `seed`, an integer from
        0 to 2^53 - 1, which a float holds exactly, is for generators of its own. Every call gets a copy of the data.

        batched: release(data, trials) -> one row a trial, with `trials.seeds()` and `trials.stream` as in a target
        file. float_bits: look at the last digits of the outputs too. pair: the data set and its neighbour; tables of
        records are held against the relation of the claim (`dpaudit.audit.relation`). pairs, in its place: several
        pairs, or pairs(rng) that makes one: the game is played on the one whose releases differ most in trials of their
        own (`dpaudit.adapters.pair_search`). ConfigurationError for arguments that cannot be.
        """
        attacks = output_attacks(float_bits)
        if not batched:
            attacks["replayed seed"] = ReplayedSeed((self._replayed, self._reseeded))
        super().__init__(name, claim, attacks, **options)
        self._function("release", release, "data", "trials" if batched else "seed")
        self._release, self._batched = release, batched
        if (pair is None) == (pairs is None):
            raise ConfigurationError(f"{name}: give pair=(data set, neighbour), or pairs= with several of them")
        self._pair = None if pair is None else self._neighbours(pair)
        self._pairs, self._found, self._notes = pairs, dict[int, Pair](), tuple[str, ...]()

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """The pair that the user gave, or the one of several whose releases differ most."""
        if self._pair is not None:
            return self._pair
        seed = int(rng.integers(2**31))
        if seed not in self._found:
            self._found = {seed: self._searched(seed)}
        return self._found[seed]

    def notes(self) -> tuple[str, ...]:
        """As of every adapter, and which pair was chosen."""
        return (*super().notes(), *self._notes)

    def _searched(self, seed: int) -> Pair:
        assert self._pairs is not None
        given = pair_search.candidates(self.TARGET.name, self._pairs, np.random.default_rng(seed))
        listed = [self._neighbours(pair) for pair in given]
        place, trials, apart = pair_search.furthest(self.run, listed, seed)
        why = f", whose releases are furthest apart: {apart:.2g} of 1 in {trials} trials a side" if trials else ""
        self._notes = (f"neighbours: pair {place + 1} of {len(listed)}{why}",)
        return self._neighbours(given[place])

    def run(self, data: Data, trials: Trials) -> Outputs:
        """One row a trial."""
        if self._batched:
            return numbers(self._release(_copied(data), trials))
        found = [self._once(data, int(seed) >> _SPARE_BITS) for seed in trials.seeds()]
        shapes = {one.shape for one in found}
        if len(shapes) > 1:
            raise ConfigurationError(
                f"{self.TARGET.name}: every trial must release as many numbers, got shapes {sorted(shapes)[:3]}; "
                "fill up to the longest, or release their number and a summary"
            )
        return np.stack(found)

    def _once(self, data: Data, seed: int) -> Outputs:
        with seeded(seed):
            return numbers(self._release(_copied(data), seed))

    def _replayed(self, data: Data, seed: int) -> Outputs:
        """What a trial with this seed would release, all global generators in another state: the seed alone counts."""
        with seeded(seed + 1):
            return numbers(self._release(_copied(data), seed))

    def _reseeded(self, data: Data, seed: int) -> Outputs:
        """What it would release if whatever it seeds were seeded with this number."""
        with seeded(seed + 1), every_seed(seed):
            return numbers(self._release(_copied(data), seed + 1))


def _copied(data: Data) -> Data:
    """A copy for one call: a release may change what it is given."""
    try:
        return copy.deepcopy(data)
    except (TypeError, RuntimeError, copy.Error) as error:  # generators, open files, tensors with a graph
        raise ContentError(
            f"a data set of type {type(data).__name__} cannot be copied, which every trial needs ({error}); give a "
            "list or an array, or the path or a function that release opens or calls"
        ) from error


def total(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The sum of all coordinates of each output: of a scalar its value."""
    values = np.asarray(outputs, dtype=np.float64)
    return np.asarray(values.reshape(len(values), -1).sum(axis=1))


def negated(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """Minus `total`."""
    return -total(outputs, data, neighbour)


def output_attacks(float_bits: bool) -> dict[str, Attack]:
    """The attacks on plain outputs, by name: the value, its histogram and, with float_bits, its last bits."""
    from importlib.util import find_spec

    found: dict[str, Attack] = {
        "value": total,
        "value, negated": negated,
        "histogram": Histogram(),
        "linear discriminant": LinearDiscriminant(),
        "noise-free part": NoiseFree(),
        "best feature": BestFeature(),
        "distance from the middle": TwoSided(),
        "nearness to the middle": TwoSided(far=False),
        "nearer centre": NearerCentre(),
    }
    if find_spec("sklearn") is not None:
        found["logistic"] = LearnedClassifier("logistic")
    if float_bits:
        found["float bits"] = Histogram(features=low_bits)
    return found
