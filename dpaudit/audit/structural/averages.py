"""Are noisy gradients averaged over the steps? Then a step moves with the batch before it, and so does its noise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from dpaudit.audit.structural.finding import Array, matched
from dpaudit.audit.structural.measures import allowed, distance, largest_scale, rounding, standardised
from dpaudit.audit.structural.observed import Observed
from dpaudit.audit.structural.recording import Recording
from dpaudit.audit.structural.training import tried

_IN_PROPORTION = 0.01
"""Share of a move by which it may be off the direction of the one before."""
_LEAST = 0.05
"""Of the move of the step before: less is no average."""
_CERTAIN = 1e-9
"""Probability with which the noise of first steps is larger than what is taken for its bound."""


def averages(seen: Observed) -> bool:
    """Does half of one batch move the release after the next in proportion, though all releases are as recorded, and
    may the noise be such an average too?"""
    other = None if _too_much_at_first(seen) else _with_half_a_batch(seen)
    factors = {} if other is None or other.draws.misaligned else _factors(seen.recorded, other)
    return any(not _fresh(seen, name, factor) for name, factor in factors.items())


def _with_half_a_batch(seen: Observed) -> Recording | None:
    """A replay with half of the first batch of a step; None where no batch has two records, or where the training
    raises on so few."""
    recorded = seen.recorded
    before, looks = -min((0, *recorded.pieces[:1])), recorded.looks()  # reads before the first step
    pieces = (i for i, batch in enumerate(recorded.batches) if i >= before and len(batch) > 1 and not looks[i])
    place = next(pieces, None)
    if place is None:
        return None
    fewer = recorded.batches[place][: len(recorded.batches[place]) // 2]
    changed = replace(recorded, batches=(*recorded.batches[:place], fewer, *recorded.batches[place + 1 :]))
    made, _ = tried([("half a batch", lambda: [("", recorded, seen.training.replay(changed, seen.data))])])
    return made[0][2] if made else None


def _factors(recorded: Recording, other: Recording) -> dict[str, float]:
    """By how much of its first move each noisy release moves in the step after that, where the two are in proportion.

    Coordinates that do not move in one of the two steps may be masked there.
    """
    moves: dict[str, dict[int, Array]] = {}
    for one, there in matched(recorded, other):
        move = (there.statistic - one.statistic).astype(np.float64).ravel()
        if one.noise is not None and np.isfinite(move).all() and np.linalg.norm(move) > rounding(one, "l2"):
            moves.setdefault(one.name, {})[one.step] = move
    found = {}
    for name, steps in moves.items():
        first, second = steps[min(steps)], steps.get(min(steps) + 1)
        if second is None:
            continue
        both = (first != 0) & (second != 0)
        first, second = first[both], second[both]
        factor = float(np.vdot(second, first) / max(np.vdot(first, first), np.finfo(float).tiny))
        rest = np.linalg.norm(second - factor * first)
        if abs(factor) >= _LEAST and rest <= _IN_PROPORTION * np.linalg.norm(second):
            found[name] = factor
    return found


def _fresh(seen: Observed, name: str, factor: float) -> bool:
    """Is the noise less correlated with that of the step before than half of what an average with this factor makes it?
    It is near 0 or near all of that, as far as coordinates and recordings are many."""
    pairs = [
        two
        for recording in seen.independent
        for two in pairwise(r.noise for r in recording.releases if r.name == name and r.noise is not None)
        if two[0].shape == two[1].shape
    ]
    if not pairs:
        return False
    before, after = (
        np.concatenate([one.ravel() for one in side]).astype(np.float64) for side in zip(*pairs, strict=True)
    )
    correlation = float(np.vdot(before, after) / (np.linalg.norm(before) * np.linalg.norm(after)))
    expected = abs(factor) / (1 + factor**2)  # of two terms; of more it is larger
    return bool(correlation * np.sign(factor) < expected / 2)


def _too_much_at_first(seen: Observed) -> bool:
    """Does a record move a first step by more of its noise than is declared? Both are in the unit of the first step,
    which may not be the declared one."""
    noises: dict[str, list[Array]] = {}
    for one in (r for recording in seen.independent for r in recording.releases if r.step == 0):
        if one.noise is not None and one.noise_scale:
            standard = standardised(one)
            noises.setdefault(one.name, []).append(standard[standard != 0])  # masked ones hold no statistic either
    largest = {name: largest_scale(np.concatenate(parts), _CERTAIN) for name, parts in noises.items()}
    return any(
        one.sensitivity is not None and distance(one, there) > largest[one.name] * allowed(one)
        for _, recorded, replayed in seen.pairs
        for one, there in matched(recorded, replayed)
        if one.step == 0 and one.name in largest
    )
