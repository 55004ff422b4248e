"""Does anything depend on records outside the batch, or on how many there are?

The replay runs on a neighbour whose different record is in no batch: every statistic, public value and output must be
the same. Where records are added or removed the number of records is private, so this is the check that nothing reads
`len(data)`. A release beside the steps of an optimiser, `watch.release`, may be made of all records where the
accountant assumes no random batches.

Sees: division by the number of records, statistics of the whole data set inside a step.

Cannot see: trainings that draw no batches, and those of which no neighbour differs in the last record, where records
are replaced by an empty one: only the target knows what that is.

False alarms: What other draws change refutes nothing, as in `un-noised outputs`, with the probabilities of `noisy
calls`. A statistic of all records that is private by itself, and is released inside a step, or anywhere where random
batches are accounted for, is refuted: the accountant has no place for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from dpaudit.audit.structural.accounted import assumption
from dpaudit.audit.structural.finding import STATISTIC, Finding, Key, Pair, differences, matched
from dpaudit.audit.structural.measures import allowed, distance
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import first_sure
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

NAME = "records outside the batch"
FALSE_ALARM = "0"
PLACE = 9
REPLAYS = True
SPLIT = False
EXCEPTION = "There is none. A training that draws no batches is not checked."
WHOLE = "the training draws no batches: every record is in every step"
UNKNOWN = "no neighbour is known that differs in the last record alone"


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    assumed = assumption(seen.mechanism) if seen.mechanism is not None else None
    if not seen.unseen:
        return Finding(NAME, Outcome.NOT_RUN, UNKNOWN if seen.recorded.batches else WHOLE)
    return check(seen.unseen, seen.sampling is not None or (assumed is not None and assumed.sampled))


def check(pairs: Sequence[Pair], sampled: bool = True) -> Finding:
    """REFUTED by the first difference; sampled: the accountant assumes that batches are random, so that nothing may be
    released of all records."""
    if differs := first_sure(pairs, partial(_differences, sampled=sampled)):
        return differs
    if not any(recorded.batches for _, recorded, _ in pairs):
        return Finding(NAME, Outcome.NOT_RUN, WHOLE)
    return Finding(NAME, Outcome.CONSISTENT, "nothing depends on records outside the batch or on their number")


def _differences(pair: Pair, sampled: bool) -> Iterator[tuple[Key, Finding]]:
    label, recorded, replayed = pair
    passed = set() if sampled else set(_within(recorded, replayed))
    for key, what in differences(recorded, replayed):
        if key not in passed:
            detail = f"{what} changes with a record that is in no batch ({label})"
            yield key, Finding(NAME, Outcome.REFUTED, detail, (("pair", label), ("what", what)))


def _within(recorded: Recording, replayed: Recording) -> Iterator[Key]:
    """Releases that are of no batch, beside the steps, and move by no more than they declare."""
    for one, other in matched(recorded, replayed):
        if one.beside and one.sensitivity is not None and distance(one, other) <= allowed(one):
            yield f"{STATISTIC}{one.name}", one.step
