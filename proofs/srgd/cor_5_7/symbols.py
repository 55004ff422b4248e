"""Corollary 5.7: what the release of all noisy prefix sums tells of two neighbouring runs.

With K the most that one per-example difference can be, a prefix moves by K/(B beta) in the units of the noise b, and
a difference is in as many nodes as `nodes` says. K, L, B and beta cancel, so that mu = eps sqrt(share/ln(2.5/delta)).
"""

from dpaudit.claims.writing import *

from .notation import LN

COR = "srgd/COR-5.7"
STEPS, NODES = integer("T", "[2, oo)", "steps"), integer("nodes", "[1, oo)", "nodes that hold one difference")
EPS, DELTA = positive("eps"), real("delta", "(0, 1)")
USUAL = real("eps", "(0, 9/5]")
RECORDS = integer("n", "[2, oo)", "number of records")
ALL_NODES = "(floor(log2(T)) + 1)"
"""The nodes that hold the first difference, after T steps."""
C_DP = f"(4*sqrt(2)*log2(n)**(3/2)*sqrt(log(2*n/delta))*{LN})"
SCALES = tuple(map(positive, ("c_DP", "L", "B", "beta")))
SIGMA = f"(c_DP*L*sqrt(log2(T)*{LN})/(eps*B*beta))"
