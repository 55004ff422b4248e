"""The symbols of Lemma B.4: the paper's name for each.

B_k is <v, u_k>^2/|v|^2, with the law Beta(1/2, (d - 1)/2); `S` is their sum, `low` the lower bound of Lemma B.3 on it;
`q` is the sum of the w_k^perp.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-B.4"
D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[1, oo)", "directions")
DELTA = real("delta", "(0, 1)", "failure probability")
SUM, LOW = real("S", "[0, oo)", "B_1 + ... + B_K"), real("low", "[0, oo)", "the lower bound of Lemma B.3")
SIZE, SQUARE = real("size", "[0, oo)", "|v|^2"), real("sq", "[0, oo)", "|sum of w_k^perp|^2")
V, Q = vector("v"), vector("q", "the sum of the w_k^perp")
FAILS = real("fails", "[0, 1]", "probability that a bound fails")
SHARE = real("b", "(0, 1)", "a level that all B_k reach")
REACHED = "beta_tail(1/2, (d - 1)/2, b)**K"
"""The probability that all B_k are at least b."""


def lower(log):
    """The lower bound of Lemma B.3 as Lemma B.4 quotes it."""
    return f"max(3/20 - {log}/K, 0)*K/(20*(d + 2 + sqrt(d - 1)))"


BOUND = f"K/(2*d + 6)*log(4*d/delta) + (1 - {lower('log(2/delta)')})**2"
"""(123) over |v|^2."""
