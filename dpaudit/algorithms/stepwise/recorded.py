"""What an algorithm declares of its steps, for a recorder of runs on neighbouring data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.algorithms.stepwise.forms import SomeDraws, SomeParams
from dpaudit.algorithms.stepwise.states import unpack
from dpaudit.arithmetic.arrays import Array
from dpaudit.sampling.batches import Batches

P = TypeVar("P")
D = TypeVar("D", bound=NamedTuple)


@dataclass(frozen=True)
class Recorded(Generic[P, D]):
    """A step releases m + A xi, xi standard normal; an algorithm says what A is, and what of a step is public.

    noise(params, t, draw, columns) -> A, (columns, normals). state, private: the parts of a state, and the names of
    those that never leave: sums without noise. used(params, t, draw) -> the numbers of the records that step t reads,
    with repetitions; None: all, once. drawn: the field of the draws that holds record numbers where
    batches(params, t).kind is one of batches drawn at random. moves(params, seen) -> how far one record moves m at
    every step, in units of the noise, (T,), where it is seen so often, (T,); None: what the promise says of a step.
    steps(draws) -> how many steps this run makes; None: all.
    """

    noise: Callable[[P, int, D, int], Array]
    state: type[NamedTuple] | None = None
    private: tuple[str, ...] = ()
    used: Callable[[P, int, D], ArrayLike] | None = None
    drawn: str = ""
    batches: Callable[[P, int], Batches] | None = None
    moves: Callable[[P, Array], Array] | None = None
    steps: Callable[[D], int] | None = None

    def public(self, state: Array) -> Array:
        """The numbers of a state, (width,), that may leave."""
        if self.state is None or not self.private:
            return state
        parts = unpack(self.state, state)._asdict()
        return np.concatenate([part for name, part in parts.items() if name not in self.private])


def same_noise(params: SomeParams, t: int, draw: SomeDraws, columns: int) -> Array:
    """The declared noise where every column carries `params.noise`, independently."""
    return np.asarray(params.noise * np.eye(columns))
