"""A training that tells a `Recorder` what it does: one function serves the structural tier and the game.

def train(records, recorder):
    ...  # as `instrument` in `dpaudit.audit.structural.recording`

AUDIT = Training("mine/dp-sgd", train, records=(X, y), claim=claim(mu=1.0))
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.adapters import canaries, choice, projections
from dpaudit.adapters.base import Adapter, Options
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.spreads import Spread, spread
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.attacks.linear_discriminant import LinearDiscriminant
from dpaudit.audit import contract
from dpaudit.audit.randomness import frozen
from dpaudit.audit.structural import training as recorded_training
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.content.audits import Attack, Data
from dpaudit.noise.stream import Trials
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, PrivacyClaim, View

FINAL = (View.FINAL_MODEL, View.HIDDEN_STATE)

Tried = tuple[str, tuple[Data, Data], Directions]
"""What the record in question is, the pair, and what the record does to each release."""

Seeded = tuple[int, Recording]
"""A training's seed, and what it recorded."""

_Listed = tuple[str, tuple[Data, Data]]

_SEEDS = 4
"""Trainings in which a record is looked for that moves anything."""
_AS_GOOD = 0.95  # a candidate that is told apart so well, of the best, leads if it is easier to tell apart
_OF_THE_CHOICE = 1  # beside the seed of the neighbours: the seeds of what the choice plays and records


class TrainingOptions(Options, total=False):
    """What `Training` takes by keyword beside its claim."""

    records: Data
    canary: Data
    pair: tuple[Data, Data] | None


