"""What `sub_erm_strongly_convex` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import strongly_convex as reductions

__all__ = ["reductions"]
