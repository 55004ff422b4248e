"""Noisy numbers that a torch training releases beside the steps of its optimiser: counts, losses, bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpaudit.audit.structural.draws import numbers
from dpaudit.audit.structural.recording import Recorder
from dpaudit.audit.structural.torch_steps import RELEASES
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ContentError

Array = NDArray[np.floating]


@dataclass(frozen=True)
class Beside:
    """One call of `watch.release`. number: how many of this name came before; declared: sensitivity, noise_scale, norm
    and law, as `Recorder.release` takes them."""

    name: str
    number: int
    statistic: Array
    noise: Array | None
    declared: dict[str, Any]

    @property
    def value(self) -> Array:
        """What is released."""
        return self.statistic if self.noise is None else np.asarray(self.statistic + self.noise)

    def to(self, recorder: Recorder) -> Array:
        """Record it; what the training must go on with."""
        return np.asarray(recorder.beside(self.name, self.statistic, self.noise, **self.declared))


def beside(name: str, number: int, statistic: Tensor, noise: Tensor | None, declared: dict[str, Any]) -> Beside:
    """From what the training gives; ContentError for a name that steps have, and for tensors of two shapes."""
    if name.startswith(RELEASES):
        raise ContentError(f"release {name!r}: names that begin with {' or '.join(RELEASES)} are those of the steps")
    if noise is not None and tuple(noise.shape) != tuple(statistic.shape):
        shapes = f"{tuple(statistic.shape)} and {tuple(noise.shape)}"
        raise ContentError(f"release {name!r}: statistic and noise need one shape, got {shapes}")
    return Beside(name, number, _array(statistic), None if noise is None else _array(noise), declared)


def tensors(statistic: object, noise: object) -> tuple[Tensor, Tensor | None]:
    """Both as tensors of floats of one type on one device."""
    torch = load_torch()
    one = torch.as_tensor(statistic).detach()
    other = None if noise is None else torch.as_tensor(noise).detach().to(one.device)
    kinds = [each.dtype for each in (one, other) if each is not None and each.is_floating_point()]
    kind = one.dtype if one.is_floating_point() else kinds[0] if kinds else torch.get_default_dtype()
    return one.to(kind), None if other is None else other.to(kind)


def _array(tensor: Tensor) -> Array:
    """float64 where the tensor is: what is recorded has the roundings that it has."""
    double = str(tensor.dtype) == "torch.float64"
    return np.asarray(numbers(tensor).astype(np.float64 if double else np.float32))
