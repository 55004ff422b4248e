"""Random draws of a training, aligned between a recording and its replay on a neighbour.

A training may draw random numbers that are no noise: dropout, augmentation, a coin for a layer. From one stream the
neighbour, who has one record fewer, would get other numbers for everything later, and the replay would take the change
of all records for that of one. While an alignment is open, every call of a random function that is seen draws from a
state of its own, made from

    base     the state in which its generator was seeded, or found after draws that are not seen
    site     where in the program the call stands, and two calls around it
    batch    how many batches were drawn since that seeding
    number   how often this site was called within this batch

so that it hangs on nothing that was drawn before. The first call after a seeding draws as it would unobserved: two
generators with one seed still show. A generator that is put back to where it was, as by a checkpoint, draws what it
drew from there. On a replay a draw with a row for each record of the batch, or of the data set, is made with the
recorded number of rows, and each record gets its own; sites that are called once for each record, in a loop, follow the
records too. What cannot be aligned is named in `Log.misaligned`.

Seen are the functions of `random`, `numpy.random` and torch, with any generator that is made while the alignment is
open, and the global ones: see `numpy_draws` and `torch_draws`. JAX draws as it would unobserved, and on a replay from
the keys that were recorded there: see `jax_draws`. A step of an optimiser that is made several times is a
`block`: its draws come from its generators as they stand.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from dpaudit.audit.alignment import jax_draws, numpy_draws, torch_draws
from dpaudit.audit.alignment.jax_draws import KeyCall
from dpaudit.audit.alignment.kinds import may_be_noise
from dpaudit.audit.alignment.log import Drawn, Group, Ids, Log, Shape
from dpaudit.audit.alignment.rows import Call, Fit, Value, by_row, fit, places, shape_of
from dpaudit.audit.alignment.sites import call_site
from dpaudit.audit.alignment.sources import Place, Source, Stream, place_of

JAX = "keys of JAX"
_JAX = (JAX, "JAX")
"""What stands for the state of a generator, which JAX has none of."""
_OPEN: list[Alignment] = []
"""The alignments that are open, the innermost last: it alone acts."""


class Alignment:
    """The draws of one training, as they are made: see the module."""

    def __init__(self, past: Log | None = None, salted: frozenset[str] | None = None) -> None:
        """past: the log of the recording that is replayed, None to record. salted: call sites that draw something else
        than was recorded, as do all draws that are not seen: what then changes hangs on them. Another name among them,
        of no site, gives other numbers again: see `numbered`."""
        self._past, self._salted = past, salted
        self._salt = f"salted {sorted(salted)}" if salted is not None else ""
        self._records, self._acts = 0, False
        self._members: list[Ids] = []
        self._streams: dict[int, Stream] = {}
        self._bases: Counter[tuple[str, str]] = Counter()
        self._first: dict[str, str] = {}
        self._seeded: set[Place] = set()
        self._begun: dict[Place, Callable[[str], None]] = {}
        self._calls: dict[str, Drawn] = {}
        self._counts: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self._misaligned: dict[str, None] = {}
        self._noisy: dict[str, int] = {}
        self._origins: dict[str, str] = {}
        self._rates: dict[str, int] | None = None
        self._told: Log | None = None

    @contextmanager
    def open(self, records: int) -> Iterator[None]:
        """Align what is drawn in this context; records: how many the data set has."""
        self._records, self._acts = records, True
        with ExitStack() as stack:
            if not _OPEN:
                stack.enter_context(numpy_draws.seen(seen_draw))
                stack.enter_context(torch_draws.seen(seen_draw))
                stack.enter_context(jax_draws.seen(seen_key))
            _OPEN.append(self)
            try:
                yield
                self._compare()
            finally:
                _OPEN.remove(self)
                self._acts = False

    @property
    def records(self) -> int:
        """How many records the data set has; 0 where nothing was opened."""
        return self._records

    def batch(self, members: Ids) -> None:
        """From here on these records are the batch."""
        self._members.append(members)

    def kept(self, members: Ids) -> None:
        """Of the records of the batch only these are used."""
        self._members[-1] = members

    @contextmanager
    def block(self) -> Iterator[None]:
        """What is drawn in this context comes from the generators as they stand."""
        acted, self._acts = self._acts, False
        known = [stream for stream in self._streams.values() if stream.source.read() == stream.left]
        try:
            yield
        finally:
            self._acts = acted
            for stream in known:
                stream.left = stream.source.read()

    def log(self) -> Log:
        """What was drawn so far."""
        return self._told or self._own()

    def tell(self, log: Log) -> None:
        """What was drawn in another process, where the training ran."""
        self._told = log

    def _own(self) -> Log:
        return Log(
            self._records,
            None,
            tuple(self._members),
            tuple(self._bases),
            dict(self._first),
            dict(self._calls),
            self._groups(),
            tuple(self._misaligned),
            tuple(self._noisy),
            tuple(self._noisy.values()),
        )

    def _groups(self) -> dict[Group, int]:
        """How often each site was called, by group."""
        return {
            (base, site, batch): count
            for (base, batch), counts in self._counts.items()
            for site, count in counts.items()
        }

    def draw(self, source: Source, call: Call) -> Value:
        """What the call gives here."""
        if not self._acts:
            return call.make()
        stream = self._stream(source)
        site, batch = call_site(), len(self._members)
        counts = self._counts[stream.base, batch]
        count = counts[site]
        counts[site] += 1
        number = self._number(site, batch, count)
        address = f"{site}|{batch - stream.since}|{number}"
        key, place = _digest(stream.base, address), _digest(stream.base, f"{site}|{batch}|{number}").hex()
        self._first.setdefault(stream.name, address)

        def start(label: str) -> None:
            self._begin(stream, address, key, site, label)

        begun = self._begun.setdefault(place_of(source, stream.left), start)
        self._acts = False
        try:
            value = self._made(call, begun if stream.again else start, stream, site, place)
            self._note(call, site, value)
            return value
        finally:
            if self._salted is not None:
                source.seed(_digest(key.hex(), self._salt))
            stream.left = source.read()
            self._acts = True

    def keyed(self, call: KeyCall) -> Value:
        """What a call of JAX gives here."""
        if not self._acts:
            return call.make(call.key)
        site, batch = call_site(), len(self._members)
        self._bases[_JAX] = 1
        counts = self._counts[_JAX[1], batch]
        number = self._number(site, batch, counts[site])
        counts[site] += 1
        self._acts = False
        try:
            value = self._of_key(call, site, _digest(_JAX[1], f"{site}|{batch}|{number}").hex())
            self._note(call, site, value)
            return value
        finally:
            self._acts = True

    def _note(self, call: Call | KeyCall, site: str, value: Value) -> None:
        """Note what may be noise, and how many numbers at most."""
        if may_be_noise(call.function, call.args, call.kwargs, value):
            self._noisy[site] = max(math.prod(shape_of(value) or ()), self._noisy.get(site, 0))

    def _of_key(self, call: KeyCall, site: str, place: str) -> Value:
        """From the recorded key, where that has the same origin."""
        expected = self._past.calls.get(place) if self._past is not None else None
        key, origin = call.key, self._origins.get(call.key, call.key)
        if expected is not None and expected.used != f"{origin} {key}":
            before, _, recorded = expected.used.rpartition(" ")
            if before == origin:
                key = recorded
            else:
                self._misaligned[site] = None
        if key and self._salted is not None and site in self._salted:
            key = jax_draws.folded(call.given, key, self._salt)
        value = call.make(key)
        now = shape_of(value)
        self._calls[place] = Drawn(now, f"{origin} {key}")
        if call.many and expected is not None and expected.shape and now:
            rows = self._rows_of_key(call, key, expected.shape, now)
            if rows is None and (expected.shape != now or self._may_be_moved(now)):
                self._misaligned[site] = None
            value = value if rows is None else rows
        self._origins |= call.origins(value, origin)
        return value

    def _rows_of_key(self, call: KeyCall, key: str, before: Shape, now: Shape) -> Value:
        """By record, where there are more or fewer of them; None where not."""
        found = self._fit(before, now) if before != now else None
        return None if found is None else call.by_row(key, now, found)

    def _may_be_moved(self, now: Shape) -> bool:
        """Have the records another order, and may this be one row for each of them, or for each place of a batch that
        is filled up to as many?"""
        return self._past is not None and self._past.order is not None and self._records in now

    def _stream(self, source: Source) -> Stream:
        """The generator's stream: a new one where it stands elsewhere than after its last call."""
        known = self._streams.get(id(source.generator))
        if known is None or known.source.read() != known.left:
            known = self._streams[id(source.generator)] = Stream(source, len(self._members))
            here = place_of(source, known.start)
            known.again = here in self._begun and here not in self._seeded
            if not known.again:
                self._seeded.add(here)
            self._bases[source.name, known.base] += 1
            known.name = f"{source.name} {known.base} {self._bases[source.name, known.base]}"
            self._counts.pop((known.base, known.since), None)  # seeded again within the batch: its draws come again
        return known

    def _begin(self, stream: Stream, address: str, key: bytes, site: str, label: str) -> None:
        """Put the generator where this call draws from."""
        if self._salted is not None and site in self._salted:
            stream.source.seed(_digest(key.hex(), f"{self._salt} {label}"))
        elif label:
            stream.source.seed(_digest(key.hex(), label))
        elif address == self._first_of(stream.name):
            stream.source.write(stream.start)
        else:
            stream.source.seed(key)

    def _first_of(self, stream: str) -> str:
        """Where the stream's own numbers are drawn: at its first call, on a replay at the one that was recorded."""
        past = self._past.first.get(stream) if self._past is not None else None
        return past or self._first[stream]

    def _made(self, call: Call, start: Callable[[str], None], stream: Stream, site: str, place: str) -> Value:
        expected = self._past.calls.get(place) if self._past is not None else None
        target = call.changes()
        now = shape_of(target)
        if expected is not None and expected.shape is not None and now is not None:
            found = self._fit(expected.shape, now)
            if found is not None:
                return self._by_row(call, start, site, place, expected.shape, now, found)
        start("")
        value = call.make()
        after = stream.source.read()
        now = shape_of(value)
        used = f"{stream.source.fingerprint(after)} {call.numbers()}"
        self._calls[place] = Drawn(now, used)
        if expected is None or expected.shape is None or now is None:
            if expected is not None and expected.used != used:
                self._misaligned[site] = None
            return value
        found = self._fit(expected.shape, now)
        if found is not None:
            return self._by_row(call, start, site, place, expected.shape, now, found)
        if expected.shape != now or expected.used != used or self._may_be_moved(now):
            self._misaligned[site] = None
        return value

    def _by_row(
        self, call: Call, start: Callable[[str], None], site: str, place: str, before: Shape, now: Shape, found: Fit
    ) -> Value:
        self._calls[place] = Drawn(now, "")
        if now[found.axis] == 0:
            start("")
            return call.make()
        value = by_row(call, now, found, start)
        if value is None:
            self._misaligned[site] = None
            start("")
            return call.make()
        return value

    def _fit(self, before: Shape, now: Shape) -> Fit | None:
        """How the rows of a draw follow the records, where its shape says that they do and they stand differently.

        After a read of all records they may as well be those of the batch, which a replay reads in the recorded order:
        they stay as they are.
        """
        assert self._past is not None
        if before == now and (self._past.order is None or not now or now[0] != self._records):
            return None
        if before == now and self._members and len(self._members[-1]) == self._records:
            return None
        return fit(before, now, self._candidates(before == now))

    def _candidates(self, whole: bool) -> Iterator[tuple[Ids, Ids]]:
        """Recorded records and those of the replay: of the data set, then of the batches, the latest first."""
        assert self._past is not None
        now = np.arange(self._records)
        before = np.arange(self._past.records) if self._past.order is None else np.argsort(self._past.order)
        if whole:
            yield before, now
            return
        pairs = list(zip(self._past.members, self._members, strict=False))
        if len(self._members) <= len(self._past.members):
            yield from reversed(pairs)
        yield before, now

    def _number(self, site: str, batch: int, count: int) -> int | str:
        """The number of a call within its batch; where the site is called for each record, that of the record."""
        pair = self._pair(batch)
        if pair is None or np.array_equal(*pair):
            return count
        each = self._each(site)
        if not each or count >= each * len(pair[1]):
            return count
        rows, labels = places(*pair)
        place, rest = divmod(count, each)
        return int(rows[place]) * each + rest if rows[place] >= 0 else f"new {labels[place]} {rest}"

    def _pair(self, batch: int) -> tuple[Ids, Ids] | None:
        """The recorded records of batch number 1, 2, ... and those of the replay; number 0 is before all batches."""
        if self._past is None or batch > len(self._past.members):
            return None
        if batch == 0:
            return np.arange(self._past.records), np.arange(self._records)
        return self._past.members[batch - 1], self._members[batch - 1]

    def _each(self, site: str) -> int:
        """How often the recording calls this site for each record of a batch, 0 if it does not hang on their number."""
        if self._rates is None:
            self._rates = {}
            found: defaultdict[str, set[float]] = defaultdict(set)
            assert self._past is not None
            for (_, name, batch), count in self._past.counts.items():
                found[name].add(count / max(_size(self._past, batch), 0.1))
            for name, rates in found.items():
                if len(rates) == 1 and (rate := rates.pop()) >= 1 and rate == int(rate):
                    self._rates[name] = int(rate)
        return self._rates.get(site, 0)

    def _compare(self) -> None:
        """On a replay: name what was not drawn as in the recording."""
        past = self._past
        if past is None:
            return
        own, seen = self._own(), set(past.bases)
        self._misaligned |= {name: None for name, base in self._bases if (name, base) not in seen}
        both = {base for _, base in seen} & {base for _, base in self._bases}
        last = min(len(past.members), len(self._members))  # a run that ends early draws nothing more
        groups = [one for one in (past.counts | own.counts) if one[0] in both and one[2] <= last]
        sides = [{(base, batch) for base, site, batch in groups if not counts.get((base, site, batch))}
                 for counts in (past.counts, own.counts)]  # fmt: skip
        for base, site, batch in groups:
            before, now = (counts.get((base, site, batch), 0) for counts in (past.counts, own.counts))
            # What one side alone draws there has nothing that it could be equal to, unless the other draws elsewhere.
            alone = not (before and now) and not all((base, batch) in side for side in sides)
            each = self._each(site)
            if before != now and not alone and not (each and now == each * _size(own, batch)):
                self._misaligned[site] = None

    def __deepcopy__(self, memo: object) -> Alignment:
        """A new one with the same past: it is for another run of the training."""
        return Alignment(self._past, self._salted)


def _size(log: Log, batch: int) -> int:
    """How many records batch number 1, 2, ... has; number 0 is before all batches."""
    return log.records if batch == 0 else len(log.members[batch - 1]) if batch <= len(log.members) else 0


def _digest(base: str, address: str) -> bytes:
    return hashlib.blake2b(f"{base}|{address}".encode(), digest_size=16).digest()


def seen_draw(source: Source, call: Call) -> Value:
    """A call of a random function, aligned by the innermost alignment that is open."""
    return _OPEN[-1].draw(source, call) if _OPEN else call.make()


def seen_key(call: KeyCall) -> Value:
    """A call of a random function of JAX, aligned by the innermost alignment that is open."""
    return _OPEN[-1].keyed(call) if _OPEN else call.make(call.key)
