"""A training with any torch.optim style optimiser, Opacus among them, audited without a change to its code.

The user writes:

    def train(records, watch):
        model = torch.nn.Linear(20, 2)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loader = DataLoader(records, batch_size=10)
        model, optimizer, loader = PrivacyEngine().make_private(...)
        watch(optimizer)
        for inputs, targets in loader:
            ...
        return model

    AUDIT = TorchTraining("mine/opacus", train, records=(X, y), claim=claim(mu=1.0, neighbours=Neighbours.ZERO_OUT))
"""

from __future__ import annotations

import copy
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters import choice, zeros
from dpaudit.adapters.choice import Look
from dpaudit.adapters.likeness import Likeness, noise_likeness
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.torch_noise import Division, Trainings, divided
from dpaudit.adapters.torch_outputs import Seen, by_parameter, filters, final, final_projection
from dpaudit.adapters.torch_recording import Heard, Observed, Place, Probe, Second, Whole
from dpaudit.adapters.torch_records import EMPTY, Records, empty_record
from dpaudit.adapters.torch_start import FIXED, PRETRAINED, alike, pretrained, random_start
from dpaudit.adapters.torch_watch import Light, Watch
from dpaudit.adapters.training import Training, TrainingOptions
from dpaudit.audit.alignment.salt import varied
from dpaudit.audit.randomness import seeded
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.draws import numbers
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.audit.structural.torch_steps import RELEASED
from dpaudit.content.audits import Data
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.privacy import Neighbours, PrivacyClaim

NOTES = {
    Place.IN_STEP: "noise: drawn by step(), seen as normal draws of torch",
    Place.BEFORE_STEP: "noise: drawn between the steps; the release is the gradient that step() is handed, and every "
    "normal draw of torch after watch() is noise whose part in it is the same on a neighbour",
    Place.NOWHERE: "noise: none; another seed gives the same first step",
    Place.UNSEEN: "not seen: noise (no normal draw of torch after watch(), yet another seed gives another first step), "
    "so that no release could be checked; draw it with torch.normal or torch.randn, or audit with Training",
}

_OF_THE_START = 2
"""Stands beside the seed of the neighbours in those of the trainings that come before."""

NO_BATCHES = (
    "batches: not seen, the training read its records one at a time or in other processes, so that nothing is known of "
    "its sampler; read batches with a DataLoader (num_workers=0) or records.tensors(ids)"
)


