"""Does anything depend on records outside the batch, or on how many there are?

The replay runs on a neighbour whose different record is in no batch: every statistic, public value and output must be
the same. Where records are added or removed the number of records is private, so this is the check that nothing reads
`len(data)`. Sees: division by the number of records, statistics of the whole data set inside a step. Cannot see:
trainings that draw no batches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpaudit.audit.structural.finding import Finding, Key, Pair, differences
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import first_sure
from dpaudit.records.verdict import Outcome

NAME = "records outside the batch"
FALSE_ALARM = "0"
PLACE = 9
REPLAYS = True
SPLIT = False
EXCEPTION = "There is none. A training that draws no batches is not checked."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.unseen)


def check(pairs: Sequence[Pair]) -> Finding:
    """REFUTED by the first difference."""
    if differs := first_sure(pairs, _differences):
        return differs
    if not any(recorded.batches for _, recorded, _ in pairs):
        return Finding(NAME, Outcome.NOT_RUN, "the training draws no batches: every record is in every step")
    return Finding(NAME, Outcome.CONSISTENT, "nothing depends on records outside the batch or on their number")


def _differences(pair: Pair) -> Iterator[tuple[Key, Finding]]:
    label, recorded, replayed = pair
    for key, what in differences(recorded, replayed):
        detail = f"{what} changes with a record that is in no batch ({label})"
        yield key, Finding(NAME, Outcome.REFUTED, detail, (("pair", label), ("what", what)))
