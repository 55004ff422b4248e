"""Accelerated private optimisation by recursive gradients (Accelerated-DP-SRGD) and what it is compared with."""
