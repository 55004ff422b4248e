"""Two neighbouring data sets under SubERM: coupled runs, and the pair whose law is known exactly.

The canary pair: record 0 is L<u, x> in D and -L<u, x> in D', |u| = 1, all other records are ZERO. While
no projection is active and w = 1 (the limit rho -> oo, estimator "unweighted"), phase i from a common y_0 gives

    ybar_i - ybar'_i = -2 eta_i L s_i u,   s_i = (1/T_i) sum over hits j of sum_{l=j..T_i} (1 + eta_i lambda)^-(l-j+1),

that is, hits weighted by (T_i - j + 1)/T_i for lambda = 0. In units of the noise sigma_i = L eta_i/beta the shift
is mu_i = 2 beta s_i: given the hits, x_i is a Gaussian mechanism with parameter mu_i. With hidden indices a phase is
a mixture over the law of s_i. What two known data sets give is a lower bound on the privacy loss of the algorithm.

Source: specification of Carmon et al. (2023), section 4.3, from Algorithms 3 and 4. Shapes: m trials, k phases.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dpaudit.algorithms.resque.sub_erm.params import Params
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.mechanism import Composed, Constant, Gaussian, Mechanism
from dpaudit.records.validation import check_count, check_number

LONGEST_LAW = 512
"""Steps of a phase whose law of s_i is still computed: the cost grows with the cube."""


def hit_weights(params: Params, indices: Integers, record: int = 0) -> Array:
    """s_i of every phase from record numbers (..., That - 1); shape (..., k)."""
    hits, used, columns = np.asarray(indices) == record, 0, []
    for length, eta, _ in params.phases:
        shrink = 1 / (1 + eta * params.regulariser)
        ages = np.arange(length, 0, -1) - (params.average == "regret")  # iterates that a hit enters, by its position
        grown = np.concatenate([[0.0], np.cumsum(shrink ** np.arange(1, length + 1))])
        columns.append(hits[..., used : used + length] @ grown[ages] / length)
        used += length
    return np.stack(columns, axis=-1) if columns else np.zeros((*hits.shape[:-1], 0))


def canary_shifts(params: Params, indices: Integers, record: int = 0) -> Array:
    """mu_i = 2 beta s_i: the shift of x_i between the canary pair, in units of its noise; shape (..., k)."""
    beta = params.privacy * (10.0 if params.control == "tenth_noise" else 1.0)
    return np.asarray(2 * beta * hit_weights(params, indices, record))


def canary_mechanism(params: Params, indices: Integers, record: int = 0) -> Mechanism:
    """What the canary pair gives for known record numbers (That - 1,): one Gaussian mechanism per phase with hits."""
    shifts = canary_shifts(params, np.asarray(indices), record)
    parts = tuple(Gaussian(1 / float(mu)) for mu in shifts if mu > 0)
    return Composed(parts) if parts else Constant()


def canary_law(params: Params, records: int, phase: int) -> tuple[Array, Array]:
    """Values and probabilities of s_i in phase `phase` >= 1 with hidden indices, each hit with probability 1/records.

    Exact for lambda = 0, by convolution over the T_i steps; ConfigurationError for lambda > 0 or over 512 steps.
    """
    check_count("records", records)
    check_count("phase", phase, 1, len(params.phases))
    length = params.phases[phase - 1][0]
    if params.regulariser > 0 or length > LONGEST_LAW:
        raise ConfigurationError(f"the law of the hits needs regulariser 0 and at most {LONGEST_LAW} steps in a phase")
    first, chance = (0, 1 / records) if params.average == "regret" else (1, 1 / records)
    probabilities = np.zeros(length * (length + 1) // 2 + 1)
    probabilities[0] = 1.0
    for age in range(first, length + first):
        moved = np.concatenate([np.zeros(age), probabilities[: len(probabilities) - age]])
        probabilities = (1 - chance) * probabilities + chance * moved
    return np.arange(len(probabilities)) / length, probabilities


def canary_log_likelihood_ratio(
    params: Params, phases: Array, direction: ArrayLike, indices: Integers | None = None, records: int = 0
) -> Array:
    """log dP_D/dP_D' of the phase outputs x_1..x_k, shape (m, k, d), between the canary pair; shape (m,).

    direction: u, (d,). indices: the record numbers, (m, That - 1) or (That - 1,), if the adversary knows
    them; else `records` = n for the mixture over hidden ones. ConfigurationError for lambda > 0.
    """
    if params.regulariser > 0:
        raise ConfigurationError("the likelihood ratio of the canary pair is known for regulariser 0")
    u, start = np.asarray(direction, dtype=float), np.array(params.centre if params.start is None else params.start)
    noise = np.array([sigma for _, _, sigma in params.phases])
    before = np.concatenate([np.broadcast_to(start, (len(phases), 1, len(start))), phases[:, :-1]], axis=1)
    moved = (phases - before) @ u / noise
    if indices is not None:
        return np.asarray(-(canary_shifts(params, indices) * moved).sum(axis=-1))
    return np.asarray(sum(_mixture_ratio(params, records, i + 1, moved[:, i]) for i in range(moved.shape[1])))


def _mixture_ratio(params: Params, records: int, phase: int, moved: Array) -> Array:
    """log of two mixtures of N(-+ mu/2, 1) over the law of mu = 2 beta s, at `moved`, (m,)."""
    halves, probabilities = half_shifts(params, records, phase)
    ratio = _log_density(moved, -halves, probabilities) - _log_density(moved, halves, probabilities)
    return np.asarray(ratio)


def half_shifts(params: Params, records: int, phase: int) -> tuple[Array, Array]:
    """mu_i/2 and its probabilities with hidden indices, without those of probability 0."""
    values, probabilities = canary_law(params, records, phase)
    beta, kept = params.privacy * (10.0 if params.control == "tenth_noise" else 1.0), probabilities > 0
    return beta * values[kept], probabilities[kept]


def _log_density(points: Array, means: Array, probabilities: Array) -> Array:
    """log sum_s p_s exp(-(t - mean_s)^2/2) at points (m,), up to a common constant."""
    most, total = -0.5 * (points - means[0]) ** 2, np.zeros_like(points)
    for mean, probability in zip(means, probabilities, strict=True):
        total += probability * np.exp(-0.5 * (points - mean) ** 2 - most)
    return np.asarray(np.log(total) + most)


def canary_divergence(params: Params, records: int, order: float) -> float:
    """D_alpha(P_D||P_D') of all phase outputs between the canary pair with hidden indices, alpha = order > 1.

    Phases are independent given the past, so that their divergences add up; each is an integral over the line,
    by the trapezoidal rule, which converges geometrically for such integrands.
    """
    check_number("order", order, above=1.0)
    total = 0.0
    for phase in range(1, len(params.phases) + 1):
        halves, probabilities = half_shifts(params, records, phase)
        reach = 12.0 + (2 * order - 1) * float(halves[-1])
        grid = np.linspace(-reach, reach, 20 * int(reach) + 1)
        left, right = _log_density(grid, -halves, probabilities), _log_density(grid, halves, probabilities)
        exponent = order * left + (1 - order) * right - 0.5 * np.log(2 * np.pi)
        largest = exponent.max()
        total += float(np.log(np.exp(exponent - largest).sum() * (grid[1] - grid[0])) + largest) / (order - 1)
    return total
