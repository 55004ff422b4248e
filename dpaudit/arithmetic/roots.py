"""Where a condition changes along a line: bisection over floats, integers and arrays.

Both ends of the last bracket come back, and the caller takes the safe one: at `inside` the condition held, at `outside`
it did not, or they are still the ends that were given, which are taken at their word. So an end that is rounded to
the safe side stays there, however early the search stops. Of several edges some one is found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # planning bisects without the time that NumPy takes to load
    from dpaudit.arithmetic.arrays import Array, Flags

__all__ = ["Edge", "bisected", "bisected_arrays", "bisected_integers", "least_integer"]

MOST_HALVINGS = 2_200
"""Enough between any two floats."""


class Edge(NamedTuple):
    """The last number at which a condition held, and the last at which it did not."""

    inside: float
    outside: float


def bisected(
    holds: Callable[[float], bool | None],
    inside: float,
    outside: float,
    *,
    halvings: int = MOST_HALVINGS,
    width: float = 0.0,
    relative: float = 0.0,
) -> Edge:
    """The edge between `inside`, where the condition holds, and `outside`, where it does not; either may be the larger.

    Stops after so many halvings, when the ends are at most `width` or the share `relative` of the larger end apart, or
    where `holds` answers None because it cannot tell. Without any of them it goes on to neighbouring floats.
    """
    for _ in range(halvings):
        if abs(outside - inside) <= max(width, relative * max(inside, outside)):
            break
        middle = (inside + outside) / 2
        held = holds(middle)
        if held is None:
            break
        inside, outside = (middle, outside) if held else (inside, middle)
    return Edge(inside, outside)


def bisected_integers(holds: Callable[[int], bool], inside: int, outside: int, *, parts: int | None = None) -> int:
    """The last integer on the way from `inside`, where the condition holds, to `outside` at which it held.

    parts: where given, within one of so many parts of the smaller end, and a neighbour of the edge where that is less
    than 1; otherwise the neighbour.
    """
    while abs(outside - inside) > (max(1, min(inside, outside) // parts) if parts else 1):
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def least_integer(holds: Callable[[int], bool], start: int = 1, *, parts: int | None = None) -> int:
    """The least integer >= start at which a rising condition holds, by doubling and bisection.

    parts: as in `bisected_integers`, from above. A condition that never holds must raise.
    """
    high = start
    while not holds(high):
        high *= 2
    return bisected_integers(holds, high, high // 2, parts=parts)


def bisected_arrays(
    holds: Callable[[Array], Flags],
    inside: Array,
    outside: Array,
    halvings: int,
) -> tuple[Array, Array]:
    """(inside, outside) of one edge an element, as in `bisected`."""
    import numpy as np

    for _ in range(halvings):
        middle = (inside + outside) / 2
        held = holds(middle)
        inside, outside = np.where(held, middle, inside), np.where(held, outside, middle)
    return inside, outside
