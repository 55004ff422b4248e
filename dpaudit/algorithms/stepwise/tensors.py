"""The torch form of an algorithm that goes step by step: all trials at once, on any device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.algorithms.counted import SomeProblem
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.stream import Stream
from dpaudit.noise.tensors import Tensor
from dpaudit.problems.loss_tensors import torch_form

P = TypeVar("P")


class Constants(Generic[P]):
    """The constants of a run as tensors, and its random numbers.

    problem: a `Problem`, or an object with the methods of `TorchProblem`, such as a `ModuleProblem`.
    """

    def __init__(self, params: P, problem: SomeProblem, stream: Stream, device: str, dtype: str) -> None:
        from dpaudit.noise.tensors import load_torch

        self.torch = load_torch()
        self.stream, self.device, self.kind = stream, device, getattr(self.torch, dtype)
        self.params, self.problem = params, torch_form(problem, device, dtype)

    def tensor(self, values: ArrayLike) -> Tensor:
        """`values` on the device in the dtype of the run."""
        return self.torch.tensor(values, dtype=self.kind, device=self.device)

    def pack(self, state: NamedTuple) -> Tensor:
        """The parts of a state side by side, (trials, width)."""
        return self.torch.cat(list(state), dim=1)

    def no_branches(self, count: int) -> Tensor:
        """What `advance` returns as branches where there are none, (count, 0)."""
        return self.torch.zeros((count, 0), dtype=self.torch.int64, device=self.device)

    def normals(self, trials: Integers, step: int, count: int, part: str = "noise") -> Tensor:
        """Standard normals of one part of the stream, (trials, count)."""
        return self.stream.part(part).torch_normals(trials, step, count, self.device, self.kind)

    def uniforms(self, trials: Integers, step: int, part: str) -> Tensor:
        """One uniform number of each trial, (trials, 1), in float64."""
        return self.stream.part(part).torch_uniforms(trials, step, 1, self.device)

    def picked(self, trials: Integers, step: int, count: int, part: str) -> Tensor:
        """One of 0, ..., count - 1, drawn uniformly, (trials, 1)."""
        return (self.uniforms(trials, step, part) * count).to(self.torch.int64)


class Machine(Constants[P], ABC):
    """The torch form of an algorithm that goes step by step."""

    @abstractmethod
    def advance(self, state: Tensor, step: int, trials: Integers) -> tuple[Tensor, Tensor, Tensor]:
        """States after the step (trials, width), what it released (trials, columns), the ways taken (trials, choices),
        from the states before it."""


def run(
    machine: Machine[P], start: Array, steps: int, trials: Integers, release: str, final: Callable[[Tensor], Tensor]
) -> Tensor:
    """All steps of all trials: transcripts (trials, T, columns), or final(state) of the last states."""
    state, transcript = machine.tensor(np.tile(start, (len(trials), 1))), []
    for step in range(steps):
        state, released, _ = machine.advance(state, step, trials)
        if release == "transcript":
            transcript.append(released)
    return machine.torch.stack(transcript, dim=1) if release == "transcript" else final(state)


def advance(machine: Machine[P], trials: Integers, steps: Integers, before: Array) -> tuple[Array, Integers]:
    """One step per row from the states `before`: (state, released), (rows, width + columns), and branches."""
    after: list[Array | None] = [None] * len(before)
    branches: list[Integers | None] = [None] * len(before)
    for step in np.unique(steps):
        rows = np.flatnonzero(steps == step)
        state, released, ways = machine.advance(machine.tensor(before[rows]), int(step), trials[rows])
        joined = machine.torch.cat([state, released], dim=1).to(machine.torch.float64).cpu().numpy()
        for row, numbers, taken in zip(rows, joined, ways.cpu().numpy(), strict=True):
            after[row], branches[row] = numbers, taken
    return np.array(after), np.array(branches, dtype=np.int64).reshape(len(before), -1)
