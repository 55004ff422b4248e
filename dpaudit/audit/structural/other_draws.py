"""What two neighbours are told apart by, replayed with other draws: noise that nobody told of is no witness.

A training may release, beside its noisy gradients, a number that has noise of its own which nobody told the recorder
of. A replay draws that noise again, so that the number moves as what it is made of does, as if it had none. So what
differs on a neighbour refutes only if each of the two data sets gives it whatever is drawn: both are replayed with
`DRAWS` sets of other draws at every call of a random function that may draw noise, see
`dpaudit.audit.alignment.kinds`, that does not draw from a seed which every training has, nor moves the start. Where
draws decide, the outcome is INCONCLUSIVE.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from dpaudit.audit.alignment.salt import numbered
from dpaudit.audit.structural.finding import STATISTIC, Finding, Key, Pair, same, starts_apart
from dpaudit.audit.structural.measures import calls
from dpaudit.audit.structural.recording import Recording
from dpaudit.records.verdict import Outcome

DRAWS = 22
"""Sets of other draws with which neighbours are told apart, or what they differ in has noise. Laplace noise whose one
decision has epsilon e leaves it as it is with a probability of at most 1 - exp(-e/2) each time."""
View: TypeAlias = Callable[[Recording], Mapping[Key, object]]
"""What is looked at in a recording."""
CALLS: Key = ("calls", 0)
BATCHES: Key = ("batches", 0)
NAMES: Key = ("names", 0)
PUBLIC, OUTPUT = "public", "output"
"""Kinds of keys, which have a place for each value."""
_TOLD = (
    "but other draws of the training change that, so that it may have noise which nobody told of; to settle it: hand "
    "the noisy number over with recorder.release, of an optimiser that is watched with watch.release, and go on with "
    "what it returns"
)


def unsettled(found: Finding) -> Finding:
    """What is said of a refutation by something that other draws change."""
    return replace(found, outcome=Outcome.INCONCLUSIVE, detail=f"{found.detail}; {_TOLD}")


def is_unsettled(found: Finding) -> bool:
    """Was that said?"""
    return found.outcome is Outcome.INCONCLUSIVE and found.detail.endswith(_TOLD)


def first_sure(pairs: Iterable[Pair], differences: Callable[[Pair], Iterable[tuple[Key, Finding]]]) -> Finding | None:
    """The first of the differences of the first pair in which one is the same whatever is drawn; else the first
    difference that was found, `unsettled`; None where nothing differs."""
    doubtful: Finding | None = None
    for pair in pairs:
        found = list(differences(pair))
        if not found:
            continue
        _, recorded, replayed = pair
        kept = _sure_of(recorded, replayed, frozenset(key for key, _ in found))
        for key, finding in found:
            if key in kept:
                return finding
        doubtful = doubtful or unsettled(found[0][1])
    return doubtful


def _sure_of(recorded: Recording, replayed: Recording, keys: frozenset[Key]) -> set[Key]:
    """As `sure`, once for each pair: checks are made again on what is left of it."""
    if recorded.again is None or replayed.again is None:
        return sure((recorded, replayed), keys, partial(seen, base=recorded))
    known, asked = recorded.again.compared, (replayed.again, keys)
    if asked not in known:
        known[asked] = sure((recorded, replayed), keys, partial(seen, base=recorded))
    return known[asked]


def sure(
    sides: Sequence[Recording],
    keys: Iterable[Key],
    view: View,
    sites: Iterable[str] | None = None,
    draws: int = DRAWS,
) -> set[Key]:
    """Those of the keys that are on each side as they are there, whatever is drawn; and statistics that hold their
    noise, since it was not told from them.

    sites: the call sites that draw something else, None for all that may draw noise; draws: how many sets.
    """
    asked, shown = set(keys), list[Recording | None]()
    whole = {key for key in asked if is_statistic(key) and any(one.unclear for one in sides)}
    left = asked - whole
    made = [one.again for one in sides if one.again is not None]
    for salted in sets(sides[0], sites, draws):
        shown = shown or [again(numbered((), 0)) for again in made]  # as recorded, but no noise is silenced
        for again, own in zip(made, shown, strict=True):
            there = again(salted) if left else None
            if own is None or there is None:  # nothing is left, or draws decide whether the training goes through
                return whole
            before, after = view(own), view(there)
            left = {key for key in left if same(before.get(key), after.get(key))}
    return left | whole


def seen(one: Recording, base: Recording) -> dict[Key, object]:
    """What everybody sees of a replay, as far as its path is that of `base`: one call more says that it went on. And
    its statistics, which nobody sees."""
    releases, past = calls(one)[: len(one.releases)], len(base.releases)
    read = [len(recording.pieces or recording.batches) for recording in (one, base)]
    found: dict[Key, object] = {CALLS: releases[: past + 1], BATCHES: min(read[0], read[1] + 1)}
    found[NAMES] = [name for name, _ in one.outputs]
    for kind, named in ((PUBLIC, one.public), (OUTPUT, one.outputs)):
        found |= {(kind, place): list(value) for place, value in enumerate(named)}
    return found | {(f"{STATISTIC}{release.name}", release.step): release.statistic for release in one.releases}


def is_statistic(key: Key) -> bool:
    """Is it the key of a statistic?"""
    return key[0].startswith(STATISTIC)


def sets(one: Recording, sites: Iterable[str] | None = None, draws: int = DRAWS) -> Iterator[frozenset[str]]:
    """Call sites that draw something else, with numbers of their own each time: `sites`, or those that may draw noise,
    but for those that draw from a known seed, or move the start."""
    if one.again is None:
        return
    asked = one.draws.noisy if sites is None else sites
    hidden = {site for base, site, _ in one.draws.counts if base not in one.again.known} if asked else set()
    later = {site for _, site, batch in one.draws.counts if batch}
    kept = [site for site in asked if site in hidden and (site in later or not _moves_the_start(one, site))]
    if kept or sites is None:
        yield from (numbered(kept, number) for number in range(draws))


def _moves_the_start(one: Recording, site: str) -> bool:
    """Do other draws there change the first statistic of a name, on the same data, and no record does that is in no
    batch? What is made of records before the first batch is no start that everybody knows: it may have noise."""
    assert one.again is not None
    there = one.again(frozenset((site,)))
    return there is not None and starts_apart(one, there) and not one.again.private_start
