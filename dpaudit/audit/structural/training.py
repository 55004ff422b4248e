"""One training under audit: how to record it, and which replays the checks need."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from dpaudit.audit.alignment.alignment import JAX
from dpaudit.audit.randomness import Frozen, every_seed, frozen
from dpaudit.audit.structural import other_batches, recording
from dpaudit.audit.structural.data_sets import (
    Records,
    different,
    rows,
    size,
    turned,
    unlike,
    with_changed,
)
from dpaudit.audit.structural.finding import Key, Pair, first_difference, starts_apart
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.content.audits import Data
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Neighbours

Instrument = Callable[[Data, Recorder], object]
Case = tuple[str, Callable[[], list[Pair]]]
Refused = list[tuple[str, str]]
Side = Callable[[frozenset[str]], Recording]

REPLACED = "replaced"
BAD_VALUES = (("NaN record", np.nan), ("infinite record", np.inf), ("huge record", 1e30))


@dataclass(frozen=True)
class Training:
    """instrument: the training; seed: at least 0; sampled: its batches are random, so that the record in question may
    join all of them; any_batch: every set of records can be a batch, as under Poisson sampling; shadow: a record whose
    batches it joins instead."""

    instrument: Instrument
    seed: int
    sampled: bool
    any_batch: bool = False
    shadow: int | None = None

    def record(self, data: Data, joined: Sequence[int] = (), seed: int | None = None) -> tuple[Recording, Frozen]:
        """A recording, and what it did to the global generators."""
        number = self.seed if seed is None else seed
        recorded, generators = self._run(data, Recorder(joined=joined, shadow=self.shadow, seed=number), number)
        again = Again(replace(self, seed=number), recorded, data, joined)
        return replace(recorded, again=again), generators

    def reseeded(self, data: Data, number: int, seed: int) -> Recording:
        """A recording with this seed, and with `number` wherever the training seeds a generator with a number."""
        return self._run(data, Recorder(seed=seed, reseeded=number), seed)[0]

    def replay(
        self, recorded: Recording, data: Data, joined: Sequence[int] = (), salted: frozenset[str] | None = None
    ) -> Recording:
        """A replay with the records of `data` present; salted: as in `Alignment`.

        Where other numbers of records are cut into other numbers of pieces, logical batches are replayed in one piece.
        """
        replayed = self._replayed(recorded, data, joined, salted)
        if max(recorded.pieces, default=1) > 1 and replayed.pieces != recorded.pieces:
            replayed = self._replayed(other_batches.in_one_piece(recorded), data, joined, salted)
        return replace(replayed, again=Again(self, recorded, data, joined))

    def _replayed(
        self, recorded: Recording, data: Data, joined: Sequence[int], salted: frozenset[str] | None
    ) -> Recording:
        there, seed = np.arange(size(data)), self.seed
        recorder = Recorder(recorded, there, joined=joined, shadow=self.shadow, seed=seed, salted=salted)
        return self._run(data, recorder, self.seed)[0]

    def _run(self, data: Data, recorder: Recorder, seed: int) -> tuple[Recording, Frozen]:
        with frozen(seed) as generators, recorder.draws.open(size(data)), every_seed(recorder.reseeded):
            elsewhere = self.instrument(data, recorder)  # in a sandbox the generators of that process were frozen
        return recorder.recording(), elsewhere if isinstance(elsewhere, Frozen) else generators

    def pairs(self, data: Data, neighbour: Data) -> list[Pair]:
        """Recordings with their replays: record removed and record added, or record replaced."""
        first = self.first_pair(data, neighbour)
        # Where batches are not random, an added record would be in none of the recorded ones.
        if first[0] == REPLACED or (first[1].batches and not self.sampled):
            return [first]
        larger, smaller = _by_size(data, neighbour)
        part, _ = self.record(smaller)
        return [first, ("added", part, self.replay(part, larger, self._joins(larger)))]

    def first_pair(self, data: Data, neighbour: Data) -> Pair:
        """A recording on the larger data set, and its replay without the record; or the record replaced."""
        if size(data) == size(neighbour):
            record = different(data, neighbour)
            joined = [record] if self.sampled else []
            recorded, _ = self.record(data, joined)
            return REPLACED, recorded, self.replay(recorded, neighbour, joined)
        larger, smaller = _by_size(data, neighbour)
        if size(larger) != size(smaller) + 1:
            raise ContentError(f"neighbours differ by one record, got {size(data)} and {size(neighbour)} records")
        whole, _ = self.record(larger, self._joins(larger))
        return "removed", whole, self.replay(whole, smaller)

    def sides(self, data: Data, neighbour: Data) -> tuple[Recording, Side, Side]:
        """A recording, and how it is replayed on its own data set and on the neighbour, with other draws at the sites
        that are given: the first pair of `pairs`."""
        if size(data) == size(neighbour):
            joined = [different(data, neighbour)] if self.sampled else []
            recorded, _ = self.record(data, joined)
            return recorded, self._side(recorded, data, joined), self._side(recorded, neighbour, joined)
        larger, smaller = _by_size(data, neighbour)
        whole, _ = self.record(larger, self._joins(larger))
        return whole, self._side(whole, larger, self._joins(larger)), self._side(whole, smaller, ())

    def _side(self, recorded: Recording, data: Data, joined: Sequence[int]) -> Side:
        return lambda salted: self.replay(recorded, data, joined, salted)

    def path_without(self, data: Data, neighbour: Data) -> tuple[Recording, Recording]:
        """A recording without the record in question, and `without_record` on its path."""
        base = self.record(_by_size(data, neighbour)[1])[0]
        return base, self.without_record(base, data, neighbour)

    def with_record(self, base: Recording, data: Data, neighbour: Data) -> Recording:
        """A replay of a recording without the record in question, with it in every batch if batches are random."""
        larger, smaller = _by_size(data, neighbour)
        joined = self._joins(larger) if size(larger) > size(smaller) else [different(larger, smaller)]
        return self.replay(base, larger, joined)

    def without_record(self, base: Recording, data: Data, neighbour: Data) -> Recording:
        """What `with_record` is held against: the recording, or a replay with the other record in every batch."""
        larger, smaller = _by_size(data, neighbour)
        if size(larger) > size(smaller):
            return base
        return self.replay(base, smaller, [different(larger, smaller)])

    def _joins(self, data: Data) -> list[int]:
        return [size(data) - 1] if self.sampled else []

    def only_record(self, base: Recording, data: Data, neighbour: Data) -> list[Pair]:
        """Two replays in which the record in question is all of every batch, where that can be: division by the size
        of the batch shows there. None where the training raises on such batches, which its own sampler may never draw:
        the check of bad records asks what it does with odd batches."""
        if not (self.any_batch and base.batches):
            return []
        larger, smaller = _by_size(data, neighbour)
        record = different(larger, smaller) if size(larger) == size(smaller) else size(smaller)
        alone = other_batches.rebatched(base, [record])

        def made() -> list[Pair]:
            return [("the only record", self.replay(alone, larger), self.replay(alone, smaller))]

        return tried([("the only record", made)])[0]

    def bad_pairs(self, data: Data, relation: Neighbours) -> tuple[list[Pair], Refused]:
        """Neighbours of which one has a broken last record, or the first one twice; and where the training raises.

        The bad record is added or, where the relation replaces, in the place of the last one.
        """
        broken = [(label, with_changed(data, _filled(value))) for label, value in BAD_VALUES]
        broken.append(("duplicate record", rows(data, np.append(np.arange(size(data) - 1), 0))))
        smaller, adds = rows(data, slice(0, -1)), relation is Neighbours.ADD_OR_REMOVE
        recorded, _ = self.record(smaller) if adds else self.record(data, self._joins(data))

        def against(bad: Data) -> Callable[[], list[Pair]]:
            if adds and recorded.batches and not self.sampled:  # added, it would be in none of the recorded batches
                return lambda: self.pairs(bad, smaller)
            return lambda: [("", recorded, self.replay(recorded, bad, self._joins(bad)))]

        return tried([(label, against(bad)) for label, bad in broken])

    def odd_batches(self, base: Recording, data: Data) -> tuple[list[Pair], Refused]:
        """Recordings whose batches are empty or hold the last record only, with replays; a data set of one record."""

        def single() -> list[Pair]:
            recorded, _ = self.record(rows(data, slice(0, 1)))
            return [("", recorded, recorded)]

        def rebatched(members: list[int]) -> Callable[[], list[Pair]]:
            changed = other_batches.rebatched(base, members)
            return lambda: [("", changed, self.replay(changed, data))]

        cases: list[Case] = [("one record", single)]
        if base.batches:
            cases += [("empty batches", rebatched([])), ("batches of one record", rebatched([size(data) - 1]))]
        return tried(cases)

    def unseen_pairs(self, base: Recording, data: Data, others: Sequence[Data]) -> list[Pair]:
        """Two replays with the last record in no batch: on the data, and on each of `others`, which lack that record
        or have another one in its place."""
        if not base.batches or not others:
            return []
        last = size(data) - 1
        without = other_batches.without(base, last)
        here = self.replay(without, data)
        return [("the last record", here, self.replay(without, other)) for other in others]

    def permuted(self, base: Recording, data: Data) -> Pair:
        """A replay of permuted data with permuted batches."""
        positions = np.random.default_rng(self.seed).permutation(size(data))
        return "permuted", base, self.replay(other_batches.ordered(base, positions), rows(data, positions))

    def elsewhere(self, data: Data, relation: Neighbours) -> list[Pair]:
        """As `first_pair`, for some records that are not the last one; those on which the training raises are left
        out: the check of bad records asks what it refuses. Nothing where places of records matter, or draws, which may
        go by places: without one of them all others have other places."""
        if relation is Neighbours.ZERO_OUT:  # nobody knows the empty record
            return []
        make = partial(self._turned, data)
        if relation is Neighbours.ADD_OR_REMOVE:
            base, _ = self.record(data)
            if not self._by_record(base, data):
                return []
            make = partial(self._removed, base, data)
        return tried([(f"record {one}", partial(make, one)) for one in unlike(data)], relabelled=False)[0]

    def _by_record(self, base: Recording, data: Data) -> bool:
        """Is everything the same with records at other places, and with other draws once batches are read?"""
        sites = frozenset(site for _, site, batch in base.draws.counts if batch or not base.batches)
        cases: list[Case] = [
            ("other places", lambda: [self.permuted(base, data)]),
            ("other draws", lambda: [("", base, self.replay(base, data, salted=sites))]),
        ]
        pairs, refused = tried(cases)
        alike = (calls(one) == calls(other) and not first_difference(one, other) for _, one, other in pairs)
        return not refused and all(alike)

    def _removed(self, base: Recording, data: Data, record: int) -> list[Pair]:
        """A recording with the record in question in every batch, at its place, and its replay without it."""
        whole = self.record(data, [record])[0] if self.sampled else base
        order = np.append(np.delete(np.arange(size(data)), record), record)  # it goes last, and is left out
        moved = other_batches.ordered(replace(whole, batches=whole.draws.members), order)
        return [(f"record {record} removed", whole, self.replay(moved, rows(data, order[:-1])))]

    def _turned(self, data: Data, record: int) -> list[Pair]:
        others = turned(data, record)
        return [(f"record {record} replaced", *self.first_pair(data, other)[1:]) for other in others]


@dataclass(frozen=True, eq=False)
class Again:
    """Makes a replay, or a recording on its own data, again with other draws."""

    training: Training
    recorded: Recording
    data: Data
    joined: Sequence[int]
    compared: dict[tuple[recording.Again, frozenset[Key]], set[Key]] = field(default_factory=dict, repr=False)

    def __call__(self, salted: frozenset[str]) -> Recording | None:
        try:
            with _quiet():
                return self.training.replay(self.recorded, self.data, self.joined, salted)
        except Exception:  # whatever a training does with these draws, of a broken record too: there is no recording
            return None

    @cached_property
    def known(self) -> frozenset[str]:
        """States of generators that a training with another seed has too, as where a number is their seed: everybody
        knows what is drawn from them."""
        try:
            with _quiet():
                other, _ = self.training.record(self.data, self.joined, self.training.seed + 1)
        except Exception:  # as above: nothing is known
            return frozenset()
        return frozenset(base for name, base in other.draws.bases if name != JAX)

    @cached_property
    def private_start(self) -> bool:
        """Does the last record, where it is in no batch, change the first statistic of a name?"""
        try:
            with _quiet():
                pairs = self.training.unseen_pairs(self.recorded, self.data, turned(self.data))
        except Exception:  # as above: nothing is known
            return False
        return any(starts_apart(one, other) for _, one, other in pairs)

    def __deepcopy__(self, memo: object) -> Again:
        """Itself: nothing in it changes."""
        return self


def _by_size(data: Data, neighbour: Data) -> tuple[Data, Data]:
    """The larger one first; as they are given where both have equally many records."""
    return (data, neighbour) if size(data) >= size(neighbour) else (neighbour, data)


def _filled(value: float) -> Callable[[Records], Records]:
    return lambda values: np.full_like(values, value)


def tried(cases: Sequence[Case], relabelled: bool = True) -> tuple[list[Pair], Refused]:
    """The pairs of all cases under their labels, or under their own, and (label, reason) where the training raises."""
    found: list[Pair] = []
    refused: Refused = []
    for label, make in cases:
        try:
            with _quiet():
                found += [(label if relabelled else own, one, other) for own, one, other in make()]
        except Exception as error:  # whatever a training does with a broken record is noted
            refused.append((label, getattr(error, "raised", type(error).__name__)))
    return found, refused


@contextmanager
def _quiet() -> Iterator[None]:
    """Without a word of overflows: records may be broken."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
