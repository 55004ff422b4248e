"""Privacy of DP-SRM: the paper's calibration with its side conditions, what it claims of a run, and what is true.

One symbol of the paper covers several numbers. The rate is that of the estimate in question here, b0/n for the first
and b/n for the later ones; the option "largest" takes the larger for both, which is the stricter reading. Orders are
seldom integers, while the proof of lemma 3.7 sums up to alpha: between integers its method gives more than the lemma
states, and for alpha below 2 nothing below its value at 2; the lemma itself holds there (see `subsampling`).

Printed formulas that differ. The proof of theorem 5.1 writes sigma'^2 = 7 b^2 T alpha/(beta n^2 eps); from (2.3),
(2.5) and the sensitivities it is half of that, 14/4 = 3.5 (its RDP values are right). (2.19) has log(1/delta)/eps^2
where (2.3) and (2.5) have alpha/(beta eps), which is at least four times as much; (2.3) and (2.5) are used here. That
T' < T steps are (T' eps/T, delta)-DP is false: epsilon falls like the square root of T', not like T'.

Source: Wang, Jayaraman, Evans, Gu (2023), "Efficient Privacy-Preserving Stochastic Nonconvex Optimization", theorem
5.1, lemma 3.7 and the proofs in the supplement, sections 2.1 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from dpaudit.accounting.epsilon import EpsilonBounds, epsilon_bounds
from dpaudit.accounting.subsampling import line, theorem_9
from dpaudit.arithmetic.roots import bisected
from dpaudit.records.mechanism import Composed, FixedSizeSampled, Gaussian, Mechanism, SelfComposed
from dpaudit.records.privacy import Neighbours
from dpaudit.records.ranges import Count, Positive, Range, check_fields
from dpaudit.records.validation import check_choice, check_count, check_number

RATES = ("each", "largest")
LEAST_VARIANCE = 0.7
"""sigma'^2 of lemma 3.7."""
_GRID = 2000


@dataclass(frozen=True)
class Setting:
    """What is public of a run before its noise. Raises ConfigurationError.

    records: n; steps: T; first_batch: b0 and batch: b, from 1 to n; lipschitz: G, accuracy: zeta, divisor: n0, above 0;
    momentum: gamma, in (0, 1].
    """

    records: Count
    steps: Count
    first_batch: int
    batch: int
    lipschitz: Positive
    momentum: Annotated[float, Range(above=0.0, most=1.0)]
    accuracy: Positive
    divisor: Positive

    def __post_init__(self) -> None:
        check_fields(self)
        check_count("first_batch", self.first_batch, 1, self.records)
        check_count("batch", self.batch, 1, self.records)

    @property
    def drift(self) -> float:
        """(1 - gamma) zeta/n0 + gamma G: what a record adds to a later estimate, times its batch."""
        return (1 - self.momentum) * self.accuracy / self.divisor + self.momentum * self.lipschitz

    @property
    def batches(self) -> tuple[int, int]:
        """b0 and b; only b0 counts where there is one estimate."""
        return self.first_batch, self.batch

    @property
    def sensitivities(self) -> tuple[float, float]:
        """2 G/b0 and 2 drift/b, (2.2) and (2.4), for replacement of one record."""
        return 2 * self.lipschitz / self.first_batch, 2 * self.drift / self.batch


@dataclass(frozen=True)
class Condition:
    """value >= least is required of the `which` estimate; margin: value/least - 1."""

    which: str
    what: str
    value: float
    least: float

    @property
    def margin(self) -> float:
        """How far the value lies above the least, relative to the least; below 0 where the condition fails."""
        return self.value / self.least - 1

    @property
    def holds(self) -> bool:
        """Is the value at least the least?"""
        return self.value >= self.least

    def __str__(self) -> str:
        sign = ">=" if self.holds else "<"
        return f"{self.which} estimate: {self.what} = {self.value:.6g} {sign} {self.least:.6g}"


@dataclass(frozen=True)
class Calibration:
    """share: beta; order: alpha; first_noise, noise: standard deviations, (2.3) and (2.5); the conditions."""

    share: float
    order: float
    first_noise: float
    noise: float
    conditions: tuple[Condition, ...]

    @property
    def feasible(self) -> bool:
        """Do all conditions hold?"""
        return all(condition.holds for condition in self.conditions)


@dataclass(frozen=True)
class Feasibility:
    """The betas for which theorem 5.1 applies.

    intervals: closed up to 1e-9, in increasing order, empty if none; best: the calibration with the least noise among
    them, or if there is none the one whose worst margin is largest, whose failing conditions say what is missing.
    """

    intervals: tuple[tuple[float, float], ...]
    best: Calibration

    def __str__(self) -> str:
        if self.intervals:
            return "feasible for beta in " + ", ".join(f"[{low:.6g}, {high:.6g}]" for low, high in self.intervals)
        failing = [str(condition) for condition in self.best.conditions if not condition.holds]
        return f"infeasible; nearest at beta = {self.best.share:.6g}: " + "; ".join(failing)


