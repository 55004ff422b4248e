"""Symbols of Section 4.2: coordinates, sets, blocks.

A family of N sets of coordinates is one sequence `chi` of zeros and ones: chi[d*(k - 1) + j] is 1 where the
coordinate j lies in the set k. So a sum over a set is a sum over all coordinates with chi as a factor, for any number
of coordinates and of sets.
"""

from dpaudit.claims.writing import integer, positive, real, sequence

COORDINATES = integer("d", "[1, oo)", "number of coordinates")
SETS = integer("N", "[1, oo)", "number of sets that S can be")
BLOCKS = integer("b", "[1, oo)", "number of blocks")
CHI = sequence("chi", "[0, 1]", "chi[d*(k - 1) + j] is 1 where j lies in the set k, else 0")
PROB = sequence("prob", "(0, 1]", "Prob(S = the set k)")
Q = sequence("q", "(0, 1]", "Prob(S = A_k)")
P = sequence("p", "(0, 1]", "Prob(j in S)")
M = sequence("M", "(0, oo)", "smoothness of the coordinate j")
LIPSCHITZ = sequence("L", "(0, oo)", "Lipschitz constant of the set k, or of the coordinate k")
FULL_LIPSCHITZ = positive("L_d", "Lipschitz constant L of the set [d]")
OWN = positive("q_own", "q_B(i), the probability of the block of the coordinate i")
SHARE = real("tau", "[1, oo)", "number of coordinates in S")


def member(k="k", j="j"):
    """1 where the coordinate j lies in the set k."""
    return f"chi[d*({k} - 1) + {j}]"
