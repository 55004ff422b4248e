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
from numpy.typing import NDArray

from dpaudit.adapters import canaries, choice, projections
from dpaudit.adapters.base import Adapter, Options
from dpaudit.adapters.choice import Absent, Listed, Look, Tried
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.scores import FINAL_ATTACKS, STEP_ATTACKS
from dpaudit.adapters.spreads import Spread
from dpaudit.attacks.learned_classifier import LearnedClassifier
from dpaudit.audit import contract, side_by_side
from dpaudit.audit.randomness import seeded
from dpaudit.audit.structural import training as recorded_training
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.exact_noise import bare_coordinate
from dpaudit.audit.structural.finding import first_difference, matched
from dpaudit.audit.structural.handed import handing
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.content.audits import Data
from dpaudit.noise.stream import Trials
from dpaudit.records.assumptions import Assumptions
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.privacy import Neighbours, PrivacyClaim, View

FINAL = (View.FINAL_MODEL, View.HIDDEN_STATE)

_SEEDS = 4
"""Trainings in which a record is looked for that moves anything."""
_OF_THE_CHOICE = 1
"""Stands beside the seed of the neighbours in that of what the choice records and plays."""


class TrainingOptions(Options, total=False):
    """What `Training` takes by keyword beside its claim."""

    records: Data
    canary: Data
    pair: tuple[Data, Data] | None


