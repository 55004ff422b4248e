"""Lemma 6: index vectors without the index 1 and with 1 to b of them, coupled at Hamming distance at most b.

The coupling draws I without ones and a from p, and writes ones at a random set of a positions. I' with a ones arises
from (n-1)^a pairs (I, set): the set is where I' has its ones, and I is free there. So its probability is
(n-1)^a/(n-1)^m p_a/C(m, a), which does not depend on a. All of this holds for all m, n, b at once; small cases are
enumerated as well.

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
        "ones, at Hamming distance at most b. Checked: under the printed coupling a vector I' with a ones, m = a + k, "
        "has the probability 1/|S_1|; I is uniform by construction, and the distance is a <= b (s2)."
    ),
    place="Lemma 6",
    kind=ClaimKind.REDUCTION,
    statement=Statement(f"(n - 1)**a/(n - 1)**(a + k)*{WEIGHT}/binomial(a + k, a) == 1/{SIZE}", (N, A, REST, B)),
    rests_on=ids(HERE, "s1 s2 s3 s3-size pairs"),
    argument=(Identical(),),
    steps=(
        step(
            "s1",
            "p_a = C(m, a) (n-1)^(m-a)/Z, with Z the sum of these, is a probability distribution on 1, ..., b",
            "sum(a, 1, b, binomial(m, a)*(n - 1)**(m - a)/Z) == sum(c, 1, b, binomial(m, c)*(n - 1)**(m - c))/Z",
            (N, M, B, positive("Z", "the sum, so that the right side is 1")),
            argument=(Induct("b", base=(Identical(),), step=(Identical(),)),),
        ),
        step(
            "s2",
            "I' differs from I at the a chosen positions and nowhere else, as I has no ones: a * 1 + (m - a) * 0 <= b",
            "a*1 + k*0 <= b",
            (A, REST, B),
            ("a <= b",),
            argument=(Combine(terms=(("1", "a <= b"),)),),
            empirical=(Count("distances", relation="<=", near_miss=0.9),),
            mutants=(mutant("one-less", "b - 1", "a*1 + k*0 <= b - 1", "a=1 k=0 b=1"),),
        ),
        step(
            "s3",
            "(n-1)^a/(n-1)^m p_a/C(m, a) = 1/(sum of C(m, a) (n-1)^(m-a))",
            f"(n - 1)**a/(n - 1)**(a + k)*{WEIGHT}/binomial(a + k, a) == 1/{SIZE}",
            (N, A, REST, B),
            rests_on=(f"{HERE}/pairs",),
        ),
        step(
            "s3-size",
            "the sum is |S_1|: with the vectors without ones and b = m it makes up all n^m",
            "n**m == sum(a, 0, m, binomial(m, a)*(n - 1)**(m - a))",
            (N, M),
            argument=(ByTheorem("binomial-theorem", because="n = (n - 1) - (-1)"),),
            empirical=(Count("sizes"),),
            mutants=(
                Mutant("range", "a from 1", "n**m == sum(a, 1, m, binomial(m, a)*(n - 1)**(m - a))"),
                Mutant("power", "(n - 1)^m", "n**m == sum(a, 0, m, binomial(m, a)*(n - 1)**m)"),
            ),
        ),
        step(
            "pairs",
            "I' arises from (n-1)^a pairs (I, set), by induction over a: one more position where I' has its 1 and I "
            "any of the other n - 1 indices",
            "(n - 1)*(n - 1)**a == (n - 1)**(a + 1)",
            (N, integer("a", "[0, oo)")),
            kind=ClaimKind.INDUCTION,
            empirical=(Count("pairs"),),
        ),
    ),
)
