"""What `noisy_zogd` equals for some parameters."""

from dpaudit.algorithms.zeroth.noisy_zogd.cases import reductions

__all__ = ["reductions"]
