"""Addressed random numbers: the same bits in NumPy, numba and torch."""
