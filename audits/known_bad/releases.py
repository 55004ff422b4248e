"""Small releases with one bug at a time: each must be found by the distinguishing game.

What: the releases of `dpaudit.audit.planted.releases`, whose sources are in `release_targets`.
Why: sums, means, counts, choices and randomised answers are where most of the published sensitivity bugs were.
The adversary sees what is released.
"""

from __future__ import annotations

from dpaudit.audit.planted.release_targets import CASES

AUDITS = tuple(case.carrier(broken=True) for case in CASES)
