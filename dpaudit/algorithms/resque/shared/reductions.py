"""What the reductions of the ReSQue algorithms share: parameters, random numbers, the projection, the record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpaudit.agreement.cases import Pair, Reduction
from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.stream import Stream

SOURCE = "Carmon et al. (2023), {}; special cases of the specification"
BALL: dict[str, Any] = {"centre": (0.1, -0.2), "radius": 0.3, "smoothing": 0.9, "lipschitz": 1.5, "privacy": 3.0}
STRONG: dict[str, Any] = {**BALL, "regulariser": 4.0, "constant": 0.4}
PULL: dict[str, Any] = {
    "radius": 0.5, "lipschitz": 1.5, "epsilon": 0.9, "delta": 0.1, "acceleration_constant": 0.7, "solver_constant": 0.3,
    "error_constant": 0.05, "privacy_constant": 2.0, "steps": (5, 5, 1), "privacy": 4.0, "failure": 0.75, "most": 2,
    "ball_share": 0.3, "smoothing_share": 0.9, "accuracy_share": 0.4,
}  # fmt: skip


def reduction(
    name: str, place: str, title: str, statement: str, pairs: Callable[[int], tuple[Pair, ...]], seed: int
) -> Reduction:
    """One statement about the algorithm `name` of the paper, whose numbers `pairs(seed)` are."""
    return Reduction(f"resque/RED-{name}", title, statement, SOURCE.format(place), partial(pairs, seed))


def stream_of(seed: int) -> Stream:
    """The random numbers of all reductions."""
    return Stream(seed, "reductions/resque")


def into(point: Array, centre: Array, radius: float) -> Array:
    """The point of the ball that is nearest, by its formula: not what the algorithms use."""
    away = float(np.linalg.norm(point - centre))
    return np.asarray(point if away <= radius else centre + (point - centre) / away * radius)
