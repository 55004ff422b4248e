"""The symbols of Lemma B.3: the paper's name for each.

B_1, ..., B_K are independent with the law Beta(1/2, (d - 1)/2) of <u, e>^2. `root` is the square root of kappa_1, `L`
is log(1/beta) in the quantile of W_2 and log(1/delta) in the lemma.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/LEM-B.3"
D, K = integer("d", "[2, oo)", "dimension"), integer("K", "[1, oo)", "directions")
L = real("L", "[0, oo)", "log(1/delta)")
ROOT = positive("root", "the square root of kappa_1")
FAILS = real("fails", "[0, 1]", "probability that the bound fails")
P, USUAL = real("p", "[0, 1]", "P(B >= level)"), "4/5 <= p"
LEVEL = "1/(20*(d + 1 + sqrt(d - 2)))"
QUANTILE = "(d - 2 + 2*L + 2*sqrt((d - 2)*L))"
AT_ONE = "(d + 2*sqrt(d - 2))"
LOWER_Q = "root/(1 + root**2)*exp(-root**2/2)/sqrt(2*pi)"
