"""Clopper-Pearson bounds (`estimators.clopper_pearson`): the upper tail of a binomial law rises with the rate.

The derivative of each term of the tail is a difference a[j] - a[j + 1] with a[j] = j C(n, j) p^(j - 1) (1 - p)^(n - j), so
that the derivative of the tail is a[k], which is not negative. The lower bound L at a count k is where the tail is
alpha. If L exceeds the true rate p, the tail at p is at most that at L, alpha: an event of probability at most alpha by
dpaudit/P-VALUE.
"""

from dpaudit.claims.writing import *

HERE = "dpaudit/BINOMIAL"
N, K = integer("n", "[1, oo)", "trials"), integer("k", "[1, oo)", "successes")
J = integer("j", "[0, oo)")
P, LARGER = real("p", "(0, 1)", "rate"), real("P", "(0, 1)", "a larger one")
TERM = "binomial(n, j)*{0}**j*(1 - {0})**(n - j)"
TAIL = f"sum(j, k, n, {TERM})"
SLOPE = "(binomial(n, j)*(j*p**(j - 1)*(1 - p)**(n - j) - (n - j)*p**j*(1 - p)**(n - j - 1)))"
A = "(j*binomial(n, j)*p**(j - 1)*(1 - p)**(n - j))"
A_NEXT = "((j + 1)*binomial(n, j + 1)*p**j*(1 - p)**(n - j - 1))"
SEQUENCE = sequence("a")

CLAIM = Claim(
    id=HERE,
    title="the derivative of a binomial tail in the rate: one term",
    words=(
        "The derivative in p of C(n, j) p^j (1 - p)^(n - j) is a[j] - a[j + 1], a[j] = j C(n, j) p^(j - 1) (1 - p)^(n - "
        "j). So that of P(Bin(n, p) >= k) is a[k] >= 0, and Clopper-Pearson bounds cover."
    ),
    place="dpaudit/estimators/clopper_pearson.py",
    kind=ClaimKind.IDENTITY,
    reads=Reads.OURS,
    statement=Statement(f"{SLOPE} == {A} - {A_NEXT}", (N, J, P), ("j <= n - 1",)),
    argument=(Identical(),),
    candidates=(point("n=3 j=1 p=1/3"),),
    steps=(
        step(
            "summed",
            "the sum from k to n of a[j] - a[j + 1] is a[k] - a[n + 1], and a[n + 1] = 0 as C(n, n + 1) = 0",
            "sum(j, k, n, a[j] - a[j + 1]) == a[k] - a[n + 1]",
            (N, K, SEQUENCE),
            ("k <= n",),
            argument=(Induct("n"),),
            candidates=(point("n=2 k=1 a=[0,1,2,5]"),),
        ),
        step(
            "rises",
            "the tail",
            f"{TAIL.format('p')} <= {TAIL.format('P')}",
            (N, K, P, LARGER),
            ("k <= n", "p <= P"),
            kind=ClaimKind.TAIL,
            argument=(Induct("n"),),
            mutants=(mutant("less", "9/10 of it", f"{TAIL.format('p')} <= 9/10*{TAIL.format('P')}", "n=1 k=1 p=1/2 P=1/2"),),
        ),
    ),
)
