"""Is the training the same when the records come in another order, with the batches reordered alike?

Sees: record numbers used as weights or as seeds, a first or last record that is treated apart.

Cannot see: orders that one permutation does not tell apart.

False alarms: A training that walks through its data without declaring batches depends on the order by design, and is
refuted until the exception is declared. Sums in another order differ by roundings: up to 2^10 of them, relative to the
largest number, pass.
"""

from __future__ import annotations

from dpaudit.audit.structural.finding import Finding, Pair, first_difference
from dpaudit.audit.structural.observed import Observed
from dpaudit.records.verdict import Outcome

NAME = "order of the records"
FALSE_ALARM = "0"
PLACE = 10
REPLAYS = True
SPLIT = False
EXCEPTION = "`Assumptions(ordered=True)`, where the order of the records matters by design, as in a stream."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    if seen.assumptions.ordered:
        return Finding(NAME, Outcome.NOT_RUN, "the order of the records matters by design")
    return check(seen.permuted)


def check(pair: Pair) -> Finding:
    """REFUTED by the first difference between a recording and its replay on permuted data with permuted batches."""
    label, recorded, replayed = pair
    difference = first_difference(recorded, replayed)
    if difference:
        detail = f"{difference} changes with the order of the records ({label})"
        return Finding(NAME, Outcome.REFUTED, detail, (("what", difference),))
    return Finding(NAME, Outcome.CONSISTENT, "permuted records with permuted batches give the same up to rounding")
