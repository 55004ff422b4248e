"""What leaves a torch training: its last parameters by name, and how far they are along the directions of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dpaudit.adapters import zeros
from dpaudit.adapters.projections import Directions
from dpaudit.adapters.spreads import Key
from dpaudit.adapters.torch_beside import Beside
from dpaudit.adapters.torch_watch import Watch
from dpaudit.audit.structural.draws import numbers
from dpaudit.audit.structural.torch_steps import RELEASES
from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.records.errors import ContentError

T = TypeVar("T")


def final(returned: object, watch: Watch) -> dict[str, NDArray[np.generic]]:
    """What leaves the training, by name: the state of the model, the tensors of a dict, or the parameters."""
    if returned is None:
        found = {f"parameter {i}": p for i, p in enumerate(watch.steps.parameters)}
    elif isinstance(returned, dict):
        found = returned
    elif hasattr(returned, "state_dict"):
        found = returned.state_dict()
    else:
        raise ContentError(f"train must return the model, a dict of tensors, or None, got {type(returned).__name__}")
    tensors = {name: value for name, value in found.items() if hasattr(value, "detach")}
    if found and not tensors:
        raise ContentError(f"train returned {type(returned).__name__} without a tensor in it; return the trained model")
    return {name: _array(value, watch.steps.precision) for name, value in tensors.items()}


def _array(tensor: Tensor, precision: type[np.floating]) -> NDArray[np.generic]:
    """A copy, floats in the precision of the steps: finer numbers come from coarser ones, and NumPy lacks bfloat16."""
    kept = tensor.detach().cpu()
    found: NDArray[np.generic] = numbers(kept).astype(precision) if kept.is_floating_point() else kept.numpy().copy()
    return found


def filters(found: Directions) -> dict[tuple[int, int], Tensor]:
    """The filters by step and number of the parameter."""
    torch = load_torch()
    return {place: torch.as_tensor(along) for place, along in by_parameter(found.steps).items()}


def by_parameter(found: Mapping[Key, T]) -> dict[tuple[int, int], T]:
    """What belongs to names and numbers of releases of steps, by step and number of the parameter."""
    steps = ((name, step, one) for (name, step), one in found.items() if name.startswith(RELEASES))
    return {(step, int(name.rpartition(" ")[2])): one for name, step, one in steps}


@dataclass(frozen=True)
class Seen:
    """Adds what releases beside the steps show of a record to the row of a trial, see `Directions.row`."""

    found: Directions
    row: NDArray[np.float64]

    def take(self, one: Beside) -> None:
        """A release as it was made."""
        key = one.name, one.number
        value = one.value.astype(np.float64).reshape(-1)
        along, signs = self.found.steps.get(key), self.found.zeros.get(key)
        if along is not None and along.size == value.size:
            self.row[self.found.columns[one.number]] += float(value @ along)
        if signs is not None:
            self.row[-2] += zeros.told(signs, value)


def final_projection(
    outputs: dict[str, NDArray[np.generic]], watch: Watch, steps: dict[tuple[int, int], Tensor]
) -> float:
    """How far the model ended along the sum of the directions from where it started, against it for gradients.

    The first output of the shape of each parameter is taken for it. The start is taken to be known to the adversary.
    """
    subject, total, left = watch.require(), 0.0, list(outputs.values())
    for number, start in enumerate(watch.initial):
        along = [direction for (_, place), direction in steps.items() if place == number]
        place = next((i for i, value in enumerate(left) if value.shape == tuple(start.shape)), None)
        if along and place is not None:
            moved = left[place].astype(np.float64) - numbers(start)
            total += float(moved.reshape(-1) @ sum(along).numpy())
        if place is not None:
            left.pop(place)
    return -total if subject.release == "gradient" else total
