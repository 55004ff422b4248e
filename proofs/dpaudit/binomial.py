"""Clopper-Pearson bounds (`estimators.clopper_pearson`): the upper tail of a binomial law rises with the rate.

The derivative of each term of the tail is a difference a[j] - a[j + 1] with a[j] = j C(n, j) p^(j - 1) (1 - p)^(n - j),
so that the derivative of the tail is a[k], which is not negative. The lower bound L at a count k is where the tail is
alpha. If L exceeds the true rate p, the tail at p is at most that at L, alpha: an event of probability at most alpha by
dpaudit/P-VALUE.
"""

from dpaudit.claims.writing import *

HERE = "dpaudit/BINOMIAL"
N, K, H = integer("n", "[1, oo)", "trials"), integer("k", "[1, oo)", "successes"), integer("h", "[0, oo)")
P = real("p", "(0, 1)", "rate")


def slope(j):
    """The derivative in p of the probability of j successes."""
    return f"binomial(n, {j})*(({j})*p**({j} - 1)*(1 - p)**(n - ({j})) - (n - ({j}))*p**({j})*(1 - p)**(n - ({j}) - 1))"


def a(j):
    """a[j]."""
    return f"({j})*binomial(n, {j})*p**({j} - 1)*(1 - p)**(n - ({j}))"


CLAIM = Claim(
    id=HERE,
    title="the derivative in the rate of a binomial tail",
    words=(
        "The derivative in p of P(k <= Bin(n, p) <= k + h) is a[k] - a[k + h + 1], a[j] = j C(n, j) p^(j - 1) (1 - "
        "p)^(n - j); for k + h < n, and with the last term, n p^(n - 1) (`last`), that of P(Bin(n, p) >= k) is a[k] "
        ">= 0: the tail rises with p. So a Clopper-Pearson bound fails only where the tail at the true rate is at "
        "most alpha."
    ),
    place="dpaudit/estimators/clopper_pearson.py",
    kind=ClaimKind.IDENTITY,
    reads=Reads.OURS,
    statement=Statement(
        f"sum(i, 0, h, {slope('k + i')}) == {a('k')} - {a('k + h + 1')}", (N, K, H, P), ("k + h <= n - 1",)
    ),
    argument=(Induct("h", base=(Identical(),), step=(Identical(),)),),
    candidates=(point("n=4 k=1 h=1 p=1/3"),),
    steps=(
        step(
            "last",
            "the derivative of the probability of n successes is a[n]",
            f"n*p**(n - 1) == {a('n')}",
            (N, P),
        ),
        step(
            "positive",
            "a[k] is not negative",
            f"0 <= {a('k')}",
            (N, K, P),
            ("k <= n",),
            candidates=(point("n=2 k=1 p=1/2"),),
            mutants=(mutant("more", "1 in place of 0", f"1 <= {a('k')}", "n=2 k=2 p=1/4"),),
        ),
    ),
)
