"""Record one training, then replay it on a neighbouring data set with everything public frozen.

A training under audit calls a `Recorder` where it draws a batch, releases a noisy statistic, uses a public value,
or returns something. Recording, the calls pass through. Replaying, they give back what was recorded: the run on the
neighbour follows the same path, so that each of its statistics is evaluated at the very point where the recorded
one was, and the two differ by what one record can do in one release. That distance is what the sensitivity of the
release must cover (record and replay: Cebere, Erb, Desfontaines, Bellet, Fitzsimons 2026, arXiv 2602.17454). A
replay follows one path and one pair of data sets: it refutes by a witness, and never proves.

    def instrument(data, recorder):
        rng, weights = np.random.default_rng(recorder.seed), np.zeros(d)
        rate, clip_norm = recorder.public("rate", 0.1), recorder.public("clip_norm", 1.0)
        for step in range(recorder.public("steps", 20)):
            members = recorder.batch(np.flatnonzero(rng.random(len(data)) < rate))
            total, noise = clipped_sum(weights, data[members], clip_norm), 2.0 * rng.normal(size=d)
            weights -= 0.1 * recorder.release("gradient", total, noise, sensitivity=clip_norm, noise_scale=2.0)
        recorder.output("weights", weights)

What is read between two steps is one logical batch, in as many pieces as it was read: gradients of the pieces are
accumulated. Pieces are replayed by their step and their place in it. A read of every record once, in a step that reads
a batch too, is a look at the data and no part of the batch: a replay gives it every record that is present, so that
whatever a step takes from it shows as a move of records that are in no batch.

Record ids are positions 0, ..., n - 1. Where a record is added or removed it is the last one, so that ids stay put.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.audit.alignment.alignment import Alignment
from dpaudit.audit.alignment.log import Log
from dpaudit.audit.structural.recorded_values import (
    Array,
    Ids,
    declared_number,
    joined_ids,
    mask_of,
    of_all,
    record_ids,
    summed_up,
    with_ids,
)
from dpaudit.records.errors import ContentError

T = TypeVar("T")

NORMS = ("l2", "l1", "linf")
LAWS = ("gaussian", "laplace")
OPTIMISER_STATE = "optimiser state"
"""How the names of outputs begin that are the state of an optimiser, which leaves with a checkpoint."""


@dataclass(frozen=True)
class Release:
    """One call of `Recorder.release`.

    name: of the statistic, one for each parameter or worker; step: how many releases of this name came before;
    statistic: before noise, any shape; noise: what was added, same shape, None if nothing was; value: what the
    training went on with, on a replay what this run would have released; sensitivity: declared bound on the `norm`
    of the change of the statistic between neighbours, None if not declared; noise_scale: declared standard
    deviation of each noise coordinate, None if not declared; norm: of `NORMS`; law: declared, of `LAWS`; at: how many
    steps were told before, of all names: a layer that is frozen at first has its first release at a later one; beside:
    of `Recorder.beside`.
    """

    name: str
    step: int
    statistic: Array
    noise: Array | None
    value: Array
    sensitivity: float | None
    noise_scale: float | None
    norm: str
    law: str
    at: int = 0
    beside: bool = False


class Again(Protocol):
    """Makes a recording again with other draws, None where the training raises an exception with them. known: states of
    generators from which everybody knows the draws; private_start: does a record in no batch change the first
    statistics?; compared: what is sure of it and another one, as `other_draws` asked."""

    @property
    def known(self) -> frozenset[str]: ...

    @property
    def private_start(self) -> bool: ...

    @property
    def compared(self) -> dict[tuple[Again, frozenset[tuple[str, int]]], set[tuple[str, int]]]: ...

    def __call__(self, salted: frozenset[str]) -> Recording | None: ...


@dataclass(frozen=True)
class Recording:
    """What one training did.

    All in the order of the calls. public, outputs: (name, value); batches: the ids that the sampler drew, before
    anything was joined or left out, one for each read; pieces: how many reads each step took, negative for reads that
    are no batch, whatever was read after the last step left out; empty where no step is known: every read is a batch;
    draws: the random draws that a replay makes again; unclear: why noise and statistics may not be what was released
    as such, empty where the training says itself what they are; inferred: the training was made again without its noise
    to tell it from the statistics; processed: names and steps of the releases that then were no sum of the two; again:
    makes it again on its own data set and path, with other draws as in `Alignment`; None where nobody can.
    """

    releases: tuple[Release, ...]
    public: tuple[tuple[str, object], ...]
    batches: tuple[Ids, ...]
    outputs: tuple[tuple[str, object], ...]
    pieces: tuple[int, ...] = ()
    draws: Log = field(default_factory=Log)
    unclear: str = ""
    inferred: bool = False
    processed: frozenset[tuple[str, int]] = frozenset()
    again: Again | None = field(default=None, compare=False, repr=False)

    def __deepcopy__(self, memo: object) -> Recording:
        """Itself: nothing in it changes."""
        return self

    def logical(self, unread: bool = False) -> tuple[Ids, ...]:
        """What each step was made on; unread: a step that read nothing counts as one on an empty batch."""
        if max(self.pieces, default=0) <= 0:
            return self.batches
        steps = zip(self.pieces, self.read_by_step(), strict=False)
        return tuple(joined_ids(pieces) for count, (_, pieces) in steps if count > 0 or (unread and count == 0))

    def read_by_step(self) -> list[tuple[tuple[Ids, ...], tuple[Ids, ...]]]:
        """The looks at all records and the pieces of every step, and those of what was read after the last one."""
        ends, looks = [*accumulate(map(abs, self.pieces), initial=0), len(self.batches)], self.looks()
        steps = [range(first, last) for first, last in pairwise(ends)]
        return [
            (tuple(self.batches[i] for i in step if looks[i]), tuple(self.batches[i] for i in step if not looks[i]))
            for step in steps
        ]

    def looks(self) -> list[bool]:
        """Which reads are of every record once, and no batch: before the steps begin, after the last one, and where the
        step reads a batch beside them. Of a step that reads nothing else the last one is its batch."""
        found = [bool(self.pieces) and of_all(batch, self.draws.records) for batch in self.batches]
        alone, last = max(self.pieces, default=0) <= 0, 0
        for count in self.pieces:
            first, last = last, last + abs(count)
            if (count > 0 or alone) and last > first and all(found[first:last]):
                found[last - 1] = False
        return found


class Recorder:
    """Records a training, or replays it: see the module."""

    def __init__(
        self,
        replayed: Recording | None = None,
        present: ArrayLike | None = None,
        *,
        joined: Sequence[int] = (),
        shadow: int | None = None,
        seed: int = 0,
        salted: frozenset[str] | None = None,
        reseeded: int | None = None,
    ) -> None:
        """replayed: what to replay, None to record; present: record ids of the data of a replay, None for all.

        joined: ids that join every logical batch, since chance may leave out the record in which neighbours differ;
        shadow: they are in the pieces that this record is in, and no others;
        seed: for trainings that take one: all randomness of `instrument` may hang on it; salted: as in `Alignment`;
        reseeded: what every generator is seeded with that the training seeds with a number.
        """
        self.seed, self.salted, self.reseeded = seed, salted, reseeded
        self.draws = Alignment(None if replayed is None else replayed.draws, salted)
        self._replayed = replayed
        self._present = None if present is None else mask_of(record_ids(present))
        self._joined, self._shadow = record_ids(joined), shadow
        self._values = {(r.name, r.step): r.value for r in replayed.releases} if replayed else {}
        self._frozen = _numbered(replayed.public) if replayed else {}
        self._read_by_step = replayed.read_by_step() if replayed else []
        self._looked = self._taken = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._releases: list[Release] = []
        self._public: list[tuple[str, object]] = []
        self._batches: list[Ids] = []
        self._pieces: list[int] = []
        self._read = 0
        self._added: list[int] = []
        self._outputs: list[tuple[str, object]] = []
        self.handed_others = False
        """Was a batch handed out that is not the one that was drawn?"""
        self._unclear = ""
        self._inferred = False
        self._processed: set[tuple[str, int]] = set()

    def release(
        self,
        name: str,
        statistic: ArrayLike,
        noise: ArrayLike | None,
        *,
        sensitivity: float | None = None,
        noise_scale: float | None = None,
        norm: str = "l2",
        law: str = "gaussian",
        value: ArrayLike | None = None,
    ) -> Any:
        """A noisy statistic; returns what the training must go on with: their sum, on a replay the recorded value; an
        array, or where the statistic is one number a number of NumPy.

        value: what the training released, where it forms the sum itself. A replay that makes more calls of this name
        than were recorded, or one of another shape, gets its own value. Raises ContentError for wrong shapes, types or
        declarations.
        """
        if self._read:
            self.step()
        three = summed_up(statistic, noise, value, name)
        return self._released(name, *three, sensitivity, noise_scale, norm, law, at=len(self._pieces))

    def beside(
        self,
        name: str,
        statistic: ArrayLike,
        noise: ArrayLike | None,
        *,
        sensitivity: float | None = None,
        noise_scale: float | None = None,
        norm: str = "l2",
        law: str = "gaussian",
        value: ArrayLike | None = None,
        at: int | None = None,
    ) -> Any:
        """The same of a number that is no step of its own: what was read stays the batch of the step that follows, of
        which it is a part; where nothing was read it is a part of the last one, or of step `at`. For recorders of
        optimisers."""
        three = summed_up(statistic, noise, value, name)
        here = len(self._pieces) + (self._read > 0) if at is None else at
        return self._released(name, *three, sensitivity, noise_scale, norm, law, at=here, beside=True)

    def _released(
        self,
        name: str,
        statistic: Array,
        noise: Array | None,
        own: Array,
        sensitivity: float | None,
        noise_scale: float | None,
        norm: str,
        law: str,
        *,
        at: int,
        beside: bool = False,
    ) -> Any:
        """Its number is that of its name."""
        if norm not in NORMS or law not in LAWS:
            wrong = f"norm {norm!r} is not in {NORMS} or law {law!r} not in {LAWS}"
            raise ContentError(f"release {name!r}: {wrong}")
        bound = declared_number("sensitivity", sensitivity, name)
        scale = declared_number("noise_scale", noise_scale, name)
        step = self._count("release", name)
        self._releases.append(Release(name, step, statistic, noise, own, bound, scale, norm, law, at, beside))
        value_there = self._values.get((name, step), own)
        return (value_there if value_there.shape == own.shape else own).copy()[()]

    def public(self, name: str, value: T) -> T:
        """Must be equal on neighbours: step sizes, batch divisor, number of steps. On a replay the recorded one."""
        key = (name, self._count("public", name))
        self._public.append((name, copy.deepcopy(value)))
        return cast("T", copy.deepcopy(self._frozen.get(key, value)))

    def batch(self, members: ArrayLike) -> Ids:
        """The ids that the sampler drew, (size,); on a replay the recorded ones that are present, if there are any.

        Several calls between two steps are pieces of one logical batch; ids that join it come with its first piece.
        """
        own = record_ids(members)
        drawn, is_look = self._recorded(own)
        self._batches.append(own)
        self._read += 1
        if self._present is not None:
            drawn = drawn[drawn < len(self._present)]
            drawn = drawn[self._present[drawn]]
        members = drawn if is_look else self._with_joined(drawn)
        self.draws.batch(members)
        self.handed_others |= not np.array_equal(members, own)
        return members

    def _with_joined(self, drawn: Ids) -> Ids:
        """A piece, with the ids that join where it is the first one, and without those that did."""
        self._taken += 1
        if self._shadow is not None:
            others = drawn[~np.isin(drawn, self._joined)]
            return with_ids(others, self._joined.tolist() if np.any(drawn == self._shadow) else [])
        if self._taken > 1:
            return drawn[~np.isin(drawn, self._added)]
        self._added = [member for member in self._joined if not np.any(drawn == member)]
        return with_ids(drawn, self._added)

    def step(self) -> None:
        """A step is made on what was read since the last one; a release says so itself, of a step that reads."""
        self._pieces.append(self._read)
        self._read = self._looked = self._taken = 0

    def begin(self) -> None:
        """The steps begin here: what was read so far is no batch."""
        if self._read:
            self._pieces.append(-self._read)
            self._read = self._looked = self._taken = 0

    def _recorded(self, own: Ids) -> tuple[Ids, bool]:
        """The piece that is read now as it was recorded, or a look as this run makes it; and is it a look? Nothing
        beyond the recorded pieces, `own` where none is recorded."""
        whole = of_all(own, self.draws.records)
        if self._replayed is None:
            return own, whole  # it holds all that may join; where the step reads nothing else, nothing joins it anyway
        if not self._replayed.pieces:
            number = len(self._batches)
            return (self._replayed.batches[number] if number < len(self._replayed.batches) else own), False
        step = len(self._pieces)
        looks, pieces = self._read_by_step[step] if step < len(self._read_by_step) else ((), ())
        if whole and self._looked < len(looks):
            self._looked += 1
            return own, True
        if step >= len(self._replayed.pieces) and not pieces:
            return own, False
        return (pieces[self._taken] if self._taken < len(pieces) else own[:0]), False

    def output(self, name: str, value: T) -> T:
        """What leaves the training: it must be a function of releases and public values. Returns it unchanged."""
        self._outputs.append((name, copy.deepcopy(value)))
        return value

    def unclear(self, why: str) -> None:
        """For recorders of trainings that do not say themselves what noise is: why it cannot be told from the
        statistics for sure."""
        self._unclear = why

    def inferred(self, processed: Sequence[tuple[str, int]] = ()) -> None:
        """For the same recorders: noise is what goes where the training is made without it; processed: names and steps
        of releases that are no sum of the two."""
        self._inferred = True
        self._processed.update(processed)

    def last(self, name: str) -> tuple[str, int]:
        """Name and step of the last release of this name."""
        return name, self._counts["release", name] - 1

    @property
    def replays(self) -> bool:
        """Is a recording replayed?"""
        return self._replayed is not None

    def inputs(self) -> tuple[Recording | None, Ids | None, Ids, int]:
        """What it was made with: replayed, present (as ids), joined, seed."""
        present = None if self._present is None else np.flatnonzero(self._present)
        return self._replayed, present, self._joined, self.seed

    def recording(self) -> Recording:
        """What was recorded so far; of a replay, its own statistics, noise, public values, draws and outputs."""
        calls = tuple(self._releases), tuple(self._public), tuple(self._batches), tuple(self._outputs)
        return Recording(
            *calls, tuple(self._pieces), self.draws.log(), self._unclear, self._inferred, frozenset(self._processed)
        )

    def _count(self, kind: str, name: str) -> int:
        number = self._counts[kind, name]
        self._counts[kind, name] += 1
        return number


def _numbered(named: Sequence[tuple[str, object]]) -> dict[tuple[str, int], object]:
    """The values by name and by how often that name came before."""
    counts: Counter[str] = Counter()
    numbered = {}
    for name, value in named:
        numbered[name, counts[name]] = value
        counts[name] += 1
    return numbered
