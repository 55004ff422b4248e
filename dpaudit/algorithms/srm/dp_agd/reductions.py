"""What `dp_agd` equals for some parameters."""

from dpaudit.algorithms.srm.dp_agd.cases import reductions

__all__ = ["reductions"]
