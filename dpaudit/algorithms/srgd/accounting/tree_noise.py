"""Privacy of clipped Accelerated-DP-SRGD with tree noise: exact, and as the paper states it.

A record is in one batch; it changes one clipped difference Delta_t, by K/B at most if it is zeroed out and by 2 K/B if
it is replaced. Released are the tree nodes over T = steps items, with noise of standard deviation beta sigma in units
of Delta (the paper prints sigma, in units of b), so that a record of step t is protected as by one Gaussian mechanism,

    mu_t = K sqrt(nodes_with_item(t + 1, T))/(B beta sigma),     the largest one at t = 0 with 1 + floor(log2 T) nodes.

This needs no convexity and nothing of |Delta_t(d)| besides the clipping. Without clipping nothing is promised here: the
paper bounds |Delta_t(d)| on average over the data only. What mu gives (epsilon, delta) is decided in ball arithmetic
and rounded so that noise is never too small.

The paper calibrates for mu = epsilon/sqrt(2 ln(2.5/delta)). Of its two formulas the one of corollary 5.7 lacks a factor
sqrt(2 (1 + floor(log2 T))/log T), above 1.41 for every T and base, and the clipped algorithm is then not even
(epsilon, delta)-DP in most settings; `calibration_table` counts them.

Source: Choquette-Choo, Ganesh, Thakurta (2024), "Optimal Rates for O(1)-Smooth DP-SCO with a Single Epoch and Large
Batches", lemma 5.6, corollaries 5.7, 5.10, 5.11; delta of a Gaussian mechanism: Balle, Wang (2018), theorem 8; Dong,
Roth, Su (2022), corollary 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpaudit.accounting.epsilon import gaussian_epsilon
from dpaudit.accounting.factorisations import (
    Factorisation,
    ceil_logarithm,
    logarithm,
    most_nodes,
    most_summands,
    nodes_with_item,
)
from dpaudit.arithmetic.arrays import Array
from dpaudit.arithmetic.roots import bisected
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Gaussian, Promise
from dpaudit.records.privacy import Neighbours, View
from dpaudit.records.ranges import Count, Positive, check_fields
from dpaudit.records.validation import check_choice, check_count, check_number

ROUND_UP = 1 + 1e-12
"""More than the roundings of any formula here."""

MOST_EPSILON, LEAST_DELTA, MOST_DELTA = 1e6, 1e-300, 1 - 1e-9
MOST_BITS = 8192
"""Of the arithmetic behind delta; where they do not suffice delta is far below 1e-300 and the enclosure says so."""

PAPER = "Choquette-Choo, Ganesh, Thakurta (2024)"

FACTORS = {"COR-5.7": 1.0, "COR-5.11": math.sqrt(8)}
"""sigma B beta/K as printed is the factor times sqrt(log T ln(2.5/delta))/epsilon; sqrt 2 (16 c_M + 8) L = sqrt 8 K."""

STEPS = tuple(2**k for k in range(1, 21))
EPSILONS = tuple(float(e) for e in np.geomspace(0.05, 20, 25))
DELTAS = tuple(10.0**-k for k in range(3, 11))


@dataclass(frozen=True)
class Enclosure:
    """lower <= value <= upper."""

    lower: float
    upper: float


def enclosed_delta(epsilon: float, mu: float) -> Enclosure:
    """The smallest delta such that mu-GDP implies (epsilon, delta)-DP, to 1e-15: Phi(-epsilon/mu + mu/2) - e^epsilon
    Phi(-epsilon/mu - mu/2); epsilon in [0, 1e6], mu in (0, 1e9]."""
    from flint import arb

    from dpaudit.arithmetic.intervals import precision

    check_number("epsilon", epsilon, least=0.0, most=MOST_EPSILON)
    check_number("mu", mu, above=0.0, most=1e9)
    bits, value = 64, arb(0, 1)
    while value.rel_accuracy_bits() < 60 and bits < MOST_BITS:
        bits *= 2
        with precision(bits):
            middle, half, root = arb(epsilon) / arb(mu), arb(mu) / 2, arb(2).sqrt()
            far = arb(epsilon).exp() * ((middle + half) / root).erfc()
            value = (((middle - half) / root).erfc() - far) / 2
    lower, upper = float(value.lower()), float(value.upper())
    return Enclosure(max(0.0, math.nextafter(lower, -1)), min(1.0, math.nextafter(upper, 2)))


def enclosed_mu(epsilon: float, delta: float) -> Enclosure:
    """The largest mu such that mu-GDP implies (epsilon, delta)-DP, to 1e-12 relative, to 1e-6 for delta near
    1; epsilon in [0, 1e6], delta in [1e-300, 1 - 1e-9].

    Of the two ends `lower` certainly does and `upper` certainly does not.
    """
    _check_delta(delta)
    lower = upper = 1.0
    while enclosed_delta(epsilon, lower).upper > delta:
        lower /= 2
    while enclosed_delta(epsilon, upper).lower <= delta:
        upper *= 2

    def implied(mu: float) -> bool | None:
        found = enclosed_delta(epsilon, mu)
        cannot_tell = found.lower <= delta < found.upper  # both ends are within the width of the enclosure
        return None if cannot_tell else found.upper <= delta

    return Enclosure(*bisected(implied, lower, upper, relative=ROUND_UP - 1))


def _check_delta(delta: float) -> None:
    check_number("delta", delta, least=LEAST_DELTA, most=MOST_DELTA)


@dataclass(frozen=True)
class TreeRelease:
    """What the accountant needs of a run of the clipped algorithm.

    steps: T; batch: B, at least 1; clip_norm: K; scaling: beta; node_noise: sigma, standard deviation of every
    coordinate of a node in units of b; all three above 0; neighbours: zero-out or replace-one. Raises
    ConfigurationError.
    """

    steps: Count
    batch: Count
    clip_norm: Positive
    scaling: Positive
    node_noise: Positive
    neighbours: Neighbours = Neighbours.ZERO_OUT

    def __post_init__(self) -> None:
        check_fields(self)
        _occurrences(self.neighbours)

    @property
    def node_multiplier(self) -> float:
        """Noise of one node over the change that a record makes to it: sigma beta B/K, half of it for replace-one."""
        change = _occurrences(self.neighbours) * self.clip_norm / self.batch
        return self.node_noise * self.scaling / change / ROUND_UP

    def mu(self, step: int) -> float:
        """What a record of step t, from 0 to T - 1, can lose."""
        check_count("step", step, 0, self.steps - 1)
        return math.sqrt(nodes_with_item(step + 1, self.steps)) / self.node_multiplier

    @property
    def largest_mu(self) -> float:
        """That of a record of step 0: what the run promises."""
        return math.sqrt(most_nodes(self.steps)) / self.node_multiplier

    @property
    def rho(self) -> float:
        """mu^2/2: the run is (alpha, alpha rho)-RDP for every alpha > 1."""
        return self.largest_mu**2 / 2

    def delta(self, epsilon: float) -> float:
        """The smallest delta at epsilon >= 0, rounded up."""
        return enclosed_delta(epsilon, self.largest_mu).upper

    def epsilon(self, delta: float) -> float:
        """The smallest epsilon at delta; needs dp-accounting."""
        return gaussian_epsilon(delta, self.largest_mu)

    @property
    def promise(self) -> Promise:
        """The tree as one Gaussian mechanism, seen whole."""
        return Promise(
            Gaussian(1 / self.largest_mu), self.neighbours, View.TRANSCRIPT, f"{PAPER}, lemma 5.6 s4, corrected"
        )


def _occurrences(neighbours: Neighbours) -> int:
    """How often a record's clip norm goes into the change."""
    if neighbours is Neighbours.ADD_OR_REMOVE:
        raise ConfigurationError(
            f"neighbours must be {Neighbours.ZERO_OUT.value!r} or {Neighbours.REPLACE_ONE.value!r}, got "
            f"{neighbours.value!r}: with a record less all later batches are others"
        )
    return 2 if neighbours is Neighbours.REPLACE_ONE else 1


