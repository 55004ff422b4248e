"""Data sets far from the recorded one, and the two neighbours on the way there that are told apart.

A stop, a choice, a threshold or a bound that is taken from the records may be the same for two neighbours near the data
at hand, where no single record is enough to cross it. A training is private on all data sets, so recordings are
replayed on some that are far away: on one path, whatever everybody sees is a function of the data set alone, and where
it is another one there, records are exchanged one after the other. At one of them it changes, and the data sets before
and after it are neighbours. Where the relation adds or removes records, the data set without that record differs from
one of the two, in what everybody sees as well.

A decision may have noise of its own that nobody told the recorder of. So the two neighbours are replayed again with
other draws, see `dpaudit.audit.structural.other_draws`, and refute only if each of them decides the same whatever is
drawn, and if so it is for all neighbours that were found. Where draws decide, the outcome is INCONCLUSIVE.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from dpaudit.audit.structural.other_draws import is_statistic, seen, sure
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
Side: TypeAlias = tuple[Data, Recording]
"""A data set, and the replay on it."""


@dataclass(frozen=True)
class Far:
    """What replays far away showed. pairs: recordings and their replays, alike, or neighbours that are told apart;
    open: neighbours that are told apart, but not with each set of draws; refused: where the training raised an
    exception, and which."""

    pairs: list[Pair]
    open: list[Pair]
    refused: Refused

    def told(self) -> str:
        """Where it raised, in words that stand behind a sentence."""
        return "; refused: " + ", ".join(f"{label} ({why})" for label, why in self.refused) if self.refused else ""

    def alike(self) -> list[Pair]:
        """Pairs that nothing tells apart."""
        return [pair for pair in self.pairs if seen_alike(*pair[1:])]

    def apart(self) -> list[Pair]:
        """The others, open ones too."""
        return [*self.open, *(pair for pair in self.pairs if not seen_alike(*pair[1:]))]

    def joined(self, more: Far) -> Far:
        """What both showed."""
        return Far(self.pairs + more.pairs, self.open + more.open, self.refused + more.refused)

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


def seen_alike(one: Recording, other: Recording) -> bool:
    """Are calls, public values and outputs the same?"""
    return calls(one) == calls(other) and same(one.public, other.public) and same(one.outputs, other.outputs)


def far_pairs(paths: Sequence[tuple[Training, Recording]], data: Data) -> Far:
    """For every data set of `far_data`: the recording and its replay there, or, where they are told apart, replays on
    two neighbours on the way that are; and the data sets on which the training raises.

    paths: recordings on `data` and what replays them; later ones only where the earlier ones tell nothing apart, and
    while there are replays left. One pair that hangs on draws makes all that are told apart `open`.
    """
    found, ways, left = Far([], [], []), far_data(data), REPLAYS
    for number, (training, recorded) in enumerate(paths):
        path = _Path(training, recorded, data, f", in training {number + 1}" if number else "")
        refused = {label for label, _ in found.refused}
        for way, far in [one for one in ways if _label(one[0]) not in refused][:left]:
            if len(found.apart()) < CROSSINGS:
                found, left = found.joined(path.replayed(way, far)), left - 1
        if found.apart():
            break
    return replace(found, pairs=found.alike(), open=found.apart()) if found.open else found


def _label(way: str) -> str:
    return f"all records {way}"


@dataclass(frozen=True)
class _Path:
    """A recording on `data`; where: stands behind the label of its pairs."""

    training: Training
    recorded: Recording
    data: Data
    where: str

    def replayed(self, way: str, far: Data) -> Far:
        """What a replay on `far` shows."""
        sure: list[bool] = []

        def made() -> list[Pair]:
            label, sides = self._sides(way, far)
            sure.append(len(sides) == 1 or self._sure(sides))
            _, here = sides[0] if len(sides) > 1 else (self.data, self.recorded)
            return [(f"{label}{self.where}", here, sides[-1][1])]

        pairs, refused = tried([(_label(way), made)], relabelled=False)
        return Far([], pairs, refused) if sure == [False] else Far(pairs, [], refused)

    def _sides(self, way: str, far: Data) -> tuple[str, list[Side]]:
        """The replay on `far` where it is as it was recorded, or replays on two neighbours on the way there that are
        told apart; the label says how many records were exchanged."""
        near, there = 0, size(self.data)
        here, beyond = self.recorded, self.training.replay(self.recorded, far)
        if seen_alike(here, beyond):
            return _label(way), [(far, beyond)]
        while there - near > 1:  # at `near` all is as it was recorded, at `there` it is not
            middle = (near + there) // 2
            replayed = self.training.replay(self.recorded, exchanged(self.data, far, middle))
            if seen_alike(self.recorded, replayed):
                near, here = middle, replayed
            else:
                there, beyond = middle, replayed
        label = f"the first {near} records {way}, on the neighbour {there}"
        return label, [(exchanged(self.data, far, near), here), (exchanged(self.data, far, there), beyond)]

    def _sure(self, sides: Sequence[Side]) -> bool:
        """Are the two told apart in the same way by the first thing that differs, whatever is drawn?"""
        both = [recording for _, recording in sides]
        here, beyond = (self._seen(one) for one in both)
        key = next((key for key in (*here, *beyond) if not same(here.get(key), beyond.get(key))), None)
        return key is not None and key in sure(both, [key], self._seen)

    def _seen(self, one: Recording) -> dict[Key, object]:
        """What everybody sees of a replay."""
        return {key: value for key, value in seen(one, self.recorded).items() if not is_statistic(key)}
