"""The numba form of the reweighted gradient."""

from __future__ import annotations

import numpy as np

from dpaudit.arithmetic.arrays import Array
from dpaudit.noise.kernels import compiled


@compiled()
def reweigh(draws: Array, gradients: Array, out: Array, point: Array, centre: Array, radius: float) -> None:
    """exp((2 <v, xi> - |v|^2)/(2 rho^2)) g of every trial, in `out` (trials, m), with v = point - centre."""
    for trial in range(len(draws)):
        exponent = 0.0
        for j in range(len(point)):
            v = point[j] - centre[j]
            exponent += v * (2.0 * draws[trial, j] - v)
        weight = np.exp(exponent / (2.0 * radius * radius))
        for j in range(gradients.shape[1]):
            out[trial, j] = weight * gradients[trial, j]
