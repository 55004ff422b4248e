"""Record one training, then replay it on a neighbouring data set with everything public frozen.

A training under audit calls a `Recorder` where it draws a batch, releases a noisy statistic, uses a public value,
or returns something. Recording, the calls pass through. Replaying, they give back what was recorded: the run on the
neighbour follows the same path, so that each of its statistics is evaluated at the very point where the recorded
one was, and the two differ by what one record can do in one release. That distance is what the sensitivity of the
release must cover (record and replay: Cebere, Erb, Desfontaines, Bellet, Fitzsimons 2026, arXiv 2602.17454). A
replay follows one path and one pair of data sets: it refutes by a witness, and never proves.

    def instrument(data, recorder):
        rng, weights = np.random.default_rng(recorder.seed), np.zeros(d)
        rate, clip_norm = recorder.public("rate", 0.1), recorder.public("clip_norm", 1.0)
        for step in range(recorder.public("steps", 20)):
            members = recorder.batch(np.flatnonzero(rng.random(len(data)) < rate))
            total, noise = clipped_sum(weights, data[members], clip_norm), 2.0 * rng.normal(size=d)
            weights -= 0.1 * recorder.release("gradient", total, noise, sensitivity=clip_norm, noise_scale=2.0)
        recorder.output("weights", weights)

What is read between two steps is one logical batch, in as many pieces as it was read: gradients of the pieces are
accumulated. Pieces are replayed by their step and their place in it.

Record ids are positions 0, ..., n - 1. Where a record is added or removed it is the last one, so that ids stay put.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpaudit.audit.alignment.alignment import Alignment
from dpaudit.audit.alignment.log import Log
from dpaudit.records.errors import ContentError

Array = NDArray[np.floating]
Ids = NDArray[np.int64]
T = TypeVar("T")

NORMS = ("l2", "l1", "linf")
LAWS = ("gaussian", "laplace")
OPTIMISER_STATE = "optimiser state"
"""How the names of outputs begin that are the state of an optimiser, which leaves with a checkpoint."""


@dataclass(frozen=True)
class Release:
    """One call of `Recorder.release`.

    name: of the statistic, one for each parameter or worker; step: how many releases of this name came before;
    statistic: before noise, any shape; noise: what was added, same shape, None if nothing was; value: what the
    training went on with, on a replay what this run would have released; sensitivity: declared bound on the `norm`
    of the change of the statistic between neighbours, None if not declared; noise_scale: declared standard
    deviation of each noise coordinate, None if not declared; norm: of `NORMS`; law: declared, of `LAWS`.
    """

    name: str
    step: int
    statistic: Array
    noise: Array | None
    value: Array
    sensitivity: float | None
    noise_scale: float | None
    norm: str
    law: str


@dataclass(frozen=True)
class Recording:
    """What one training did.

    All in the order of the calls. public, outputs: (name, value); batches: the ids that the sampler drew, before
    anything was joined or left out, one for each read; pieces: how many reads each step took, negative for reads that
    are no batch, whatever was read after the last step left out; empty where no step is known: every read is a batch;
    draws: the random draws that a replay makes again; unclear: why noise and statistics may not be what was released
    as such, empty where the training says itself what they are; inferred: the training was made again without its noise
    to tell it from the statistics; processed: names and steps of the releases that then were no sum of the two.
    """

    releases: tuple[Release, ...]
    public: tuple[tuple[str, object], ...]
    batches: tuple[Ids, ...]
    outputs: tuple[tuple[str, object], ...]
    pieces: tuple[int, ...] = ()
    draws: Log = field(default_factory=Log)
    unclear: str = ""
    inferred: bool = False
    processed: frozenset[tuple[str, int]] = frozenset()

    def logical(self, unread: bool = False) -> tuple[Ids, ...]:
        """What each step was made on; unread: a step that read nothing counts as one on an empty batch."""
        if max(self.pieces, default=0) <= 0:
            return self.batches
        steps = zip(self.pieces, self.read_by_step(), strict=False)
        return tuple(_joint(group) for count, group in steps if count > 0 or (unread and count == 0))

    def read_by_step(self) -> list[tuple[Ids, ...]]:
        """The pieces of every step, and what was read after the last one."""
        ends = np.cumsum((0, *map(abs, self.pieces)))
        steps = [self.batches[first:last] for first, last in pairwise(ends)]
        return [*steps, self.batches[ends[-1] :]]

    def in_one_piece(self) -> Recording:
        """The same with every logical batch read at once."""
        groups = self.read_by_step() if self.pieces else [(batch,) for batch in self.batches]
        steps = tuple(int(np.sign(count)) for count in self.pieces)
        return replace(self, batches=tuple(_joint(group) for group in groups if group), pieces=steps)

    def rebatched(self, members: Sequence[int]) -> Recording:
        """The same with these ids as every logical batch."""
        whole = self.in_one_piece()
        return replace(whole, batches=tuple(_ids(np.array(members, dtype=np.int64)) for _ in whole.batches))


class Recorder:
    """Records a training, or replays it: see the module."""

    def __init__(
        self,
        replayed: Recording | None = None,
        present: ArrayLike | None = None,
        *,
        joined: Sequence[int] = (),
        seed: int = 0,
        salted: frozenset[str] | None = None,
    ) -> None:
        """replayed: what to replay, None to record; present: record ids of the data of a replay, None for all.

        joined: ids that join every logical batch, since chance may leave out the record in which neighbours differ;
        seed: for trainings that take one: all randomness of `instrument` may hang on it; salted: as in `Alignment`.
        """
        self.seed, self.salted = seed, salted
        self.draws = Alignment(None if replayed is None else replayed.draws, salted)
        self._replayed = replayed
        self._present = None if present is None else _mask(_ids(present))
        self._joined = _ids(joined)
        self._values = {(r.name, r.step): r.value for r in replayed.releases} if replayed else {}
        self._frozen = _numbered(replayed.public) if replayed else {}
        self._read_by_step = replayed.read_by_step() if replayed else []
        self._counts: Counter[tuple[str, str]] = Counter()
        self._releases: list[Release] = []
        self._public: list[tuple[str, object]] = []
        self._batches: list[Ids] = []
        self._pieces: list[int] = []
        self._read = 0
        self._added: list[int] = []
        self._outputs: list[tuple[str, object]] = []
        self._unclear = ""
        self._inferred = False
        self._processed: set[tuple[str, int]] = set()

    def release(
        self,
        name: str,
        statistic: ArrayLike,
        noise: ArrayLike | None,
        *,
        sensitivity: float | None = None,
        noise_scale: float | None = None,
        norm: str = "l2",
        law: str = "gaussian",
        value: ArrayLike | None = None,
    ) -> Any:
        """A noisy statistic; returns what the training must go on with: their sum, on a replay the recorded value; an
        array, or where the statistic is one number a number of NumPy.

        value: what the training released, where it forms the sum itself. A replay that makes more calls of this name
        than were recorded, or one of another shape, gets its own value. Raises ContentError for wrong shapes, types or
        declarations.
        """
        if self._read:
            self.step()
        step, before = self._count("release", name), _numbers(statistic, name)
        added = None if noise is None else _numbers(noise, name)
        own = _summed(before, added, value, name)
        if norm not in NORMS or law not in LAWS:
            raise ContentError(f"release {name!r}: norm {norm!r} is not in {NORMS} or law {law!r} not in {LAWS}")
        bound, scale = _declared("sensitivity", sensitivity, name), _declared("noise_scale", noise_scale, name)
        self._releases.append(Release(name, step, before, added, own, bound, scale, norm, law))
        value_there = self._values.get((name, step), own)
        return (value_there if value_there.shape == own.shape else own).copy()[()]

    def public(self, name: str, value: T) -> T:
        """Must be equal on neighbours: step sizes, batch divisor, number of steps. On a replay the recorded one."""
        key = (name, self._count("public", name))
        self._public.append((name, copy.deepcopy(value)))
        return cast("T", copy.deepcopy(self._frozen.get(key, value)))

    def batch(self, members: ArrayLike) -> Ids:
        """The ids that the sampler drew, (size,); on a replay the recorded ones that are present, if there are any.

        Several calls between two steps are pieces of one logical batch; ids that join it come with its first piece.
        """
        own = _ids(members)
        drawn = self._recorded(own)
        self._batches.append(own)
        self._read += 1
        if self._present is not None:
            drawn = drawn[drawn < len(self._present)]
            drawn = drawn[self._present[drawn]]
        if self._read > 1:
            members = drawn[~np.isin(drawn, self._added)]
        else:
            self._added = [member for member in self._joined if not np.any(drawn == member)]
            members = np.concatenate([drawn, np.array(self._added, dtype=np.int64)])
        self.draws.batch(members)
        return members

    def step(self) -> None:
        """A step is made on what was read since the last one; a release says so itself, of a step that reads."""
        self._pieces.append(self._read)
        self._read = 0

    def begin(self) -> None:
        """The steps begin here: what was read so far is no batch."""
        if self._read:
            self._pieces.append(-self._read)
            self._read = 0

    def _recorded(self, own: Ids) -> Ids:
        """The piece that is read now as it was recorded: nothing beyond the recorded ones, `own` where none is."""
        if self._replayed is None:
            return own
        if not self._replayed.pieces:
            number = len(self._batches)
            return self._replayed.batches[number] if number < len(self._replayed.batches) else own
        step = len(self._pieces)
        if step >= len(self._read_by_step) or (step == len(self._replayed.pieces) and not self._read_by_step[step]):
            return own
        pieces = self._read_by_step[step]
        return pieces[self._read] if self._read < len(pieces) else own[:0]

    def output(self, name: str, value: T) -> T:
        """What leaves the training: it must be a function of releases and public values. Returns it unchanged."""
        self._outputs.append((name, copy.deepcopy(value)))
        return value

    def unclear(self, why: str) -> None:
        """For recorders of trainings that do not say themselves what noise is: why it cannot be told from the
        statistics for sure."""
        self._unclear = why

    def inferred(self, processed: Sequence[tuple[str, int]] = ()) -> None:
        """For the same recorders: noise is what goes where the training is made without it; processed: names and steps
        of releases that are no sum of the two."""
        self._inferred = True
        self._processed.update(processed)

    def last(self, name: str) -> tuple[str, int]:
        """Name and step of the last release of this name."""
        return name, self._counts["release", name] - 1

    @property
    def replays(self) -> bool:
        """Is a recording replayed?"""
        return self._replayed is not None

    def inputs(self) -> tuple[Recording | None, Ids | None, Ids, int]:
        """What it was made with: replayed, present (as ids), joined, seed."""
        present = None if self._present is None else np.flatnonzero(self._present)
        return self._replayed, present, self._joined, self.seed

    def recording(self) -> Recording:
        """What was recorded so far; of a replay, its own statistics, noise, public values, draws and outputs."""
        calls = tuple(self._releases), tuple(self._public), tuple(self._batches), tuple(self._outputs)
        return Recording(
            *calls, tuple(self._pieces), self.draws.log(), self._unclear, self._inferred, frozenset(self._processed)
        )

    def _count(self, kind: str, name: str) -> int:
        number = self._counts[kind, name]
        self._counts[kind, name] += 1
        return number


def _numbered(named: Sequence[tuple[str, object]]) -> dict[tuple[str, int], object]:
    """The values by name and by how often that name came before."""
    counts: Counter[str] = Counter()
    numbered = {}
    for name, value in named:
        numbered[name, counts[name]] = value
        counts[name] += 1
    return numbered


def _summed(before: Array, added: Array | None, value: ArrayLike | None, name: str) -> Array:
    """What is released, read-only: `value`, or the sum; ContentError unless all have one shape."""
    given = (before, added, None if value is None else np.asarray(value))
    shapes = {array.shape for array in given if array is not None}
    if len(shapes) > 1:
        raise ContentError(f"release {name!r}: statistic, noise and value need one shape, got {sorted(shapes)}")
    if value is not None:
        return _numbers(value, name)
    return before if added is None else _numbers(before + added, name)


def _numbers(values: ArrayLike, name: str) -> Array:
    """A read-only copy as floats of the precision that they have; float64 for integers."""
    array = np.array(values)
    if array.dtype.kind not in "biuf":
        raise ContentError(f"release {name!r} must be real numbers, got dtype {array.dtype}")
    floats = array if array.dtype.kind == "f" else array.astype(np.float64)
    floats.setflags(write=False)
    return floats


def _ids(members: ArrayLike) -> Ids:
    """A read-only copy of record ids as int64, (size,); ContentError unless they are integers from 0."""
    array = np.array(members)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ContentError(f"record ids must be a list of integers, got dtype {array.dtype} and shape {array.shape}")
    if array.size and array.min() < 0:
        raise ContentError(f"record ids count from 0, got {array.min()}")
    ids = array.astype(np.int64)
    ids.setflags(write=False)
    return ids


def _joint(pieces: Sequence[Ids]) -> Ids:
    return np.concatenate(pieces) if pieces else np.zeros(0, dtype=np.int64)


def _mask(ids: Ids) -> NDArray[np.bool_]:
    """Which ids up to the largest are in the list."""
    mask = np.zeros(int(ids.max(initial=-1)) + 1, dtype=np.bool_)
    mask[ids] = True
    return mask


def _declared(what: str, number: float | None, name: str) -> float | None:
    if number is None:
        return None
    if not 0 <= number < math.inf:
        raise ContentError(f"release {name!r}: {what} must be finite and at least 0, or None, got {number}")
    return float(number)
