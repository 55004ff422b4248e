"""What a privacy statement says: neighbouring relation, view of the adversary, guarantee."""

from __future__ import annotations

import math
from enum import StrEnum
from itertools import pairwise

from dpaudit.records.arguments import checked, stated
from dpaudit.records.errors import ContentError


class Neighbours(StrEnum):
    """When two data sets count as neighbours."""

    ADD_OR_REMOVE = "add or remove one record"
    REPLACE_ONE = "replace one record"
    ZERO_OUT = "replace one record by the empty record"


class View(StrEnum):
    """What the adversary of an audit sees."""

    TRANSCRIPT = "every released value of every step"
    GRADIENTS = "every noisy gradient"
    FINAL_MODEL = "the final model"
    HIDDEN_STATE = "the last iterate only"
    LOSS = "the loss of a record under the final model"


@stated
class ApproximateDP:
    """(epsilon, delta)-DP. epsilon >= 0 (may be infinite), 0 <= delta < 1."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        if not self.epsilon >= 0:
            raise ContentError(f"epsilon must be at least 0, got {self.epsilon}")
        if not 0 <= self.delta < 1:
            raise ContentError(f"delta must be in [0, 1), got {self.delta}")


@stated
class GaussianDP:
    """mu-GDP (Dong, Roth, Su 2022): at least as hard to tell apart as N(0,1) and N(mu,1); mu >= 0."""

    mu: float

    def __post_init__(self) -> None:
        if not (self.mu >= 0 and math.isfinite(self.mu)):
            raise ContentError(f"mu must be finite and at least 0, got {self.mu}")


@stated
class RenyiDP:
    """(order, epsilon)-RDP (Mironov 2017): Renyi divergence at most epsilon; order > 1."""

    order: float
    epsilon: float

    def __post_init__(self) -> None:
        if not (self.order > 1 and self.epsilon >= 0):
            raise ContentError(f"RDP needs order > 1 and epsilon >= 0, got {self.order}, {self.epsilon}")


@stated
class PrivacyProfile:
    """(epsilon, delta)-DP at every one of `points`, pairs (epsilon, delta) with delta rising and epsilon falling.

    The points of a curve that has no name; between them it promises what they imply (Balle, Barthe, Gaboardi 2018).
    `label` says what it is, for people.
    """

    points: tuple[tuple[float, float], ...]
    label: str

    def __post_init__(self) -> None:
        if not self.points:
            raise ContentError("a privacy profile needs at least one point (epsilon, delta)")
        parts = [ApproximateDP(*point) for point in self.points]
        if any(a.delta >= b.delta or a.epsilon < b.epsilon for a, b in pairwise(parts)):
            raise ContentError("the points of a privacy profile need rising deltas and falling epsilons")


Guarantee = ApproximateDP | GaussianDP | RenyiDP | PrivacyProfile


@stated
class PrivacyClaim:
    """What an implementation states about itself.

    guarantee: the curve or point that it promises; neighbours: for which relation;
    delta: the delta at which epsilon is quoted in reports, in (0, 1), or 0 for a guarantee of pure DP;
    source: where the statement is made.
    """

    guarantee: Guarantee
    neighbours: Neighbours
    delta: float
    source: str


@checked
def claim(
    epsilon: float | None = None,
    delta: float = 0.0,
    mu: float | None = None,
    *,
    neighbours: Neighbours = Neighbours.ADD_OR_REMOVE,
    quoted_delta: float = 1e-5,
    source: str = "stated by the user",
) -> PrivacyClaim:
    """(epsilon, delta)-DP or mu-GDP in one line, quoted at `delta` if that is above 0, else at `quoted_delta`.

    claim(epsilon=1.0) is pure DP, decided at delta 0 whatever it is quoted at; quoted_delta=0.0 quotes it there too.
    Raises ContentError unless exactly one of epsilon and mu is given, with a delta only beside epsilon, all in range.
    """
    if (epsilon is None) == (mu is None):
        raise ContentError(
            f"a claim states epsilon or mu, got epsilon={epsilon}, mu={mu}; write claim(epsilon=1.0, delta=1e-5) "
            "or claim(mu=1.0)"
        )
    if mu is not None and delta:
        raise ContentError(f"mu-GDP has no delta, got delta={delta}; where epsilon is quoted is quoted_delta")
    if mu is not None and quoted_delta == 0:
        raise ContentError("mu-GDP has no epsilon at delta 0; quoted_delta must be in (0, 1)")
    guarantee: Guarantee = GaussianDP(mu) if mu is not None else ApproximateDP(epsilon or 0.0, delta)
    return PrivacyClaim(guarantee, neighbours, delta or quoted_delta, source)