class TorchTraining(Training):
    """train(records, watch) with `records` a torch Dataset and `watch(optimizer, ...)` called once before the loop.

    Returns the model, a dict of tensors, or None. The other arguments are those of `Training`.

    Dropout, random augmentation and coins may come from the same generators as batches and noise: a replay draws them
    again by call site and by record, see `dpaudit.audit.alignment.alignment`. So may normal draws between the steps
    that are no noise: see `dpaudit.adapters.torch_noise`.
    """

    needs = (("torch", "torch"),)
    empty = float(EMPTY)
    nothing = "the optimiser that is watched made no step: give watch() the one whose step() the training calls"

    def __init__(
        self,
        name: str,
        train: Callable[[Records, Watch], object],
        *,
        claim: PrivacyClaim,
        pretrain: int = 0,
        fixed_start: bool = True,
        **options: Unpack[TrainingOptions],
    ) -> None:
        """train: see the class; options: those of `Training`.

        fixed_start: parameters that start at random, whatever the records are, start at one place in all trials of the
        game; False where the claim holds only since nobody knows the start.

        pretrain: trainings without noise that come before, one after the other on the same records; all others start
        from the parameters at which the last one ends. A guarantee that holds from every start holds from this one, at
        which the other records have little left to move (Annamalai and De Cristofaro 2024).
        """
        super().__init__(name, train, claim=claim, **options)
        if isinstance(pretrain, bool) or not isinstance(pretrain, int) or pretrain < 0:
            raise ConfigurationError(f"{name}: pretrain must be a number of trainings, at least 0, got {pretrain!r}")
        self._pretrain, self._fixed = pretrain, fixed_start
        self._begins: Sequence[Tensor] | None = None
        self._start: Sequence[Tensor] | None = None
        self._place: Place | None = None
        self._division, self._settled, self._roundoff = Division(), False, 0.0
        self._scale: float | None = None
        self._batches_seen = True
        self._late: frozenset[int] = frozenset()
        self._declared = ""

    def instrument(self, data: Data, recorder: Recorder) -> None:
        """One training whose steps, batches and final model go to the recorder."""
        place = self._where(data, recorder.seed)
        if place is Place.UNSEEN:  # its noise would be taken for a part of the statistics
            self._played(Records(data, recorder), Light(lambda *_: None, made=recorder.step))
        else:
            self._recorded(data, recorder, joint=self.TARGET.claimed_mechanism is None)

    def run(self, data: Data, trials: Trials) -> NDArray[np.float64]:
        """As `Training.run`, on one thread: models this small wait for other threads longer than they compute."""
        with _one_thread(), _quiet():
            return super().run(data, trials)

    def first_neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """As in `Training`, on one thread, as the trials."""
        with _one_thread(), _quiet():
            return super().first_neighbours(rng)

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """As in `Training`, on one thread."""
        with _one_thread(), _quiet():
            return super().neighbours(rng)

    def _looked_at(self, seed: int) -> Look:
        """As in `Training`, from the worst-case start on."""
        if self._pretrain:
            self._begins = None
            self._where(self._without_record(), seed)  # which parameters are trained
            self._begins = self._pretrained(seed)
        return super()._looked_at(seed)

    def _choose(self, seed: int) -> tuple[tuple[Data, Data], Directions]:
        """As in `Training`, from the start of all trials, if that does not hang on the records."""
        self._start = None
        if self._pretrain or not self._fixed or self.TARGET.trials is None:
            return super()._choose(seed)
        self._look(seed)
        data = self._records if self._pair is None else self._pair[0]
        start = random_start(lambda one: self._begun(data, one), seed)
        pair, found = self._chosen_from(start, seed)
        if start is None or alike(*(self._begun(one, seed) for one in pair)):
            return pair, found
        return self._chosen_from(None, seed)

    def _chosen_from(self, start: Sequence[Tensor] | None, seed: int) -> tuple[tuple[Data, Data], Directions]:
        self._start = self._begins = start
        try:
            return super()._choose(seed)
        finally:
            self._begins = None

    def _begun(self, data: Data, seed: int) -> Sequence[Tensor]:
        """The parameters at which a training begins by itself."""
        return self._probed(data, seed)[0].initial

    def notes(self) -> tuple[str, ...]:
        """As `Training.notes`, and where the noise was seen."""
        noise = () if self._place is None else (NOTES[self._place],)
        said = tuple(one for one in (self._division.note(), self._declared) if one)
        said += (PRETRAINED.format(self._pretrain),) if self._pretrain else ()
        said += () if self._start is None else (FIXED,)
        return (*super().notes(), *noise, *said, *(() if self._batches_seen else (NO_BATCHES,)))

    def _traced(self, data: Data, recorder: Recorder) -> None:
        self._where(data, recorder.seed)
        self._recorded(data, recorder, joint=False)

    def _followed(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """As in `Training`; where the noise of the two is not the same, with what then is known to be noise."""
        recorded, replayed = super()._followed(pair, seed, sampled)
        if self._settled or self._place is not Place.BEFORE_STEP:
            return self._scaled(recorded), replayed
        if noise_likeness(recorded, replayed, self._roundoff) > Likeness.SAME:
            known = self._division
            self._division = divided(Trainings(self._hear, recorded, pair, seed, sampled, self._roundoff), known)
            self._settled = self._division == known or bool(self._division.doubt)
            if self._division != known:
                self._paths.clear()  # they were recorded with another division
                recorded, replayed = super()._followed(pair, seed, sampled)
        return self._scaled(recorded), replayed

    def _on_the_path(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """As in `Training`; where the noise of the two is not the same, with what `_followed` finds to be noise."""
        there, absent = super()._on_the_path(pair, seed, sampled)
        if not self._without_first(sampled):
            return there, absent
        open_question = self._place is Place.BEFORE_STEP and not self._settled
        if open_question and noise_likeness(there, absent, self._roundoff) > Likeness.SAME:
            known = self._division
            self._followed(pair, seed, sampled)
            if self._division != known:
                there, absent = super()._on_the_path(pair, seed, sampled)
        return self._scaled(there), absent

    def _without_noise(self, data: Data, seed: int) -> bool:
        """As in `Training`, both times from the same parameters."""
        kept, probe = self._begins, Probe()
        with seeded(seed):
            self._played(Records(data, Recorder(seed=seed)), probe)
        self._begins = probe.initial
        try:
            return super()._without_noise(data, seed)
        finally:
            self._begins = kept

    def _scaled(self, recorded: Recording) -> Recording:
        """With the declared scale of the noise, where gradients are recorded with it: moves are measured in it."""
        if not self._division.whole:
            return recorded
        return replace(recorded, releases=tuple(replace(one, noise_scale=self._scale) for one in recorded.releases))

    def _hear(self, data: Data, recorder: Recorder, watch: Watch) -> None:
        self._played(Records(data, recorder), watch)
        self._scale = watch.require().noise_scale()

    def _recorded(self, data: Data, recorder: Recorder, joint: bool) -> None:
        """joint: one release a step, else one for each parameter."""
        watch = self._recording_watch(data, recorder, joint)
        returned = self._played(Records(data, recorder), watch)
        for name, value in final(returned, watch).items():
            recorder.output(name, value)
        if self._division.doubt:
            recorder.unclear(self._division.doubt)

    def _recording_watch(self, data: Data, recorder: Recorder, joint: bool) -> Watch:
        if self._place is not Place.BEFORE_STEP:
            return Observed(recorder, joint)
        if self._division.whole:
            return Whole(recorder, joint)
        loud = varied(recorder.salted)
        scratch = copy.deepcopy(recorder)
        heard = Heard(scratch, joint, self._division if loud else None)
        with seeded(recorder.seed), scratch.draws.open(size(data)):
            self._played(Records(data, scratch), heard)
        return Second(recorder, joint, heard, None if loud else self._division)

    def _where(self, data: Data, seed: int) -> Place:
        """Where the noise is drawn; found once, in a training on the first data."""
        if self._place is None:
            first, records, recorder = self._probed(data, seed)
            if first.thawed:
                self._late = frozenset(first.thawed)
                first, records, recorder = self._probed(data, seed)
            self._place, self._batches_seen = first.place, records.batches > 0
            self._declared = _declaration(first)
            self._roundoff = float(np.finfo(first.steps.precision).eps)
            if self._place is Place.BEFORE_STEP and first.beside and not self._reached(data, first, recorder, seed):
                self._place = Place.NOWHERE
            if self._place is Place.NOWHERE and self._changes(data, first, recorder, seed + 1):
                self._place = Place.UNSEEN
        return self._place

    def _probed(self, data: Data, seed: int) -> tuple[Probe, Records, Recorder]:
        probe, recorder = Probe(), Recorder(seed=seed)
        records = Records(data, recorder)
        with seeded(seed), recorder.draws.open(size(data)):
            self._played(records, probe)
        return probe, records, recorder

    def _reached(self, data: Data, first: Probe, recorder: Recorder, seed: int) -> bool:
        """Do the normal draws change what the steps are handed, after the same releases beside them?"""
        silent, again = Probe(silent=True, given=first.beside), Recorder(recorder.recording(), seed=seed)
        with seeded(seed), again.draws.open(size(data)):
            self._played(Records(data, again), silent, first.initial)
        return silent.handed.digest() != first.handed.digest()

    def _changes(self, data: Data, first: Probe, recorder: Recorder, seed: int) -> bool:
        """Does another seed, from the same parameters and with the same batches, change the first release?"""
        other, again = Probe(), Recorder(recorder.recording(), seed=seed)
        with seeded(seed), again.draws.open(size(data)):
            self._played(Records(data, again), other, first.initial)
        pairs = zip(first.first or [], other.first or [], strict=False)
        return any(not np.array_equal(one, two, equal_nan=True) for one, two in pairs)

    def _row(self, data: Data, seed: int, found: Directions) -> NDArray[np.float64]:
        if found.shapes:
            return super()._row(data, seed, found)
        steps, columns, signs = filters(found), found.columns, by_parameter(found.zeros)
        row = np.zeros(len(columns) + 2)

        def take(step: int, number: int, released: Tensor) -> None:
            direction, told = steps.get((step, number)), signs.get((step, number))
            if direction is not None:
                row[columns[step]] += float((released.reshape(-1).double().cpu() * direction).sum())
            if told is not None:
                row[-2] += zeros.told(told, numbers(released))

        watch = Light(take, before=self._where(data, seed) is Place.BEFORE_STEP, seen=Seen(found, row).take)
        with seeded(seed):
            returned = self._played(Records(data, Recorder(seed=seed)), watch, self._start)
        row[-1] = final_projection(final(returned, watch), watch, steps)
        return row

    def _pretrained(self, seed: int) -> Sequence[Tensor]:
        data = self._without_record()
        seeds = choice.seeds(np.random.default_rng([seed, _OF_THE_START]), self._pretrain).tolist()
        return pretrained(lambda one, *given: self._played(Records(data, Recorder(seed=one)), *given), seeds)

    def _without_record(self) -> Data:
        return self._records if self._pair is None else choice.without(self._pair)

    def _played(self, records: Records, watch: Watch, begins: Sequence[Tensor] | None = None) -> object:
        watch.begins = self._begins if begins is None else begins
        watch.where_they_fit, watch.late = not self._pretrain, self._late
        watch.replaces = self.TARGET.claim.neighbours is Neighbours.REPLACE_ONE
        try:
            with _quiet(), records.handing():
                returned = self._train(records, watch)
        finally:
            watch.close()
        watch.require()
        return returned

    def _empty(self, records: Data) -> Data:
        return empty_record(records)


def _declaration(watch: Watch) -> str:
    """What the steps are held against: it is the word of the training, and only a game holds it against the claim."""
    subject = watch.require()
    named = (("sensitivity", subject.sensitivity()), ("noise scale", subject.noise_scale()))
    told = [f"{name} {'not declared' if value is None else format(value, '.4g')}" for name, value in named]
    divisor = subject.divisor()
    if divisor not in (None, 1) and any(value is not None for _, value in named):
        rate = " times the learning rate" if subject.release == "update" else ""
        told.append(f"of the sum{rate} after division by the batch size {divisor:g}")
    told += [] if watch.state == RELEASED else ["state of the optimiser withheld"]
    return f"the training says of its last {subject.release}: {', '.join(told)}"


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what Opacus and torch say about audits: seeds that repeat, inputs without gradient, empty batches, steps
    that are watched."""
    logger = logging.getLogger("opacus")
    level = logger.level
    if level != logging.ERROR:  # each change makes all loggers forget what they know
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Secure RNG turned off")
            warnings.filterwarnings("ignore", "Full backward hook is firing")
            warnings.filterwarnings("ignore", "Seems like `optimizer.step")  # a schedule sees that steps are watched
            yield
    finally:
        if level != logging.ERROR:
            logger.setLevel(level)


@contextmanager
def _one_thread() -> Iterator[None]:
    torch = load_torch()
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
