"""Small releases with one bug at a time, each found by the distinguishing game, and their correct twins.

What: the releases of `dpaudit.audit.planted.releases`, with their sources.
Why: sums, means, counts, choices and randomised answers are where most of the published sensitivity bugs were. The game
that finds them must stay silent on the releases as they must be.
The adversary sees what is released.
"""

from __future__ import annotations

from dpaudit.audit.planted.releases import CASES

AUDITS = tuple(case.audit(broken) for broken in (False, True) for case in CASES)
