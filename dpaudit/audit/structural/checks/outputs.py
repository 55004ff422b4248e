"""Is what leaves the training a function of noisy releases and public values?

With both frozen, outputs must be the same on neighbours: what still differs came past the noise. Outputs must also be
the same on the data sets far away of `noisy calls`, or on neighbours on the way there. An output may have noise of its
own that nobody told of, and is drawn again in a replay: it refutes only if 22 other sets of draws leave it as it is on
both data sets. Not drawn again are orders, whole numbers, samples, masks of dropout layers and the start. A release
without noise that moves between neighbours is refuted by that move, and so are two coordinates of one release that have
the same noise, or minus it, in all releases of several trainings and move apart. So is a coordinate of a release of
declared scale that moves while its noise is exactly 0.

Sees: un-noised statistics and models, noise that is dropped, one noise for a whole vector, clean values that an
optimiser keeps, the best of several steps or models by a loss on the records.

Cannot see: outputs that the training does not declare with `Recorder.output`; values without noise that hang on other
draws, such as random changes of the records; noise that cancels over more than two coordinates.

False alarms: a false alarm comes from noise of an output that nobody told of and that 22 other sets of draws leave as
it is on both data sets, as in `noisy calls`. A coordinate whose noise is exactly 0 refutes only where a continuous law
gives so many zeros with a probability below 1e-10. An output that nobody sees, such as the state of an optimiser, is
refuted until the exception is declared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest

import numpy as np

from dpaudit.audit.structural.exact_noise import bare_coordinate
from dpaudit.audit.structural.finding import Finding, Pair, matched, same
from dpaudit.audit.structural.finding import Key as Place
from dpaudit.audit.structural.measures import calls, distance, shown
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.other_draws import OUTPUT, first_sure
from dpaudit.audit.structural.recording import OPTIMISER_STATE, Recording, Release
from dpaudit.audit.structural.shared_noise import Key, Shared, bare_move, shared_noise
from dpaudit.records.verdict import Outcome

NAME = "un-noised outputs"
FALSE_ALARM = "0"
PLACE = 5
REPLAYS = True
SPLIT = True
EXCEPTION = (
    "Declare as an output only what leaves the training; where nobody sees the state of an optimiser, "
    '`watch(optimizer, state="withheld")`. Give a layer that is frozen in some steps the gradient None in them.'
)
BARE = (
    "add noise, or, if it is public, call Recorder.public in the place of Recorder.release; give a layer that an "
    "optimiser of torch does not train in this step the gradient None"
)
"""What settles a release without noise."""
CHECKPOINT = (
    "; the state of an optimiser counts as released, since torch.save(optimizer.state_dict()) writes it: where nobody "
    'sees it, say watch(optimizer, state="withheld")'
)
"""What is said where state of an optimiser is refuted."""


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    near = check(seen.pairs, seen.independent if seen.assumptions.independent_noise else ())
    return seen.near_then_far(near, partial(_far, near))


def _far(near: Finding, pairs: Sequence[Pair], told: str) -> Finding:
    """REFUTED by the first output that changes on a data set far away, where the calls are the same; its pairs were
    replayed with other draws already."""
    for pair in pairs:
        if calls(pair[1]) == calls(pair[2]) and (found := next(_changed_outputs(pair), None)):
            return found[1]
    return replace(near, detail=f"{near.detail}{told}")


def check(pairs: Sequence[Pair], recordings: Sequence[Recording] = ()) -> Finding:
    """REFUTED by an output that changes although releases and public values are frozen, by a bare release that moves,
    or by coordinates with one noise that move apart.

    recordings: trainings with seeds of their own, in all of which coordinates must have one noise.
    """
    shared = shared_noise(recordings)
    changed = first_sure(pairs, _changed_outputs)
    if changed and changed.outcome is Outcome.REFUTED:
        return changed
    for label, recorded, replayed in pairs:
        found = (
            _bare_move(label, recorded, replayed)
            or _moved_apart(label, recorded, replayed, shared)
            or _bare_coordinate(label, recorded, replayed)
        )
        if found:
            return found
    if changed:
        return changed
    bare = [r.name for _, recorded, _ in pairs if _divided(recorded) for r in recorded.releases if is_bare(r)]
    if bare:
        detail = f"{bare[0]} is released without noise; to settle it: {BARE}"
        return Finding(NAME, Outcome.INCONCLUSIVE, detail)
    watched = sum(len(recorded.outputs) for _, recorded, _ in pairs)
    if not watched:
        return Finding(NAME, Outcome.NOT_RUN, "the training declares no output; every release carries noise")
    noisy = "; every release carries noise" if all(_divided(recorded) for _, recorded, _ in pairs) else ""
    detail = f"{watched} outputs are the same on neighbours once releases are frozen{noisy}"
    return Finding(NAME, Outcome.CONSISTENT, detail, (("compared", watched),))


def is_bare(release: Release) -> bool:
    """Is there no noise at all on the release?"""
    return release.noise is None or not np.any(release.noise)


def _divided(recording: Recording) -> bool:
    """Was noise told from a statistic, or is nothing said of any?"""
    return not recording.unclear or any(r.noise is not None for r in recording.releases)


def _changed_outputs(pair: Pair) -> Iterator[tuple[Place, Finding]]:
    label, recorded, replayed = pair
    for place, (one, other) in enumerate(zip_longest(recorded.outputs, replayed.outputs)):
        if one is not None and other is not None and one[0] == other[0] and not same(one[1], other[1]):
            rule = CHECKPOINT if one[0].startswith(OPTIMISER_STATE) else ""
            detail = f"output {one[0]} changes although all that is noisy or public is frozen ({label}){rule}"
            numbers = (("pair", label), ("output", one[0]), ("value", shown(one[1])), ("neighbour", shown(other[1])))
            yield (OUTPUT, place), Finding(NAME, Outcome.REFUTED, detail, numbers)


def _bare_move(label: str, recorded: Recording, replayed: Recording) -> Finding | None:
    for one, other in matched(recorded, replayed) if _divided(recorded) else ():
        if is_bare(one) and not same(one.statistic, other.statistic):
            moved = distance(one, other)
            detail = f"{one.name} at step {one.step} is released without noise and moves by {moved:.6g} ({label})"
            numbers = (("pair", label), ("release", one.name), ("step", one.step), ("distance", moved))
            return Finding(NAME, Outcome.REFUTED, detail, numbers)
    return None


def _moved_apart(
    label: str, recorded: Recording, replayed: Recording, shared: Mapping[Key, Sequence[Shared]]
) -> Finding | None:
    for one, other in matched(recorded, replayed):
        found = bare_move(one, other, shared.get((one.name, one.statistic.shape), ()))
        if found:
            what, moved = found
            detail = f"{what} of {one.name} at step {one.step} has no noise and moves by {moved:.6g} ({label})"
            numbers = (("pair", label), ("release", one.name), ("step", one.step), ("what", what), ("distance", moved))
            return Finding(NAME, Outcome.REFUTED, detail, numbers)
    return None


def _bare_coordinate(label: str, recorded: Recording, replayed: Recording) -> Finding | None:
    for one, other in () if recorded.unclear else matched(recorded, replayed):
        if {(one.name, one.step)} & (recorded.processed | replayed.processed):
            continue
        found = bare_coordinate(one, other, recorded.inferred)
        if found:
            place, moved = found
            where = f"coordinate {place} of {one.name} at step {one.step}"
            detail = f"the noise of {where} is exactly 0, and it moves by {moved:.6g} ({label})"
            told = (("pair", label), ("release", one.name), ("step", one.step), ("coordinate", place))
            return Finding(NAME, Outcome.REFUTED, detail, (*told, ("distance", moved)))
    return None
