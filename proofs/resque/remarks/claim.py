"""The quantitative remarks of the introduction, RMK-1 to RMK-10: regimes and exponents.

Constants and logarithms are 1, as in the paper. A regime is an equivalence, so that both directions are proved: where a
power of n, d and eps is compared a substitution such as n = u^3 makes it polynomial. For RMK-3 the exponents of n are
compared with d = n^a. All ten hold as printed.

Two remarks on the words. "Near-linear for n >= d^2 eps^-3" (RMK-2) is sufficient, not necessary: the second bound of
the minimum, n^(4/3) eps^(1/3), is at most n for eps <= 1/n. And min(n^(4/3), (nd)^(2/3)), to which the overview equates
n sqrt(K), is n sqrt(K) only for d >= n (RMK-6); below, the cheaper subproblems of footnote 4 give (nd)^(2/3) (RMK-7).
"""

from .approach import RMK_6, RMK_7, RMK_8, RMK_9, RMK_10
from .parallel import RMK_4, RMK_5
from .private import RMK_1, RMK_2, RMK_3

CLAIMS = (RMK_1, RMK_2, RMK_3, RMK_4, RMK_5, RMK_6, RMK_7, RMK_8, RMK_9, RMK_10)
