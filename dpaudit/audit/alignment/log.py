"""What a recording remembers of its draws, so that a replay can make the same ones."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from dpaudit.arithmetic.arrays import Integers
from dpaudit.records.errors import ContentError

Ids = Integers
Shape = tuple[int, ...]
Group = tuple[str, str, int]
"""The draws of one generator since it was seeded, at one call site, within one batch: (base, site, batch)."""


@dataclass(frozen=True)
class Drawn:
    """One call. shape: of what was drawn, None if it is no array; used: a text for how much of the generator was used
    and with which whole numbers as arguments."""

    shape: Shape | None
    used: str


@dataclass(frozen=True)
class Log:
    """The draws of one training.

    records: how many there were; order: where each record of a replay stood in this one, None if they stand alike;
    members: the records of every batch, in order; bases: (generator, state) wherever a generator was seen for the
    first time or stood elsewhere than after its last call; first: where the numbers after each of these were drawn, by
    generator, base and how often it came; calls: by key; counts: of calls by group; misaligned: on a replay, call sites
    or generators whose draws could not be aligned; noisy: call sites whose draws may be noise, see `kinds`;
    sizes: how many numbers each of them draws at most.
    """

    records: int = 0
    order: Ids | None = None
    members: tuple[Ids, ...] = ()
    bases: tuple[tuple[str, str], ...] = ()
    first: Mapping[str, str] = field(default_factory=dict)
    calls: Mapping[str, Drawn] = field(default_factory=dict)
    counts: dict[Group, int] = field(default_factory=dict)
    misaligned: tuple[str, ...] = ()
    noisy: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()

    def fewer(self, numbers: float) -> tuple[str, ...]:
        """Call sites that may draw noise, and fewer numbers than so many each time."""
        return tuple(site for site, drawn in zip(self.noisy, self.sizes, strict=True) if drawn < numbers)

    def moved(self, positions: Ids) -> Log:
        """The log for data whose record j is record positions[j] of the recorded data."""
        places = np.argsort(positions)
        return replace(self, order=positions, members=tuple(places[batch] for batch in self.members))

    def text(self) -> str:
        """The log as JSON, to be sent between processes."""
        order = None if self.order is None else self.order.tolist()
        calls = [(key, drawn.shape, drawn.used) for key, drawn in self.calls.items()]
        counts = [(*group, count) for group, count in self.counts.items()]
        members = [batch.tolist() for batch in self.members]
        told = (self.misaligned, self.noisy, self.sizes)
        values = (self.records, order, members, self.bases, dict(self.first), calls, counts, *told)
        return json.dumps(values, separators=(",", ":"))


def from_text(text: str) -> Log:
    """The log that `Log.text` gave; ContentError for anything else."""
    try:
        records, order, members, bases, first, calls, counts, misaligned, noisy, sizes = json.loads(text)
        return Log(
            int(records),
            None if order is None else _ids(order),
            tuple(_ids(batch) for batch in members),
            tuple((str(name), str(base)) for name, base in bases),
            {str(base): str(address) for base, address in first.items()},
            {str(key): Drawn(None if shape is None else _shape(shape), str(used)) for key, shape, used in calls},
            {(str(base), str(site), int(batch)): int(count) for base, site, batch, count in counts},
            tuple(str(one) for one in misaligned),
            tuple(str(one) for one in noisy),
            tuple(int(one) for one in sizes),
        )
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ContentError(f"what was sent is no log of draws: {type(error).__name__}: {error}") from error


def _ids(members: list[int]) -> Ids:
    return np.array(members, dtype=np.int64).reshape(-1)


def _shape(shape: list[int]) -> Shape:
    return tuple(int(length) for length in shape)
