"""What `sub_erm` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import ball as reductions

__all__ = ["reductions"]
