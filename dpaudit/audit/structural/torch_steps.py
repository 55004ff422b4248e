"""The steps of one torch optimiser: watched, put back, and read as one vector over several parameters."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from types import MethodType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.draws import numbers
from dpaudit.audit.structural.recording import OPTIMISER_STATE, Recorder
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ContentError

__all__ = ["RELEASES", "STATES", "Optimizer", "Step", "TorchSteps", "gradient_of"]

Array = NDArray[np.float64]
Vector = NDArray[np.floating]
Optimizer: TypeAlias = Any
"""Any object with `step`, `param_groups` and `state`: torch is optional, and wrappers share no class."""
Step = Callable[[], object]
"""One step of the optimiser, as the training called it."""
RELEASES = ("update", "gradient")
RELEASED, WITHHELD = STATES = ("released", "withheld")
"""What becomes of the optimiser's state: it leaves with a checkpoint, or nobody sees it but the training."""


class TorchSteps:
    """An optimiser whose `step` is replaced; parameters: those that are trained, in its order; precision: of all that
    is recorded of it."""

    def __init__(self, optimizer: Optimizer, late: Collection[int] = ()) -> None:
        """late: the places, among all parameters of the optimiser, of those that are frozen now and trained later.
        ContentError where parameters are rounded too coarsely."""
        self.optimizer = optimizer
        every: list[Tensor] = [p for group in optimizer.param_groups for p in group["params"]]
        self.parameters = [p for i, p in enumerate(every) if p.requires_grad or i in late]
        self._frozen = {i: p for i, p in enumerate(every) if not p.requires_grad and i not in late}
        self.precision = _precision({str(p.dtype) for p in self.parameters})
        self._replaced = vars(optimizer).get("step")
        self.own: Callable[..., object] = optimizer.step

    def watch(self, take_step: Callable[[Step], object]) -> None:
        """From now on `optimizer.step(...)` is `take_step(run)`, where run() makes the step."""

        def step(_: Optimizer, *args: object, **kwargs: object) -> object:
            return take_step(lambda: self.own(*args, **kwargs))

        self.optimizer.step = MethodType(step, self.optimizer)  # a method, as learning rate schedules expect

    def thawed(self) -> set[int]:
        """The places of parameters that were frozen at first, and have a gradient now that is not 0."""
        return {i for i, p in self._frozen.items() if p.grad is not None and bool((p.grad != 0).any())}

    def fits(self, parameters: Sequence[Tensor]) -> bool:
        """Have these parameters the shapes of its own?"""
        return [tuple(p.shape) for p in parameters] == [tuple(p.shape) for p in self.parameters]

    def begin(self, parameters: Sequence[Tensor]) -> None:
        """Start from these parameters; ContentError where they are none of this optimiser."""
        if not self.fits(parameters):
            own, given = ([tuple(p.shape) for p in each] for each in (self.parameters, parameters))
            raise ContentError(
                f"the training has parameters of shapes {own} now, and {given} before: it builds another model each "
                "time, which has no start to be chosen"
            )
        for parameter, start in zip(self.parameters, parameters, strict=True):
            parameter.data.copy_(start)

    def close(self) -> None:
        """Put the optimiser back as it was."""
        if self._replaced is None:
            self.optimizer.__dict__.pop("step", None)  # whatever a training did with it
        else:
            self.optimizer.step = self._replaced

    def joined(self, parts: Iterable[Array]) -> Vector:
        """One vector, in `precision`: the checks allow for its roundings."""
        return np.concatenate([part.reshape(-1) for part in parts]).astype(self.precision)

    def apart(self, vector: Vector, chosen: list[int]) -> list[Array]:
        """The parts of a `joined` vector over the `chosen` parameters, each in its shape, float64."""
        shapes = [tuple(self.parameters[i].shape) for i in chosen]
        ends = np.cumsum([self.parameters[i].numel() for i in chosen])[:-1]
        parts = np.split(np.asarray(vector, dtype=np.float64), ends)
        return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]

    def release(
        self,
        recorder: Recorder,
        name: str,
        chosen: list[int],
        silent: list[Array],
        loud: list[Array],
        declared: tuple[float | None, float | None],
        processed: bool = False,
    ) -> Vector:
        """Record a release over the `chosen` parameters; what the training must go on with, joined.

        silent, loud: the statistic and what is released, by parameter; declared: sensitivity and scale of the noise;
        processed: the release is more than their sum.
        """
        noise = self.joined(loud[i] - silent[i] for i in chosen)
        sensitivity, noise_scale = declared
        wanted: Vector = recorder.release(
            name,
            self.joined(silent[i] for i in chosen),
            noise if noise.any() else None,
            sensitivity=sensitivity,
            noise_scale=noise_scale if noise.any() else None,
            value=self.joined(loud[i] for i in chosen),
        )
        recorder.inferred([recorder.last(name)] if processed else [])
        return wanted

    def output_state(self, recorder: Recorder, names: list[str]) -> None:
        """Record the floats that the optimiser keeps of its parameters: `torch.save(optimizer.state_dict())` writes
        them."""
        for name, parameter in zip(names, self.parameters, strict=True):
            for key, value in self.optimizer.state.get(parameter, {}).items():
                if hasattr(value, "is_floating_point") and value.is_floating_point():
                    recorder.output(f"{OPTIMISER_STATE} {key} of {name}", numbers(value).astype(self.precision))
                elif isinstance(value, float):
                    recorder.output(f"{OPTIMISER_STATE} {key} of {name}", self.precision(value))


def _precision(kinds: set[str]) -> type[np.floating]:
    """float64 where all that is computed may be: noise is drawn in the default type of torch."""
    if other := sorted(kinds - {"torch.float32", "torch.float64"}):
        raise ContentError(
            f"the parameters that are trained are {', '.join(other)}, whose roundings cannot be told from what a "
            "record moves; audit the same training in float32, model.float(): those that are not trained may stay as "
            "they are"
        )
    return np.float64 if {*kinds, str(load_torch().get_default_dtype())} == {"torch.float64"} else np.float32


def gradient_of(parameter: Tensor) -> Array:
    """What `p.grad` holds, 0 where there is none."""
    return np.zeros(tuple(parameter.shape)) if parameter.grad is None else numbers(parameter.grad)
