"""Does the training make the same noisy calls in the same order on neighbours?

Names, shapes, laws and numbers of the releases, and the number of batches, are seen by everybody who sees the
transcript. A replay that is shorter or longer than what was recorded is caught at its end. Up to 24 replays of several
recordings on data sets far away follow: all records blank, ten times as far out, alike, alike with their labels but for
one of each label, or with other labels. Where the calls are others there, records are exchanged until two neighbours
are found between which they change. Neighbours refute if each makes its calls with 22 other sets of draws too. Else the
decision may have noise that nobody told of, and the outcome is INCONCLUSIVE.

Sees: layers that are left out where no record of the batch went to them, early stopping, schedules and loops that look
at the data.

Cannot see: a stop that neither these paths nor those data sets reach.

False alarms: a false alarm comes from a decision by noise that nobody told of, which 22 other sets of draws leave as it
is on both data sets. Laplace noise of an epsilon of 1 is so overlooked with a probability below 1e-8, of 2 below 1e-4,
of 3 below 1 in 200, and of 8 in two of three cases: that is for one decision on one pair. Where draws cannot be
aligned, calls that differ count only if they do so for 11 different sets of draws, always in the same way: by chance
that is below 2^-21.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from dpaudit.audit.structural.finding import Finding, Key, Pair
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import BATCHES, CALLS, NAMES, first_sure, seen
from dpaudit.records.verdict import Outcome

NAME = "noisy calls"
FALSE_ALARM = "0"
PLACE = 4
REPLAYS = True
SPLIT = True
EXCEPTION = "There is none: whoever sees the releases sees how many there are."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return seen.near_then_far(check(seen.pairs), lambda pairs, told: check([*seen.pairs, *pairs], told))


def check(pairs: Sequence[Pair], told: str = "") -> Finding:
    """REFUTED by the first call that differs; told: stands behind what is CONSISTENT."""
    if not any(recorded.releases for _, recorded, _ in pairs):
        return Finding(NAME, Outcome.NOT_RUN, "nothing was released")
    if differs := first_sure(pairs, _differences):
        return differs
    made = len(calls(pairs[0][1]))
    detail = f"the same {made} calls in the same order on neighbours{told}"
    return Finding(NAME, Outcome.CONSISTENT, detail, (("calls", made),))


def _differences(pair: Pair) -> Iterator[tuple[Key, Finding]]:
    """The first call that differs, once for each way in which calls can."""
    label, recorded, replayed = pair
    first, second = calls(recorded), calls(replayed)
    for number, (one, other) in enumerate(zip_longest(first, second)):
        if one != other:
            detail = f"call {number} is {one or 'missing'}, on the neighbour {other or 'missing'} ({label})"
            numbers = (("pair", label), ("call", number), ("calls", len(first)), ("neighbour_calls", len(second)))
            here, there = seen(recorded, recorded), seen(replayed, recorded)
            apart = [key for key in (CALLS, BATCHES, NAMES) if here[key] != there[key]]
            yield from ((key, Finding(NAME, Outcome.REFUTED, detail, numbers)) for key in apart)
            return
