"""The noisy mean with numba."""

from __future__ import annotations

from dpaudit.algorithms.packed import Keys
from dpaudit.arithmetic.arrays import Array, Integers
from dpaudit.noise.kernels import compiled, normal_pair


@compiled()
def noisy_means(out: Array, trials: Integers, records: Array, noise: float, key: Keys) -> None:
    """Fill `out`, (trials, d)."""
    for row in range(len(trials)):
        for j in range(out.shape[1]):
            total = 0.0
            for i in range(len(records)):
                total += records[i, j]
            normal = normal_pair(key[0], key[1], j // 2, 0, trials[row])[j % 2]
            out[row, j] = total / len(records) + noise * normal
