"""Theorems 1 and 2: parallel stochastic convex optimisation by ball acceleration over EpochSGD and over AC-SA.

Both run the same outer loop on f smoothed with rho = r = eps/(sqrt(d) L), so that they make equally many ball oracle
calls and equally many rounds. The steps s1 to s6 are identities of exponents and hold; logarithms stand for
lk = max(1, log kappa), ell = max(1, log(d kappa)) and lX = max(1, log(R kappa/r)) <= 2 ell.

Both theorems are O() statements that rest on Proposition 2, of which [CH22] proves a part, so that they are CONSISTENT
here and not PROVED: the checked form is an explicit bound on the rounds of queries, 2088 K log^2(d kappa) on average,
from the counts of PROP-1~repaired and PROP-2~repaired; the exponents of queries, depth and error are steps.

The query depth of Theorem 2 is printed with log(kappa) in place of the log^3(d kappa) of Theorem 1. The proof has
K log(kappa) iterations with O(log^2(d kappa)) calls each, one round for each call (THM-2/s7). Even with all runs of
one search call in a round, as they are independent, log(R kappa/r) calls of the bisection wait for each other. What
the counts give for both is O(d^(1/3) kappa^(2/3) log^2(d kappa)) rounds, a logarithm less than Theorem 1 prints and one
more than Theorem 2 prints. Refuted is the step from the counts to the printed depth, not the theorem: that fewer
rounds suffice is neither shown nor excluded.
"""

from .first import FIRST
from .second import SECOND

CLAIMS = (FIRST, SECOND)
