"""What `ac_sa` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import accelerated as reductions

__all__ = ["reductions"]
