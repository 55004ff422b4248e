"""The torch form of `dpaudit.problems.smoothing.ridges`, batched over leading axes, any device."""

from __future__ import annotations

import math

from dpaudit.noise.tensors import Tensor, load_torch
from dpaudit.problems.smoothing.ridges import Oracle, Ridge, RidgeLosses


class TorchRidge:
    """The losses as tensors of `dtype` ("float64" or "float32") on `device`."""

    def __init__(self, losses: RidgeLosses, device: str = "cpu", dtype: str = "float64") -> None:
        self.torch = load_torch()
        kind = getattr(self.torch, dtype)
        self.directions, self.offsets, self.norms = (
            self.torch.tensor(values, dtype=kind, device=device)
            for values in (losses.directions, losses.offsets, losses.norms)
        )
        self.kinds = self.torch.tensor(losses.kinds, device=device)
        self.lipschitz, self.records = losses.lipschitz, losses.records

    def margins(self, points: Tensor) -> Tensor:
        """<a_i, x> - b_i at points (..., d); shape (..., n)."""
        return points @ self.directions.T - self.offsets

    def slopes(self, points: Tensor) -> Tensor:
        """The chosen phi_i' in {-1, 0, 1} at points (..., d); shape (..., n)."""
        m = self.margins(points)
        return self._by_kind(m, m.sign(), (m > 0).to(m.dtype))

    def subgradient(self, index: Tensor, points: Tensor) -> Tensor:
        """The subgradient of record `index`, integers (...), at points (..., d); shape (..., d)."""
        rows = self.directions[index]
        m = (rows * points).sum(-1) - self.offsets[index]
        slope = self._by_kind(m, m.sign(), (m > 0).to(m.dtype), self.kinds[index])
        return (self.lipschitz * slope)[..., None] * rows

    def mean_subgradient(self, points: Tensor) -> Tensor:
        """The mean of all records' subgradients at points (..., d); same shape."""
        return (self.lipschitz * self.slopes(points)) @ self.directions / self.records

    def smoothed_gradient(self, points: Tensor, radius: float) -> Tensor:
        """The gradient of f smoothed with deviation `radius` at points (..., d); same shape."""
        t = self.margins(points) / (radius * self.norms.clamp_min(1e-30) * math.sqrt(2.0))
        slopes = self._by_kind(t, t.erf(), 0.5 * (-t).erfc())
        return (self.lipschitz * slopes) @ self.directions / self.records

    def _by_kind(self, like: Tensor, absolute: Tensor, hinge: Tensor, kinds: Tensor = None) -> Tensor:
        kinds, torch = self.kinds if kinds is None else kinds, self.torch
        linear = torch.where(kinds == int(Ridge.LINEAR), torch.ones_like(like), torch.zeros_like(like))
        return torch.where(
            kinds == int(Ridge.ABSOLUTE), absolute, torch.where(kinds == int(Ridge.HINGE), hinge, linear)
        )


class TorchOracle:
    """The stochastic oracle as tensors."""

    def __init__(self, oracle: Oracle, device: str = "cpu", dtype: str = "float64") -> None:
        self.ridge, self.spread, self.by_record = (
            TorchRidge(oracle.losses, device, dtype), oracle.spread, oracle.selection == "record",
        )  # fmt: skip
        torch = self.ridge.torch
        self.axis = torch.tensor(oracle.direction, dtype=getattr(torch, dtype), device=device)

    def choices(self, uniforms: Tensor) -> tuple[Tensor, Tensor]:
        """Records and signs, each (...), from float64 uniforms (..., 2), as `Oracle.choices` reads them."""
        torch, n = self.ridge.torch, self.ridge.records
        records = (n * uniforms[..., 0]).to(torch.int64).clamp_max(n - 1)
        one = torch.ones_like(uniforms[..., 1]).to(self.axis.dtype)
        return records, torch.where(uniforms[..., 1] < 0.5, -one, one)

    def query(self, points: Tensor, records: Tensor, signs: Tensor) -> Tensor:
        """g at points (..., d) for drawn records and signs, each (...); shape (..., d)."""
        ridge = self.ridge
        h = ridge.subgradient(records, points) if self.by_record else ridge.mean_subgradient(points)
        return h + (self.spread * signs)[..., None] * self.axis
