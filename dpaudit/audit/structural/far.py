"""Data sets far from the recorded one, and the two neighbours on the way there that are told apart.

A stop, a choice, a threshold or a bound that is taken from the records may be the same for two neighbours near the data
at hand, where no single record is enough to cross it. A training is private on all data sets, so recordings are
replayed on some that are far away: on one path, whatever everybody sees is a function of the data set alone, and where
it is another one there, records are exchanged one after the other. At one of them it changes, and the data sets before
and after it are neighbours. Where the relation adds or removes records, the data set without that record differs from
one of the two, in what everybody sees as well.

A decision may have noise of its own that nobody told the recorder of. So the two neighbours are replayed again with
other draws, see `dpaudit.audit.structural.other_draws`, and refute only if each of them decides the same whatever is
drawn, and if so it is for all neighbours that were found. Where draws decide, the outcome is INCONCLUSIVE. Calls and
public values are looked at first, and outputs only where these are alike: a number with noise of its own that is
another one on every data set hides no stop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

import numpy as np

from dpaudit.audit.structural.data_sets import (
    Records,
    equal,
    joined,
    label_place,
    relabelled,
    rows,
    size,
    with_features,
)
from dpaudit.audit.structural.finding import Key, Pair, same
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.other_draws import BATCHES, CALLS, NAMES, OUTPUT, PUBLIC, is_statistic, seen, sure
from dpaudit.audit.structural.recording import Recording
from dpaudit.audit.structural.training import Refused, Training, tried
from dpaudit.content.audits import Data

FAR = 10.0
"""How many times as far out all records are taken."""
REPLAYS = 24
"""Of all recordings together, on data sets far away; those that look for the neighbours on the way are not counted."""
MODELS = 3
"""Records that all others are made like."""
CROSSINGS = 3
"""Neighbours that are told apart are looked for on the way to so many data sets."""
Named: TypeAlias = tuple[tuple[str, object], ...]
"""Public values or outputs."""


@dataclass(frozen=True)
class Far:
    """What replays far away showed. pairs: recordings and their replays, alike, or neighbours that are told apart, by
    what is so whatever is drawn; open: neighbours that are told apart, but not with each set of draws; refused: where
    the training raised an exception, and which."""

    pairs: list[Pair]
    open: list[Pair]
    refused: Refused

    def told(self) -> str:
        """Where it raised, in words that stand behind a sentence."""
        return "; refused: " + ", ".join(f"{label} ({why})" for label, why in self.refused) if self.refused else ""

    def changed(self, change: Callable[[Pair], Pair]) -> Far:
        """The same with every pair changed."""
        return replace(self, pairs=[change(one) for one in self.pairs], open=[change(one) for one in self.open])


def far_data(data: Data) -> list[tuple[str, Data]]:
    """As many records: with the same labels, blank, ten times as far out, or with the features of the first one; of
    features that are no floats, as in texts of numbered words, only the last. And all but one of each label like one
    record, its label too, where a mean over the records is as large as it gets; or with other labels."""
    ways: tuple[tuple[str, Callable[[Records], Records], bool], ...] = (
        ("blank", np.zeros_like, True),
        (f"{FAR:g} times as far out", lambda features: FAR * features, True),
        ("like the first one", lambda features: np.repeat(features[:1], len(features), axis=0), False),
    )
    made = [(way, with_features(data, change, floats)) for way, change, floats in ways]
    made += [(f"like record {number}, its label too", _like(data, number)) for number in _models(data)]
    if label_place(data) is not None:
        made.append(("with the next label", relabelled(data, _next)))
    found: list[tuple[str, Data]] = []
    for way, far in made:
        if not any(equal(far, one) for one in (data, *(known for _, known in found))):
            found.append((way, far))
    return found


def _models(data: Data) -> list[int]:
    """The first record of some labels; without labels, the first one and one in the middle."""
    place = label_place(data)
    if place is None:
        return [0, size(data) // 2]
    return sorted(np.unique(data[place], return_index=True)[1])[:MODELS]


def _like(data: Data, number: int) -> Data:
    """All records like that one, but for the first one of each label: which labels there are may be known."""
    order, place = np.full(size(data), number), label_place(data)
    if place is not None:
        first = np.unique(data[place], return_index=True)[1]
        order[first] = first
    return rows(data, order)


def _next(labels: Records) -> Records:
    """Of each label the next larger one that occurs; of the largest, the smallest."""
    known, places = np.unique(labels, return_inverse=True)
    return np.asarray(np.roll(known, -1)[places.reshape(labels.shape)])


def exchanged(data: Data, far: Data, number: int) -> Data:
    """The first `number` records of `far`, and the others of `data`."""
    return joined(rows(far, slice(0, number)), rows(data, slice(number, None)))


class Aspect(Enum):
    """What everybody sees, in the order in which it is looked at."""

    PATH = "calls and public values"
    OUTPUTS = "outputs"


def told_apart(one: Recording, other: Recording) -> Aspect | None:
    """By what the two are told apart first."""
    if calls(one) != calls(other) or not same(one.public, other.public):
        return Aspect.PATH
    return None if same(one.outputs, other.outputs) else Aspect.OUTPUTS


@dataclass(frozen=True)
class _Crossing:
    """Neighbours that are told apart by this first; sure: whatever is drawn."""

    aspect: Aspect
    pair: Pair
    sure: bool


def far_pairs(paths: Sequence[tuple[Training, Recording]], data: Data) -> Far:
    """For every data set of `far_data`: the recording and its replay there, or, where they are told apart, replays on
    two neighbours on the way that are; and the data sets on which the training raises.

    paths: recordings on `data` and what replays them; later ones only where the earlier ones show no other calls and
    public values, and while there are replays left. One pair that hangs on draws makes all that are told apart by the
    same aspect `open`.
    """
    alike, crossed, refused, left = list[Pair](), list[_Crossing](), list[tuple[str, str]](), REPLAYS
    for number, (training, recorded) in enumerate(paths):
        path = _Path(training, recorded, data, f", in training {number + 1}" if number else "")
        known = {label for label, _ in refused}
        for way, far in [one for one in far_data(data) if _label(one[0]) not in known][:left]:
            full = [aspect for aspect in Aspect if sum(one.aspect is aspect for one in crossed) >= CROSSINGS]
            if Aspect.PATH in full:
                break
            made = path.replayed(way, far, full)
            refused, left = refused + made.refused, left - 1
            alike, crossed = alike + made.alike, crossed + made.crossed
        if any(one.aspect is Aspect.PATH for one in crossed):
            break
    doubted = {one.aspect for one in crossed if not one.sure}
    open_pairs = [one.pair for one in crossed if one.aspect in doubted]
    return Far(alike + [one.pair for one in crossed if one.aspect not in doubted], open_pairs, refused)


def _label(way: str) -> str:
    return f"all records {way}"


@dataclass(frozen=True)
class _Shown:
    """What replays on the way to one data set showed."""

    alike: list[Pair]
    crossed: list[_Crossing]
    refused: Refused


@dataclass(frozen=True)
class _Path:
    """A recording on `data`; where: stands behind the label of its pairs."""

    training: Training
    recorded: Recording
    data: Data
    where: str

    def replayed(self, way: str, far: Data, full: Sequence[Aspect]) -> _Shown:
        """What a replay on `far` shows; full: by what no more neighbours need to be told apart."""
        crossed: list[_Crossing] = []

        def made() -> list[Pair]:
            beyond = self.training.replay(self.recorded, far)
            aspect = told_apart(self.recorded, beyond)
            if aspect is None:
                return [(f"{_label(way)}{self.where}", self.recorded, beyond)]
            if aspect not in full:
                crossed.append(self._crossing(way, far, beyond, aspect))
            return []

        alike, refused = tried([(_label(way), made)], relabelled=False)
        return _Shown(alike, crossed, refused)

    def _crossing(self, way: str, far: Data, beyond: Recording, aspect: Aspect) -> _Crossing:
        """Replays on two neighbours on the way to `far`, where this tells `beyond` from the recording; the label says
        how many records were exchanged."""
        near, there, here = 0, size(self.data), self.recorded
        while there - near > 1:  # at `near` all is as it was recorded, at `there` it is not
            middle = (near + there) // 2
            replayed = self.training.replay(self.recorded, exchanged(self.data, far, middle))
            if self._is_apart(replayed, aspect):
                there, beyond = middle, replayed
            else:
                near, here = middle, replayed
        aspect = told_apart(here, beyond) or aspect
        kept = self._sure(here, beyond, aspect)
        label = f"the first {near} records {way}, on the neighbour {there}{self.where}"
        return _Crossing(aspect, (label, here, _with_only(kept, beyond, here) if kept else beyond), bool(kept))

    def _is_apart(self, replayed: Recording, aspect: Aspect) -> bool:
        """Is it told from the recording by this, or by what is looked at before?"""
        found = told_apart(self.recorded, replayed)
        return found is not None and (found is aspect or aspect is Aspect.OUTPUTS)

    def _sure(self, here: Recording, beyond: Recording, aspect: Aspect) -> set[Key]:
        """By what of this the two are told apart whatever is drawn."""
        first, second = self._seen(here), self._seen(beyond)
        asked = [key for key in first | second if (key[0] == OUTPUT) is (aspect is Aspect.OUTPUTS)]
        apart = [key for key in asked if not same(first.get(key), second.get(key))]
        return sure((here, beyond), apart, self._seen) if apart else set()

    def _seen(self, one: Recording) -> dict[Key, object]:
        """What everybody sees of a replay."""
        return {key: value for key, value in seen(one, self.recorded).items() if not is_statistic(key)}


def _with_only(kept: set[Key], one: Recording, other: Recording) -> Recording:
    """The first recording, but for what is not kept: that is as in the other one."""
    if not kept & {CALLS, BATCHES}:
        one = replace(one, releases=other.releases, batches=other.batches, pieces=other.pieces)
    if NAMES not in kept and [name for name, _ in one.outputs] != [name for name, _ in other.outputs]:
        one = replace(one, outputs=other.outputs)

    def mixed(kind: str, here: Named, there: Named) -> Named:
        as_there = (place < len(there) and (kind, place) not in kept for place in range(len(here)))
        return tuple(there[place] if is_there else here[place] for place, is_there in enumerate(as_there))

    public, outputs = mixed(PUBLIC, one.public, other.public), mixed(OUTPUT, one.outputs, other.outputs)
    return replace(one, public=public, outputs=outputs)
