"""Statistics that hang on a noisy number which nobody told of.

A noisy clipping norm, or a rate that follows a noisy loss, is drawn again in a replay, and is another one on the
neighbour. All later statistics then move with it, on a training that is as private as it says. So a refutation by what
statistics move is INCONCLUSIVE where it does not hold without those that other draws change, if something else that
everybody sees has noise which nobody told of: draws of one number each, as the noise of a norm or a count is, and of
fewer numbers than any release. Masks, projections and changes of the records are drawn in the shapes of what they
change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from dpaudit.audit.structural.checks import accountant, bad_records, outside_batch, sensitivity
from dpaudit.audit.structural.finding import STATISTIC, Finding, Key, Pair, matched
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import is_unsettled, sure, unsettled
from dpaudit.audit.structural.other_draws import seen as view_of
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.verdict import Outcome

DRAWS = 6
"""Sets of other draws: what is made of a noisy number is nearly always another one."""
_OF_STATISTICS = (sensitivity.NAME, accountant.NAME, bad_records.NAME, outside_batch.NAME)
Again = Callable[[Observed], Finding]


def settled(found: Sequence[Finding], again: Sequence[Again], seen: Observed) -> list[Finding]:
    """The findings, INCONCLUSIVE those that are refuted by statistics which move with noise that nobody told of; again:
    makes the check of each on other observations."""
    least = min((release.statistic.size for release in seen.recorded.releases), default=0)
    sites = seen.recorded.draws.fewer(max(least, 2)) if any(map(is_unsettled, found)) else ()
    asked = [one.outcome is Outcome.REFUTED and one.check in _OF_STATISTICS for one in found]
    if not sites or not any(asked):
        return list(found)
    without = _without(seen, sites)
    return [
        unsettled(one) if is_asked and check(without).outcome is not Outcome.REFUTED else one
        for one, is_asked, check in zip(found, asked, again, strict=True)
    ]


def _without(seen: Observed, sites: Iterable[str]) -> Observed:
    """The same without the statistics that draws at these sites change."""
    other, kept = replace(seen), vars(seen)
    vars(other).update({name: value for name, value in kept.items() if name not in ("pairs", "unseen", "_broken")})
    for name in ("pairs", "unseen"):
        if name in kept:
            vars(other)[name] = [_kept(pair, sites) for pair in kept[name]]
    if "_broken" in kept:
        *lists, refused = kept["_broken"]
        vars(other)["_broken"] = (*([_kept(pair, sites) for pair in part] for part in lists), refused)
    return other


def _kept(pair: Pair, sites: Iterable[str]) -> Pair:
    """A pair without what the draws change in it; it is not replayed again."""
    label, one, other = pair
    keys = [_key(release) for release, _ in matched(one, other)]
    left = sure((one, other), keys, partial(view_of, base=one), sites, DRAWS)

    def stays(side: Recording) -> Recording:
        return replace(side, releases=tuple(release for release in side.releases if _key(release) in left))

    return label, stays(one), stays(other)


def _key(release: Release) -> Key:
    return f"{STATISTIC}{release.name}", release.step
