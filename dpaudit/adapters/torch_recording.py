"""Watches of a torch training for the structural tier: where its noise is drawn, and recordings in both cases.

Noise that `optimizer.step()` draws itself is told from the statistic by
`dpaudit.audit.structural.optimisers.observe`. Noise that a loop adds to `p.grad` before the step is told from it by a
second training: the first one hears the gradients with noise, the second one, from the same seed, has the normal draws
between the steps that are noise set to their means, which gives the statistics, and goes on with the gradients of the
first. Which draws are noise is what `dpaudit.adapters.torch_noise` finds; where it cannot tell, the gradients are
recorded `Whole`. Not seen are noises of other libraries and laws, and what is drawn before `watch`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.torch_beside import Beside
from dpaudit.adapters.torch_noise import Division
from dpaudit.adapters.torch_watch import Watch, Watched
from dpaudit.audit.structural.draws import normal_draws, numbers
from dpaudit.audit.structural.optimisers import observe
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.torch_steps import RELEASED, Step, TorchSteps, Vector, gradient_of
from dpaudit.records.errors import ContentError

Array = NDArray[np.float64]


class Place(StrEnum):
    """Where the noise of a training is drawn."""

    IN_STEP = "in step()"
    BEFORE_STEP = "between the steps"
    NOWHERE = "nowhere"
    UNSEEN = "out of sight"


class Probe(Watch):
    """Counts the normal draws in the steps and between them, and keeps what the first step released, a digest of what
    all of them are handed, what was released beside them, and which parameters are trained that were frozen at first.

    silent: normal draws are set to their means; given: what to go on with after the releases beside the steps.
    """

    def __init__(
        self, silent: bool = False, given: Mapping[tuple[str, int], NDArray[np.floating]] | None = None
    ) -> None:
        super().__init__()
        self.inside = self.between = 0
        self.thawed: set[int] = set()
        self.first: list[Array] | None = None
        self.beside: dict[tuple[str, int], NDArray[np.floating]] = {}
        self.handed = hashlib.blake2b()
        self._silent, self._given, self._stack = silent, given or {}, ExitStack()

    def told(self, one: Beside) -> NDArray[np.floating]:
        key = one.name, one.number
        self.beside[key] = self._given.get(key, one.value)
        return self.beside[key]

    def start(self, subject: Watched) -> None:
        self._draws = self._stack.enter_context(normal_draws(lambda _, drawn: drawn * 0 if self._silent else drawn))
        self.steps.watch(self._counted)

    def _counted(self, run: Step) -> object:
        self.between += len(self._draws.seen)
        self._draws.seen.clear()
        self.thawed |= self.steps.thawed()
        for parameter in self.steps.parameters:
            self.handed.update(gradient_of(parameter).tobytes())
        before = [numbers(p) for p in self.steps.parameters]
        returned = run()
        self.inside += len(self._draws.seen)
        self._draws.seen.clear()
        moved = [numbers(p) - start for p, start in zip(self.steps.parameters, before, strict=True)]
        if self.first is None and any(move.any() for move in moved):
            self.first = moved
        return returned

    def close(self) -> None:
        self._stack.close()
        super().close()

    @property
    def place(self) -> Place:
        """As far as the draws tell: NOWHERE may be UNSEEN, and so may BEFORE_STEP where the draws are the noise of a
        release beside the steps."""
        if self.inside:
            return Place.IN_STEP
        return Place.BEFORE_STEP if self.between else Place.NOWHERE


class Observed(Watch):
    """Noise in the steps: every one of them goes to a recorder. joint: one release a step, else one a parameter."""

    def __init__(self, recorder: Recorder, joint: bool) -> None:
        super().__init__()
        self._recorder, self._joint, self._stack = recorder, joint, ExitStack()

    def told(self, one: Beside) -> NDArray[np.floating]:
        return one.to(self._recorder)

    def start(self, subject: Watched) -> None:
        self._recorder.begin()
        self._stack.enter_context(
            observe(
                subject.optimizer,
                self._recorder,
                sensitivity=subject.sensitivity,
                noise_scale=subject.noise_scale,
                release=subject.release,
                joint=self._joint,
                state=self.state,
                late=self.late,
            )
        )

    def close(self) -> None:
        self._stack.close()
        super().close()


class Heard(Watch):
    """Noise before the steps, first training: keeps the gradients, and goes on with those that a replay gives back.

    silenced: by which its noise is set to its mean, where the second training is the one with noise.
    """

    def __init__(self, recorder: Recorder, joint: bool, silenced: Division | None = None) -> None:
        super().__init__(before=True)
        self.heard: list[list[Array]] = []
        self.beside: dict[tuple[str, int], Beside] = {}
        self._recorder, self._joint, self._division, self._stack = recorder, joint, silenced, ExitStack()

    def told(self, one: Beside) -> NDArray[np.floating]:
        self.beside[one.name, one.number] = one
        return one.to(self._recorder)

    def start(self, subject: Watched) -> None:
        self._recorder.begin()
        self._stack.enter_context(_changed(self._division))
        self.steps.watch(self._step)

    def close(self) -> None:
        self._stack.close()
        super().close()

    def _step(self, run: Step) -> object:
        own = [gradient_of(p) for p in self.steps.parameters]
        self.heard.append(own)
        self._recorder.step()
        for name, chosen in groups(self.steps, self._joint):
            part = self.steps.joined(own[i] for i in chosen)
            wanted = self._recorder.release(name, part, None)
            if not np.array_equal(part, wanted, equal_nan=True):
                place(self.steps, chosen, wanted)
        return run()


class Second(Watch):
    """The second training, which goes on with the gradients of the one with noise and is recorded.

    other: the first one; silenced: by which its own noise is set to its mean, which leaves the
    statistics; None where the first one was silenced, as in a replay with other draws: what is made of noisy gradients
    beside the steps has their noise there.
    """

    def __init__(self, recorder: Recorder, joint: bool, other: Heard, silenced: Division | None) -> None:
        super().__init__(before=True)
        self._recorder, self._joint, self._division = recorder, joint, silenced
        self._other, self._beside, self._stack = iter(other.heard), other.beside, ExitStack()

    def told(self, one: Beside) -> NDArray[np.floating]:
        """As the training with noise has it."""
        loud = one if self._division is None else self._beside.get((one.name, one.number), one)
        return loud.to(self._recorder)

    def start(self, subject: Watched) -> None:
        self._recorder.begin()
        self._stack.enter_context(_changed(self._division))
        self.steps.watch(self._step)

    def _step(self, run: Step) -> object:
        subject, silent, loud = self.require(), [gradient_of(p) for p in self.steps.parameters], next(self._other, None)
        if loud is None:
            raise ContentError("a training makes more steps without its noise than with it: it cannot be recorded")
        if self._division is None:
            silent, loud = loud, silent
        declared = subject.sensitivity(), subject.noise_scale()
        self._recorder.step()
        for name, chosen in groups(self.steps, self._joint):
            place(self.steps, chosen, self.steps.release(self._recorder, name, chosen, silent, loud, declared))
        returned = run()
        kept(self, self._recorder)
        return returned

    def close(self) -> None:
        self._stack.close()
        super().close()


class Whole(Watch):
    """Noise that cannot be told from the statistic, one training: the gradients are recorded with what noise they hold,
    and nothing is declared of them."""

    def __init__(self, recorder: Recorder, joint: bool) -> None:
        super().__init__(before=True)
        self._recorder, self._joint = recorder, joint

    def told(self, one: Beside) -> NDArray[np.floating]:
        return one.to(self._recorder)

    def start(self, subject: Watched) -> None:
        self._recorder.begin()
        self.steps.watch(self._step)

    def _step(self, run: Step) -> object:
        own = [gradient_of(p) for p in self.steps.parameters]
        self._recorder.step()
        for name, chosen in groups(self.steps, self._joint):
            part = self.steps.joined(own[i] for i in chosen)
            place(self.steps, chosen, self._recorder.release(name, part, None))
        returned = run()
        kept(self, self._recorder)
        return returned


def _changed(silenced: Division | None) -> AbstractContextManager[object]:
    """A context in which noise is set to its mean; None for one in which all is drawn as it is."""
    return nullcontext() if silenced is None else normal_draws(lambda number, drawn: silenced.changed(drawn))


def kept(watch: Watch, recorder: Recorder) -> None:
    """What the optimiser keeps in its state leaves the training, unless it is withheld."""
    if watch.state == RELEASED:
        watch.steps.output_state(recorder, [f"parameter {i}" for i in range(len(watch.steps.parameters))])


def groups(steps: TorchSteps, joint: bool) -> list[tuple[str, list[int]]]:
    """The releases of one step: names and the numbers of their parameters, as `observe` names them.

    A parameter whose gradient is None is not moved by this step, and nothing of it is released.
    """
    moved = [i for i, parameter in enumerate(steps.parameters) if parameter.grad is not None]
    if joint:
        return [("gradient", moved)] if moved else []
    return [(f"gradient of parameter {i}", [i]) for i in moved]


def place(steps: TorchSteps, chosen: list[int], wanted: Vector) -> None:
    """Hand the step the gradients `wanted`."""
    for i, part in zip(chosen, steps.apart(wanted, chosen), strict=True):
        steps.parameters[i].grad = steps.parameters[i].new_tensor(part)
