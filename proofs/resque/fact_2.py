"""Fact 2: alternating binomial sums of powers below the order vanish.

The printed proof reads the sum as p! times a Stirling number of the second kind. Here: q^r is a combination of
falling factorials of orders j <= r (Stirling expansion), q (q-1) ... (q-j+1) = j! C(q, j), and
C(p, q) C(q, j) = C(p, j) C(p-j, q-j) (r1) leaves the alternating sum of one row of Pascal's triangle, whose
partial sums are (-1)^m C(n-1, m) (r2, by induction over m) and therefore vanish at m = n = p - j >= 1 (r3). At
r = p the sum is (-1)^p p!, so the range of r cannot be longer. 0^0 is 1.
"""

from dpaudit.claims.writing import *

P, R = integer("p", "[1, oo)", "order"), integer("r", "[0, oo)", "power")
N, M = integer("n", "[1, oo)", "length of the row"), integer("m", "[0, oo)", "last term")
BELOW = ("r <= p - 1",)
SUM = "sum(q, 0, p, (-1)**q*binomial(p, q)*q**r)"

CLAIM = Claim(
    id="resque/FACT-2",
    title="alternating binomial sums of powers",
    words="For integers 0 <= r <= p - 1: the sum over q = 0..p of (-1)^q C(p, q) q^r is 0.",
    place="Fact 2, Appendix A",
    kind=ClaimKind.IDENTITY,
    statement=Statement(f"{SUM} == 0", (P, R), BELOW),
    rests_on=tuple(f"resque/FACT-2/r{i}" for i in (1, 3)),
    argument=(
        ByTheorem(
            "stirling-expansion", because="by r1 and r3 every falling factorial of order j <= r <= p - 1 contributes 0"
        ),
    ),
    candidates=(point("p=3 r=2"), point("p=2 r=0")),
    mutants=(
        Mutant("longer", "r up to p", conditions=("r <= p",), candidates=(point("p=3 r=3"),)),
        mutant(
            "from-one",
            "the term q = 0 forgotten (it counts at r = 0, where 0^0 = 1)",
            "sum(q, 1, p, (-1)**q*binomial(p, q)*q**r) == 0",
            "p=2 r=0",
        ),
    ),
    steps=(
        step(
            "r1",
            "C(p, q) C(q, j) = C(p, j) C(p - j, q - j)",
            "binomial(p, q)*binomial(q, j) == binomial(p, j)*binomial(p - j, q - j)",
            (P, integer("q", "[0, oo)"), integer("j", "[0, oo)")),
            ("j <= q", "q <= p"),
            candidates=(point("p=5 q=3 j=2"), point("p=4 q=4 j=1")),
        ),
        step(
            "r2",
            "the partial alternating sums of row n of Pascal's triangle are (-1)^m C(n - 1, m)",
            "sum(q, 0, m, (-1)**q*binomial(n, q)) == (-1)**m*binomial(n - 1, m)",
            (N, M),
            argument=(Induct("m", (Identical(),), (Identical(),)),),
            candidates=(point("n=4 m=2"), point("n=3 m=3"), point("n=5 m=1")),
        ),
        step(
            "r3",
            "at m = n that is 0: C(n - 1, n) = 0",
            "sum(q, 0, n, (-1)**q*binomial(n, q)) == 0",
            (N,),
            argument=(
                Rewrite(left="(-1)**n*binomial(n - 1, n)", by="resque/FACT-2/r2", at=where("m=n")),
                Identical(),
            ),
            candidates=(point("n=4"),),
        ),
    ),
)
