"""Recordings with other batches than were drawn, to be replayed: only a replay of them can be made again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from dpaudit.audit.structural.recorded_values import Ids, joined_ids, record_ids
from dpaudit.audit.structural.recording import Recording


def in_one_piece(recorded: Recording) -> Recording:
    """The same with every logical batch read at once, after the looks of its step."""
    if not recorded.pieces:
        return recorded
    steps = [(*looks, *([joined_ids(pieces)] if pieces else [])) for looks, pieces in recorded.read_by_step()]
    counts = tuple(int(np.sign(one)) * len(step) for one, step in zip(recorded.pieces, steps, strict=False))
    return replace(_with(recorded, [read for step in steps for read in step]), pieces=counts)


def rebatched(recorded: Recording, members: Sequence[int]) -> Recording:
    """The same with these ids as every logical batch; looks stay."""
    whole, ids = in_one_piece(recorded), record_ids(np.array(members, dtype=np.int64))
    return _with(whole, [batch if look else ids for batch, look in zip(whole.batches, whole.looks(), strict=True)])


def swapped(recorded: Recording, place: int) -> Recording | None:
    """The same with other records in the piece at this place of each step that read several; None if none did."""
    chosen = {step[place] for step in _reads(recorded) if len(step) > max(place, 1)}
    moved, records = list(recorded.batches), max(recorded.draws.records, 1)
    for i in chosen:
        moved[i] = (moved[i] + records // 2) % records
    return _with(recorded, moved) if any(len(moved[i]) for i in chosen) else None


def without(recorded: Recording, record: int) -> Recording:
    """The same with a record in no batch, nor in what is read before the steps begin; looks within steps stay."""
    before = -min((0, *recorded.pieces[:1]))
    kept = (look and i >= before for i, look in enumerate(recorded.looks()))
    return _with(
        recorded,
        [batch if stays else batch[batch != record] for batch, stays in zip(recorded.batches, kept, strict=True)],
    )


def ordered(recorded: Recording, order: Ids) -> Recording:
    """The recording for data whose record j is its record order[j]."""
    places = np.argsort(order)
    moved = replace(recorded, draws=recorded.draws.moved(order))
    return _with(moved, [places[batch] for batch in recorded.batches])


def _reads(recorded: Recording) -> list[list[int]]:
    """The numbers of the reads of each step, and of those after the last one, that are no looks."""
    ends, looks = [*accumulate(map(abs, recorded.pieces), initial=0), len(recorded.batches)], recorded.looks()
    return [[i for i in range(first, last) if not looks[i]] for first, last in pairwise(ends)]


def _with(recorded: Recording, batches: Sequence[Ids]) -> Recording:
    return replace(recorded, batches=tuple(batches), again=None)
