"""The projection onto the domain, which ends every stage of PrivateERM."""

from __future__ import annotations

from dpaudit.noise.tensors import Tensor


def onto_domain(points: Tensor, origin: Tensor, radius: float) -> Tensor:
    """Tensors (m, d) projected onto the ball of `radius` around `origin`, (d,)."""
    away = points - origin
    square = (away * away).sum(1, keepdim=True)
    pulled = origin + radius / square.sqrt() * away
    return pulled.where(square > radius**2, points)
