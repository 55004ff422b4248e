"""Data sets far from the recorded one, and the two neighbours on the way there that are told apart.

A stop, a threshold or a bound that is taken from the records may be the same for two neighbours near the data at hand,
where no single record is enough to cross it. A training is private on all data sets, so the recording is replayed on
some that are far away. Where what everybody sees differs there, records are exchanged one after the other: at one of
them it changes, and the data sets before and after it are neighbours. Where the relation adds or removes records, the
data set without that record differs from one of the two, in what everybody sees as well.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpaudit.audit.structural.data_sets import Records, equal, joined, rows, size, with_features
from dpaudit.audit.structural.finding import Pair, same
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.recording import Recording
from dpaudit.audit.structural.training import Case, Refused, Training, tried
from dpaudit.content.audits import Data

FAR = 10.0
"""How many times as far out all records are taken."""


def far_data(data: Data) -> list[tuple[str, Data]]:
    """As many records, with the same labels, by what they are: blank, ten times as far out, or like the first one. Of
    features that are no floats, as in texts of numbered words, only the last."""
    ways: tuple[tuple[str, Callable[[Records], Records], bool], ...] = (
        ("blank", np.zeros_like, True),
        (f"{FAR:g} times as far out", lambda features: FAR * features, True),
        ("like the first one", lambda features: np.repeat(features[:1], len(features), axis=0), False),
    )
    made = [(way, with_features(data, change, floats)) for way, change, floats in ways]
    return [(way, far) for way, far in made if not equal(data, far)]


def exchanged(data: Data, far: Data, number: int) -> Data:
    """The first `number` records of `far`, and the others of `data`."""
    return joined(rows(far, slice(0, number)), rows(data, slice(number, None)))


def seen_alike(one: Recording, other: Recording) -> bool:
    """Are calls and public values the same?"""
    return calls(one) == calls(other) and same(one.public, other.public)


def far_pairs(training: Training, recorded: Recording, data: Data) -> tuple[list[Pair], Refused]:
    """For every data set of `far_data`: the recording and its replay there, or, where they are told apart, replays on
    two neighbours on the way that are; and the data sets on which the training raises."""

    def case(way: str, far: Data) -> Case:
        return f"all records {way}", lambda: [_crossing(training, recorded, data, way, far)]

    return tried([case(way, far) for way, far in far_data(data)], relabelled=False)


def _crossing(training: Training, recorded: Recording, data: Data, way: str, far: Data) -> Pair:
    """The pair says how many records were exchanged."""
    near, there = 0, size(data)
    here, beyond = recorded, training.replay(recorded, far)
    if seen_alike(here, beyond):
        return f"all records {way}", here, beyond
    while there - near > 1:  # at `near` all is as it was recorded, at `there` it is not
        middle = (near + there) // 2
        replayed = training.replay(recorded, exchanged(data, far, middle))
        if seen_alike(recorded, replayed):
            near, here = middle, replayed
        else:
            there, beyond = middle, replayed
    return f"the first {near} records {way}, on the neighbour {there}", here, beyond
