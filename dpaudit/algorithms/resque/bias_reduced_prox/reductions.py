"""What `bias_reduced_prox` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import levels as reductions

__all__ = ["reductions"]
