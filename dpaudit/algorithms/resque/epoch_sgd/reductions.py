"""What `epoch_sgd` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import epochs as reductions

__all__ = ["reductions"]