def node_noise_needed(
    steps: int,
    batch: int,
    clip_norm: float,
    scaling: float,
    epsilon: float,
    delta: float,
    neighbours: Neighbours = Neighbours.ZERO_OUT,
) -> float:
    """The smallest node noise sigma, in units of b, that makes the clipped run (epsilon, delta)-DP, rounded up."""
    unit = TreeRelease(steps, batch, clip_norm, scaling, 1.0, neighbours)
    return unit.largest_mu / enclosed_mu(epsilon, delta).lower * ROUND_UP


def factorised_mu(factorisation: Factorisation, multiplier: float) -> Array:
    """mu of a record of every item, shape (T,), when right x + xi is released; multiplier: standard deviation of xi
    over the change that a record makes to its item, above 0."""
    check_number("multiplier", multiplier, above=0.0)
    return np.asarray(factorisation.column_norms / multiplier)


def factorised_promise(
    factorisation: Factorisation, multiplier: float, neighbours: Neighbours = Neighbours.ZERO_OUT
) -> Promise:
    """All prefix sums as one Gaussian mechanism; multiplier: as above, for the change under `neighbours`."""
    largest = float(factorised_mu(factorisation, multiplier).max()) * ROUND_UP
    source = f"{PAPER}, section 2.2; Denisov et al. (2022), theorem 2.1, as printed: {factorisation.name}"
    return Promise(Gaussian(1 / largest), neighbours, View.TRANSCRIPT, source)


