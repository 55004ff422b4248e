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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.likeness import Likeness, noise_likeness
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.torch_noise import Division, Trainings, divided
from dpaudit.adapters.torch_recording import Heard, Observed, Place, Probe, Silenced, Whole
from dpaudit.adapters.torch_records import EMPTY, Records, empty_record
from dpaudit.adapters.torch_watch import Light, Watch
from dpaudit.adapters.training import Training, TrainingOptions
from dpaudit.audit.randomness import frozen
from dpaudit.audit.structural.data_sets import size
from dpaudit.audit.structural.draws import numbers
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.audit.structural.torch_steps import RELEASED
from dpaudit.content.audits import Data
from dpaudit.noise.stream import Trials
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours, PrivacyClaim

NOTES = {
    Place.IN_STEP: "noise: drawn by step(), seen as normal draws of torch",
    Place.BEFORE_STEP: "noise: drawn between the steps; the release is the gradient that step() is handed, and every "
    "normal draw of torch after watch() is noise whose part in it is the same on a neighbour",
    Place.NOWHERE: "noise: none; another seed gives the same first step",
    Place.UNSEEN: "not seen: noise (no normal draw of torch after watch(), yet another seed gives another first step), "
    "so that no release could be checked; draw it with torch.normal or torch.randn, or audit with Training",
}

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

    def __init__(
        self,
        name: str,
        train: Callable[[Records, Watch], object],
        *,
        claim: PrivacyClaim,
        **options: Unpack[TrainingOptions],
    ) -> None:
        """train: see the class; options: those of `Training`."""
        super().__init__(name, train, claim=claim, **options)
        self._place: Place | None = None
        self._division, self._settled, self._roundoff = Division(), False, 0.0
        self._scale: float | None = None
        self._batches_seen = True
        self._declared = ""

    def instrument(self, data: Data, recorder: Recorder) -> None:
        """One training whose steps, batches and final model go to the recorder."""
        place = self._where(data, recorder.seed)
        if place is Place.UNSEEN:  # its noise would be taken for a part of the statistics
            self._played(Records(data, recorder), Light(lambda *_: None, made=recorder.step))
        else:
            self._recorded(data, recorder, joint=self.TARGET.claimed_mechanism is None)

    def neighbours(self, rng: np.random.Generator) -> tuple[Data, Data]:
        """As `Training.neighbours`, on one thread, as the trials."""
        with _one_thread():
            return super().neighbours(rng)

    def run(self, data: Data, trials: Trials) -> NDArray[np.float64]:
        """As `Training.run`, on one thread: models this small wait for other threads longer than they compute."""
        with _one_thread():
            return super().run(data, trials)

    def notes(self) -> tuple[str, ...]:
        """As `Training.notes`, and where the noise was seen."""
        noise = () if self._place is None else (NOTES[self._place],)
        said = tuple(one for one in (self._division.note(), self._declared) if one)
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
                recorded, replayed = super()._followed(pair, seed, sampled)
        return self._scaled(recorded), replayed

    def _on_the_path(self, pair: tuple[Data, Data], seed: int, sampled: bool) -> tuple[Recording, Recording]:
        """As in `Training`; where the noise of the two is not the same, with what `_followed` finds to be noise."""
        there, absent = super()._on_the_path(pair, seed, sampled)
        if not sampled or self.TARGET.trials is None:
            return there, absent
        open_question = self._place is Place.BEFORE_STEP and not self._settled
        if open_question and noise_likeness(there, absent, self._roundoff) > Likeness.SAME:
            known = self._division
            self._followed(pair, seed, sampled)
            if self._division != known:
                there, absent = super()._on_the_path(pair, seed, sampled)
        return self._scaled(there), absent

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
        for name, value in _final(returned, watch).items():
            recorder.output(name, value)
        if self._division.doubt:
            recorder.unclear(self._division.doubt)

    def _recording_watch(self, data: Data, recorder: Recorder, joint: bool) -> Watch:
        if self._place is not Place.BEFORE_STEP:
            return Observed(recorder, joint)
        if self._division.whole:
            return Whole(recorder, joint)
        scratch = copy.deepcopy(recorder)
        heard = Heard(scratch, joint)
        with frozen(recorder.seed), scratch.draws.open(size(data)):
            self._played(Records(data, scratch), heard)
        return Silenced(recorder, joint, heard.heard, self._division)

    def _where(self, data: Data, seed: int) -> Place:
        """Where the noise is drawn; found once, in a training on the first data."""
        if self._place is None:
            first, recorder = Probe(), Recorder(seed=seed)
            records = Records(data, recorder)
            with frozen(seed), recorder.draws.open(size(data)):
                self._played(records, first)
            self._place, self._batches_seen = first.place, records.batches > 0
            self._declared = _declaration(first)
            self._roundoff = max(load_torch().finfo(p.dtype).eps for p in first.steps.parameters)
            if self._place is Place.NOWHERE and self._changes(data, first, recorder, seed + 1):
                self._place = Place.UNSEEN
        return self._place

    def _changes(self, data: Data, first: Probe, recorder: Recorder, seed: int) -> bool:
        """Does another seed, from the same parameters and with the same batches, change the first release?"""
        other, again = Probe(first.initial), Recorder(recorder.recording(), seed=seed)
        with frozen(seed), again.draws.open(size(data)):
            self._played(Records(data, again), other)
        pairs = zip(first.first or [], other.first or [], strict=False)
        return any(not np.array_equal(one, two, equal_nan=True) for one, two in pairs)

    def _row(self, data: Data, seed: int, found: Directions) -> NDArray[np.float64]:
        if found.shapes:
            return super()._row(data, seed, found)
        steps, columns = _tensors(found), found.columns
        row = np.zeros(len(columns) + 1)

        def take(step: int, number: int, released: Tensor) -> None:
            direction = steps.get((step, number))
            if direction is not None:
                row[columns[step]] += float((released.reshape(-1).double().cpu() * direction).sum())

        watch = Light(take, before=self._where(data, seed) is Place.BEFORE_STEP)
        with frozen(seed):
            returned = self._played(Records(data, Recorder(seed=seed)), watch)
        row[-1] = _final_projection(_final(returned, watch), watch, steps)
        return row

    def _played(self, records: Records, watch: Watch) -> object:
        watch.replaces = self.TARGET.claim.neighbours is Neighbours.REPLACE_ONE
        try:
            with _quiet():
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
    told += [] if watch.state == RELEASED else ["state of the optimiser withheld"]
    return f"the training says of its last {subject.release}: {', '.join(told)}"


