"""The entry points, and what recorders read, of algorithms that are driven by noisy sums of gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from dpaudit.algorithms import stepwise
from dpaudit.algorithms.counted import SomeProblem
from dpaudit.algorithms.srgd.noisy_sums import form, kernels
from dpaudit.algorithms.srgd.noisy_sums.form import NoisySums, Paired
from dpaudit.algorithms.srgd.noisy_sums.params import Correlated, Draws, Summed
from dpaudit.algorithms.srgd.noisy_sums.tensors import Machine
from dpaudit.algorithms.stepwise import SomeParams, Step, Stepwise
from dpaudit.algorithms.vectors import Vector
from dpaudit.arithmetic.arrays import Array

P = TypeVar("P", bound=Summed)
D = TypeVar("D", bound=NamedTuple)


def entry_points(
    step: Callable[[P, SomeProblem, Vector, int, D], Step],
    state: type[NamedTuple],
    output: str,
    sums: Callable[[P], NoisySums],
) -> Stepwise[P, D]:
    """state: of a step, its parts in the order of the rows of `sums(params)`; output: the part that is the result."""

    def width(params: P) -> int:
        made = sums(params)
        return len(made.start) * (1 + made.pair)

    return Stepwise(
        step,
        start=lambda params: sums(params).state,
        final=lambda params, last: getattr(stepwise.unpack(state, last), output),
        columns=width,
        sizes=lambda params: (params.batches.records, len(sums(params).start)),
        kernels=kernels,
        packed=lambda params, *rest: form.packed(sums(params), *rest),
        machine=lambda params, *rest: Machine(sums(params), *rest),
        choices=lambda params: () if params.clip_norm is None else (0,),
        counted=Paired,
    )


def declared_noise(params: Correlated, t: int, draw: Draws, columns: int) -> Array:
    """The noise of step t that no step before it has released, independent in every column."""
    return np.asarray(params.noise * params.mixing[t, t] * np.eye(columns))


def declared_moves(params: Correlated, seen: Array) -> Array:
    """Rows of right g move by at most |right| times the changes of the steps that see the record."""
    moved = np.abs(params.factors.right) @ (seen * params.changes)
    return np.asarray(moved / (params.batches.size * params.noise))


def recorded(state: type[NamedTuple], private: tuple[str, ...] = ()) -> stepwise.Recorded[SomeParams, Draws]:
    """What a recorder reads of an algorithm with correlated noise."""
    return stepwise.Recorded(
        declared_noise, state, private, used=lambda params, t, draw: draw.batches, moves=declared_moves
    )
