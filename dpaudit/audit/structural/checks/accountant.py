"""Is the noise as large, against what one record can do, as the accountant assumes, and are there as many releases?

The accountant composes `count` runs of a Gaussian or Laplace mechanism. Against its noise multiplier m stand (1) the
declared scale over the declared sensitivity of each release, (2) the measured move of all releases of one step
together, in units of their noise: sqrt(sum (distance/scale)^2) for Gaussian noise, sum of l1 distance/b for Laplace, at
most 1/m, (3) the number of steps. Roundings of the statistics are taken off the measured move. On samples, every step
counts; on whole data sets only those in which a record moves something do, at most as much as all multipliers allow. A
record that is drawn k times with replacement may move k/m: k is the largest number of times that a recorded batch holds
any record. Where batches are random and nobody says how, as in a new order every epoch, the record in question joins
all of them, and as many steps count as held any one record.

Sees: without any declared sensitivity, layers that are clipped one by one without sharing the norm, too little noise,
more steps.

Cannot see: mechanisms that are not such compositions, records that move less than the worst one.

False alarms: The measured moves are facts, but two things beside a leak refute as well: a sensitivity that is declared
larger than it is, since the declared scale must cover it, and a mechanism that is stated wrongly, with fewer steps or
another law than the training has. Statistics that hang on noise which nobody told of make the outcome INCONCLUSIVE, as
in `sensitivity`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from dpaudit.audit.structural.accounted import Assumed, assumption, power
from dpaudit.audit.structural.finding import Finding, Pair, matched
from dpaudit.audit.structural.measures import RELATIVE_SLACK, length, rounding
from dpaudit.audit.structural.observed import RANDOM, Observed
from dpaudit.audit.structural.recording import Recording, Release
from dpaudit.records.mechanism import (
    Mechanism,
)
from dpaudit.records.verdict import Outcome

NAME = "accountant"
FALSE_ALARM = "0"
PLACE = 7
REPLAYS = True
SPLIT = True
EXCEPTION = "State the mechanism that the training runs (`mechanism=`); without one the check is not run."


def examine(seen: Observed) -> Finding:
    """The finding on what was observed of one training."""
    return check(seen.recorded, seen.pairs, seen.mechanism, _held(seen))


def check(recorded: Recording, pairs: Sequence[Pair], claimed: Mechanism | None, held: int | None = None) -> Finding:
    """REFUTED by a release, a step or a number of steps that the claimed mechanism does not allow.

    held: how many steps may hold one record, where it joins more of them in the pairs; None for as many as it moves.
    """
    assumed = assumption(claimed) if claimed is not None else None
    if assumed is None:
        return Finding(NAME, Outcome.NOT_RUN, "no composition of Gaussian or Laplace mechanisms is claimed")
    found = _declared(recorded, assumed) or _steps(recorded, assumed)
    largest, compared = 0.0, 0
    for label, one, other in pairs:
        moves = joint_moves(one, other, assumed.law)
        compared += len(moves)
        largest = max(largest, max(moves.values(), default=0.0))
        found = found or _moved(label, moves, assumed, assumed.most(one.logical()), held)
    if found:
        return found
    if not compared:
        return Finding(NAME, Outcome.NOT_RUN, "no release declares the scale of its noise, or there is no neighbour")
    most = assumed.most(recorded.logical())
    numbers = (("largest_move", largest), ("allowed", most), ("compositions", assumed.count))
    detail = f"no step moves by more than {largest:.4g} noise scales, {most:.4g} are accounted for"
    return Finding(NAME, Outcome.CONSISTENT, detail, numbers)


def _held(seen: Observed) -> int | None:
    """How many batches of a recording hold any one record at most; None where the record in question joins none, or
    could be in all of them."""
    known = seen.sampling is not None and seen.sampling.kind in RANDOM
    if known or not seen.training.sampled or not seen.recorded.batches:
        return None
    drawn = (np.concatenate([np.unique(batch) for batch in one.logical()]) for one in seen.recordings)
    return max(int(np.bincount(ids).max(initial=0)) for ids in drawn)


def joint_moves(recorded: Recording, replayed: Recording, law: str) -> dict[int, float]:
    """The move of all releases of each step together, in units of their noise; those that move nothing are left
    out."""
    sums: dict[int, float] = defaultdict(float)
    steps = steps_of(recorded)
    for one, other in matched(recorded, replayed):
        if one.noise_scale:
            sums[steps[one.name, one.step]] += _move(one, other, law)
    return {step: moved ** (1 / power(law)) for step, moved in sums.items() if moved > 0}


def steps_of(recorded: Recording) -> dict[tuple[str, int], int]:
    """The step of every release, by its name and number. Where some names are released less often than others, a layer
    that is frozen at first, it is the step that was told; several releases of one name in it are steps of their own.
    Where no step was told, a name that is released once, as a noisy choice before the steps, is a step of its own."""
    counts: Counter[tuple[str, int]] = Counter()
    often = Counter(one.name for one in recorded.releases)
    if len(set(often.values())) <= 1:
        return {(one.name, one.step): one.step for one in recorded.releases}
    told, keys = any(one.at for one in recorded.releases), {}
    for one in recorded.releases:
        alone = not told and often[one.name] == 1
        keys[one.name, one.step] = (-1, list(often).index(one.name)) if alone else (one.at, counts[one.name, one.at])
        counts[one.name, one.at] += 1
    numbers = {key: number for number, key in enumerate(sorted(set(keys.values())))}
    return {release: numbers[key] for release, key in keys.items()}


def _move(one: Release, other: Release, law: str) -> float:
    """(l2 distance / scale)^2, or l1 distance over the parameter b of the Laplace law; less what may be rounding."""
    norm, scale = ("l2" if law == "gaussian" else "l1"), one.noise_scale or math.inf
    with np.errstate(invalid="ignore", over="ignore"):
        change = one.statistic.astype(np.float64) - other.statistic.astype(np.float64)
    if not np.isfinite(change).all():
        return math.inf
    moved = max(0.0, length(change, norm) - rounding(one, norm))
    return (moved / scale) ** 2 if law == "gaussian" else moved * math.sqrt(2) / scale


def _declared(recorded: Recording, assumed: Assumed) -> Finding | None:
    for r in recorded.releases:
        if r.law != assumed.law:
            detail = f"{r.name} has {r.law} noise, {assumed.law} noise is accounted for"
            return Finding(NAME, Outcome.REFUTED, detail, (("release", r.name), ("law", r.law)))
        if r.sensitivity and r.noise_scale is not None:
            scale = r.noise_scale if r.law == "gaussian" else r.noise_scale / math.sqrt(2)
            # The sensitivity may be declared for one draw of the record or for as many as the batch has.
            ratio, least = scale / r.sensitivity, assumed.smallest / assumed.draws
            if ratio < least * (1 - RELATIVE_SLACK):
                detail = f"{r.name} declares noise of {ratio:.6g} sensitivities, {least:.6g} are accounted for"
                numbers = (("release", r.name), ("noise_multiplier", ratio), ("accounted", least))
                return Finding(NAME, Outcome.REFUTED, detail, numbers)
    return None


def _steps(recorded: Recording, assumed: Assumed) -> Finding | None:
    """On samples every step is a composition, whether it moved on this path or not."""
    steps = max((*(r.step + 1 for r in recorded.releases), len({*steps_of(recorded).values()})), default=0)
    if not assumed.sampled or steps <= assumed.count:
        return None
    return _too_many(steps, assumed.count)


def _moved(label: str, moves: dict[int, float], assumed: Assumed, most: float, held: int | None) -> Finding | None:
    slack = 1 + RELATIVE_SLACK
    for step, moved in moves.items():
        if moved > most * slack:
            detail = f"step {step} moves by {moved:.6g} noise scales ({label}), {most:.6g} are accounted for"
            numbers = (("pair", label), ("step", step), ("move", moved), ("accounted", most))
            return Finding(NAME, Outcome.REFUTED, detail, numbers)
    largest = sorted((moved ** power(assumed.law) for moved in moves.values()), reverse=True)[:held]
    total = sum(largest)
    if not assumed.sampled and total > assumed.total * slack:
        steps = "all steps" if len(largest) == len(moves) else f"the {held} steps that hold one record"
        detail = f"{steps} together move by {total:.6g} ({label}), {assumed.total:.6g} are accounted for"
        sums = (("pair", label), ("total", total), ("accounted", assumed.total), ("steps", len(largest)))
        return Finding(NAME, Outcome.REFUTED, detail, sums)
    return None


def _too_many(steps: int, count: int) -> Finding:
    detail = f"{steps} steps release something, {count} compositions are accounted for"
    return Finding(NAME, Outcome.REFUTED, detail, (("steps", steps), ("compositions", count)))
