"""The parameters of private optimisation by ball acceleration, equations (30) to (34), and its claimed costs.

Logarithms are natural. The printed formulas divide by log kappa, which is 0 at kappa = 1: `logarithms` is
"floored" (max(1, log kappa), as in the acceleration) or "printed". All constants are parameters: with those of the
proofs kappa <= sqrt n/C leaves nothing for any realistic n.

Source: Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian (2023), "ReSQueing Parallel and Private Stochastic
Convex Optimization", theorem 3 and its proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from dpaudit.records.ranges import Count, OneOf, Positive, Range, check_fields


@dataclass(frozen=True)
class Calibration:
    """records: n; dimension: d; epsilon: eps_dp, in (0, 1) in the paper, and delta in (0, 1); lipschitz: L, radius: R
    above 0; constant: C and acceleration_constant: C_ba, above 0; samples: n in 1/sqrt n where it differs, as in
    corollary 3, above 0. Raises ConfigurationError."""

    records: Annotated[int, Range(least=2)]
    dimension: Count
    epsilon: Positive
    delta: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)]
    lipschitz: Positive = 1.0
    radius: Positive = 1.0
    constant: Positive = 1.0
    acceleration_constant: Positive = 6.0
    logarithms: Annotated[str, OneOf(("floored", "printed"))] = "floored"
    samples: Positive | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    @cached_property
    def log_ratio(self) -> float:
        """log(n/delta)."""
        return math.log(self.records / self.delta)

    @cached_property
    def accuracy(self) -> float:
        """eps_opt = C L R (1/sqrt n + sqrt(d log(1/delta)) log^1.5(n/delta) log n/(n eps_dp))."""
        n = self.records if self.samples is None else self.samples
        private = private_excess(self.records, self.dimension, self.epsilon, self.delta)
        return self.constant * self.lipschitz * self.radius * (1 / math.sqrt(n) + private)

    @cached_property
    def kappa(self) -> float:
        """L R/eps_opt; below 1 the target is met by any point."""
        return self.lipschitz * self.radius / self.accuracy

    @cached_property
    def log_kappa(self) -> float:
        """log kappa, at least 1 if floored."""
        exact = math.log(self.kappa)
        return max(1.0, exact) if self.logarithms == "floored" else exact

    @cached_property
    def smoothing(self) -> float:
        """rho = eps_opt/(L sqrt d)."""
        return self.accuracy / (self.lipschitz * math.sqrt(self.dimension))

    @cached_property
    def ball_radius(self) -> float:
        """r = rho/(sqrt C log^2(n/delta))."""
        return self.smoothing / (math.sqrt(self.constant) * self.log_ratio**2)

    @property
    def order(self) -> float:
        """alpha = 4 log(2/delta)/eps_dp."""
        return 4 * math.log(2 / self.delta) / self.epsilon

    @cached_property
    def privacy(self) -> float:
        """beta = eps_dp/(C log(n/delta) sqrt(log(1/delta)))."""
        return self.epsilon / (self.constant * self.log_ratio * math.sqrt(math.log(1 / self.delta)))

    @cached_property
    def balls(self) -> float:
        """K = (R/r)^(2/3)."""
        return float((self.radius / self.ball_radius) ** (2 / 3))

    @property
    def iterations(self) -> float:
        """C_ba K log kappa."""
        return self.acceleration_constant * self.balls * self.log_kappa

    @property
    def search_steps(self) -> float:
        """T_1 of equation (32), not rounded."""
        first, second = self._terms
        return math.sqrt(self.constant) * (first / self.log_kappa**2 + second / (self.log_kappa**3 * self.log_ratio))

    @property
    def ball_steps(self) -> float:
        """T_2 of equation (33), not rounded."""
        first, second = self._terms
        return math.sqrt(self.constant) * (first / math.sqrt(self.log_kappa) + second / self.log_kappa)

    @property
    def proximal_steps(self) -> float:
        """T_3 of equation (34), not rounded."""
        return math.sqrt(self.constant) * sum(self._terms)

    @cached_property
    def _terms(self) -> tuple[float, float]:
        """kappa sqrt d/(sqrt K beta) and kappa^2/K."""
        first = self.kappa * math.sqrt(self.dimension) / (math.sqrt(self.balls) * self.privacy)
        return first, self.kappa**2 / self.balls

    @property
    def failure(self) -> float:
        """zeta = 1/(kappa C_ba K log kappa)."""
        return 1 / (self.kappa * self.iterations)

    @property
    def violated(self) -> tuple[str, ...]:
        """What theorem 3 and the acceleration assume and these numbers do not meet, in words."""
        conditions = (
            (self.epsilon < 1, f"eps_dp = {self.epsilon:.4g} < 1"),
            (self.delta < 1 / 6, f"delta = {self.delta:.4g} < 1/6"),
            (self.kappa >= 1, f"kappa = {self.kappa:.4g} >= 1"),
            (self.ball_radius <= self.radius, f"r = {self.ball_radius:.4g} <= R = {self.radius:.4g}"),
        )
        return tuple(words for holds, words in conditions if not holds)

    def gradients(self, counted: float = 1.0) -> float:
        """36 C_ba C' K log n (T_1 log n + T_2 + T_3 log n log(n/delta)), step s20, with C' = `counted`."""
        log = math.log(self.records)
        steps = self.search_steps * log + self.ball_steps + self.proximal_steps * log * self.log_ratio
        return 36 * self.acceleration_constant * counted * self.balls * log * steps


def private_excess(records: int, dimension: int, epsilon: float, delta: float) -> float:
    """sqrt(d log(1/delta)) log^1.5(n/delta) log n/(n eps_dp), the part of the excess that privacy costs, over L R."""
    logs = math.pow(math.log(records / delta), 1.5) * math.log(records)
    return math.sqrt(dimension * math.log(1 / delta)) * logs / (records * epsilon)


def claimed_excess(
    records: int, dimension: int, epsilon: float, delta: float, lipschitz: float = 1.0, radius: float = 1.0
) -> float:
    """L R (1/sqrt n + sqrt(d log(1/delta)) log^1.5(n/delta) log n/(n eps_dp)): theorem 3 without its constant."""
    return lipschitz * radius * (1 / math.sqrt(records) + private_excess(records, dimension, epsilon, delta))


def claimed_gradients(records: float, dimension: float, epsilon: float, delta: float) -> float:
    """log^6(n/delta) (min(n, n^2 eps^2/d) + min((n d)^(2/3)/eps, n^(4/3) eps^(1/3))), theorem 3 without constant."""
    n, d = float(records), float(dimension)
    main = min(n, n**2 * epsilon**2 / d) + min(math.pow(n * d, 2 / 3) / epsilon, math.pow(n**4 * epsilon, 1 / 3))
    return math.log(n / delta) ** 6 * main
