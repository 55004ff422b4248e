"""The parameters that DP-SRM's paper prescribes, and whether its own privacy conditions hold for them.

Corollary 5.3 (b = b0 = n sqrt(eps/T), beta = 1/2) keeps its word: the conditions hold from an explicit T on, and the
batch has to be rounded down (srm/COR-5.3/rounded-down; rounded up, the order condition can fail). Its sigma'^2 is
7 alpha, not 14 alpha as printed, which it survives.

Theorem 5.4 prescribes zeta = C9 (sqrt(G L D_F d log(1/delta))/(n eps))^{2/3}, n0 = L D_F/G^2, T = floor(4 n0 L D_F/
zeta^2) + 1, gamma = sqrt(2) zeta/(n0 G), b = b0 = G^3/(zeta L D_F), with the noise of theorem 5.1, and says that the
privacy conditions hold for n large enough. They do not: as n grows sigma'^2 grows as n^{2/3} and the rate falls as
n^{-1/3} only, so that tau alpha (1 + sigma'^2) grows as n^{1/3} and the logarithm in the order condition turns
negative. The conditions hold at most in a window of n, which depends on C9. The proof finds the opposite because it
evaluates sigma'^2 with (2.19), writes zeta^4 for zeta^2 in the first line and takes b0 >= 1 for b0^2, then uses the
lower bound that this gives in the place of sigma'^2 itself.

Source: Wang, Jayaraman, Evans, Gu (2023), supplement, sections 2.2 and 2.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

from dpaudit.algorithms.srm.accounting.calibration import (
    Calibration,
    Feasibility,
    Setting,
    calibrate,
    feasible_shares,
    order_of,
)
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.ranges import Count, Positive, Range, check_fields
from dpaudit.records.validation import check_count, check_number

EXPONENTS = {
    "accuracy": -2 / 3,
    "steps": 4 / 3,
    "momentum": -2 / 3,
    "batch": 2 / 3,
    "rate": -1 / 3,
    "variance": 2 / 3,
    "rate * order * (1 + variance)": 1 / 3,
    "gradients": 2.0,
}
"""Powers of n with which the quantities of theorem 5.4 grow, all else fixed (sigma'^2 as "variance")."""


@dataclass(frozen=True)
class Task:
    """records: n; dimension: d; epsilon, delta; lipschitz: G; smoothness: L; gap: D_F = F(theta^0) - min F."""

    records: Count
    dimension: Count
    epsilon: Positive
    delta: Annotated[float, Range(above=0.0, most=1 - 2.0**-53)]
    lipschitz: Positive = 1.0
    smoothness: Positive = 1.0
    gap: Positive = 1.0

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def unit(self) -> float:
        """(sqrt(G L D_F d log(1/delta))/(n eps))^{2/3}: what the theorem promises up to a constant."""
        inside = self.lipschitz * self.smoothness * self.gap * self.dimension * -math.log(self.delta)
        return math.pow(math.sqrt(inside) / (self.records * self.epsilon), 2 / 3)


@dataclass(frozen=True)
class Prescription:
    """Theorem 5.4's parameters as real numbers, before rounding; refused: what cannot be met, in words."""

    task: Task
    accuracy: float
    divisor: float
    steps: int
    momentum: float
    batch: float
    refused: tuple[str, ...]

    @property
    def gradients(self) -> float:
        """b0 + 2 b (T - 1) with b0 = b."""
        return self.batch * (2 * self.steps - 1)

    def setting(self) -> Setting:
        """With the batch rounded up. Raises ConfigurationError where something is refused."""
        if self.refused:
            raise ConfigurationError("theorem 5.4 gives no run here: " + "; ".join(self.refused))
        size = math.ceil(self.batch)
        return Setting(
            self.task.records, self.steps, size, size, self.task.lipschitz, self.momentum, self.accuracy, self.divisor
        )

    def variance(self, share: float) -> float:
        """sigma'^2 = 3.5 b^2 T alpha/(beta n^2 eps) at beta = share, from (2.3) or (2.5), before rounding."""
        order = order_of(self.task.epsilon, self.task.delta, share)
        return 3.5 * self.batch**2 * self.steps * order / (share * self.task.records**2 * self.task.epsilon)

    def crowding(self, share: float) -> float:
        """tau alpha (1 + sigma'^2), which must be below 1 for any order to be admitted."""
        order = order_of(self.task.epsilon, self.task.delta, share)
        return self.batch / self.task.records * order * (1 + self.variance(share))


def theorem_5_4(task: Task, constant: float) -> Prescription:
    """The prescription with C9 = `constant` > 0."""
    accuracy = check_number("constant", constant, above=0.0) * task.unit
    divisor = task.smoothness * task.gap / task.lipschitz**2
    steps = math.floor(4 * divisor * task.smoothness * task.gap / accuracy**2) + 1
    momentum = math.sqrt(2) * accuracy / (divisor * task.lipschitz)
    batch = task.lipschitz**3 / (accuracy * task.smoothness * task.gap)
    limits = (
        (momentum <= 1, f"momentum {momentum:.4g} is above 1"),
        (batch >= 1, f"batch {batch:.4g} is below 1"),
        (math.ceil(batch) <= task.records, f"batch {batch:.4g} is above n = {task.records}"),
    )
    refused = tuple(words for holds, words in limits if not holds)
    return Prescription(task, accuracy, divisor, steps, momentum, batch, refused)


def theorem_5_4_feasibility(task: Task, constant: float) -> Feasibility | None:
    """The betas for which the privacy conditions hold for the prescription; None where it gives no run."""
    made = theorem_5_4(task, constant)
    return None if made.refused else feasible_shares(made.setting(), task.epsilon, task.delta)


def corollary_5_3(
    records: int, epsilon: float, delta: float, steps: int, lipschitz: float, momentum: float, accuracy: float,
    divisor: float,
) -> tuple[Setting, Calibration]:  # fmt: skip
    """The setting with b = b0 = n sqrt(eps/T), rounded down but to no less than one, and its calibration at beta = 1/2.

    Raises ConfigurationError where T < eps, for which no batch is large enough.
    """
    check_count("steps", steps)
    check_number("epsilon", epsilon, above=0.0)
    if steps < epsilon:
        raise ConfigurationError(f"steps must be at least epsilon = {epsilon} for a batch of at most n, got {steps}")
    size = min(records, max(1, math.floor(records * math.sqrt(epsilon / steps))))
    setting = Setting(records, steps, size, size, lipschitz, momentum, accuracy, divisor)
    return setting, calibrate(setting, epsilon, delta, 0.5)


def corollary_5_3_least_steps(epsilon: float, delta: float) -> tuple[float, float]:
    """The T from which the corollary's conditions hold: by its own estimates, and exactly (before rounding the batch).

    Own estimates: 720^2 log^4(1/delta)/eps^3 for eps <= 2 log(1/delta), else 180^2 eps; both at least eps. Exactly: the
    root in T of alpha - 1 = (2/3) s log(1/(tau alpha (1 + s))), s = 7 alpha, tau = sqrt(eps/T), a closed form.
    """
    order, log = order_of(epsilon, delta, 0.5), -math.log(delta)
    stated = 720**2 * log**4 / epsilon**3 if epsilon <= 2 * log else 180**2 * epsilon
    variance = 7 * order
    root = math.exp(1.5 * (order - 1) / variance) * order * (1 + variance)
    return max(stated, epsilon), max(epsilon * root**2, epsilon)


def window_of_records(task: Task, constant: float, largest: int = 10**15) -> tuple[int, int] | None:
    """The least and the largest n up to `largest` (to a relative 1 %) for which theorem 5.4's conditions hold.

    None where there is none on a grid of ratio 1.1; the other fields of `task` are kept.
    """

    def holds(records: float) -> bool:
        made = theorem_5_4_feasibility(_with_records(task, round(records)), constant)
        return made is not None and bool(made.intervals)

    sizes = [10 * 1.1**i for i in range(math.ceil(math.log(largest / 10) / math.log(1.1)))]
    good = [size for size in sizes if holds(size)]
    if not good:
        return None
    low, high = good[0], good[-1]
    below, above = low / 1.1, high * 1.1
    for _ in range(4):
        middle, other = math.sqrt(below * low), math.sqrt(above * high)
        below, low = (below, middle) if holds(middle) else (middle, low)
        above, high = (above, other) if holds(other) else (other, high)
    return round(low), round(high)


def _with_records(task: Task, records: int) -> Task:
    return Task(records, task.dimension, task.epsilon, task.delta, task.lipschitz, task.smoothness, task.gap)
