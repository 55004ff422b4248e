"""The correct twins of the broken releases.

What: the releases of `dpaudit.audit.planted.releases` as they must be.
Why: the game that finds the bugs of known_bad/releases.py must stay silent on these.
The adversary sees what is released.
"""

from __future__ import annotations

from dpaudit.audit.planted.release_targets import CASES

AUDITS = tuple(case.carrier(broken=False) for case in CASES)
