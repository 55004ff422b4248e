"""What the non-private oracles and the parallel solver share: constants, errors asked for, addresses of the noise.

Source: Carmon et al. (2023), propositions 2 to 4 and appendix C, which cite Carmon, Hausler (2022), algorithm 2. A ball
oracle is EpochSGD ("epoch_sgd") or AC-SA ("ac_sa", in the form `lines`). Every constant of the paper is a parameter;
natural logarithms are replaced by 1 where they are smaller.

Call c of trial t draws from the trial t + 2^32 c of the stream, so that calls are independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from dpaudit.algorithms.resque.ball_acceleration.setting import check_ball
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import OneOf, Positive, check_fields

SOLVERS = ("epoch_sgd", "ac_sa")
CALL = 1 << 32
"""Distance between the trial numbers of two calls; a trial number of a run is below it."""

LEVELS = 40
"""Room for the counts by level; a bias-reduced step has levels 0 (no correction), 1, ..., at most LEVELS - 1."""


@dataclass(frozen=True)
class OracleSetting:
    """radius: R; ball_radius: r, below R; smoothing_radius: rho; lipschitz: L; accuracy: eps, at most L R; all above 0.

    solver: of SOLVERS; lines: of AC-SA, "GL12" or "printed"; acceleration_constant: C_ba; repetition_constant: runs
    of a search oracle over log(R kappa/r); search_accuracy: lambda r^2 over the error asked of each; search_divisor:
    r over the distance at which they are joined; all above 0. Raises ConfigurationError.
    """

    radius: Positive
    ball_radius: Positive
    smoothing_radius: Positive
    lipschitz: Positive
    accuracy: Positive
    solver: Annotated[str, OneOf(SOLVERS)] = "epoch_sgd"
    lines: Annotated[str, OneOf(("GL12", "printed"))] = "GL12"
    acceleration_constant: Positive = 6.0
    repetition_constant: Positive = 2.0
    search_accuracy: Positive = 100.0
    search_divisor: Positive = 17.0

    def __post_init__(self) -> None:
        check_fields(self)
        check_ball(self.radius, self.ball_radius, self.lipschitz, self.accuracy)
        if not self.levels < LEVELS:
            raise ConfigurationError(f"acceleration_constant asks for {self.levels} levels, at most {LEVELS - 1}")

    @property
    def log_ratio(self) -> float:
        """max(1, log(R kappa/r)), kappa = L R/eps."""
        ratio = self.radius * (self.lipschitz * self.radius / self.accuracy) / self.ball_radius
        return max(1.0, math.log(ratio))

    @property
    def levels(self) -> int:
        """ceil(log2 K + C_ba), K = (R/r)^(2/3): the highest level of a bias-reduced step."""
        return math.ceil(2 / 3 * math.log2(self.radius / self.ball_radius) + self.acceleration_constant)

    @property
    def repetitions(self) -> int:
        """ceil(C log(R kappa/r)): the runs of one call of the search oracle."""
        return math.ceil(self.repetition_constant * self.log_ratio)

    @property
    def needed(self) -> int:
        """The least count that is at least 0.51 of the repetitions."""
        return -(-51 * self.repetitions // 100)

    @property
    def reach(self) -> float:
        """2 Delta/3 with Delta = r/search_divisor: points this close count as neighbours."""
        return 2 * self.ball_radius / self.search_divisor / 3

    def first_error(self, strength: float) -> float:
        """phi_0 = lambda r^2/(C_ba log^2(R kappa/r)): the error of the ball oracle and of level 0."""
        return strength * self.ball_radius**2 / (self.acceleration_constant * self.log_ratio**2)

    def search_error(self, strength: float) -> float:
        """lambda r^2/search_accuracy: the error asked of each run of the search oracle."""
        return strength * self.ball_radius**2 / self.search_accuracy