@dataclass(frozen=True)
class SrmEpsilon:
    """A run's epsilon at one delta.

    claimed: by lemma 3.7 with its conditions, infinite where no order meets them; formula: the same without
    conditions, what one gets who forgets them; theorem_9: by the bound behind the lemma, over all orders; true: what
    holds, for the worst query of the stated sensitivities.
    """

    claimed: float
    formula: float
    theorem_9: float
    true: EpsilonBounds


def order_of(epsilon: float, delta: float, share: float) -> float:
    """alpha = log(1/delta)/((1 - beta) eps) + 1."""
    _check_target(epsilon, delta)
    check_number("share", share, above=0.0, most=1 - 2.0**-53)
    return -math.log(delta) / ((1 - share) * epsilon) + 1


def least_noise_share(epsilon: float, delta: float) -> float:
    """The beta at which alpha/beta, and so the noise, is least: (c + 1) - sqrt(c (c + 1)), c = log(1/delta)/eps."""
    _check_target(epsilon, delta)
    c = -math.log(delta) / epsilon
    return (c + 1) / (c + 1 + math.sqrt(c * (c + 1)))  # no digits cancel


def largest_rate(order: float, variance: float | None = None) -> float:
    """The largest rate that lemma 3.7 admits at `order`, for one sigma'^2 >= 0.7 or over all of them."""
    check_number("order", order, above=1.0)
    s = most_tolerant_variance(order) if variance is None else check_number("variance", variance, least=LEAST_VARIANCE)
    return math.exp(-1.5 * (order - 1) / s) / (order * (1 + s))


def most_tolerant_variance(order: float) -> float:
    """The sigma'^2 at which the largest rate is largest: max(0.7, (c + sqrt(c^2 + 4 c))/2), c = 1.5 (alpha - 1)."""
    c = 1.5 * (check_number("order", order, above=1.0) - 1)
    return max(LEAST_VARIANCE, (c + math.sqrt(c * c + 4 * c)) / 2)


def largest_order(rate: float, variance: float) -> float:
    """The right side of the order condition, 1 + (2/3) s log(1/(tau alpha (1 + s))), solved for alpha; 1 if none."""

    def room(log: float) -> float:
        order = 1 + math.exp(log)
        return -2 / 3 * variance * math.log(rate * order * (1 + variance)) - (order - 1)

    if rate * (1 + variance) >= 1:
        return 1.0
    return 1 + math.exp(float(brentq(room, -80.0, math.log(1e6 * (1 + variance)), xtol=1e-14)))


def calibrate(setting: Setting, epsilon: float, delta: float, share: float, rate: str = "each") -> Calibration:
    """The noise of theorem 5.1 for one beta, with the conditions evaluated on it; they need not hold."""
    order = order_of(epsilon, delta, share)
    unit = math.sqrt(14 * setting.steps * order / (share * epsilon)) / setting.records
    noises = (unit * setting.lipschitz, unit * setting.drift)
    return Calibration(share, order, *noises, _conditions(setting, noises, order, rate))


def _conditions(setting: Setting, noises: tuple[float, float], order: float, rate: str) -> tuple[Condition, ...]:
    check_choice("rate", rate, RATES)
    largest, made = max(setting.batches[: setting.steps]) / setting.records, []
    rows = zip(("first", "later"), noises, setting.sensitivities, setting.batches, strict=True)
    for which, noise, sensitivity, batch in list(rows)[: setting.steps]:
        variance = (noise / sensitivity) ** 2
        tau = largest if rate == "largest" else batch / setting.records
        limit = 1 - 2 / 3 * variance * math.log(tau * order * (1 + variance))
        made.append(Condition(which, "sigma'^2", variance, LEAST_VARIANCE))
        made.append(Condition(which, "largest admissible order - 1", limit - 1, order - 1))
    return tuple(made)


def feasible_shares(setting: Setting, epsilon: float, delta: float, rate: str = "each") -> Feasibility:
    """All beta from 1e-9 to 1 - 1e-9 for which the conditions hold, on a fine grid in log(beta/(1 - beta))."""

    def worst(logit: float) -> float:
        made = calibrate(setting, epsilon, delta, 1 / (1 + math.exp(-logit)), rate)
        return min(condition.margin for condition in made.conditions)

    ends = -math.log(1e9 - 1), math.log(1e9 - 1)
    logits = [ends[0] + (ends[1] - ends[0]) * i / _GRID for i in range(_GRID + 1)]
    values = [worst(logit) for logit in logits]
    peak = _refined(worst, logits, values)
    if worst(peak) >= 0 and max(values) < 0:
        position = next(i for i, logit in enumerate(logits) if logit > peak)
        logits.insert(position, peak)
        values.insert(position, worst(peak))
    intervals = tuple((_expit(low), _expit(high)) for low, high in _runs(worst, logits, values))
    least = least_noise_share(epsilon, delta)
    near = [min(max(least, low), high) for low, high in intervals]
    best = min(near, key=lambda beta: order_of(epsilon, delta, beta) / beta) if near else _expit(peak)
    return Feasibility(intervals, calibrate(setting, epsilon, delta, best, rate))


