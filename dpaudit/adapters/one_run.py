"""A training that tells a `Recorder` what it does, audited once: many canaries in the gradients of one training.

AUDIT = OneRun("mine/dp-sgd-once", train, records=(X, y), claim=claim(mu=1.0), canaries=500)

Each canary that is in adds a vector of the declared sensitivity to the released sums, before the noise: one coordinate
of its own, with a random sign at each step, which the adversary knows and which keeps the parameters where they are
(the Dirac canaries of Nasr et al. 2023 and Steinke et al. 2023). The coordinates are those that the records move least
in a training with another seed. The adversary sees every release, and scores a canary by what stands at its coordinate.

A canary moves the sum as the training says that a record may, and joins steps as Poisson batches do: what is audited is
the noise and the number of releases. So that nothing else is ever refuted, a training is refused whose declared
sensitivity, noise and number of releases would spend more than the claim allows: a loose sensitivity, batches in which
a record is known to be once, noise that is correlated by design. That records are clipped, and batches drawn, as is
said, is for the structural checks of `Training` to see.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.accounting.epsilon import claimed_epsilon, epsilon_bounds
from dpaudit.adapters import canaries as records_of
from dpaudit.adapters.base import Adapter, Options
from dpaudit.audit.game.decide import decided_guarantee
from dpaudit.audit.randomness import seeded
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.recording import Recorder, Recording, Release
from dpaudit.content.audits import Data
from dpaudit.content.named_scores import named_scores
from dpaudit.noise.stream import Trials
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.mechanism import Composed, Gaussian, Laplace, Mechanism, PoissonSampled, SelfComposed
from dpaudit.records.privacy import Neighbours, PrivacyClaim, View
from dpaudit.records.target import TrialPlan

Floats = NDArray[np.float64]

CANARIES = 500
VIEWS = (View.TRANSCRIPT, View.GRADIENTS)

_DELTAS = (1e-3, 0.1)
"""Where the claimed curve is looked at, beside the quoted delta."""
_ROUNDED = 1.01
"""Claims are rounded; so little more is far below what canaries can show."""
_DIGITS = 4
"""Of the noise over the sensitivity: releases that differ by less count as alike, far within `_ROUNDED`."""
_EXACT = 30.0
"""What the sensitivity is taken to be over a noise that is not there."""
_LOST = 1e-3
"""Share of the declared noise that may be lost in the sum of statistic and noise, by rounding."""
_UNLUCKY = 6.0
"""Standard deviations by which the sizes of Poisson batches may be off the rate; one in 10^9 honest trainings is."""


@dataclass
class _Planted:
    """The canaries of one training.

    name: of the releases that they are in; places: one coordinate a canary; included: who is in; away: what one that is
    out adds the other way, 1/2 where a record is replaced, else 0: in and out are 1 apart; rate: with which each joins
    a step; rng: of signs and of who joins; silent: leave the noise out; scores: what the adversary has seen, in
    logarithms of likelihood ratios.
    """

    name: str
    places: NDArray[np.int64]
    included: NDArray[np.bool_]
    away: float
    rate: float
    rng: np.random.Generator
    silent: bool
    scores: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.scores = np.zeros(len(self.places))

    def added(self, sensitivity: float) -> tuple[Floats, Floats]:
        """What each canary adds at its place in this step, and its sign; (canaries,) each."""
        signs = self.rng.choice([-1.0, 1.0], len(self.places))
        joins = self.rng.random(len(self.places)) < self.rate
        return sensitivity * signs * (self.included - self.away) * joins, signs

    def see(self, values: Floats, signs: Floats, sensitivity: float, noise_scale: float) -> None:
        """Score one release."""
        apart = signs * values + sensitivity * self.away  # 0 for out, `sensitivity` for in
        ratio = (apart - sensitivity / 2) * sensitivity / noise_scale**2
        with np.errstate(divide="ignore"):
            self.scores += np.logaddexp(np.log1p(-self.rate), np.log(self.rate) + ratio)


class _Planting(Recorder):
    """A recorder that puts canaries into the releases of one name; `planted` scores them."""

    def __init__(self, seed: int, planted: _Planted) -> None:
        super().__init__(seed=seed)
        self._planted = planted

    def release(
        self, name: str, statistic: ArrayLike, noise: ArrayLike | None, *, value: ArrayLike | None = None, **said: Any
    ) -> Any:
        """As `Recorder.release`, with the canaries that are in and join this step; without the noise where `silent`."""
        planted = self._planted
        silent = planted.silent and noise is not None
        if name != planted.name:
            given = np.asarray(value) - np.asarray(noise) if silent and value is not None else value
            return super().release(name, statistic, None if silent else noise, value=given, **said)
        sensitivity, noise_scale = float(said["sensitivity"]), float(said["noise_scale"])
        if value is not None:
            _hold_to_the_sum(name, statistic, noise, value, noise_scale)
        own, signs = planted.added(sensitivity)
        moved = _floats(statistic)
        moved.reshape(-1)[planted.places] += own
        found = super().release(name, moved, None if silent else noise, **said)
        seen = np.asarray(found, dtype=np.float64).reshape(-1)[planted.places]
        noisy = noise is not None and np.any(noise)
        planted.see(seen, signs, sensitivity, noise_scale if noisy else sensitivity / _EXACT)
        return found


class OneRun(Adapter):
    """One training with canaries in its gradients, and the same without its noise to show what the scores can see."""

    view = View.GRADIENTS

    def __init__(
        self,
        name: str,
        train: Callable[[Data, Any], object],
        *,
        claim: PrivacyClaim,
        records: Data,
        canaries: int = CANARIES,
        rate: float | None = None,
        **options: Unpack[Options],
    ) -> None:
        """train(records, recorder): as in `Training`; every release of the name with most coordinates must declare its
        sensitivity and the scale of its noise; the noise is left out where it is handed over.

        records: an array or a tuple of arrays; canaries: at most the coordinates of a release; rate: with which a
        record is in a batch of a step, in (0, 1], None where every batch holds all records. ConfigurationError for
        arguments that cannot be.
        """
        view = options.get("view", self.view)
        if view not in VIEWS:
            raise ConfigurationError(
                f"{name}: the canaries are in the gradients, so that view must be one of "
                f"{', '.join(f'View.{one.name}' for one in VIEWS)}, got {view!r}"
            )
        if rate is not None and not 0 < rate <= 1:
            raise ConfigurationError(f"{name}: rate must be in (0, 1], or None for full batches, got {rate}")
        if rate is not None and rate < 1 and claim.neighbours is Neighbours.REPLACE_ONE:
            raise ConfigurationError(f"{name}: no accountant here knows random batches where a record is replaced")
        assumed = options.get("assumptions")
        if assumed is not None and not assumed.independent_noise:
            raise ConfigurationError(f"{name}: canaries join each release anew, which correlated noise is not made for")
        if canaries < 1:
            raise ConfigurationError(f"{name}: canaries must be at least 1, got {canaries}")
        options.setdefault("trials", TrialPlan(2, 2, 2))
        super().__init__(name, claim, {}, **options)
        self.TARGET = replace(self.TARGET, canaries=canaries)
        self._function("train", train, "records", "recorder")
        self._train, self._rate = train, rate
        self._records = records_of.checked(name, records)
        self._held: set[Mechanism] = set()

    def run(self, included: NDArray[np.bool_], trials: Trials) -> Floats:
        """The named scores of one training."""
        return self._scores(included, trials, silent=False)

    def without_noise(self, included: NDArray[np.bool_], trials: Trials) -> Floats:
        """As `run`, with the noise left out of every release."""
        return self._scores(included, trials, silent=True)

    def notes(self) -> tuple[str, ...]:
        """What is audited, for the verdict."""
        return (
            *super().notes(),
            "canaries are added to the released sums, at the declared sensitivity: the scale of the noise is audited; "
            "that it is drawn anew, that records are clipped and batches drawn as is said, is for Training to see",
        )

    def _scores(self, included: NDArray[np.bool_], trials: Trials, silent: bool) -> Floats:
        seed = int(trials.seeds()[0]) & 0x7FFFFFFF
        rng = np.random.default_rng([seed, 1])
        pilot = self._played(Recorder(seed=int(rng.integers(2**31))))
        releases, rate = _largest(pilot), self._checked_rate(pilot)
        self._hold_to_the_claim(_spent(releases, rate), releases[0].name)
        away = 0.5 if self.TARGET.claim.neighbours is Neighbours.REPLACE_ONE else 0.0
        planted = _Planted(releases[0].name, self._quietest(releases), included, away, rate, rng, silent)
        self._played(_Planting(seed, planted))
        return named_scores(np.arange(len(included)), planted.scores)

    def _played(self, recorder: Recorder) -> Recording:
        with seeded(recorder.seed):
            self._train(copy.deepcopy(self._records), recorder)
        return recorder.recording()

    def _quietest(self, releases: Sequence[Release]) -> NDArray[np.int64]:
        """The coordinates that the records move least, one a canary."""
        moved = sum(np.asarray(one.statistic, dtype=np.float64).reshape(-1) ** 2 for one in releases)
        order = np.argsort(moved, kind="stable")
        if len(order) < self.TARGET.canaries:
            raise ContentError(
                f"release {releases[0].name!r} has {len(order)} coordinates, one a canary, and canaries is "
                f"{self.TARGET.canaries}; give canaries={len(order)} or fewer"
            )
        return np.asarray(order[: self.TARGET.canaries], dtype=np.int64)

    def _hold_to_the_claim(self, declared: Mechanism, name: str) -> None:
        """ContentError where canaries would leak more than the claim although the noise is as declared."""
        if declared in self._held:
            return
        claimed, guarantee = self.TARGET.claim, decided_guarantee(self.TARGET)
        for delta in sorted({claimed.delta, *_DELTAS}):
            allowed = claimed_epsilon(guarantee, delta)
            least = epsilon_bounds(declared, delta, claimed.neighbours).lower if allowed < np.inf else 0.0
            if least > allowed * _ROUNDED:
                raise ContentError(
                    f"by the sensitivity and noise_scale that release {name!r} declares, canaries would show an "
                    f"epsilon of {least:.4g} at delta {delta:g}, more than the claim of {allowed:.4g}; declare the "
                    "sensitivity that the claim rests on, correct the claim, or use Training where a record joins few "
                    "releases"
                )
        self._held.add(declared)

    def _checked_rate(self, pilot: Recording) -> float:
        """The rate, if the batches of a training bear it out: canaries that join too often would refute what holds."""
        batches, number = pilot.logical(), size(self._records)
        drawn, possible = sum(map(len, batches)), number * len(batches)
        if self._rate is None:
            if not batches or drawn < possible:
                raise ContentError("not every step was told to use all records; give rate=, with which a record is in")
            return 1.0
        spread = _UNLUCKY * float(np.sqrt(possible * self._rate * (1 - self._rate)))
        if batches and abs(drawn - possible * self._rate) > spread + len(batches):  # sizes are rounded
            raise ContentError(
                f"rate is {self._rate:g}, and a record is in {drawn / possible:.4g} of the batches; give rate= as it is"
            )
        return self._rate


def _largest(pilot: Recording) -> list[Release]:
    """The releases of the name with most coordinates; ContentError where canaries cannot be put into them."""
    if not pilot.releases:
        raise ContentError("the training released nothing: call recorder.release where it adds noise")
    name = max(pilot.releases, key=lambda one: one.statistic.size).name
    found = [one for one in pilot.releases if one.name == name]
    if len({one.statistic.shape for one in found}) > 1:
        raise ContentError(f"release {name!r} has several shapes, so that canaries have no place in it")
    for what in ("sensitivity", "noise_scale"):
        if not all(getattr(one, what) for one in found):
            raise ContentError(
                f"release {name!r} declares no {what}, by which it is known what a canary may show; give {what}="
            )
    return found


def _spent(releases: Sequence[Release], rate: float) -> Mechanism:
    """What canaries spend that join each of the releases with probability `rate`, in (0, 1], if all is as declared."""
    counts = Counter(_own(one) for one in releases)
    parts = tuple(SelfComposed(one if rate == 1 else PoissonSampled(rate, one), n) for one, n in counts.items())
    return parts[0] if len(parts) == 1 else Composed(parts)


def _own(release: Release) -> Gaussian | Laplace:
    """The law of one release in which a canary is, whose move has one coordinate, so that its norms are the same."""
    deviations = float(f"{float(release.noise_scale or 0.0) / float(release.sensitivity or 1.0):.{_DIGITS}g}")
    return Gaussian(deviations) if release.law == "gaussian" else Laplace(deviations / math.sqrt(2))


def _floats(values: ArrayLike) -> NDArray[np.floating]:
    """A copy in the precision that it has, float64 for integers, in which a canary would be rounded."""
    found = np.array(values, order="C")
    return found if found.dtype.kind == "f" else found.astype(np.float64)


def _hold_to_the_sum(
    name: str, statistic: ArrayLike, noise: ArrayLike | None, value: ArrayLike, noise_scale: float
) -> None:
    """ContentError where more was done than to add the noise: a canary is in the statistic, and would go round it."""
    formed = np.asarray(statistic, dtype=np.float64) + (0.0 if noise is None else np.asarray(noise, dtype=np.float64))
    off = float(np.max(np.abs(np.asarray(value, dtype=np.float64) - formed), initial=0.0))
    if not off <= _LOST * noise_scale:
        raise ContentError(
            f"release {name!r} gives a value that is {off:.3g} from statistic + noise"
            f"{', and no noise' if noise is None else ''}; hand over the noise that was added, and clip, mask or "
            "average what release returns"
        )
