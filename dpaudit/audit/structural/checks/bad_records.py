"""Do statistics stay finite, and within their sensitivity, when one record is broken or a batch is odd?

Each pair replays a recording with a record that is NaN, infinite, huge or a duplicate, with empty batches, or with
batches of that one record.

Sees: non-finite values that survive clipping (0 times infinity), means of empty batches.

Cannot see: records that are refused before the recorder is called; they are listed.

False alarms: A training that is handed checked records only is refuted by records that it would never see: say so, as
below. Statistics that hang on noise which nobody told of make the outcome INCONCLUSIVE, as in `sensitivity`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpaudit.audit.structural.finding import Finding, Pair, matched
from dpaudit.audit.structural.measures import allowed, distance
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Release
from dpaudit.records.verdict import Outcome

NAME = "bad records"
FALSE_ALARM = "0"
PLACE = 8
REPLAYS = True
SPLIT = True
EXCEPTION = (
    "`Assumptions(checked_records=True)`, where records that are not finite or not within their bounds "
    "never reach the training."
)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    if seen.assumptions.checked_records:
        return Finding(NAME, Outcome.NOT_RUN, "records are checked before the training")
    return check(*seen.broken())


def check(pairs: Sequence[Pair], alone: Sequence[Pair] = (), refused: Sequence[tuple[str, str]] = ()) -> Finding:
    """REFUTED by the first statistic that is not finite, or moves by more than its declared sensitivity.

    pairs: neighbours, of which one has a bad record; alone: replays with odd batches, which must be finite and need
    not be near what was recorded; refused: (label, reason) where the training raised an exception.
    """
    seen = 0
    for cases, bounded in ((pairs, True), (alone, False)):
        for label, recorded, replayed in cases:
            for one, other in matched(recorded, replayed):
                seen += 1
                if not np.isfinite(other.statistic).all() or (bounded and _too_far(one, other)):
                    return _refuted(label, one, other)
    left_out = "; refused: " + ", ".join(f"{label} ({reason})" for label, reason in refused) if refused else ""
    if not seen:
        return Finding(NAME, Outcome.NOT_RUN, f"no bad record reached a release{left_out}")
    tried = ", ".join(label for label, _, _ in (*pairs, *alone))
    return Finding(NAME, Outcome.CONSISTENT, f"finite and within sensitivity: {tried}{left_out}", (("compared", seen),))


def _too_far(one: Release, other: Release) -> bool:
    """Further than declared; the slack is looked up only where it matters."""
    if one.sensitivity is None or (moved := distance(one, other)) <= one.sensitivity:
        return False
    return moved > max(allowed(one), allowed(other))


def _refuted(label: str, one: Release, other: Release) -> Finding:
    moved = distance(one, other)
    detail = f"{label}: {one.name} at step {one.step} moves by {moved:.6g}, declared is {one.sensitivity}"
    if not np.isfinite(other.statistic).all():
        detail = f"{label}: {one.name} at step {one.step} is not finite"
    numbers = (("case", label), ("release", one.name), ("step", one.step), ("distance", moved))
    return Finding(NAME, Outcome.REFUTED, detail, numbers)
