"""What the checks of one training are shown: recordings, and replays that are made when a check first asks for them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dpaudit.audit.alignment.salt import numbered
from dpaudit.audit.randomness import Frozen
from dpaudit.audit.structural import other_batches
from dpaudit.audit.structural.accounted import assumption, sampling_of
from dpaudit.audit.structural.data_sets import different, equal, natural_neighbours, size, turned
from dpaudit.audit.structural.far import Far, far_pairs
from dpaudit.audit.structural.finding import Finding, Pair, first_difference, matched
from dpaudit.audit.structural.measures import calls, distance
from dpaudit.audit.structural.other_draws import unsettled
from dpaudit.audit.structural.recorded_values import Ids
from dpaudit.audit.structural.recording import Recording
from dpaudit.audit.structural.training import REPLACED, Instrument, Refused, Training
from dpaudit.content.audits import Data
from dpaudit.records.assumptions import SHUFFLED, Assumptions, Sampling
from dpaudit.records.mechanism import Mechanism
from dpaudit.records.privacy import Neighbours, PrivacyClaim
from dpaudit.records.verdict import Outcome

RANDOM = ("Poisson", "without replacement", "with replacement")

MOST_RECORDINGS = 10
"""With seeds of their own: the two that are made anyway, and eight more at most."""
ENOUGH_NOISE, ENOUGH_BATCHES = 1_000, 80
"""Coordinates of noise, and random batches, from which on no recording is made for their sake alone."""


@dataclass(frozen=True)
class Observed:
    """neighbours: data sets that differ from `data` in one record, under the relation of the claim; mechanism: what is
    claimed to be run; alpha: false-alarm probability of each statistical test; seed: of the first training, the second
    has the next one. Whatever the training raises on `data` itself is raised."""

    instrument: Instrument
    data: Data
    neighbours: Sequence[Data]
    claim: PrivacyClaim
    mechanism: Mechanism | None
    assumptions: Assumptions
    seed: int
    alpha: float

    @cached_property
    def sampling(self) -> Sampling | None:
        """What is assumed of batches."""
        return self.assumptions.sampling or sampling_of(self.mechanism, size(self.data))

    @cached_property
    def training(self) -> Training:
        """The training, told whether its batches are random: by the sampler or, where several are, the mechanism."""
        kind = self.sampling.kind if self.sampling is not None else ""
        accounted = assumption(self.mechanism) if self.mechanism is not None and not kind else None
        random = kind in RANDOM or (accounted is not None and accounted.sampled)
        return Training(self.instrument, self.seed, self.assumptions.random_batches or random, kind == "Poisson")

    @cached_property
    def shadows(self) -> tuple[int, ...]:
        """Records of which at least one is in every batch of the first recording, where nobody says how batches are
        drawn, and none is in all of them: what is in more than one of these may be no possible batch."""
        accounted = assumption(self.mechanism) if self.mechanism is not None else None
        known = self.sampling is not None or (accounted is not None and accounted.sampled)
        if known or not self.training.sampled:
            return ()
        made = [[{*batch.tolist()} for batch in one.logical()] for one in self.recordings]
        if not all(made) or any(set.intersection(*batches) for batches in made):
            return ()
        found: list[int] = []
        left = [batch for batch in made[0] if batch]
        while left:
            most = Counter(member for batch in left for member in sorted(batch)).most_common(1)
            found.append(most[0][0])
            left = [batch for batch in left if found[-1] not in batch]
        return tuple(found)

    def shadowed(self, shadow: int) -> Observed:
        """The same with the record in question in the batches of this one alone."""
        kept, made = replace(self), vars(self)
        vars(kept).update({name: made[name] for name in ("first", "second", "recordings") if name in made})
        vars(kept)["training"] = replace(self.training, shadow=shadow)
        return kept

    @cached_property
    def first(self) -> tuple[Recording, Frozen]:
        """A training, and what it did to the global generators."""
        return self.training.record(self.data)

    @cached_property
    def second(self) -> tuple[Recording, Frozen]:
        """Another training on the same data, with another seed."""
        return self.training.record(self.data, seed=self.seed + 1)

    @property
    def recorded(self) -> Recording:
        """The first recording."""
        return self.first[0]

    @cached_property
    def recordings(self) -> tuple[Recording, ...]:
        """Recordings on the same data, each with its own seed: two, and up to MOST_RECORDINGS where they hold little
        noise or few batches. How many hangs on the first one alone, not on the clock.

        Replays and recordings of pairs repeat the noise of the first seed and are not among them.
        """
        noise = sum(r.statistic.size for r in self.recorded.releases if r.noise is not None)
        batches = len(self.recorded.logical()) if self.training.sampled else 0
        held = ((ENOUGH_NOISE, noise), (ENOUGH_BATCHES, batches))
        wanted = min(max([2, *(math.ceil(enough / made) for enough, made in held if made)]), MOST_RECORDINGS)
        more = (self.training.record(self.data, seed=self.seed + n)[0] for n in range(2, wanted))
        return (self.recorded, self.second[0], *more)

    @cached_property
    def independent(self) -> tuple[Recording, ...]:
        """Those of `recordings` whose noise is independent. A training that ignores its seed repeats its noise, which
        `fresh noise` finds; here it would count twice, so that what repeats an earlier recording is left out."""
        found: dict[bytes, Recording] = {}
        for recording in self.recordings:
            found.setdefault(_noise(recording), recording)
        return tuple(found.values())

    @property
    def batches(self) -> tuple[Ids, ...]:
        """The logical batches of all recordings, of the first alone where they are not random.

        Under Poisson sampling a step that reads nothing was made on an empty batch. Of shuffled records whole epochs,
        in all but the last recording.
        """
        epoch, kind = 1, "" if self.sampling is None else self.sampling.kind
        if self.sampling is not None and kind == SHUFFLED:
            epoch = math.ceil(self.sampling.records / self.sampling.size)
        recordings = self.recordings if self.training.sampled else (self.recorded,)
        *earlier, last = (one.logical(kind == "Poisson") for one in recordings)
        whole = [batch for batches in earlier for batch in batches[: len(batches) // epoch * epoch]]
        return (*whole, *last)

    @cached_property
    def repeated(self) -> Pair:
        """The first recording and its replay on the same data: the control of all other replays."""
        return "the same data", self.recorded, self.training.replay(self.recorded, self.data)

    @cached_property
    def pairs(self) -> list[Pair]:
        """Replays on the listed neighbours and on the natural ones, and on those in which another record differs.

        A crafted record may move nothing in this training; then one that was there before it differs too.
        """
        whole = self._others()
        ordinary = self._ordinary(whole)
        pairs = [pair for neighbour in whole for pair in self.training.pairs(self.data, neighbour)]
        if not any(map(_moved, pairs)):
            others = natural_neighbours(ordinary, self.claim.neighbours)
            pairs += [pair for neighbour in others for pair in self.training.pairs(ordinary, neighbour)]
        pairs += self.training.elsewhere(ordinary, self.claim.neighbours)
        return pairs + [
            pair for neighbour in whole for pair in self.training.only_record(self.recorded, self.data, neighbour)
        ]

    def _others(self) -> list[Data]:
        """The listed neighbours and the natural ones."""
        natural = natural_neighbours(self.data, self.claim.neighbours)
        return [*self.neighbours, *(one for one in natural if not any(equal(one, given) for given in self.neighbours))]

    def _ordinary(self, others: Sequence[Data]) -> Data:
        """The data without the record in question, or with another one in its place: it may be crafted, and hide what
        others do."""
        return others[0] if others and size(others[0]) <= size(self.data) else self.data

    @cached_property
    def level_pairs(self) -> list[Pair]:
        """Replays on neighbours with equally many records."""
        replaced = [pair for pair in self.pairs if pair[0] == REPLACED]
        return replaced or [pair for other in turned(self.data) for pair in self.training.pairs(self.data, other)]

    @cached_property
    def unseen(self) -> list[Pair]:
        """Replays with the last record in no batch."""
        last, others = size(self.data) - 1, natural_neighbours(self.data, self.claim.neighbours)
        if self.claim.neighbours is Neighbours.ZERO_OUT:  # only those who gave the neighbours know the empty record
            alike = (one for one in self.neighbours if size(one) == size(self.data))
            others = [one for one in alike if different(self.data, one) == last]
        return self.training.unseen_pairs(self.recorded, self.data, others)

    def near_then_far(self, near: Finding, check: Callable[[Sequence[Pair], str], Finding]) -> Finding:
        """`near`, where it is not CONSISTENT; else what the check says of replays on data sets far away or on
        neighbours on the way there. The check is told, in words, where the training raised an exception."""
        if near.outcome is not Outcome.CONSISTENT:
            return near
        far = self.far.changed(_settled)
        found = check(far.pairs, far.told())
        if found.outcome is not Outcome.CONSISTENT:
            return found
        open_question = check(far.open, "")
        return unsettled(open_question) if open_question.outcome is Outcome.REFUTED else found

    @cached_property
    def far(self) -> Far:
        """Replays on data sets far away, on the path of the first recording; where that shows nothing, of others."""
        paths = [(replace(self.training, seed=self.seed + n), one) for n, one in enumerate(self.recordings)]
        return far_pairs(paths, self.data)

    @cached_property
    def permuted(self) -> Pair:
        """A replay of permuted data with permuted batches."""
        return self.training.permuted(self.recorded, self.data)

    def broken(self) -> tuple[list[Pair], list[Pair], Refused]:
        """Replays with bad records; those that need only stay finite; where the training raised an exception.

        Where a record is zeroed out, nobody but the training knows the zero: its bad records need only stay finite.
        """
        return self._broken

    @cached_property
    def _broken(self) -> tuple[list[Pair], list[Pair], Refused]:
        pairs, refused = self.training.bad_pairs(self.data, self.claim.neighbours)
        alone, refused_alone = self.training.odd_batches(self.recorded, self.data)
        if self.claim.neighbours is Neighbours.ZERO_OUT:
            pairs, alone = [], [*pairs, *alone]
        return pairs, alone, [*refused, *refused_alone]

    @cached_property
    def idle(self) -> bool:
        """Did steps read records beside their batch that change nothing? With others in their place statistics, public
        values and outputs are the same. Which of several reads is the batch is then not known."""
        places = range(max(self.recorded.pieces, default=0))
        moved = (one for place in places if (one := other_batches.swapped(self.recorded, place)) is not None)
        return any(self._same(self.training.replay(one, self.data)) for one in moved)

    def _same(self, other: Recording) -> bool:
        return calls(self.recorded) == calls(other) and not first_difference(self.recorded, other)

    def misaligned(self) -> tuple[str, ...]:
        """What could not be aligned in the replays that were made so far: call sites and generators, each once."""
        made = vars(self)
        pairs = [pair for name in _REPLAYED for pair in made.get(name, [])]
        pairs += [made["permuted"]] if "permuted" in made else []
        pairs += [pair for found in made.get("_broken", ())[:-1] for pair in found]
        pairs += [*self.far.pairs, *self.far.open] if "far" in made else []
        sites = (site for _, one, other in pairs for site in (*one.draws.misaligned, *other.draws.misaligned))
        return tuple(dict.fromkeys(sites))

    def aligned(self) -> Observed:
        """The same without the replays in which a draw could not be aligned."""
        kept, made = replace(self), vars(self)
        vars(kept).update({name: made[name] for name in ("first", "second", "training") if name in made})
        vars(kept).update({name: _aligned(made[name]) for name in _REPLAYED if name in made})
        if "permuted" in made:
            vars(kept)["permuted"] = (_aligned([made["permuted"]]) or [("same", self.recorded, self.recorded)])[0]
        if "_broken" in made:
            *lists, refused = made["_broken"]
            vars(kept)["_broken"] = (*map(_aligned, lists), refused)
        if "far" in made:
            vars(kept)["far"] = replace(self.far, pairs=_aligned(self.far.pairs), open=_aligned(self.far.open))
        return kept

    def hangs_on(self, sites: tuple[str, ...]) -> bool:
        """Do other draws at these call sites, on the same data, change a statistic, a public value or an output?"""
        return not self._same(self.training.replay(self.recorded, self.data, salted=frozenset(sites)))

    def calls_apart(self, sites: tuple[str, ...]) -> bool:
        """Are the calls others on a neighbour whatever is drawn at these call sites? `SALTS` replays with draws of
        their own on each of two data sets make the same calls on either, and not the same on both: if the calls hung on
        the draws alone, and not on the data set, the chance would be below 2^(1 - 2 SALTS)."""
        salts = [numbered(sites, number) for number in range(SALTS)]
        for neighbour in self._others():
            recorded, here, there = self.training.sides(self.data, neighbour)
            first, second = calls(here(salts[0])), calls(there(salts[0]))
            if first == second or first != calls(recorded):
                continue
            if all(calls(here(one)) == first and calls(there(one)) == second for one in salts[1:]):
                return True
        return False


SALTS = 11
UNSETTLED_READS = (
    "but records are read between steps that change nothing, and which read is the batch is not known; to settle it: "
    "read all records at once where they are only looked at, records.tensors(), or look at them outside of the training"
)
"""Said where a refutation may come from that."""
_REPLAYED = ("pairs", "level_pairs", "unseen")
"""The lists of replays that are kept."""


def _moved(pair: Pair) -> bool:
    """Does any call or statistic change?"""
    _, recorded, replayed = pair
    statistics = matched(recorded, replayed)
    return calls(recorded) != calls(replayed) or any(distance(one, other) > 0 for one, other in statistics)


def _aligned(pairs: Sequence[Pair]) -> list[Pair]:
    return [pair for pair in pairs if not (pair[1].draws.misaligned or pair[2].draws.misaligned)]


def _settled(pair: Pair) -> Pair:
    """A pair that was replayed with other draws already."""
    label, one, other = pair
    return label, replace(one, again=None), replace(other, again=None)


def _noise(recording: Recording) -> bytes:
    """All of its noise."""
    return b"|".join(np.ascontiguousarray(r.noise).tobytes() for r in recording.releases if r.noise is not None)


def correlated_by_design(seen: Observed, check: str) -> Finding | None:
    """That a check of independent noise is not run, where the noise is not meant to be independent."""
    if seen.assumptions.independent_noise:
        return None
    return Finding(check, Outcome.NOT_RUN, "the noise is correlated by design")
