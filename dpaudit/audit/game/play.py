"""The distinguishing game: run a target on two neighbouring data sets and score what it releases.

The target is played `trials` times on D and on D' with streams of their own, chunk by chunk, so that memory
holds one score a trial. With several attacks, or one that learns, the first tenth of each side's trials fits
them (its first half) and chooses among them (its second half); the others are scored by the chosen one alone, so
that the choice costs no error probability.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import least_integer
from dpaudit.audit import conduct, contract
from dpaudit.audit.contract import Scorer
from dpaudit.audit.game.curves import Progress, epsilon_threshold, progress
from dpaudit.audit.game.decide import OF_SHAPES
from dpaudit.audit.relation import are_equal
from dpaudit.content.audits import Audit, Data, Learner, Outputs, Score
from dpaudit.estimators.betting import BettingTest
from dpaudit.estimators.clopper_pearson import OperatingPoint, excess
from dpaudit.estimators.held_out_threshold import HELD_OUT, Scores, split
from dpaudit.noise.stream import Stream, Trials
from dpaudit.records.context import Context
from dpaudit.records.errors import ContentError
from dpaudit.records.privacy import Guarantee
from dpaudit.records.target import Control, Target

CHUNK = 65_536
"""Trials that one call of `run` makes at most."""

SIDES = ("D", "D'")

_FIRST_STAGE = 128
"""Pairs of trials before the bets are looked at for the first time."""
_MIXED = 64
"""Trials of each side that are scored once more, in one batch with those of the other side."""
_MOST_FIT = 200_000
"""Outputs of each side that are kept to fit attacks and to choose among them."""
_SHAPED = 20
"""Trials of each side that are played alone, at least, where the shapes of the sides differ."""
_CHOICE_ALPHA = 0.3
"""Level at which attacks are compared: mild, since few trials take part."""


@dataclass(frozen=True)
class Played:
    """The scores of all trials; attack: the name of the one that made them; tried: all that were considered;
    progress: the counts of one test in the order of play, None where no trial came after its choice; looks: at how many
    numbers of trials the game could have ended."""

    scores: Scores
    attack: str
    tried: tuple[str, ...]
    progress: Progress | None
    looks: int = 1


class OtherShapeError(ContentError):
    """What a trial gives has another shape on each side, more often than the claim allows: an outcome of its own.

    shapes: of every trial on D and on D' that was played alone; point: their numbers.
    """

    def __init__(self, shapes: tuple[tuple[int, ...], tuple[int, ...]], point: OperatingPoint) -> None:
        self.shapes, self.point = shapes, point
        super().__init__(
            f"each of {point.positives} trials on D gives shape {shapes[0]}, each of {point.negatives} on D' "
            f"{shapes[1]}: whoever sees one knows the data set; to repair it: release numbers whose count is fixed "
            "before the data are seen"
        )


@dataclass(frozen=True)
class _Stage:
    """All that is settled before trials are counted; kept: outputs of each side that chose the attack."""

    sides: tuple[_Side, ...]
    attack: str
    tried: tuple[str, ...]
    score: Scorer
    kept: list[list[Outputs]]
    trials: int
    shapes: _Shapes


@dataclass(frozen=True)
class _Shapes:
    """What shapes are held against: the claim, the error probability, and how many trials alone may be played."""

    guarantee: Guarantee
    alpha: float
    most: int

    def needed(self) -> int | None:
        """The least trials a side whose shapes refute the claim if no two are equal across the sides; None if there
        are too few.
        """
        if not self.point(self.most).contradicts(self.guarantee):
            return None
        return least_integer(lambda trials: self.point(trials).contradicts(self.guarantee), _SHAPED)

    def point(self, trials: int) -> OperatingPoint:
        """So many trials a side, all told apart."""
        return OperatingPoint(0.5, 0, trials, trials, trials, self.alpha)


@dataclass(frozen=True)
class _Side:
    """One of the two sides: what `run` is called with; at_work: told how far the game is."""

    name: str
    subject: Audit
    data: Data
    stream: Stream
    deterministic: bool
    at_work: Callable[[str], None]

    def outputs(self, first: int, last: int) -> Iterator[Outputs]:
        """The outputs of the trials from `first` up to `last`, chunk by chunk."""
        chunk = min(CHUNK, self.subject.chunk or CHUNK)
        for start in range(first, last, chunk):
            self.at_work(f"game, trial {start} of {last} on {self.name}")
            trials = Trials(self.stream, np.arange(start, min(start + chunk, last)))
            found = conduct.play(self.subject, self.data, trials, f"run on {self.name}")
            if start == 0 and self.deterministic:
                conduct.check_repeats(self.subject, self.data, trials, found, f"run on {self.name}")
            yield found

    def shape(self, trial: int) -> tuple[int, ...]:
        """What one trial gives when it is played alone; its noise is that of no trial of the game."""
        trials = Trials(self.stream.part("shapes"), np.arange(trial, trial + 1))
        return conduct.play(self.subject, self.data, trials, f"run on {self.name}").shape[1:]


def play(subject: Audit, context: Context, guarantee: Guarantee) -> Played:
    """Scores of all trials on D and on D'; ContentError for a broken contract, OtherShapeError where shapes differ.

    guarantee: the claim that the attack is chosen against.
    """
    stage = _prepared(subject, context, guarantee)
    scores, counts = _scores(stage, subject.target.claim.delta)
    return Played(scores, stage.attack, stage.tried, counts)


def play_in_stages(subject: Audit, context: Context, guarantee: Guarantee) -> tuple[Played, BettingTest]:
    """The game until bets at level `context.alpha` refute `guarantee`, or the planned trials are played.

    Trials that chose the attack are not bet on. Stages double, so that little is played in vain; the bets do not depend
    on them.
    """
    stage = _prepared(subject, context, guarantee)
    bets = BettingTest((guarantee,), context.alpha * (1 - OF_SHAPES))
    first = max(map(_rows, stage.kept))
    ends = _ends(first, stage.trials)
    found: list[list[Array]] = [[], []]
    for place, last in pairwise((first, *ends)):
        if bets.refuted[0]:
            break
        parts = [list(side.outputs(place, last)) for side in stage.sides]
        _refuse_other_shapes(stage.sides, stage.shapes, *(part[:1] for part in parts))
        for side, scores, outputs in zip(stage.sides, found, parts, strict=True):
            for part in outputs:
                scores.append(_scored(stage.score, part, side, scores[:1] + scores[-1:]))
        firsts = [(scores[-len(part)], part[0][:_MIXED]) for scores, part in zip(found, parts, strict=True)]
        _refuse_batch_scores(stage.score, firsts)
        bets.update(*(np.concatenate(scores)[-(last - place) :] for scores in found))
    positive, negative = (np.concatenate(scores or [np.empty(0)]) for scores in found)
    counts = _staged_progress(positive, negative, stage.trials, subject.target.claim.delta)
    return Played(split(positive, negative), stage.attack, stage.tried, counts, max(len(ends), 1)), bets


def _ends(first: int, trials: int) -> list[int]:
    """Where the stages end: they double from _FIRST_STAGE on, whatever the scores are."""
    ends, size = [], _FIRST_STAGE
    while first < trials:
        first, size = min(first + size, trials), 2 * size
        ends.append(first)
    return ends


def _prepared(subject: Audit, context: Context, guarantee: Guarantee) -> _Stage:
    target = subject.target
    pair = contract.neighbours(subject, contract.generator(context.seed, target.name, "neighbours"))
    if target.control is not Control.NULL and are_equal(*pair):
        raise ContentError("the data set and its neighbour are equal, so that no release tells them apart")
    attacks: dict[str, Scorer | Learner] = {
        name: partial(_plain, attack, pair) if callable(attack) else attack
        for name, attack in subject.all_attacks.items()
    }
    sides = tuple(
        _Side(name, subject, data, Stream(context.seed, f"{target.name}/{name}"), target.deterministic, context.at_work)
        for name, data in zip(SIDES, pair, strict=True)
    )
    number = _trials(target, context)
    shapes = _Shapes(guarantee, context.alpha * OF_SHAPES, number)
    [(name, only), *others] = attacks.items()
    if callable(only) and not others:
        return _Stage(sides, name, (name,), only, [[], []], number, shapes)
    rng = contract.generator(context.seed, target.name, "attacks")
    kept = [_collect(side, min(int(HELD_OUT * number), _MOST_FIT)) for side in sides]
    _refuse_other_shapes(sides, shapes, *(part[:1] for part in kept))
    name, score = _chosen(attacks, kept, pair, guarantee, rng)
    return _Stage(sides, name, tuple(attacks), score, kept, number, shapes)


def _refuse_other_shapes(sides: tuple[_Side, ...], test: _Shapes, *outputs: list[Outputs]) -> None:
    """OtherShapeError where every trial on D has one shape, every one on D' another, and the claim forbids it;
    ContentError where shapes vary, and where the claim allows what so few trials show.

    Rows of one batch have one shape, so that trials are played alone, with noise of their own: what is counted did not
    choose what it is counted for.
    """
    shapes = [part.shape[1:] for first in outputs for part in first]
    if len(set(shapes)) < 2:
        return
    needed = test.needed()
    for side, shape in zip(sides, shapes, strict=True):
        for trial in range(needed or _SHAPED):
            found = side.shape(trial)
            if found != shape:
                shown = ", ".join(map(str, sorted((shape, found))))
                raise ContentError(
                    f"run on {side.name} gives trials of several shapes, {shown}; fill up to the longest"
                )
    if needed is None:
        raise ContentError(
            f"run gives trials of shape {shapes[0]} on D and {shapes[1]} on D'; {test.most} trials are too few to hold "
            "that against the claim; fill up to the longest, or run more trials (a higher level)"
        )
    raise OtherShapeError((shapes[0], shapes[1]), test.point(needed))


def _rows(kept: list[Outputs]) -> int:
    return sum(map(len, kept))


def _trials(target: Target, context: Context) -> int:
    if target.trials is None:
        raise ContentError(f"{target.name} has no trials: it is a target of the structural tier alone")
    return target.trials.at(context.level)


def _plain(attack: Score, pair: tuple[Data, Data], outputs: Outputs) -> ArrayLike:
    return attack(outputs, *pair)


def _collect(side: _Side, rows: int) -> list[Outputs]:
    """The first outputs of a side, as one array in a list; empty if there are none."""
    parts = list(side.outputs(0, rows))
    return [np.concatenate(parts)] if parts else []


def _chosen(
    attacks: dict[str, Scorer | Learner],
    kept: list[list[Outputs]],
    pair: tuple[Data, Data],
    guarantee: Guarantee,
    rng: np.random.Generator,
) -> tuple[str, Scorer]:
    """The attack that does best on the second half of what was kept, those that learn fitted on the first half."""
    if not (kept[0] and kept[1]):
        raise ContentError("attacks that learn or compete need at least 20 trials a side")
    half = [len(part[0]) // 2 for part in kept]
    fit, judge = ([part[0][: n] if first else part[0][n:] for part, n in zip(kept, half, strict=True)]
                  for first in (True, False))  # fmt: skip
    scores = {name: one if callable(one) else one.fit(fit[0], fit[1], *pair, rng) for name, one in attacks.items()}
    best = max(scores, key=lambda name: _value(scores[name], judge, guarantee))
    return best, scores[best]


def _value(score: Scorer, judge: list[Outputs], guarantee: Guarantee) -> tuple[float, float]:
    """How far above the claim the test of this attack gets: threshold from one half, counts from the other.

    Where the claim is kept no attack gets above it, and the one that ranks the two sides best is the best one. One that
    gives every trial the same score comes last: others may say little, it says nothing.
    """
    found = [contract.scored(score, part, side) for part, side in zip(judge, SIDES, strict=True)]
    if len(np.unique(np.concatenate(found))) == 1:
        return -1.0, 0.0
    halves = [np.sort(values[part]) for part in (slice(0, None, 2), slice(1, None, 2)) for values in found]
    point = Scores(*halves).best_point(lambda f, t: excess(f, t, guarantee), _CHOICE_ALPHA)
    above = float(excess(point.false_positive_rate_upper, point.true_positive_rate_lower, guarantee))
    return max(above, 0.0), _area(*found)


def _area(positive: Array, negative: Array) -> float:
    """The share of pairs of trials, one a side, that the scores rank rightly; ties count half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, "left") + np.searchsorted(ordered, positive, "right")
    return float(below.mean() / (2 * max(len(ordered), 1)))


