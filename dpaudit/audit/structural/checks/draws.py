"""Does the sampler draw the same records whatever they hold?

On a neighbour with as many records, and the same seed, the drawn batches must be the same.

Sees: sampling by loss or by label, batches filled until something is met.

Cannot see: where records are added or removed, since the batches then differ by themselves.

False alarms: A sampler that looks at the records by design, as one that balances labels, is refuted even where its own
accountant allows for that. Where the statistics hang on draws that a replay cannot align, the outcome is INCONCLUSIVE.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from dpaudit.audit.structural.finding import Finding, Pair
from dpaudit.audit.structural.observed import Observed
from dpaudit.records.verdict import Outcome

NAME = "draws of the sampler"
FALSE_ALARM = "0"
PLACE = 6
REPLAYS = True
SPLIT = False
EXCEPTION = "There is none: batches that hang on what records hold are not those of any accountant."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.level_pairs)


def check(pairs: Sequence[Pair]) -> Finding:
    """REFUTED by the first batch that is drawn differently; pairs: of data sets with equally many records."""
    compared = 0
    for label, recorded, replayed in pairs:
        for number, (one, other) in enumerate(zip_longest(recorded.batches, replayed.batches)):
            compared += 1
            if one is None or other is None or not np.array_equal(one, other):
                detail = f"batch {number} is drawn differently when a record changes ({label})"
                return Finding(NAME, Outcome.REFUTED, detail, (("pair", label), ("batch", number)))
    if not compared:
        return Finding(NAME, Outcome.NOT_RUN, "no batches, or no neighbour with as many records")
    return Finding(NAME, Outcome.CONSISTENT, f"{compared} batches are drawn alike", (("compared", compared),))
