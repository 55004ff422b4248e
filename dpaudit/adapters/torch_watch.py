"""What `train` is handed to show its optimiser, what that declares, and the light reading of its steps in the game."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters.torch_beside import Beside, beside, tensors
from dpaudit.audit.structural.torch_steps import RELEASED, RELEASES, STATES, Optimizer, Step, TorchSteps
from dpaudit.noise.tensors import Tensor
from dpaudit.records.errors import ConfigurationError, ContentError
from dpaudit.records.validation import check_choice

Declared = Callable[[], float | None]


@dataclass(frozen=True)
class Watched:
    """An optimiser as the user, or Opacus, declares it.

    release: "update" or "gradient"; sensitivity, noise_scale: in the unit of the release, read anew at every step;
    divisor: by what the sum of clipped gradients is divided, read with them.
    """

    optimizer: Optimizer
    release: str
    sensitivity: Declared
    noise_scale: Declared
    divisor: Declared


def watched(
    optimizer: Optimizer,
    clip_norm: float | None,
    noise_multiplier: float | None,
    batch_size: float | None,
    release: str,
    replaces: bool = False,
) -> Watched:
    """From what the user gives, or from what an Opacus DPOptimizer says about itself.

    replaces: one clipped gradient goes and another comes, so that the sensitivity is twice the clipping norm.
    """
    if not all(hasattr(optimizer, name) for name in ("step", "param_groups", "state")):
        raise ConfigurationError(
            f"watch(optimizer, ...) takes a torch.optim style optimiser, got {type(optimizer).__name__}"
        )
    moved = 2.0 if replaces else 1.0
    if all(hasattr(optimizer, name) for name in ("noise_multiplier", "max_grad_norm", "expected_batch_size")):
        unit = _opacus_unit(optimizer)
        return Watched(
            optimizer,
            "gradient",
            lambda: moved * float(optimizer.max_grad_norm) * unit(),
            lambda: _opacus_noise(optimizer) * float(optimizer.max_grad_norm) * unit(),
            lambda: 1.0 / unit(),
        )
    given = clip_norm is not None and batch_size is not None
    rate = _learning_rate(optimizer) if release == "update" else (lambda: 1.0)

    def scaled(number: float | None) -> float | None:
        step = rate()
        if not given or step is None or number is None:
            return None
        return number * step * clip_norm / batch_size  # type: ignore[operator]  # both are given

    return Watched(optimizer, release, lambda: scaled(moved), lambda: scaled(noise_multiplier), lambda: batch_size)


def _learning_rate(optimizer: Optimizer) -> Declared:
    """By what a step multiplies the gradient; None where parameters differ in it, and where momentum dampens all
    gradients but the first."""

    def rate() -> float | None:
        groups = [group for group in optimizer.param_groups if "lr" in group]
        rates = {float(one["lr"]) * (1 + one.get("momentum", 0) if one.get("nesterov") else 1) for one in groups}
        dampened = any(one.get("momentum") and one.get("dampening") for one in groups)
        return rates.pop() if len(rates) == 1 and not dampened else None

    return rate


def _opacus_unit(optimizer: Optimizer) -> Callable[[], float]:
    """What turns a sum of clipped gradients into what `p.grad` holds after the step."""

    def unit() -> float:
        if optimizer.loss_reduction != "mean":
            return 1.0
        return 1.0 / (float(optimizer.expected_batch_size) * float(_passes(optimizer)))

    return unit


def _passes(optimizer: Optimizer) -> int:
    """Backward passes since the last step; 1 where the gradients of single records are gone, which Opacus refuses."""
    held = any(getattr(p, "grad_sample", None) is not None for p in optimizer.params)
    return int(optimizer.accumulated_iterations) if held else 1


def _opacus_noise(optimizer: Optimizer) -> float:
    """The noise multiplier of the gradients: adaptive clipping spends a part of the stated one on its count."""
    stated = float(optimizer.noise_multiplier)
    counted = getattr(optimizer, "unclipped_num_std", None)
    if counted is None or stated == 0:
        return stated
    return float((stated**-2 - (2 * float(counted)) ** -2) ** -0.5)


class Watch(ABC):
    """Called once by `train`, before its loop; subclasses say what is done with the steps.

    before: noise is drawn between the steps, so that the release is the gradient that a step is handed. replaces: as
    in `watched`; begins: parameters to start from in the place of the training's own; where_they_fit: only if these
    have the same shapes; late: as in `TorchSteps`.
    """

    replaces = False
    late: frozenset[int] = frozenset()
    begins: Sequence[Tensor] | None = None
    where_they_fit = False

    def __init__(self, before: bool = False) -> None:
        self.before, self.state = before, RELEASED
        self.initial: list[Tensor] = []
        self._watched: tuple[Watched, TorchSteps] | None = None
        self._numbers: Counter[str] = Counter()

    def __call__(
        self,
        optimizer: Optimizer,
        *,
        clip_norm: float | None = None,
        noise_multiplier: float | None = None,
        batch_size: float | None = None,
        release: str = "update",
        state: str = RELEASED,
    ) -> None:
        """optimizer: torch.optim style; clip_norm, noise_multiplier, batch_size (what the sum of clipped gradients is
        divided by): what is promised, None where nothing is. release: "update" where a step moves the parameters by
        lr times the noisy gradient, as in SGD, "gradient" for all others, such as Adam. state: "released" where what
        the optimiser keeps in its state may leave with a checkpoint, as `torch.save(optimizer.state_dict())` writes it,
        "withheld" where nobody sees it but the training. An Opacus optimiser is asked itself for the numbers."""
        numbers = {"clip_norm": clip_norm, "noise_multiplier": noise_multiplier, "batch_size": batch_size}
        wrong = [f"{name}={one}" for name, one in numbers.items() if one is not None and not 0 < one < math.inf]
        if wrong:
            raise ConfigurationError(f"watch takes finite numbers above 0, or None, got {', '.join(wrong)}")
        if self._watched is not None:
            raise ContentError("watch was called twice; give all parameters to one optimiser and call it once")
        check_choice("release", release, RELEASES)
        check_choice("state", state, STATES)
        kind = "gradient" if self.before else release
        subject = watched(optimizer, clip_norm, noise_multiplier, batch_size, kind, self.replaces)
        steps = TorchSteps(optimizer, self.late)
        if not steps.parameters:
            raise ContentError("the optimiser that is watched has no parameters that are trained")
        self._watched, self.state = (subject, steps), state
        if self.begins is not None and not (self.where_they_fit and not steps.fits(self.begins)):
            steps.begin(self.begins)
        self.initial = [p.detach().clone() for p in steps.parameters]
        self.start(subject)

    def release(
        self,
        name: str,
        statistic: object,
        noise: object,
        *,
        sensitivity: float | None = None,
        noise_scale: float | None = None,
        norm: str = "l2",
        law: str = "gaussian",
    ) -> Tensor:
        """Another noisy number than those of the steps, such as a count; returns what the training must go on with:
        their sum, on a replay the recorded value, a tensor of the type of the statistic (of the noise, where that is
        whole numbers). `statistic` and `noise` are tensors or numbers of one shape; the others are as in
        `Recorder.release`: sensitivity bounds the `norm` of the change of the statistic between neighbours, noise_scale
        is the standard deviation of each coordinate of the noise. What is released between two steps from the batch of
        the second one is a part of that step; the mechanism that is claimed must account for it."""
        one, other = tensors(statistic, noise)
        declared = {"sensitivity": sensitivity, "noise_scale": noise_scale, "norm": norm, "law": law}
        told = beside(name, self._numbers[name], one, other, declared)
        self._numbers[name] += 1
        return one.new_tensor(self.told(told)).reshape(one.shape)

    def told(self, one: Beside) -> NDArray[np.floating]:
        """What the training goes on with after this release beside the steps."""
        return one.value

    @abstractmethod
    def start(self, subject: Watched) -> None:
        """From here on steps count."""

    def close(self) -> None:
        """Put the optimiser back as it was."""
        if self._watched is not None:
            self._watched[1].close()

    def require(self) -> Watched:
        """What was watched; ContentError if `train` never called."""
        return self._required()[0]

    @property
    def steps(self) -> TorchSteps:
        """The steps of what was watched; ContentError if `train` never called."""
        return self._required()[1]

    def _required(self) -> tuple[Watched, TorchSteps]:
        if self._watched is None:
            raise ContentError("train never called watch(optimizer): call it once, before the training loop")
        return self._watched


class Light(Watch):
    """Reads what each step released and hands it to `take(step, parameter number, tensor)`; makes no second step.

    before: the noise is in the gradients that `step` is handed, so that these are the release; made: called at every
    step that is really made; seen: at every release beside the steps.
    """

    def __init__(
        self,
        take: Callable[[int, int, Tensor], None],
        before: bool = False,
        made: Callable[[], None] = lambda: None,
        seen: Callable[[Beside], None] = lambda one: None,
    ) -> None:
        super().__init__(before)
        self._take, self._made, self._seen, self._step = take, made, seen, 0

    def told(self, one: Beside) -> NDArray[np.floating]:
        self._seen(one)
        return one.value

    def start(self, subject: Watched) -> None:
        self.steps.watch(self._moved if subject.release == "update" else self._gradients)

    def _moved(self, run: Step) -> object:
        before = [p.detach().clone() for p in self.steps.parameters]
        returned = run()
        moves = [p.detach() - start for p, start in zip(self.steps.parameters, before, strict=True)]
        if any(bool(move.any()) for move in moves):  # else gradients were accumulated, and nothing left
            self._hand_over(moves)
        return returned

    def _gradients(self, run: Step) -> object:
        """The gradients before the step, or those that it leaves behind: Opacus puts its noisy ones there."""
        if self.before:
            self._hand_over([p.grad for p in self.steps.parameters])
            return run()
        returned = run()
        if not getattr(self.require().optimizer, "_is_last_step_skipped", False):
            self._hand_over([p.grad for p in self.steps.parameters])
        return returned

    def _hand_over(self, released: list[Tensor]) -> None:
        self._made()
        for number, one in enumerate(released):
            if one is not None:
                self._take(self._step, number, one)
        self._step += 1
