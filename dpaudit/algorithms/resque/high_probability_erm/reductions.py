"""What `high_probability_erm` equals for some parameters."""

from dpaudit.algorithms.resque.shared.reductions import copies as reductions

__all__ = ["reductions"]