class Training(Adapter):
    """Builds the neighbours, finds the directions in which their record moves the releases, plays the game on them."""

    most_trials = 10_000
    CHUNK = 40
    """Trainings that one call of `run` makes: they are slow, and a run says how far it is."""

    def __init__(
        self,
        name: str,
        train: Callable[[Data, Any], object],
        *,
        claim: PrivacyClaim,
        records: Data = None,
        canary: Data = None,
        pair: tuple[Data, Data] | None = None,
        **options: Unpack[Options],
    ) -> None:
        """train(records, recorder): see `audit.structural.recording`; all randomness hangs on global generators, which
        are seeded, or on `recorder.seed`. A subclass may hand over something else in the place of the recorder.

        records: an array or a tuple of arrays, first axis the records; canary: the one record in which neighbours
        differ, else chosen among candidates; pair: the data set and its neighbour, in the place of both. Lists and
        tensors reach `train` as arrays.
        ConfigurationError for arguments that do not fit together.
        """
        view = options.get("view", self.view)
        if view is View.LOSS:
            raise ConfigurationError(f"{name}: a training adapter cannot play the view of {view}; write a target file")
        attacks = FINAL_ATTACKS if view in FINAL else STEP_ATTACKS
        if find_spec("sklearn") is not None:
            attacks = {**attacks, "logistic": LearnedClassifier("logistic")}
        options.setdefault("assumptions", Assumptions(shared_generators=True, random_batches=True))
        super().__init__(name, claim, attacks, **options)
        if (records is None) == (pair is None) or (pair is not None and canary is not None):
            raise ConfigurationError(f"{name}: give records=, with or without canary=, or pair=(data, neighbour)")
        if claim.neighbours is Neighbours.ZERO_OUT and pair is None and self._empty(records) is None:
            raise ConfigurationError(
                f"{name}: only the training knows the empty record; give pair=(data, the data with the empty record)"
            )
        self._function("train", train, "records", "recorder")
        self._train, self._canary = train, canary
        self._pair = None if pair is None else self._neighbours(pair)
        self._records = None if records is None else canaries.checked(name, records)
        self._chosen: tuple[int, tuple[Data, Data], Directions] | None = None
        self._notes: list[str] = []

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """The pair of the candidate that is told apart best, or the pair that the user gave.

        It is chosen on trainings with seeds of their own, see `dpaudit.adapters.choice`.
        """
        seed = int(rng.integers(2**31))
        if self._chosen is None or self._chosen[0] != seed:
            self._chosen = (seed, *self._choose(seed))
        return self._chosen[1]

    def instrument(self, data: Data, recorder: Recorder) -> None:
        """One training that is recorded or replayed."""
        self._train(copy.deepcopy(data), recorder)

    def run(self, data: Data, trials: Trials) -> NDArray[np.float64]:
        """The projections of every trial, shape (trials, steps + 2): then that of the final model, and the
        log-likelihood ratio of the steps; where only the final model is seen, its projection, shape (trials, 1)."""
        if self._chosen is None:
            self.neighbours(contract.generator(trials.stream.seed, self.TARGET.name, "neighbours"))
        assert self._chosen is not None
        directions = self._chosen[2]
        found = np.stack([self._row(data, int(seed) & 0x7FFFFFFF, directions) for seed in trials.seeds()])
        if self.TARGET.view in FINAL:
            return found[:, -1:]
        return np.column_stack([found, directions.scored(found)])

    def notes(self) -> tuple[str, ...]:
        """Sentences that belong to the verdict: the record that was chosen, and what could not be seen."""
        return (*super().notes(), *self._notes)

    def _row(self, data: Data, seed: int, found: Directions) -> NDArray[np.float64]:
        recorder = Recorder(seed=seed)
        with frozen(seed):
            self._traced(data, recorder)
        done = recorder.recording()
        if found.shapes:
            return found.row_of_shapes(done)
        values = {(release.name, release.step): release.value for release in done.releases}
        return found.row(values, projections.final(dict(done.outputs), found.total))

    def _choose(self, seed: int) -> tuple[tuple[Data, Data], Directions]:
        listed, sampled = self._listed(seed), self._sampled(seed)
        backgrounds = {choice.background(pair): choice.without(pair) for _, pair in listed}
        leading = min(choice.LEADING, len(listed))
        budget = choice.budget(self.TARGET.trials if sampled else None, len(backgrounds), leading)
        seeds = np.random.default_rng([seed, _OF_THE_CHOICE])
        recordings = {key: self._recordings(data, budget.recordings, seeds) for key, data in backgrounds.items()}
        spreads = {key: spread([one for _, one in several]) for key, several in recordings.items()}
        tried = self._tried(listed, seed, sampled, spreads)
        lone, refused = self._lone_labels(seed, sampled)
        for label, pair, found in (*tried, *lone):
            if found.reshaped:
                self._notes = [f"neighbours differ in {label}: {found.reshaped}"]
                return pair, found
        best = _leading(tried, leading)
        if not best:
            raise ContentError(
                f"no record moves any recorded statistic (tried: {', '.join(label for label, _ in listed)}): does the "
                "training release what it computes from the records, and does a batch hold the last record?"
            )
        rate = _rate([one for several in recordings.values() for _, one in several])
        (label, pair, found), measured = self._played_best(best, budget.trials, rate, seeds, recordings, spreads)
        made = len(backgrounds) * budget.recordings + len(best) * budget.replays, len(best) * budget.trials
        self._notes = [_said(label, found, measured, len(tried), made), *refused]
        return pair, found

    def _played_best(
        self,
        best: Sequence[Tried],
        trials: int,
        rate: float,
        rng: np.random.Generator,
        recordings: dict[bytes, list[Seeded]],
        spreads: dict[bytes, Spread | None],
    ) -> tuple[Tried, float | None]:
        """The candidate that is told apart best in trials, with the law that they show, and how far it is; without
        trials the first one, and None."""
        law = {"rate": rate, "replaced": self.TARGET.claim.neighbours is Neighbours.REPLACE_ONE}
        if not trials:
            label, pair, found = best[0]
            return (label, pair, _of_law(found, **law)), None
        played: list[tuple[float, Tried]] = []
        for label, pair, _ in best:
            key = choice.background(pair)
            found = _of_law(self._measured(pair, recordings[key], spreads[key]), **law)
            absent = choice.trials(self._row, pair, found, _seeds(rng, trials))
            if found.law is not None:
                found = replace(found, law=found.law.fitted(found.sign * absent[:, :-1]))
            played.append((choice.apart(found, found.sign * absent, self.TARGET.view in FINAL), (label, pair, found)))
        told, chosen = max(played, key=lambda one: one[0])
        return chosen, told

    def _measured(self, pair: tuple[Data, Data], recordings: Sequence[Seeded], spread: Spread | None) -> Directions:
        """The directions from the paths of some trainings, and what the record does along them on those of others."""
        one, other = pair
        pairs = [
            recorded_training.Training(self._traced, seed, sampled=True).joining(base, one, other)
            for seed, base in recordings
        ]
        found = projections.directions(pairs[: choice.PATHS], spread)
        found = found if size(one) >= size(other) else projections.turned(found)
        return projections.measured(found, pairs[choice.PATHS :])

    def _recordings(self, data: Data, number: int, rng: np.random.Generator) -> list[Seeded]:
        """Trainings on the data set without the record; their batches are their own."""
        seeds = [int(one) for one in _seeds(rng, number)]
        return [(one, recorded_training.Training(self._traced, one, sampled=True).record(data)[0]) for one in seeds]

    def _neighbours(self, pair: tuple[Data, Data]) -> tuple[Data, Data]:
        """Both data sets as arrays, so that rows of them can be taken."""
        if isinstance(pair, tuple | list) and len(pair) == 2:
            data, neighbour = (canaries.checked(self.TARGET.name, one, "each data set of pair", 1) for one in pair)
            pair = data, neighbour
        return super()._neighbours(pair)

    def _tried(
        self, listed: Sequence[_Listed], seed: int, sampled: bool, spreads: dict[bytes, Spread | None]
    ) -> list[Tried]:
        """What each candidate moves, in the first training in which any of them moves something: random masks and
        frozen layers may hide a record from a few steps."""
        for number in range(_SEEDS):
            tried = [
                (label, pair, self._directions(pair, seed + number, sampled, spreads[choice.background(pair)]))
                for label, pair in listed
            ]
            if any(found.reshaped or _moves(found) for _, _, found in tried):
                break
        return tried

    def _listed(self, seed: int) -> list[tuple[str, tuple[Data, Data]]]:
        """What the record in question may be, and the pairs."""
        if self._pair is not None:
            return [("the given pair", self._pair)]
        relation = self.TARGET.claim.neighbours
        empty = self._empty(self._records) if relation is Neighbours.ZERO_OUT else None
        if self._canary is not None:
            record = canaries.one_record(self.TARGET.name, self._records, self._canary)
            return [("the given canary", canaries.pair(self._records, record, relation, empty))]
        return list(canaries.candidates(self._records, relation, np.random.default_rng(seed), empty))

    def _lone_labels(self, seed: int, sampled: bool) -> tuple[list[Tried], list[str]]:
        """Pairs whose record alone has its label, and sentences on those that the training refuses: it may know the
        labels beforehand."""
        tried: list[Tried] = []
        refused: list[str] = []
        if self._pair is not None or self._canary is not None:
            return tried, refused
        relation = self.TARGET.claim.neighbours
        empty = self._empty(self._records) if relation is Neighbours.ZERO_OUT else None
        for label, pair in canaries.lone_labels(self._records, relation, empty, unseen=not _on_a_gpu()):
            try:
                tried.append((label, pair, self._directions(pair, seed, sampled)))
            except Exception as error:  # no other candidate was refused, so that it is the label
                refused.append(f"{label} is refused ({type(error).__name__}), and not tried")
        return tried, refused

    def _sampled(self, seed: int) -> bool:
        """Do two seeds draw different batches?"""
        data = self._records if self._pair is None else self._pair[0]
        made = recorded_training.Training(self._traced, seed, sampled=True)
        first, second = (made.record(data, seed=one)[0] for one in (seed, seed + 1))
        if not first.releases:
            raise ContentError("the training released nothing: call recorder.release where it adds noise")
        return [batch.tolist() for batch in first.batches] != [batch.tolist() for batch in second.batches]

    def _directions(
        self, pair: tuple[Data, Data], seed: int, sampled: bool, spread: Spread | None = None
    ) -> Directions:
        """What the record does to each release; it joins all batches where these are random."""
        one, other = pair
        made = recorded_training.Training(self._traced, seed, sampled)
        _, recorded, replayed = made.on_the_path_without(one, other)
        found = projections.directions([(recorded, replayed)], spread)
        return found if size(one) >= size(other) else projections.turned(found)

    def _followed(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """A recording on the larger data set, and its replay on the other one."""
        _, recorded, replayed = recorded_training.Training(self._traced, seed, sampled).pairs(*pair)[0]
        return recorded, replayed

    def _traced(self, data: Data, recorder: Recorder) -> None:
        """The training from which directions are taken."""
        self.instrument(data, recorder)

    def _empty(self, records: Data) -> Data:
        """The empty record, where the adapter knows one."""
        return None


def _on_a_gpu() -> bool:
    """Does this process compute on a GPU? There an index that is out of range ends all that comes after it."""
    torch = sys.modules.get("torch")
    return torch is not None and bool(torch.cuda.is_initialized())


def _moves(found: Directions) -> bool:
    return bool(np.isfinite(found.moved) and found.moved > 0)


def _leading(tried: Sequence[Tried], number: int) -> list[Tried]:
    """The candidates that noise and spread of the batches leave furthest apart; of about equal ones, the first."""
    usable = [one for one in tried if _moves(one[2])]
    enough = _AS_GOOD * max((one[2].apart for one in usable), default=0.0)
    return sorted(usable, key=lambda one: -min(one[2].apart, enough))[:number]


def _of_law(found: Directions, rate: float, replaced: bool) -> Directions:
    """The directions with what is known of the batches."""
    return found if found.law is None else replace(found, law=replace(found.law, rate=rate, replaced=replaced))


def _rate(recordings: Sequence[Recording]) -> float:
    """The share of the records that a batch holds, above 0; 1 where no batch was seen."""
    shares = [
        np.unique(batch).size / records
        for one in recordings
        if (records := 1 + max((int(batch.max(initial=-1)) for batch in one.batches), default=-1))
        for batch in one.logical(unread=True)
    ]
    return min(1.0, float(np.mean(shares))) if shares and np.mean(shares) > 0 else 1.0


def _seeds(rng: np.random.Generator, number: int) -> NDArray[np.int64]:
    return rng.integers(2**31, size=number)


def _said(label: str, found: Directions, measured: float | None, tried: int, made: tuple[int, int]) -> str:
    """Which record it is, how far it is told apart, and what that cost."""
    said = f"neighbours differ in {label}, which moves the steps by {found.moved:.3g} noise scales"
    if measured is not None:
        said += f", in every batch a trial by {measured:.3g} standard deviations"
    if tried > 1:
        said += f"; of {tried} candidates none does much more"
    recorded, played = made
    return f"{said}; chosen with {recorded} recordings and {played} trials of its own" if recorded else said


def projections_summed(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The sum over the steps; the final model is the sum of what was released anyway."""
    return np.asarray(np.asarray(outputs, dtype=np.float64)[:, :-2].sum(axis=1))


def largest_projection(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The largest over the steps: for records that few batches hold."""
    return np.asarray(np.asarray(outputs, dtype=np.float64)[:, :-2].max(axis=1))


def likelihood_ratio(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The sum over the steps of `dpaudit.adapters.step_laws`: for batches that hold the record at random."""
    return np.asarray(outputs, dtype=np.float64)[:, -1]


def projection(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """The projection of the final model."""
    return np.asarray(outputs, dtype=np.float64)[:, -1]


def projection_negated(outputs: ArrayLike, data: object, neighbour: object) -> NDArray[np.float64]:
    """Minus `projection`: where steps go against the gradient."""
    return -projection(outputs, data, neighbour)


STEP_ATTACKS: dict[str, Attack] = {
    "sum of projections": projections_summed,
    "largest projection": largest_projection,
    "likelihood ratio of the steps": likelihood_ratio,
    "linear discriminant": LinearDiscriminant(),
}
FINAL_ATTACKS: dict[str, Attack] = {
    "projection": projection,
    "projection, negated": projection_negated,
}
