"""Do statistics move between neighbours by at most the sensitivity that they declare?

The replay evaluates each statistic on the neighbour at the recorded path. The record in which they differ is the last
one, and then others that are unlike it: the first one, one in the middle, the longest one, and one of the rarest label.

Sees: no clipping, clipping of the mean, wrong divisors, a relation mixed up, records that count more than once, that
change what all others are filled up or compared to, or keep others out of their batch, non-finite records.

Cannot see: a record that moves nothing on this path, or less than another record would.

False alarms: Moves up to a millionth above the sensitivity pass, and roundings in proportion to the statistic.
Statistics that hang on a noisy number which nobody told of, a clipping norm or a rate, are no witness: the outcome is
INCONCLUSIVE where it rests on those that other draws change, of single numbers, or of few where what everybody sees has
noise that nobody told of. So it is in `accountant`, `bad records` and `records outside the batch`.
"""

from __future__ import annotations

from collections.abc import Sequence

from dpaudit.audit.structural.finding import Finding, Pair, matched
from dpaudit.audit.structural.measures import allowed, distance
from dpaudit.audit.structural.observed import Observed
from dpaudit.records.verdict import Outcome

NAME = "sensitivity"
FALSE_ALARM = "0"
PLACE = 2
REPLAYS = True
SPLIT = True
EXCEPTION = (
    "Declare no sensitivity at the release where none is promised; the accountant then judges the measured move."
)

_UNMOVED = "no statistic moves between the neighbours: hand over others, of which one record moves the training"


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.pairs)


def check(pairs: Sequence[Pair]) -> Finding:
    """REFUTED by the largest excess over a declared sensitivity among all releases of all pairs."""
    moves = [
        (distance(one, other), one, label)
        for label, recorded, replayed in pairs
        for one, other in matched(recorded, replayed)
        if one.sensitivity is not None
    ]
    if not moves:
        return Finding(
            NAME, Outcome.NOT_RUN, "no release declares a sensitivity, or there is no neighbour to replay on"
        )
    ratio, moved, release, label = max(((m / allowed(r), m, r, pair) for m, r, pair in moves), key=lambda item: item[0])
    numbers = (
        ("pair", label),
        ("release", release.name),
        ("step", release.step),
        ("distance", moved),
        ("sensitivity", release.sensitivity),
        ("norm", release.norm),
        ("compared", len(moves)),
    )
    if ratio > 1:
        where = f"{release.name} at step {release.step} ({label})"
        detail = f"{where} moves by {moved:.6g}, declared is {release.sensitivity:.6g}"
        return Finding(NAME, Outcome.REFUTED, detail, numbers)
    if moved == 0:
        return Finding(NAME, Outcome.NOT_RUN, _UNMOVED, numbers)
    detail = f"no statistic moves by more than {ratio:.4g} of its declared sensitivity; anything above 1 would be seen"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)
