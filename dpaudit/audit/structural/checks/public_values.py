"""Is every public value the same on neighbours?

Replays on the data sets far away of `noisy calls` count too.

Sees: batch divisors, clipping bounds, learning rates, data ranges, numbers of records or steps taken from the data.

Cannot see: what the training does not declare with `Recorder.public`.

False alarms: What other draws change refutes nothing, as in `un-noised outputs`, with the probabilities of `noisy
calls`. A value that hangs on the records and is private by itself is refuted as long as it is declared as public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from dpaudit.audit.structural.finding import Finding, Key, Pair, same
from dpaudit.audit.structural.measures import shown
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import PUBLIC, first_sure
from dpaudit.records.verdict import Outcome

NAME = "public values"
FALSE_ALARM = "0"
PLACE = 3
REPLAYS = True
SPLIT = False
EXCEPTION = "There is none: declare as public only what does not hang on the records."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return seen.near_then_far(check(seen.pairs), lambda pairs, told: check([*seen.pairs, *pairs], told))


def check(pairs: Sequence[Pair], told: str = "") -> Finding:
    """REFUTED by the first public value that differs, or is there on one side only; told: stands behind what is
    CONSISTENT."""
    if differs := first_sure(pairs, _differences):
        return differs
    compared = sum(max(len(recorded.public), len(replayed.public)) for _, recorded, replayed in pairs)
    if not compared:
        return Finding(NAME, Outcome.NOT_RUN, "the training declares no public value")
    detail = f"{compared} public values are equal on neighbours{told}"
    return Finding(NAME, Outcome.CONSISTENT, detail, (("compared", compared),))


def _differences(pair: Pair) -> Iterator[tuple[Key, Finding]]:
    label, recorded, replayed = pair
    for place, (one, other) in enumerate(zip_longest(recorded.public, replayed.public)):
        if one is None or other is None:
            name = (one or other)[0]
            detail = f"public value {name} is used on one data set and not on its neighbour ({label})"
            yield (PUBLIC, place), Finding(NAME, Outcome.REFUTED, detail, (("pair", label), ("name", name)))
        elif one[0] != other[0] or not same(one[1], other[1]):
            value, neighbour = shown(one[1]), shown(other[1])
            detail = f"public value {one[0]} = {value}, on the neighbour {other[0]} = {neighbour} ({label})"
            numbers = (("pair", label), ("name", one[0]), ("value", value), ("neighbour", neighbour))
            yield (PUBLIC, place), Finding(NAME, Outcome.REFUTED, detail, numbers)
