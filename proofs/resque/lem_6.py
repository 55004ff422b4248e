"""Lemma 6: index vectors without the index 1 and with 1 to b of them, coupled at Hamming distance at most b.

The coupling draws I without ones and a from p, and writes ones at a random set of a positions. I' with a ones arises
from (n-1)^a pairs (I, set): the set is where I' has its ones, and I is free there. So its probability is
(n-1)^a/(n-1)^m p_a/C(m, a), which does not depend on a. The probabilities are compared for all m, n, b at once; the
number of pairs and the distance are counted in small cases.

Two things are understood in print: n >= 2 and 1 <= b, m, without which one of the two sets is empty (n >= 60 m follows
from m/n <= 1/60, which is not needed otherwise); and for a > m the weight p_a is 0, so that b > m does no harm. The
b of Lemma 7 is not an integer: [b] is then 1, ..., floor(b).
"""

from itertools import combinations, product
from math import comb

import numpy as np

from dpaudit.claims.writing import *

HERE = "resque/LEM-6"


N, M, B = integer("n", "[2, oo)", "records"), integer("m", "[1, oo)", "draws"), integer("b", "[1, oo)", "most ones")
A, REST = integer("a", "[1, oo)", "ones in I'"), integer("k", "[0, oo)", "m - a")
SIZE = "sum(c, 1, b, binomial(a + k, c)*(n - 1)**(a + k - c))"
SHARE = "sum(a, 1, b, binomial(m, a)*(n - 1)**(m - a)/Z)"
WHOLE = "sum(c, 1, b, binomial(m, c)*(n - 1)**(m - c))"
WEIGHT = f"(binomial(a + k, a)*(n - 1)**k/{SIZE})"
SMALL = ((2, 1), (2, 4), (3, 3), (4, 2), (5, 3), (3, 5))


def pairs(stream, cases):
    """For every I' with ones, n^m small: how many pairs (I, set) give it, against (n-1)^a."""
    counted, formula = [], []
    for n, m in SMALL:
        made: dict[tuple[int, ...], int] = {}
        for first in product(range(1, n), repeat=m):
            for a in range(1, m + 1):
                for places in combinations(range(m), a):
                    image = tuple(0 if i in places else z for i, z in enumerate(first))
                    made[image] = made.get(image, 0) + 1
        assert len(made) == n**m - (n - 1) ** m
        counted += made.values()
        formula += [(n - 1) ** image.count(0) for image in made]
    return np.array(counted), np.array(formula)


def distances(stream, cases):
    """Hamming distance of every pair (I, I') of the coupling with b = 2, against b."""
    found = [
        sum(x != y for x, y in zip(first, (0 if i in places else z for i, z in enumerate(first)), strict=True))
        for n, m in SMALL
        for first in product(range(1, n), repeat=m)
        for a in range(1, min(m, 2) + 1)
        for places in combinations(range(m), a)
    ]
    return np.array(found), np.full(len(found), 2)


def sizes(stream, cases):
    """The number of vectors with 1 to b ones, counted one by one, against the sum of C(m, a) (n-1)^(m-a)."""
    counted, formula = [], []
    for n, m in SMALL:
        ones = np.array([vector.count(0) for vector in product(range(n), repeat=m)])
        for b in range(1, m + 2):
            counted.append(int(((ones >= 1) & (ones <= b)).sum()))
            formula.append(sum(comb(m, a) * (n - 1) ** (m - a) for a in range(1, min(b, m) + 1)))
    return np.array(counted), np.array(formula)


CLAIM = Claim(
    id=HERE,
    title="coupling of index vectors with and without the differing index",
    words=(
        "For all m, n, b there is a coupling of the uniform laws on the vectors of [n]^m without ones and with 1 to b "
        "ones, at Hamming distance at most b. In part: under the printed coupling a vector I' with a ones, m = a + k, "
        "has the probability 1/|S_1|; I is uniform by construction, and the distance is the a <= b of the construction "
        "(s2, counted in small cases)."
    ),
    place="Lemma 6",
    kind=ClaimKind.REDUCTION,
    statement=Statement(f"(n - 1)**a/(n - 1)**(a + k)*{WEIGHT}/binomial(a + k, a) == 1/{SIZE}", (N, A, REST, B)),
    rests_on=ids(HERE, "s1 s3 s3-size"),
    argument=(Identical(),),
    steps=(
        step(
            "s1",
            "p_a = C(m, a) (n-1)^(m-a)/Z, with Z the sum of these over 1, ..., b, is a probability distribution: "
            "the p_a add up to 1",
            f"{SHARE} == 1",
            (N, M, B, positive("Z", "the sum")),
            (f"Z == {WHOLE}",),
            argument=(
                Rewrite(left=f"{WHOLE}/Z", by=f"{HERE}/common-factor"),
                Combine(terms=(("-1/Z", f"Z == {WHOLE}"),)),
            ),
            candidates=(point("n=3 m=2 b=2 Z=5"), point("n=3 m=2 b=2 Z=7")),
            mutants=(Mutant("any-Z", "Z any number", conditions=()),),
        ),
        step(
            "common-factor",
            "1/Z comes out of the sum",
            f"{SHARE} == {WHOLE}/Z",
            (N, M, B, positive("Z")),
            argument=(Induct("b", base=(Identical(),), step=(Identical(),)),),
        ),
        Step(
            "s2",
            "the coupling satisfies the requirement: I' differs from I at the a <= b chosen positions and nowhere "
            "else. In part: the distance of every pair (I, I') is counted for six small (n, m), b = 2; a "
            "statement for all needs index vectors of symbolic length",
            None,
            kind=ClaimKind.REDUCTION,
            empirical=(Count("distances", relation="<=", near_miss=0.9),),
            expects=Outcome.CONSISTENT,
        ),
        step(
            "s3",
            "(n-1)^a/(n-1)^m p_a/C(m, a) = 1/(sum of C(m, a) (n-1)^(m-a)); that I' arises from (n-1)^a pairs (I, "
            "set) is counted for six small (n, m)",
            f"(n - 1)**a/(n - 1)**(a + k)*{WEIGHT}/binomial(a + k, a) == 1/{SIZE}",
            (N, A, REST, B),
            empirical=(Count("pairs"),),
        ),
        step(
            "s3-size",
            "the sum is |S_1|: with the vectors without ones and b = m it makes up all n^m. In part: for b = m; "
            "other b are counted in small cases",
            "n**m == sum(a, 0, m, binomial(m, a)*(n - 1)**(m - a))",
            (N, M),
            argument=(ByTheorem("binomial-theorem", because="n = (n - 1) - (-1)"),),
            empirical=(Count("sizes"),),
            mutants=(
                Mutant("range", "a from 1", "n**m == sum(a, 1, m, binomial(m, a)*(n - 1)**(m - a))"),
                Mutant("power", "(n - 1)^m", "n**m == sum(a, 0, m, binomial(m, a)*(n - 1)**m)"),
            ),
        ),
    ),
)
