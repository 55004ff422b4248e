"""The pooled ReSQue estimator in one dimension as a power series, so that a large pool costs little.

With t = (x - xbar)/rho and z = xi/rho the weight exp(t z - t^2/2) is the generating function of the Hermite polynomials
He_j, so that the mean over a pool is

    (1/N) sum_m w(x, xi_m) g_m = sum_j C_j t^j/sqrt(j!),   C_j = (1/N) sum_m g_m h_j(z_m),   h_j = He_j/sqrt(j!).

Where |g| = M, cov(C_i, C_j) = (M^2 [i = j] - c_i c_j)/N, c = E C: the `limit` law is the normal law of the same mean
and covariance (the central limit of a large pool), drawn without the pool. Orders below ORDER are kept; up
to |t| = REACH what is dropped is under 1e-6 of the deviation of the sum, and beyond it the result is NaN.

Source: Carmon et al. (2023), definition 2; the generating function of the Hermite polynomials.
"""

from __future__ import annotations

import math

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.problems.smoothing.ridges import Oracle, Ridge
from dpaudit.records.errors import ConfigurationError

ORDER = 64
REACH = 4.0


def basis(t: Array) -> Array:
    """t^j/sqrt(j!) for j < ORDER, shape (..., ORDER); NaN where |t| > REACH."""
    reached = np.where(np.abs(t) <= REACH, t, np.nan)
    rows = [np.ones_like(reached)]
    for j in range(1, ORDER):
        rows.append(rows[-1] * reached / math.sqrt(j))
    return np.stack(rows, axis=-1)


def hermite(z: Array) -> Array:
    """h_j(z) for j < ORDER, shape (..., ORDER)."""
    rows = [np.ones_like(z), z]
    for j in range(1, ORDER - 1):
        rows.append((z * rows[-1] - math.sqrt(j) * rows[-2]) / math.sqrt(j + 1))
    return np.stack(rows, axis=-1)


def limit_law(oracle: Oracle, centre: float, radius: float) -> tuple[Array, float]:
    """(c_j for j < ORDER, M): mean coefficients and the size of g, in one dimension.

    One record, LINEAR, ABSOLUTE or ZERO with |a| = 1, so that |g|^2 = M^2 is the same everywhere on average
    over the sign. Raises ConfigurationError for other oracles.
    """
    losses = oracle.losses
    kind = int(losses.kinds[0])
    if losses.directions.shape != (1, 1) or abs(losses.norms[0] - 1) > 1e-12 or kind == Ridge.HINGE:
        raise ConfigurationError("the limit law needs one record in one dimension, not HINGE, with |a| = 1")
    mean = np.zeros(ORDER)
    if kind == Ridge.LINEAR:
        mean[0] = losses.lipschitz * losses.directions[0, 0]
    elif kind == Ridge.ABSOLUTE:
        b = float((losses.offsets[0] * losses.directions[0, 0] - centre) / radius)
        density = math.exp(-0.5 * b * b) / math.sqrt(2 * math.pi)
        # E sign(z - b) He_j(z) is -erf(b/sqrt 2) for j = 0 and 2 phi(b) He_{j-1}(b) above
        mean[0] = -losses.lipschitz * math.erf(b / math.sqrt(2))
        mean[1:] = 2 * losses.lipschitz * density * hermite(np.array(b))[:-1] / np.sqrt(np.arange(1, ORDER))
    size = math.hypot(losses.lipschitz if kind != Ridge.ZERO else 0.0, oracle.spread)
    return mean, size


def limit_coefficients(mean: Array, size: float, count: int, normals: Array) -> Array:
    """C of a pool of `count` samples from standard normals (..., ORDER); same shape.

    The square root of I - a a^T, a = c/M, is I - kappa a a^T with kappa = (1 - sqrt(1 - |a|^2))/|a|^2.
    """
    a, kappa = downdate(mean, size)
    spread = normals - kappa * a * (normals @ a)[..., None]
    return np.asarray(mean + size * spread / math.sqrt(count))


def downdate(mean: Array, size: float) -> tuple[Array, float]:
    """a = c/M and kappa; zeros where there is no noise or no mean."""
    if not size > 0 or not mean.any():
        return np.zeros_like(mean), 0.0
    a = mean / size
    square = min(1.0, float(a @ a))
    return a, (1 - math.sqrt(1 - square)) / square
