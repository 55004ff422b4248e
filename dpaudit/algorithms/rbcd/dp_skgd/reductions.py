"""What `dp_skgd` equals for some parameters."""

from dpaudit.algorithms.rbcd.dp_skgd.cases import reductions

__all__ = ["reductions"]