def output_weights(steps: int) -> tuple[Fraction, ...]:
    """w_s = 1 - s(s + 2)/(T(T + 1)), s = 0, ..., T - 1: for linear losses, eta_t = t + 1 and no active projection the
    output is y_T = -(1/beta) sum_s w_s ghat_s."""
    check_count("steps", steps)
    return tuple(1 - Fraction(s * (s + 2), steps * (steps + 1)) for s in range(steps))


def final_iterate_mu(factorisation: Factorisation, weights: Sequence[float | Fraction], multiplier: float) -> Array:
    """mu of a record of every item, shape (T,), when only sum_s weights[s] (prefix sum s + 1) is released.

    The item moves the sum by the weights from its own on; the noise is weights^T left xi. At most `factorised_mu`.
    """
    values = np.array([float(w) for w in weights])
    check_number("multiplier", multiplier, above=0.0)
    if values.shape != (factorisation.steps,) or not np.isfinite(values).all() or not values.any():
        raise ConfigurationError(
            f"weights must be {factorisation.steps} finite numbers, not all 0, got shape {values.shape}"
        )
    spread = np.linalg.norm(values @ factorisation.left) * multiplier
    return np.asarray(np.abs(np.cumsum(values[::-1])[::-1]) / spread)


def claimed_mu(epsilon: float, delta: float) -> float:
    """epsilon/sqrt(2 ln(2.5/delta)), which the paper says gives (epsilon, delta/2) (corollary 5.7 s1, s2)."""
    check_number("epsilon", epsilon, above=0.0)
    _check_delta(delta)
    return epsilon / math.sqrt(2 * math.log(2.5 / delta))


def lemma_node_noise(change: float, mu: float, steps: int, log_base: str = "2") -> float:
    """C sqrt(1 + ceil(log T))/mu: the node noise of lemma 5.6 s4 for mu-GDP; change: C, in the unit of the noise."""
    return change * math.sqrt(1 + ceil_logarithm(steps, log_base)) / mu


def lemma_noise_bound(change: float, mu: float, steps: int, dimension: int, delta: float, log_base: str = "2") -> float:
    """4 C log^1.5(T) sqrt(p ln(2T/delta))/mu, lemma 5.6 as printed: no |N_t| is larger, with probability 1 - delta."""
    levels = math.pow(logarithm(steps, log_base), 1.5)
    return 4 * change * levels * math.sqrt(dimension * math.log(2 * steps / delta)) / mu


