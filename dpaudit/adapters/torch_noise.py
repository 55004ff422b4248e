"""Which normal draws between the steps of a torch training are noise, and which are public values.

A draw is noise if what it does to the gradient, the gradient with it less the gradient without it, is the same on a
data set and on its neighbour, with equal draws and earlier steps: then it is added, whatever the records hold. A random
projection of the gradient, the directions of a zeroth-order step and random changes of the records do something else on
each data set: they are public values, which a replay draws again, and so is a private number times a normal draw. Draws
are told apart by their call sites.

Usually all draws together pass, which the recordings that are made anyway show. Where they do not, every site is
silenced alone, on both data sets, along one path and with one set of draws. Noise that a number scales which differs
between the data sets, such as the size of the batch, is silenced too, and said. Where nothing explains the gradients,
they are recorded whole: what was clipped after the noise was added is no statistic plus noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.likeness import Array, Both, Likeness, likeness, moves, noisy
from dpaudit.adapters.torch_beside import Beside
from dpaudit.adapters.torch_watch import Watch, Watched
from dpaudit.audit.alignment.sites import call_site, shown_with_caller
from dpaudit.audit.structural import training as recorded_training
from dpaudit.audit.structural.data_sets import different, size
from dpaudit.audit.structural.draws import normal_draws
from dpaudit.audit.structural.recording import Recorder, Recording
from dpaudit.audit.structural.torch_steps import Step, gradient_of
from dpaudit.content.audits import Data
from dpaudit.noise.tensors import Tensor

Gradients = list[list[Array]]
"""What the steps are handed, by step and parameter."""
Key = tuple[int, str, int]
"""A draw: the number of the step, the call site, and how often that was called before in this step."""
Change = Callable[[str, Tensor], Tensor]
"""What a draw at a call site is made of."""


@dataclass(frozen=True)
class Division:
    """public: call sites whose draws are no noise; all others are. doubt: why the split into statistic and noise is not
    sure, empty where it is; whole: no split explains the gradients."""

    public: frozenset[str] = frozenset()
    doubt: str = ""
    whole: bool = False

    def changed(self, drawn: Tensor) -> Tensor:
        """The deviation of a normal draw, made where this is called, with noise set to 0."""
        return drawn if self.public and call_site() in self.public else drawn * 0

    def note(self) -> str:
        """The draws that are no noise, in words."""
        if self.whole or not self.public:
            return ""
        return f"no noise: the normal draws at {_lines(self.public)}, which keep their values"


class Hearing(Watch):
    """One training in a comparison: the gradients of its steps, its draws, and what is made of them.

    path: the gradients that it goes on with, its own where that ends; given: draws in the place of its own, where their
    shapes are equal.
    """

    def __init__(self, recorder: Recorder, change: Change, path: Gradients, given: dict[Key, Tensor]) -> None:
        super().__init__(before=True)
        self.heard: Gradients = []
        self.drawn: dict[Key, Tensor] = {}
        self._recorder, self._change, self._path, self._given = recorder, change, path, given
        self._counts: Counter[tuple[int, str]] = Counter()
        self._stack = ExitStack()

    def start(self, subject: Watched) -> None:
        self._recorder.begin()
        self._stack.enter_context(normal_draws(self._deviation))
        self.steps.watch(self._step)

    def told(self, one: Beside) -> NDArray[np.floating]:
        return one.to(self._recorder)

    def _deviation(self, number: int, drawn: Tensor) -> Tensor:
        step, site = len(self.heard), call_site()
        key = step, site, self._counts[step, site]
        self._counts[step, site] += 1
        given = self._given.get(key)
        self.drawn[key] = drawn.clone() if given is None or given.shape != drawn.shape else given
        return self._change(site, self.drawn[key])

    def _step(self, run: Step) -> object:
        number = len(self.heard)
        self.heard.append([gradient_of(p) for p in self.steps.parameters])
        self._recorder.step()
        if number < len(self._path):
            for p, wanted in zip(self.steps.parameters, self._path[number], strict=True):
                p.grad = p.new_tensor(wanted)
        return run()

    def close(self) -> None:
        self._stack.close()
        super().close()


class Trainings:
    """Trainings on a pair of data sets with some of the draws changed: all follow one path, with one set of draws."""

    def __init__(
        self,
        play: Callable[[Data, Recorder, Watch], object],
        recorded: Recording,
        pair: tuple[Data, Data],
        seed: int,
        sampled: bool,
        roundoff: float,
    ) -> None:
        """play: makes one training; recorded: that on the larger data set of the pair, with this seed; sampled: as in
        `dpaudit.audit.structural.training.Training`; roundoff: of the parameters."""
        self._play, self._recorded, self._seed, self._sampled = play, recorded, seed, sampled
        self._sides = _sides(pair, sampled)
        self._path: Gradients = []
        self._given: dict[Key, Tensor] = {}
        self._silent: dict[frozenset[str], tuple[Gradients, Gradients]] = {}
        self.roundoff = roundoff
        first = self._heard(0, _unchanged)
        self._path, self._given = first.heard, first.drawn
        self._loud = first.heard, self._heard(1, _unchanged).heard

    @property
    def sites(self) -> frozenset[str]:
        """The call sites of all draws on the first data set."""
        return frozenset(site for _, site, _ in self._given)

    def without(self, silenced: frozenset[str]) -> list[list[Both]]:
        """The gradients with the draws at these sites, and without them."""
        if silenced not in self._silent:
            here, there = (self._heard(side, _without(silenced)).heard for side in (0, 1))
            self._silent[silenced] = here, there
        return _joined(self._loud[0], self._silent[silenced][0], self._loud[1], self._silent[silenced][1])

    def turned(self, silenced: frozenset[str], public: frozenset[str]) -> list[list[Both]]:
        """What the draws at the sites `silenced` do, as it is and with other draws at those that are public."""
        self.without(silenced)
        loud = self._heard(0, lambda site, drawn: _turned(drawn) if site in public else drawn).heard
        quiet = _without(silenced)
        silent = self._heard(0, lambda site, drawn: _turned(drawn) if site in public else quiet(site, drawn)).heard
        return _joined(self._loud[0], self._silent[silenced][0], loud, silent)

    def halves(self, silenced: frozenset[str]) -> list[list[Both]]:
        """What the second half and the first half of each draw at these sites do, on both data sets."""
        self.without(silenced)
        found = []
        for side in (0, 1):
            half = self._heard(side, lambda site, drawn: drawn / 2 if site in silenced else drawn).heard
            found += _joined(self._loud[side], half, half, self._silent[silenced][side])
        return found

    def _heard(self, side: int, change: Change) -> Hearing:
        made: list[Hearing] = []

        def instrument(data: Data, recorder: Recorder) -> None:
            made.append(Hearing(recorder, change, self._path, self._given))
            self._play(data, recorder, made[-1])

        data, joined = self._sides[side]
        recorded_training.Training(instrument, self._seed, self._sampled).replay(self._recorded, data, joined)
        return made[-1]


def divided(trainings: Trainings, known: Division) -> Division:
    """Which of the draws are noise; known: what was found on other pairs, whose public draws stay public."""
    sites, public = trainings.sites - known.public, known.public
    together = trainings.without(sites)
    if likeness(together, trainings.roundoff) <= Likeness.SAME:
        return known  # draws that could not be aligned made them differ
    if _explains(trainings, sites, frozenset(), Likeness.SCALED, together):
        return Division(public, _scaled(sites))
    alone = {site: likeness(trainings.without(frozenset([site])), trainings.roundoff) for site in sites}
    for wanted in (Likeness.SAME, Likeness.SCALED):
        noise = frozenset(site for site, found in alone.items() if found in (wanted, Likeness.NOTHING))
        if wanted in alone.values() and _explains(trainings, noise, sites - noise, wanted, together):
            scaled = [site for site, found in alone.items() if found is Likeness.SCALED]
            return Division(public | (sites - noise), _scaled(scaled) if wanted is Likeness.SCALED else "")
    unclear = [site for site, found in alone.items() if found is not Likeness.NOTHING]
    return Division(
        public,
        f"the noise cannot be told from the statistic: what the normal draws at {_lines(unclear)} do to the "
        f"gradients is not the same on a neighbour, as that of noise that is added last would be",
        whole=True,
    )


def _explains(
    trainings: Trainings, noise: frozenset[str], public: frozenset[str], wanted: Likeness, together: list[list[Both]]
) -> bool:
    """Is what these sites do together noise, of every parameter that has any, on a statistic that moves, and not
    changed by the public draws? Noise that is scaled is linear in its draws, as clipped noise is not."""
    found = trainings.without(noise)
    roundoff = trainings.roundoff
    if likeness(found, roundoff) is not wanted or not moves(found, roundoff):
        return False
    if noisy(together, roundoff) - noisy(found, roundoff):
        return False
    if wanted is Likeness.SCALED and likeness(trainings.halves(noise), roundoff) > Likeness.SAME:
        return False
    return not public or likeness(trainings.turned(noise, public), roundoff) <= Likeness.SAME


def _scaled(sites: Iterable[str]) -> str:
    return f"the noise of the normal draws at {_lines(sites)} is scaled by a number that differs on a neighbour"


def _lines(sites: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(map(shown_with_caller, sorted(sites))))


def _joined(*four: Gradients) -> list[list[Both]]:
    return [list(zip(*step, strict=True)) for step in zip(*four, strict=False)]


def _sides(pair: tuple[Data, Data], sampled: bool) -> list[tuple[Data, list[int]]]:
    """Both data sets, the larger one first, with the records that join their batches, as `Training.pairs` has them."""
    one, other = pair
    if size(one) == size(other):
        joined = [different(one, other)] if sampled else []
        return [(one, joined), (other, joined)]
    larger, smaller = (one, other) if size(one) > size(other) else (other, one)
    return [(larger, [size(larger) - 1] if sampled else []), (smaller, [])]


def _unchanged(site: str, drawn: Tensor) -> Tensor:
    return drawn


def _without(silenced: frozenset[str]) -> Change:
    return lambda site, drawn: drawn * 0 if site in silenced else drawn


def _turned(drawn: Tensor) -> Tensor:
    """Another draw of the same law."""
    return -drawn.reshape(-1).flip(0).reshape(drawn.shape)
