"""The symbols of (129) and (130): the paper's name for each."""

from dpaudit.claims.writing import *

HERE = "zeroth/PROP-B.5"
D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[1, oo)", "directions")
DELTA, SHARE = real("delta", "(0, 1)", "failure probability"), real("b", "(0, 1)", "a level of B")
FAR = real("far", "[0, oo)", "|phi(x) - phi(y)|")
REACHED = "beta_tail(1/2, (d - 1)/2, b)"


def bound(count):
    """(123) over |v|^2 for so many directions."""
    low = f"max(3/20 - log(2/delta)/{count}, 0)*{count}/(20*(d + 2 + sqrt(d - 1)))"
    return f"{count}/(2*d + 6)*log(4*d/delta) + (1 - {low})**2"


BOUND, ONE_DIRECTION = bound("K"), bound("1")
