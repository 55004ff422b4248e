"""What ball acceleration and its search for lambda share: the parameters, the schedule, how oracles err.

Source: Carmon et al. (2023), proposition 1 and appendix B. With kappa = L R/eps and K = (R/r)^(2/3) the
smallest strength is lambda_star = eps K^2 max(1, log kappa)^2/R^2.

`oracle_error` e in [0, 1] makes exact oracles as wrong as e times what the proposition allows: the search oracle
is off by e r/search_divisor in a random direction; the ball oracle is moved by e phi/(L + 2 lambda r) in a random
direction and pulled back into the ball, which costs at most e phi; the proximal oracle has bias e Delta/lambda along
the first coordinate and normal errors up to second moment (e sigma/lambda)^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Positive, Range, check_fields

SLOTS = 1024
"""Steps of the noise that one iteration may use: call j of its search lies at iteration * SLOTS + j."""

BALL_SLOT, PROXIMAL_SLOT = SLOTS - 2, SLOTS - 1
LOW, HIGH = 12 / 16, 14 / 16
"""A search accepts a movement between these parts of r."""


def check_ball(radius: float, ball_radius: float, lipschitz: float, accuracy: float) -> None:
    """Refuse balls as large as the domain, and an accuracy that any point has."""
    if not ball_radius < radius:
        raise ConfigurationError(f"ball_radius must be below radius = {radius}, got {ball_radius}")
    if not accuracy <= lipschitz * radius:
        raise ConfigurationError(
            f"accuracy must be at most L R = {lipschitz * radius}, got {accuracy}: any point has it"
        )


@dataclass(frozen=True)
class BallSetting:
    """radius: R; ball_radius: r, below R; lipschitz: L; accuracy: eps, at most L R; all above 0.

    acceleration_constant: C_ba, search_divisor: the search oracle errs by at most r over it, both above 0;
    oracle_error: in [0, 1], see above. Raises ConfigurationError.
    """

    radius: Positive
    ball_radius: Positive
    lipschitz: Positive
    accuracy: Positive
    acceleration_constant: Positive = 6.0
    search_divisor: Positive = 17.0
    oracle_error: Annotated[float, Range(least=0.0, most=1.0)] = 0.0

    def __post_init__(self) -> None:
        check_fields(self)
        check_ball(self.radius, self.ball_radius, self.lipschitz, self.accuracy)
        if not self.search_calls < BALL_SLOT:
            raise ConfigurationError(
                f"acceleration_constant asks for {self.search_calls} search calls, at most {BALL_SLOT - 1}: lower it"
            )

    @property
    def kappa(self) -> float:
        """L R/eps, at least 1."""
        return self.lipschitz * self.radius / self.accuracy

    @property
    def log_kappa(self) -> float:
        """max(1, log kappa)."""
        return max(1.0, math.log(self.kappa))

    @property
    def balls(self) -> float:
        """K = (R/r)^(2/3), not an integer."""
        return float((self.radius / self.ball_radius) ** (2 / 3))

    @property
    def smallest_strength(self) -> float:
        """lambda_star."""
        return self.accuracy * self.balls**2 * self.log_kappa**2 / self.radius**2

    @property
    def largest_strength(self) -> float:
        """Where the search starts from above: max(2 lambda_star, 2 L/r)."""
        return max(2 * self.smallest_strength, 2 * self.lipschitz / self.ball_radius)

    @property
    def search_calls(self) -> int:
        """ceil(C_ba log(R kappa/r)): the most calls of one search, at least 1."""
        ratio = self.radius * self.kappa / self.ball_radius
        return max(1, math.ceil(self.acceleration_constant * math.log(ratio)))

    @property
    def most_iterations(self) -> int:
        """ceil(C_ba K max(1, log kappa))."""
        return math.ceil(self.acceleration_constant * self.balls * self.log_kappa)

    @property
    def ball_error(self) -> float:
        """phi/(lambda r^2) = 1/(C_ba max(1, log kappa)^3)."""
        return 1 / (self.acceleration_constant * self.log_kappa**3)

    @property
    def bias(self) -> float:
        """Delta = eps/(C_ba R)."""
        return self.accuracy / (self.acceleration_constant * self.radius)

    @property
    def deviation(self) -> float:
        """sigma = eps sqrt(K)/(C_ba R)."""
        return self.accuracy * math.sqrt(self.balls) / (self.acceleration_constant * self.radius)