class Training(Adapter):
    """Builds the neighbours, finds the directions in which their record moves the releases, plays the game on them."""

    most_trials = 10_000
    nothing = "the training released nothing: call recorder.release where it adds noise"
    """What is said of a training in which no noise and no release is seen."""
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
        self._first: tuple[int, str, tuple[Data, Data]] | None = None
        self._looked: Look | None = None
        self._bare: set[str] = set()
        self._paths: dict[tuple[int, bytes], tuple[Recording, Recording]] = {}
        self._notes: list[str] = []

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """The pair of the candidate that is told apart best, or the pair that the user gave.

        It is chosen on trainings with seeds of their own, see `dpaudit.adapters.choice`.
        """
        seed = int(rng.integers(2**31))
        if self._chosen is None or self._chosen[0] != seed:
            self._chosen = (seed, *self._choose(seed))
        return self._chosen[1]

    def first_neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """The pair of the candidate that moves the steps furthest: the structural checks need not wait for trials.

        Where none moves any, the first one: what is wrong with such a training may show without.
        """
        seed = int(rng.integers(2**31))
        if self._first is None or self._first[0] != seed:
            look = self._look(seed)
            tried = self._tried(look)
            best = self._moving(look, tried)
            label, pair, found = best[0] if best else tried[0]
            self._first = seed, label, pair
            note = choice.note(label, found, None, len(tried), (0, 0)) if best else choice.unmoved(look)
            self._notes = [note, *look.refused]
        return self._first[2]

    def instrument(self, data: Data, recorder: Recorder) -> None:
        """One training that is recorded or replayed."""
        with handing(recorder):
            self._train(copy.deepcopy(data), recorder)

    def run(self, data: Data, trials: Trials) -> NDArray[np.float64]:
        """The projections of every trial, shape (trials, steps + 3): then what values tell that are 0, the projection
        of the final model, and the log-likelihood ratio of the steps; where only the final model is seen, its
        projection, shape (trials, 1)."""
        if self._chosen is None:
            self.neighbours(contract.generator(trials.stream.seed, self.TARGET.name, "neighbours"))
        assert self._chosen is not None
        directions = self._chosen[2]
        seeds = (trials.seeds() & 0x7FFFFFFF).astype(np.int64)
        found = side_by_side.rows(
            lambda seed: self._row(data, seed, directions), seeds, repeatable=self.TARGET.deterministic
        )
        if self.TARGET.view in FINAL:
            return found[:, -1:]
        return np.column_stack([found, directions.scored(found)])

    def notes(self) -> tuple[str, ...]:
        """Sentences that belong to the verdict: the record that was chosen, and what could not be seen."""
        return (*super().notes(), *self._notes)

    def _row(self, data: Data, seed: int, found: Directions) -> NDArray[np.float64]:
        recorder = Recorder(seed=seed)
        with seeded(seed):
            self._traced(data, recorder)
        done = recorder.recording()
        if found.shapes:
            return found.row_of_shapes(done)
        values = {(release.name, release.step): release.value for release in done.releases}
        return found.row(values, projections.final(dict(done.outputs), found.total))

    def _choose(self, seed: int) -> tuple[tuple[Data, Data], Directions]:
        look = self._look(seed)
        known = self._absent(look)
        tried = self._tried(look, known)
        best = self._ahead(look, tried)
        self._paths.clear()  # they may be large
        label, pair, found = best[0]
        if found.reshaped:
            self._notes = [choice.note(label, found, None, len(tried), (0, 0))]
            return pair, found
        (label, pair, found), measured = self._played_best(best, known)
        told = None if self.TARGET.view in FINAL else measured  # that of a model is in other units than the shift
        self._notes = [choice.note(label, found, told, len(tried), known.cost(len(best))), *look.refused]
        if self._first is not None and self._first[0] == seed and self._first[1] != label:
            self._notes.append(f"the structural checks were made on {self._first[1]}")
        return pair, found

    def _look(self, seed: int) -> Look:
        """What is known before candidates are tried; of the last seed it is kept."""
        if self._looked is None or self._looked.seed != seed:
            self._looked = self._looked_at(seed)
        return self._looked

    def _looked_at(self, seed: int) -> Look:
        listed, (sampled, numbers) = self._listed(seed), self._sampled(seed)
        if self._without_first(sampled):
            self._on_the_path(listed[0][1], seed, sampled)  # a subclass learns what is noise
        return Look(seed, listed, sampled, numbers, *self._lone_labels(seed, sampled))

    def _ahead(self, look: Look, tried: Sequence[Tried]) -> list[Tried]:
        """The candidates worth playing; ContentError where no record moves anything."""
        best = self._moving(look, tried)
        if not best:
            raise ContentError(choice.unmoved(look))
        return best

    def _moving(self, look: Look, tried: Sequence[Tried]) -> list[Tried]:
        """The candidates that move something, the leading one first; only the first one whose neighbour has another
        shape, or the only one of its label that moves a coordinate without noise, where there is one."""
        reshaped = [one for one in (*tried, *look.lone) if one[2].reshaped]
        reshaped += [one for one in look.lone if one[0] in self._bare]
        return reshaped[:1] or choice.leading(tried, choice.LEADING)

    def _absent(self, look: Look) -> Absent:
        """Trainings without the record, as many as the game pays for."""
        data = {choice.background(pair): choice.without(pair) for _, pair in look.listed}
        one, other = look.listed[0][1]
        plan = self.TARGET.trials if look.sampled else None
        played, sides = min(choice.LEADING, len(look.listed)), 2 if size(one) == size(other) else 1
        budget = choice.budget(plan, len(data), played, sides, look.numbers)
        rng = np.random.default_rng([look.seed, _OF_THE_CHOICE])
        return Absent(budget, {key: self._recordings(one, budget.recordings, rng) for key, one in data.items()}, rng)

    def _played_best(self, best: Sequence[Tried], known: Absent) -> tuple[Tried, float | None]:
        """The candidate that is told apart best in trials, with the law that they show, and how far it is; the first
        one, and None, where no trial is played or none tells any candidate apart."""
        rate, replaced = known.rate, self.TARGET.claim.neighbours is Neighbours.REPLACE_ONE
        label, pair, found = best[0]
        played: list[tuple[float, Tried]] = [(0.0, (label, pair, choice.of_law(found, rate, replaced)))]
        for label, pair, _ in best if known.budget.trials else ():
            found = choice.of_law(self._measured(pair, known), rate, replaced)
            seeds = choice.seeds(known.rng, known.budget.trials)
            absent = choice.trials(self._row, pair, found, seeds, self.TARGET.deterministic)
            if found.law is not None:
                found = replace(found, law=found.law.fitted(found.sign * absent[:, :-2]))
            played.append((choice.separation(found, absent, self.TARGET.view in FINAL), (label, pair, found)))
        told, chosen = max(played, key=lambda one: one[0])
        return chosen, told or None

    def _measured(self, pair: tuple[Data, Data], known: Absent) -> Directions:
        """The directions from the paths of some trainings, and what the record does along them on those of others."""
        one, other = pair
        pairs = []
        for seed, base in known.recordings[choice.background(pair)]:
            training = recorded_training.Training(self._traced, seed, sampled=True)
            there = self._scaled(training.with_record(base, one, other))
            pairs.append((there, training.without_record(base, one, other)))
        found = projections.directions(pairs[: choice.PATHS], known.spread(pair))
        found = found if size(one) >= size(other) else projections.turned(found)
        return projections.measured(found, pairs[choice.PATHS :])

    def _recordings(self, data: Data, number: int, rng: np.random.Generator) -> list[choice.Seeded]:
        """Trainings on the data set without the record; their batches are their own."""
        seeds = [int(one) for one in choice.seeds(rng, number)]
        made = [recorded_training.Training(self._traced, one, sampled=True).record(data)[0] for one in seeds]
        return list(zip(seeds, map(self._scaled, made), strict=True))

    def _neighbours(self, pair: tuple[Data, Data]) -> tuple[Data, Data]:
        """Both data sets as arrays, so that rows of them can be taken."""
        if isinstance(pair, tuple | list) and len(pair) == 2:
            data, neighbour = (canaries.checked(self.TARGET.name, one, "each data set of pair", 1) for one in pair)
            pair = data, neighbour
        return super()._neighbours(pair)

    def _tried(self, look: Look, known: Absent | None = None) -> list[Tried]:
        """What each candidate moves, in the first training in which any of them moves something: random masks and
        frozen layers may hide a record from a few steps. known: its spreads count beside the noise."""

        def directions(pair: tuple[Data, Data], seed: int) -> Directions:
            return self._directions(pair, seed, look.sampled, None if known is None else known.spread(pair))

        for number in range(_SEEDS):
            tried = [(label, pair, directions(pair, look.seed + number)) for label, pair in look.listed]
            if any(found.reshaped or choice.moves(found) for _, _, found in tried):
                break
        return tried

    def _listed(self, seed: int) -> list[Listed]:
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
                there, absent = self._on_the_path(pair, seed, sampled)
                if any(bare_coordinate(*both, there.inferred) for both in matched(there, absent)):
                    self._bare.add(label)
            except Exception as error:  # no other candidate was refused, so that it is the label
                refused.append(f"{label} is refused ({type(error.__cause__ or error).__name__}), and not tried")
        return tried, refused

    def _sampled(self, seed: int) -> tuple[bool, int]:
        """Do two seeds draw different batches? And how many numbers does a recording keep?"""
        data = self._records if self._pair is None else self._pair[0]
        made = recorded_training.Training(self._traced, seed, sampled=True)
        first, second = (made.record(data, seed=one)[0] for one in (seed, seed + 1))
        if not first.releases and not self._without_noise(data, seed):
            raise ContentError(self.nothing)
        sampled = [batch.tolist() for batch in first.batches] != [batch.tolist() for batch in second.batches]
        return sampled, choice.numbers(first)

    def _without_noise(self, data: Data, seed: int) -> bool:
        """Is what leaves a training that released nothing the same with another seed, on the same batches? Then it has
        no noise at all, which the structural checks will say; else it may have some that nobody told of."""
        one, other = (recorded_training.Training(self._traced, number, sampled=True) for number in (seed, seed + 1))
        recorded = one.record(data)[0]
        return bool(recorded.outputs) and not first_difference(recorded, other.replay(recorded, data))

    def _directions(
        self, pair: tuple[Data, Data], seed: int, sampled: bool, spread: Spread | None = None
    ) -> Directions:
        """What the record does to each release; it joins all batches where these are random."""
        one, other = pair
        found = projections.directions([self._on_the_path(pair, seed, sampled)], spread)
        return found if size(one) >= size(other) else projections.turned(found)

    def _on_the_path(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """Two runs with and without the record: on a path that has not learnt it where batches are random."""
        one, other = pair
        if not self._without_first(sampled) or abs(size(one) - size(other)) > 1:
            return self._followed(pair, seed, sampled)
        training = recorded_training.Training(self._traced, seed, sampled)
        key = seed, choice.digest(choice.without(pair))
        if key not in self._paths:  # most candidates share theirs
            self._paths[key] = training.path_without(one, other)
        base, absent = self._paths[key]
        return training.with_record(base, one, other), absent

    def _without_first(self, sampled: bool) -> bool:
        """Is a record held against a path that has not learnt it? The game needs that, and candidates share one."""
        several = self._pair is None and self._canary is None
        return sampled and (several or self.TARGET.trials is not None)

    def _followed(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """A recording on the larger data set, and its replay on the other one."""
        _, recorded, replayed = recorded_training.Training(self._traced, seed, sampled).first_pair(*pair)
        return recorded, replayed

    def _scaled(self, recorded: Recording) -> Recording:
        """The recording with all that is known of the scale of its noise."""
        return recorded

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