def _refined(worst: Callable[[float], float], logits: list[float], values: list[float]) -> float:
    at = max(range(len(values)), key=values.__getitem__)
    around = logits[max(at - 1, 0)], logits[min(at + 1, len(logits) - 1)]
    found = minimize_scalar(lambda logit: -worst(logit), bounds=around, method="bounded", options={"xatol": 1e-12})
    return float(found.x) if -float(found.fun) > values[at] else logits[at]


def _runs(worst: Callable[[float], float], logits: list[float], values: list[float]) -> list[tuple[float, float]]:
    """Maximal intervals on which the values are at least 0, their ends inside."""
    runs: list[tuple[float, float]] = []
    for i, value in enumerate(values):
        if value < 0:
            continue
        low = _edge(worst, logits[i - 1], logits[i]) if i and values[i - 1] < 0 else logits[i]
        high = _edge(worst, logits[i + 1], logits[i]) if i < len(values) - 1 and values[i + 1] < 0 else logits[i]
        if i and values[i - 1] >= 0:
            runs[-1] = runs[-1][0], high
        else:
            runs.append((low, high))
    return runs


def _edge(worst: Callable[[float], float], outside: float, inside: float) -> float:
    return bisected(lambda logit: worst(logit) >= 0, inside, outside, halvings=60).inside


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def mechanism(setting: Setting, first_noise: float, noise: float) -> Mechanism:
    """What a run is: T sampled Gaussian releases, the batches uniform without replacement and hidden; replace-one."""
    first, *later = [
        FixedSizeSampled(batch, setting.records, Gaussian(check_number("noise", deviation, above=0.0) / sensitivity))
        for batch, deviation, sensitivity in zip(
            setting.batches, (first_noise, noise), setting.sensitivities, strict=True
        )
    ]
    return first if setting.steps == 1 else Composed((first, SelfComposed(later[0], setting.steps - 1)))


def run_epsilon(setting: Setting, first_noise: float, noise: float, delta: float, rate: str = "each") -> SrmEpsilon:
    """What the paper claims of a run with this noise, and what is true, at `delta`."""
    whole, log = mechanism(setting, first_noise, noise), -math.log(_check_delta(delta))
    rows = [
        (count, batch / setting.records, (deviation / sensitivity) ** 2)
        for count, batch, deviation, sensitivity in zip(
            (1, setting.steps - 1), setting.batches, (first_noise, noise), setting.sensitivities, strict=True
        )
        if count
    ]
    slope = sum(count * lemma_3_7(1.0, tau, variance) for count, tau, variance in rows)
    best, most = 1 + math.sqrt(log / slope), _largest_common_order(rows, rate)

    def total(order: float) -> float:
        return slope * order + log / (order - 1) if order > 1 else math.inf

    true = epsilon_bounds(whole, delta, Neighbours.REPLACE_ONE)
    return SrmEpsilon(total(min(best, most)), total(best), _by_theorem_9(rows, delta), true)


def _largest_common_order(rows: list[tuple[int, float, float]], rate: str) -> float:
    """The largest order that the conditions of lemma 3.7 admit for all estimates; 1 if none."""
    check_choice("rate", rate, RATES)
    if min(variance for _, _, variance in rows) < LEAST_VARIANCE:
        return 1.0
    largest = max(tau for _, tau, _ in rows)
    return min(largest_order(largest if rate == "largest" else tau, variance) for _, tau, variance in rows)


def _by_theorem_9(rows: list[tuple[int, float, float]], delta: float) -> float:
    """The least conversion (lemma 3.9) over integer orders up to 1024."""
    orders: list[int] = [*range(2, 65), *(int(64 * 1.1**i) for i in range(1, 30))]
    curves = [count * theorem_9(orders, tau, variance) for count, tau, variance in rows]
    totals: list[float] = np.sum(curves, axis=0).tolist()
    return min([total - math.log(delta) / (order - 1) for order, total in zip(orders, totals, strict=True)])


def lemma_3_7(order: float, rate: float, variance: float) -> float:
    """3.5 alpha tau^2/sigma'^2, without its conditions."""
    return 3.5 * order * rate**2 / variance


def shortfall(order: float, rate: float, variance: float) -> float:
    """The divergence of the realised pair over the bound of lemma 3.7; above 1 where the bound fails."""
    return float(line(order, rate, variance)) / lemma_3_7(order, rate, variance)


def _check_target(epsilon: float, delta: float) -> None:
    check_number("epsilon", epsilon, above=0.0)
    _check_delta(delta)


def _check_delta(delta: float) -> float:
    return check_number("delta", delta, above=0.0, most=1 - 2.0**-53)
