"""The ingredients of the hidden-state bound: contraction of a random subspace, its tail, the cheapest shifts.

A step keeps what lies outside span(U) and contracts the rest, so two iterates z apart are at most c1 z + c2 apart
after it, outside an event of small probability; a shift of a_t then takes a_t away. The cheapest a_t that bring a
distance Z to 0 in N steps solve a quadratic programme: closed form where no distance becomes negative, else here.

Option `index_convention` of theorem 3.2: "proof" z_t = (z_{t+1} + a_t - c2)/c1, t = T-1..tau (default), or "display"
z_{t-1} = (z_t + a_t - c2)/c1 as printed in the theorem, which uses a_{tau+1}..a_T while the sum that is minimised
has a_tau..a_{T-1}: a_T costs nothing, and all shifts are free. With the sum over the a_t that are used, the
display says the same as the proof.
Option `tails` of lemma 3.8: "both" 2 exp(.) (default: theorem A.1 read as a bound of the larger tail), "smaller"
(the printed wedge as a minimum: nothing bounds the larger tail, so the failure is 1), "beta" the exact law.

Source: Chien, Chen, Li (2025), "Privacy Amplification in Differentially Private Zeroth-Order Optimization with
Hidden States", lemmas 3.7, 3.8, theorem 3.2 and its proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded
from scipy.special import betainc, betaincc

from dpaudit.arithmetic.arrays import Array, Flags
from dpaudit.arithmetic.roots import bisected_integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count, check_number

INDEX_CONVENTIONS = ("proof", "display")
TAILS = ("both", "smaller", "beta")
ROUND_UP = 1 + 1e-12
"""More than the roundings of any closed formula here."""
_TAIL_ERROR = 1 + 1e-8
"""More than the relative error of the incomplete beta function of SciPy."""


def first_order_constant(step: float, smoothness: float, convexity: float | None) -> float:
    """c: the Lipschitz constant of w -> w - step grad L(w), step = eta/K above 0, smoothness M at least 0.

    convexity: None for any M-smooth loss (c = 1 + step M), else m in [0, M] of an m-strongly convex one
    (c = max(|1 - step m|, |1 - step M|); Hardt, Recht, Singer 2016, lemma 3.7). The paper prints
    c = 1 for m = 0, step <= 2/M and c = 1 - step m for step <= 1/M, where this is the same.
    """
    check_number("step", step, above=0.0)
    check_number("smoothness", smoothness, least=0.0)
    if convexity is None:
        return 1 + step * smoothness
    check_number("convexity", convexity, least=0.0, most=smoothness)
    return max(abs(1 - step * convexity), abs(1 - step * smoothness))


def printed_contraction(constant: float, dimension: int, directions: int, slack: float) -> float:
    """c1 of theorem 3.2: sqrt(1 - (1 - c^2) K/d + e (1 + c^2) K/d); e at least 0."""
    _check_frame(dimension, directions)
    check_number("slack", slack, least=0.0)
    share, square = directions / dimension, constant * constant
    return math.sqrt(1 - (1 - square) * share + slack * (1 + square) * share)


def contraction(constant: float, dimension: int, directions: int, slack: float) -> float:
    """c1 when both sums of squared projections are within a factor 1 -+ e of K/d, and within [0, 1] as they always are.

    slack: e at least 0, infinite for the bound sqrt(1 + c^2) that needs no luck; c itself for K = d.
    """
    _check_frame(dimension, directions)
    if directions == dimension:
        return constant
    share = directions / dimension
    kept, turned = max(0.0, 1 - slack) * share, min(1.0, (1 + slack) * share)
    return math.sqrt(1 - kept + constant * constant * turned) * ROUND_UP


def step_failure(dimension: int, directions: int, slack: float, tails: str = "both") -> float:
    """Probability, at most, that one step contracts less than lemma 3.8 says; slack: e at least 0.

    "both" and "smaller" need d >= 2K, as the lemma does; "beta" takes any K and rounds up.
    """
    check_choice("tails", tails, TAILS)
    _check_frame(dimension, directions)
    if not slack >= 0:
        raise ConfigurationError(f"slack must be at least 0, got {slack}")
    if tails == "smaller":
        return 1.0
    if tails == "beta":
        return _beta_failure(dimension, directions, slack)
    if dimension < 2 * directions:
        raise ConfigurationError(
            f"directions must be at most half the dimension {dimension} for the printed tail, got {directions};"
            " use tails='beta'"
        )
    if slack == math.inf:
        return 0.0
    below = 12 * (dimension - directions) + 8 * slack * (dimension - 2 * directions)
    return min(1.0, 2 * math.exp(-3 * slack * slack * dimension * directions / below) * ROUND_UP)


def _beta_failure(dimension: int, directions: int, slack: float) -> float:
    if directions == dimension:
        return 0.0
    first, second, mean = directions / 2, (dimension - directions) / 2, directions / dimension
    low, high = (1 - slack) * mean, (1 + slack) * mean
    lower = float(betainc(first, second, low)) if low > 0 else 0.0
    upper = float(betaincc(first, second, high)) if high < 1 else 0.0
    return min(1.0, (lower + upper) * _TAIL_ERROR)


def failure(step: float, length: int) -> float:
    """1 - (1 - step)^length, rounded up: at least one of `length` steps fails."""
    return 1.0 if step >= 1 else min(1.0, -math.expm1(length * math.log1p(-step)) * ROUND_UP)


@dataclass(frozen=True)
class Shifts:
    """Shifts a_t of one window. squares: sum of a_t^2; total: sum of a_t; largest: max of a_t. All at least 0."""

    squares: float
    total: float
    largest: float


FREE = Shifts(0.0, 0.0, 0.0)


def constant_shifts(
    length: int, distance: float, growth: float, offset: float, index_convention: str = "proof", merged: bool = False
) -> Shifts:
    """The cheapest shifts for a split of the noise that is the same at every step.

    length: N at least 1; distance: Z at least 0; growth: c1 at least 0; offset: c2 at least 0. merged: iterates that
    have met stay together at no cost (the theorem pays c2 a step for them).
    """
    check_count("length", length)
    check_choice("index_convention", index_convention, INDEX_CONVENTIONS)
    for name, value in (("distance", distance), ("growth", growth), ("offset", offset)):
        if not value >= 0:
            raise ConfigurationError(f"{name} must be at least 0, got {value}")
    if index_convention == "display" or (merged and distance == 0):
        return FREE
    if math.isinf(distance):
        return Shifts(math.inf, math.inf, math.inf)
    if growth <= 1:
        first = growth**length * distance + offset * _geometric(growth, length)
        return _along(first / _geometric(growth * growth, length), growth, length)
    used = _useful_length(length, distance, growth, offset)
    inverse = 1 / growth
    first = distance + offset * inverse * _geometric(inverse, used)
    shifts = _along(first / (inverse * _geometric(inverse**2, used)), inverse, used)
    rest = 0.0 if merged else (length - used) * offset
    return Shifts(shifts.squares + rest * offset, shifts.total + rest, shifts.largest)


def _along(largest: float, ratio: float, length: int) -> Shifts:
    """largest, largest ratio, ..., `length` terms."""
    squares = largest * largest * _geometric(ratio * ratio, length)
    return Shifts(squares * ROUND_UP, largest * _geometric(ratio, length) * ROUND_UP, largest * ROUND_UP)


def _geometric(ratio: float, length: int) -> float:
    """1 + ratio + ... + ratio^(length - 1), ratio in [0, 1]."""
    if ratio in (0.0, 1.0):
        return 1.0 if ratio == 0 else float(length)
    return -math.expm1(length * math.log(ratio)) / (1 - ratio)


def _useful_length(length: int, distance: float, growth: float, offset: float) -> int:
    """The largest number of steps, up to `length`, whose last geometric shift is still at least c2 (growth > 1)."""
    inverse = 1 / growth

    def enough(used: int) -> bool:
        first = distance + offset * inverse * _geometric(inverse, used)
        return first * inverse**used >= offset * inverse**2 * _geometric(inverse**2, used)

    if enough(length):
        return length
    return bisected_integers(enough, 1, length)  # one step takes all of c1 Z + c2 away, which is at least c2


def cheapest_shifts(distance: float, growth: float, offset: float, weights: Array) -> Array:
    """a_t >= 0, shape (N,), that minimise sum a_t^2/weights_t with z_0 = distance, z_N = 0 and all
    z_{t+1} = growth z_t + offset - a_t >= 0; weights (N,) above 0. By primal-dual active sets."""
    weights = np.asarray(weights, dtype=np.float64)
    if weights.ndim != 1 or weights.size == 0 or not np.all(weights > 0):
        raise ConfigurationError(f"weights must be one or more numbers above 0, got {weights}")
    free = np.ones(len(weights) - 1, dtype=bool)
    distances = np.zeros(len(weights) - 1)
    for _ in range(4 * len(weights) + 8):
        distances = _stationary(distance, growth, offset, weights, free)
        shifts = _shifts(distance, growth, offset, distances)
        slope = growth * shifts[1:] / weights[1:] - shifts[:-1] / weights[:-1]
        scale = float(np.max(np.abs(shifts / weights))) * 1e-12
        changed = np.where(free, distances >= 0, slope < -scale)
        if np.array_equal(changed, free):
            break
        free = changed
    return np.maximum(_shifts(distance, growth, offset, np.maximum(distances, 0.0)), 0.0)


def _shifts(distance: float, growth: float, offset: float, distances: Array) -> Array:
    path = np.concatenate([[distance], distances, [0.0]])
    return np.asarray(growth * path[:-1] + offset - path[1:])


def _stationary(distance: float, growth: float, offset: float, weights: Array, free: Flags) -> Array:
    """The distances between the ends for which no free one can be improved; the others are 0."""
    size = len(free)
    if size == 0:
        return np.zeros(0)
    inverse = 1 / weights
    main = np.where(free, growth**2 * inverse[1:] + inverse[:-1], 1.0)
    side = -growth * inverse[1:-1] * (free[1:] & free[:-1])
    right = offset * (inverse[:-1] - growth * inverse[1:])
    right[0] += growth * distance * inverse[0]
    bands = np.zeros((3, size))
    bands[0, 1:], bands[1], bands[2, :-1] = side, main, side
    return np.asarray(solve_banded((1, 1), bands, np.where(free, right, 0.0)))


def _check_frame(dimension: int, directions: int) -> None:
    check_count("dimension", dimension)
    check_count("directions", directions, 1, dimension)
