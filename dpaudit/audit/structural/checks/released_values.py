"""Is every released value its statistic plus its noise?

Sees: a value that was computed from other data than the statistic whose sensitivity is declared, a noise that was drawn
and not added.

Cannot see: anything where the recorder forms the sum itself, which is then right by construction.

False alarms: Roundings pass: up to 2^10 of them, relative to the largest numbers. INCONCLUSIVE where a torch training
draws normal numbers between its steps that cannot be told from noise.
"""

from __future__ import annotations

import numpy as np

from dpaudit.audit.structural.finding import ROUNDINGS, Array, Finding, largest_difference, precision
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

NAME = "released values"
FALSE_ALARM = "0"
PLACE = 11
REPLAYS = False
SPLIT = False
EXCEPTION = "There is none."

_SETTLED = (
    "to settle it: draw the noise in a statement of its own, gradient = gradient + torch.normal(...) with a public "
    "standard deviation, as the last thing before step(), or audit with Training and recorder.release"
)


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.recorded)


def check(recorded: Recording) -> Finding:
    """REFUTED by the first released value that is not statistic + noise up to rounding; INCONCLUSIVE where it is not
    clear which part is noise."""
    if recorded.unclear:
        return Finding(NAME, Outcome.INCONCLUSIVE, f"{recorded.unclear}; {_SETTLED}")
    for release in recorded.releases:
        noise = np.zeros_like(release.statistic) if release.noise is None else release.noise
        summed = release.statistic + noise
        if np.array_equal(release.value, summed):  # the usual case
            continue
        gap = largest_difference(release.value, summed)
        size = sum(_largest(part) for part in (release.statistic, noise, release.value))
        if not gap <= ROUNDINGS * precision(release.value, release.statistic, noise) * size:
            detail = f"{release.name} at step {release.step} is released {gap:.6g} away from statistic + noise"
            numbers = (("release", release.name), ("step", release.step), ("largest_difference", gap))
            return Finding(NAME, Outcome.REFUTED, detail, numbers)
    if not recorded.releases:
        return Finding(NAME, Outcome.NOT_RUN, "nothing was released")
    count = len(recorded.releases)
    return Finding(NAME, Outcome.CONSISTENT, f"{count} released values are statistic + noise", (("compared", count),))


def _largest(values: Array) -> float:
    return float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0))