def _final(returned: object, watch: Watch) -> dict[str, NDArray[np.generic]]:
    """What leaves the training, by name: the state of the model, the tensors of a dict, or the parameters."""
    if returned is None:
        found = {f"parameter {i}": p for i, p in enumerate(watch.steps.parameters)}
    elif isinstance(returned, dict):
        found = returned
    elif hasattr(returned, "state_dict"):
        found = returned.state_dict()
    else:
        raise ContentError(f"train must return the model, a dict of tensors, or None, got {type(returned).__name__}")
    tensors = {name: value for name, value in found.items() if hasattr(value, "detach")}
    if found and not tensors:
        raise ContentError(f"train returned {type(returned).__name__} without a tensor in it; return the trained model")
    return {name: value.detach().cpu().numpy().copy() for name, value in tensors.items()}


def _tensors(found: Directions) -> dict[tuple[int, int], Tensor]:
    """The filters by step and number of the parameter."""
    torch = load_torch()
    return {(step, int(name.rpartition(" ")[2])): torch.as_tensor(along) for (name, step), along in found.steps.items()}


def _final_projection(
    outputs: dict[str, NDArray[np.generic]], watch: Watch, steps: dict[tuple[int, int], Tensor]
) -> float:
    """How far the model ended along the sum of the directions from where it started, against it for gradients.

    The first output of the shape of each parameter is taken for it. The start is taken to be known to the adversary.
    """
    subject, total, left = watch.require(), 0.0, list(outputs.values())
    for number, start in enumerate(watch.initial):
        along = [direction for (_, place), direction in steps.items() if place == number]
        place = next((i for i, value in enumerate(left) if value.shape == tuple(start.shape)), None)
        if along and place is not None:
            moved = left[place].astype(np.float64) - numbers(start)
            total += float(moved.reshape(-1) @ sum(along).numpy())
        if place is not None:
            left.pop(place)
    return -total if subject.release == "gradient" else total


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what Opacus and torch say about audits: seeds that repeat, inputs without gradient, empty batches, steps
    that are watched."""
    logger = logging.getLogger("opacus")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Secure RNG turned off")
            warnings.filterwarnings("ignore", "Full backward hook is firing")
            warnings.filterwarnings("ignore", "Seems like `optimizer.step")  # a schedule sees that steps are watched
            yield
    finally:
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
