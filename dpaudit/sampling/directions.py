"""Random directions of zeroth-order methods: K rows of length d made from addressed standard normals.

    "orthonormal"   uniform (Haar) on the Stiefel manifold V_K(R^d), K <= d
    "independent"   K independent uniform points of the unit sphere
    "Gaussian"      the normals themselves

A uniform frame is the Q of the QR factorisation of a normal d x K matrix whose R has a positive diagonal. Householder's
method reflects what is left of every later column, which is normal and independent again, so the columns need not be
formed (Stewart 1980, section 3): with v_k the normals z_k without the first k - 1, divided by their length, u_1 = v_1
and u_k = H_1 ... H_{k-1} v_k, where H_j is the reflection that takes v_j to the j-th axis or its negative. Products
of reflections stay orthonormal to a few roundings for every K up to d. Frames of -z are the negatives of frames of z.

The NumPy form also runs on `arithmetic.tracked.Tracked` arrays; the numba form is in `direction_kernels`. For one row
"orthonormal" and "independent" are the same to the bit.

Source: Chien, Chen, Li (2025), equations (1), (3) and appendix B name the laws; Stewart (1980), "The efficient
generation of random orthogonal matrices"; Mezzadri (2007) on the sign of the diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpaudit.arithmetic.tracked import Operand
from dpaudit.noise.tensors import Tensor
from dpaudit.records.errors import ConfigurationError
from dpaudit.records.validation import check_choice, check_count

KINDS = ("orthonormal", "independent", "Gaussian")


@dataclass(frozen=True)
class Directions:
    """kind: one of KINDS; count: K, at least 1 and, where orthonormal, at most d; dimension: d, at least 1.
    Raises ConfigurationError."""

    kind: str
    count: int
    dimension: int

    def __post_init__(self) -> None:
        check_choice("frame", self.kind, KINDS)
        check_count("dimension", self.dimension)
        check_count("directions", self.count)
        if self.kind == "orthonormal" and self.count > self.dimension:
            raise ConfigurationError(
                f"directions must be at most the dimension {self.dimension} to be orthonormal, got {self.count}; "
                "take fewer, or independent ones"
            )

    @property
    def code(self) -> int:
        """The number of the kind, for kernels."""
        return KINDS.index(self.kind)

    @property
    def size(self) -> int:
        """K d: how many normals one frame takes."""
        return self.count * self.dimension

    def frame(self, normals: Operand) -> Operand:
        """The frame made from standard normals of shape (..., K, d); same shape, rows u_1, ..., u_K."""
        if self.kind == "Gaussian":
            return normals
        if self.kind == "independent":
            return normals / np.linalg.norm(normals, axis=-1, keepdims=True)
        places = np.arange(self.dimension)
        kept = np.where(places >= np.arange(self.count)[:, None], normals, 0)
        rows = kept / np.linalg.norm(kept, axis=-1, keepdims=True)
        for j in range(self.count - 2, -1, -1):
            row, pivot = rows[..., j, :], rows[..., j, j]
            sign = np.where(pivot < 0, -1, 1)
            normal = row + sign[..., None] * (places == j)
            later = rows[..., j + 1 :, :]
            share = (later @ normal[..., None])[..., 0] / (1 + np.abs(pivot))[..., None]
            moved = later - share[..., None] * normal[..., None, :]
            rows = np.concatenate([rows[..., : j + 1, :], moved], axis=-2)
        return rows

    def torch_frame(self, normals: Tensor) -> Tensor:
        """`frame` for a tensor of shape (trials, K, d)."""
        if self.kind == "Gaussian":
            return normals
        rows = normals if self.kind == "independent" else normals.triu()
        rows = rows / rows.square().sum(dim=-1, keepdim=True).sqrt()
        if self.kind == "independent":
            return rows
        for j in range(self.count - 2, -1, -1):
            normal, pivot = rows[:, j].clone(), rows[:, j, j]
            normal[:, j] += (pivot >= 0) * 2.0 - 1.0
            share = (rows[:, j + 1 :] @ normal[:, :, None])[:, :, 0] / (1 + pivot.abs())[:, None]
            rows[:, j + 1 :] -= share[:, :, None] * normal[:, None, :]
        return rows
