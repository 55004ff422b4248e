"""dpaudit: a referee and an auditor for differentially private optimisation.

Importing this package loads none of torch, numba, sympy, flint or scipy.stats;
every module imports what it needs when it is first used.
"""

__version__ = "0.1.0"