def _scores(stage: _Stage, delta: float) -> tuple[Scores, Progress | None]:
    """All trials scored, those that fitted attacks left out of the held-out part; counts before the order is lost."""
    held = int(HELD_OUT * stage.trials)
    played: list[tuple[Array, Outputs]] = []
    for place in range(len(stage.sides)):
        played.append(_play_side(stage, place, [outputs for _, outputs in played]))
    _refuse_batch_scores(stage.score, played)
    spent = [len(part[0]) // 2 if part else 0 for part in stage.kept]
    first, other = (values for values, _ in played)
    scores = Scores(
        np.sort(first[spent[0] : held]), np.sort(other[spent[1] : held]), first[held:], other[held:],
        unspent=not any(stage.kept),
    )  # fmt: skip
    counts = progress(epsilon_threshold(scores, delta), scores.positive, scores.negative)
    return replace(scores, positive=np.sort(scores.positive), negative=np.sort(scores.negative)), counts


def _staged_progress(positive: Array, negative: Array, planned: int, delta: float) -> Progress | None:
    """Counts of a test that the first stage chose: how many trials a tenth of them is, the stopping decides."""
    first, other = (np.sort(side[:_FIRST_STAGE]) for side in (positive, negative))
    to_come = np.broadcast_to(0.0, (planned,))  # only its length is looked at
    threshold = epsilon_threshold(Scores(first, other, to_come, to_come), delta)
    return progress(threshold, positive[_FIRST_STAGE:], negative[_FIRST_STAGE:])


def _play_side(stage: _Stage, which: int, others: list[Outputs]) -> tuple[Array, Outputs]:
    """The scores of all trials on one side, and the first outputs; others: those of the side before."""
    side, values, first_outputs = stage.sides[which], np.empty(stage.trials), np.empty(0)
    place, earlier = 0, [np.empty(0)]
    for outputs in _chained(stage.kept[which], side, stage.trials):
        if place == 0:
            first_outputs = outputs[:_MIXED].copy()
            _refuse_other_shapes(stage.sides, stage.shapes, [*others, first_outputs])
        found = _scored(stage.score, outputs, side, earlier)
        values[place : place + len(found)] = found
        place, earlier = place + len(found), [*(earlier[:1] if place else [found]), found]
    return values, first_outputs


def _scored(score: Scorer, outputs: Outputs, side: _Side, earlier: Sequence[Array]) -> Array:
    """The scores of a batch; ContentError where they are those of one of the `earlier` ones."""
    found = contract.scored(score, outputs, side.name)
    if any(_repeats(found, before) for before in earlier):
        raise ContentError(f"run on {side.name} repeats itself: two batches have equal scores; use trials.numbers")
    return found


def _chained(kept: list[Outputs], side: _Side, number: int) -> Iterator[Outputs]:
    yield from kept
    yield from side.outputs(_rows(kept), number)


def _repeats(found: Outputs, before: Array) -> bool:
    """Are the scores those of another batch, as far as both go? Chance does this less than once in 10^11 batches."""
    number = min(len(found), len(before))
    equal = number >= 40 and np.array_equal(found[:number], before[:number])
    return equal and number - int(np.unique(found[:number], return_counts=True)[1].max()) >= 20


def _refuse_batch_scores(score: Scorer, played: list[tuple[Array, Outputs]]) -> None:
    """A batch comes from one side: a score that looks at its batch knows the side, and its trials depend."""
    (scores, outputs), (others, other_outputs) = played
    mixed = contract.scored(score, np.concatenate([outputs, other_outputs]), "both sides")
    alone = np.concatenate([scores[: len(outputs)], others[: len(other_outputs)]])
    slack = 1e-4 * float(np.max(np.abs(alone[np.isfinite(alone)]), initial=0.0))  # sums of float32 in another order
    if not np.allclose(mixed, alone, rtol=1e-4, atol=slack):
        raise ContentError("score depends on the other trials of its batch; score each trial on its own")