def noise_bound(node_noise: float, steps: int, dimension: int, failure: float) -> float:
    """A bound that all |N_t|, t = 1, ..., T, keep with probability at least 1 - failure, from their exact laws.

    N_t is N(0, popcount(t) node_noise^2 I): the chi-square quantile at failure/T and the largest popcount.
    """
    from scipy.special import gammainccinv

    check_count("dimension", dimension)
    check_number("node_noise", node_noise, least=0.0)
    check_number("failure", failure, above=0.0, most=1.0)
    square = 2 * float(gammainccinv(dimension / 2, failure / check_count("steps", steps)))
    return node_noise * math.sqrt(most_summands(steps) * square) * (1 + 1e-9)


def printed_node_multiplier(claim: str, steps: int, epsilon: float, delta: float, log_base: str = "2") -> float:
    """sigma B beta/K of "COR-5.7" (K = c_DP L) or "COR-5.11" (K = (8 c_M + 4) L) as printed, T = steps >= 2."""
    check_choice("claim", claim, tuple(FACTORS))
    check_count("steps", steps, 2)  # log 1 = 0 would be no noise; lemma 5.6 says T >= 2
    return FACTORS[claim] * math.sqrt(logarithm(steps, log_base) / 2) / claimed_mu(epsilon, delta)


def implication_ratio(epsilon: float, delta: float) -> float:
    """The exact delta of claimed_mu at epsilon over delta/2: above 1 where corollary 5.7 s2 is false; rounded down."""
    return enclosed_delta(epsilon, claimed_mu(epsilon, delta)).lower / (delta / 2)


@dataclass(frozen=True)
class Cell:
    """One setting of a claim. claimed_ratio: sigma as printed over that of exact claimed_mu-GDP; needed_ratio: over the
    smallest that gives (epsilon, delta); delta_ratio: the exact delta at epsilon over delta, rounded down."""

    steps: int
    epsilon: float
    delta: float
    claimed_ratio: float
    needed_ratio: float
    delta_ratio: float


@dataclass(frozen=True)
class CalibrationTable:
    """What a printed calibration gives for the clipped algorithm, cell by cell."""

    claim: str
    log_base: str
    cells: tuple[Cell, ...]

    @property
    def violations(self) -> tuple[Cell, ...]:
        """The cells in which the clipped algorithm is not (epsilon, delta)-DP."""
        return tuple(cell for cell in self.cells if cell.delta_ratio > 1 + 1e-9)

    @property
    def step_violations(self) -> tuple[Cell, ...]:
        """The cells in which it is not (epsilon, delta/2)-DP, which the proof says."""
        return tuple(cell for cell in self.cells if cell.delta_ratio > 0.5 + 1e-9)

    @property
    def worst(self) -> Cell:
        """The cell with the largest delta_ratio."""
        return max(self.cells, key=lambda cell: cell.delta_ratio)


def calibration_table(
    claim: str,
    log_base: str = "2",
    steps: Sequence[int] = STEPS,
    epsilons: Sequence[float] = EPSILONS,
    deltas: Sequence[float] = DELTAS,
) -> CalibrationTable:
    """The printed calibration of "COR-5.7" or "COR-5.11" against the exact one, in every combination."""
    cells = []
    for epsilon in epsilons:
        for delta in deltas:
            most, claimed = enclosed_mu(epsilon, delta).lower, claimed_mu(epsilon, delta)
            for count in steps:
                printed = printed_node_multiplier(claim, count, epsilon, delta, log_base)
                mu = math.sqrt(most_nodes(count)) / printed
                ratio = enclosed_delta(epsilon, mu).lower / delta
                cells.append(Cell(count, epsilon, delta, claimed / mu, most / mu, ratio))
    return CalibrationTable(claim, log_base, tuple(cells))
