"""What `hidden_state_couplings` equals for some parameters."""

from dpaudit.algorithms.zeroth.hidden_state_couplings.cases import reductions

__all__ = ["reductions"]
