"""Does a replay on the same data repeat the recording? The control of all checks that replay.

If it does not, a difference between neighbours proves nothing.

Sees: randomness that could not be frozen: the operating system's entropy, threads, time.

Cannot see: randomness that happens to repeat in the one replay that is made.

False alarms: None: it never refutes. Where a replay does not repeat the recording the outcome is INCONCLUSIVE, and the
checks that compare replays are not made. `global random state` still is: it only asks whether noise repeats.
"""

from __future__ import annotations

from dpaudit.audit.structural.finding import Finding, Pair, first_difference
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.observed import Observed
from dpaudit.records.verdict import Outcome

NAME = "repeatable replay"
FALSE_ALARM = "0"
PLACE = 1
REPLAYS = False
SPLIT = False
EXCEPTION = "There is none: let all randomness hang on global generators, which are seeded, or on `recorder.seed`."

_SETTLED = "to settle it: draw all randomness from the recorder's seed or from the global generators"


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.repeated)


def check(pair: Pair) -> Finding:
    """INCONCLUSIVE if anything but noise and draws differs between a recording and its replay on the same data."""
    _, recorded, replayed = pair
    if calls(recorded) != calls(replayed):
        detail = f"a replay on the same data makes other calls: randomness is not frozen; {_SETTLED}"
        return Finding(NAME, Outcome.INCONCLUSIVE, detail)
    difference = first_difference(recorded, replayed)
    if difference:
        said = f"a replay on the same data gives another {difference}: randomness is not frozen, replays say nothing"
        detail = f"{said}; {_SETTLED}"
        return Finding(NAME, Outcome.INCONCLUSIVE, detail)
    return Finding(
        NAME, Outcome.CONSISTENT, "a replay on the same data repeats every statistic, public value and output"
    )
