"""Lemma 4.1 (Lei et al. 2017): the mean over a uniform random subset of vectors that add up to 0.

The lemma holds, and the exact value (s1, for n >= 2) shows what it gives away: the factor (n - m)/(n - 1), which is 1
for m = 1. The proof is an induction over n: the subsets of size m of n + 1 vectors are those without the last one, and
those with it, which are subsets of size m - 1 of the others. With Q = sum |a_i|^2 and s = sum a_i the sum of
|sum over B of a_i|^2 over all B of size m is C(n, m) (m (n - m) Q + m (m - 1) |s|^2)/(n (n - 1)); that is `sizes` here,
at n = 2 by inspection (m = 1: Q; m = 2: |s|^2), for m = 0 and m = n at every n by inspection. For n = 1 the one vector
is 0, and so are both sides.
"""

import itertools
import math

import numpy as np

from dpaudit.claims.writing import *

N, M = integer("n", "[2, oo)", "number of vectors"), integer("m", "[1, oo)", "size of B")
Q = real("Q", "[0, oo)", "sum of |a_i|^2")
S, A = vector("s", "sum of the first n vectors"), vector("a", "a_(n+1)")
FIRST, SECOND, THIRD = vector("a_1"), vector("a_2"), vector("a_3")
HERE = "srm/LEM-4.1"


def _squares_over_subsets(vectors, size):
    """The sum over all subsets of this size of |sum of the vectors in it|^2; vectors: (n, d)."""
    chosen = np.array(list(itertools.combinations(range(len(vectors)), size)))
    return (vectors[chosen].sum(axis=1) ** 2).sum()


def _centred(rng, n):
    """n whole-numbered vectors of R^3 that add up to 0, not all 0."""
    made = rng.integers(-9, 10, size=(n, 3))
    made[0, 0] += 40
    return np.vstack([made[:-1], -made[:-1].sum(axis=0)])


def all_subsets(stream, cases):
    """Over all subsets, in whole numbers: n (n - 1) times the sum of squares, and C(n, m) m (n - m) sum |a_i|^2."""
    rng, counted, formula = np.random.default_rng(stream.seeds(np.array([0]))), [], []
    for case in range(cases):
        n = 2 + case % 9
        m = int(rng.integers(1, n + 1))
        vectors = _centred(rng, n)
        counted.append(n * (n - 1) * _squares_over_subsets(vectors, m))
        formula.append(math.comb(n, m) * m * (n - m) * (vectors**2).sum())
    return np.array(counted, dtype=np.int64), np.array(formula, dtype=np.int64)


def over_the_bound(stream, trials):
    """The mean over all subsets, n <= 10, by the bound of the lemma, m < n; m = 1 attains it."""
    rng, ratios = np.random.default_rng(stream.seeds(np.array([0]))), []
    for trial in range(trials):
        n = 2 + trial % 9
        m = int(rng.integers(1, n))
        vectors = rng.normal(size=(n, 3))
        vectors -= vectors.mean(axis=0)
        mean = _squares_over_subsets(vectors, m) / math.comb(n, m) / m**2
        ratios.append(mean * m * n / (vectors**2).sum())
    return np.array(ratios)


CLAIM = Claim(
    id=HERE,
    title="mean over a random subset",
    words=(
        "For a_1 + ... + a_n = 0 and B a uniform random subset of {1, ..., n} of size m: E|(1/m) sum over B of a_i|^2 "
        "is at most 1{m < n}/(m n) times Q = sum |a_i|^2. Left stands the mean itself, as s1 gives it; 1{m < n} is "
        "min(1, n - m). For n = 1 both sides are 0."
    ),
    place="Lemma 4.1",
    printed=r"\mathbb{E}\left\|\frac{1}{m}\sum_{i\in\mathcal{B}}\mathbf{a}_i\right\|_2^2 \leq "
    r"\frac{\mathbb{1}\{|\mathcal{B}| < n\}}{mn}\sum_{i=1}^n \|\mathbf{a}_i\|_2^2",
    kind=ClaimKind.MOMENT,
    statement=Statement("(n - m)/((n - 1)*m*n)*Q <= min(1, n - m)/(m*n)*Q", (N, M, Q), ("m <= n",)),
    rests_on=(f"{HERE}/s1",),
    argument=(
        Cases(
            (
                ("m <= n - 1", (Combine(terms=(("Q/(m*n*(n - 1))", "1 <= m"),)),)),
                ("otherwise", (Solve(),)),
            )
        ),
    ),
    empirical=(Search("over_the_bound", near_miss=0.99, trials=900),),
    mutants=(
        mutant("constant", "99/100 of it", "(n - m)/((n - 1)*m*n)*Q <= 99/100*min(1, n - m)/(m*n)*Q", "n=2 m=1 Q=1"),
        mutant("square", "1/m^2", "(n - m)/((n - 1)*m*n)*Q <= min(1, n - m)/(m**2*n)*Q", "n=9 m=2 Q=1"),
    ),
    tightness=(
        Tightness(
            "factor",
            "1",
            "(n - m)/((n - 1)*m*n)*Q <= {c}*min(1, n - m)/(m*n)*Q",
            "1",
            "99/100",
            candidates=(point("n=2 m=1 Q=1"),),
        ),
    ),
    steps=(
        step(
            "sums",
            "the sum over all subsets B of size m of sum over B of a_i is C(n, m) (m/n) s: induction over n, B without "
            "and with the last vector",
            "dot(binomial(n, m)*m/n*s + (binomial(n, m - 1)*(m - 1)/n*s + binomial(n, m - 1)*a), w)"
            " == dot(binomial(n + 1, m)*m/(n + 1)*(s + a), w)",
            (N, M, S, A, vector("w", "any vector")),
            ("m <= n",),
            kind=ClaimKind.INDUCTION,
        ),
        step(
            "sizes",
            "the sum over all B of size m of |sum over B of a_i|^2 is C(n, m) (m (n - m) Q + m (m - 1) |s|^2)/(n (n - "
            "1)): induction over n; with the last vector a it is |r + a|^2 = |r|^2 + 2 <r, a> + |a|^2, r over m - 1",
            "binomial(n, m)*(m*(n - m)*Q + m*(m - 1)*dot(s, s))/(n*(n - 1))"
            " + binomial(n, m - 1)*((m - 1)*(n - m + 1)*Q + (m - 1)*(m - 2)*dot(s, s))/(n*(n - 1))"
            " + 2*dot(binomial(n, m - 1)*(m - 1)/n*s, a) + binomial(n, m - 1)*dot(a, a)"
            " == binomial(n + 1, m)*(m*(n + 1 - m)*(Q + dot(a, a)) + m*(m - 1)*dot(s + a, s + a))/((n + 1)*n)",
            (N, M, Q, S, A),
            ("m <= n",),
            kind=ClaimKind.INDUCTION,
            rests_on=(f"{HERE}/sums",),
        ),
        step(
            "s1",
            "the exact value for s = 0: the mean is ((n - m)/(n - 1)) Q/(m n)",
            "binomial(n, m)*(m*(n - m)*Q)/(n*(n - 1))/(m**2*binomial(n, m)) == (n - m)/((n - 1)*m*n)*Q",
            (N, M, Q),
            ("m <= n",),
            kind=ClaimKind.MOMENT,
            reads=Reads.OURS,
            rests_on=(f"{HERE}/sizes",),
            empirical=(Count("all_subsets", cases=180),),
        ),
        step(
            "four",
            "n = 4 and m = 2 written out, in every dimension: the mean over the six pairs is Q/12, the lemma has Q/8",
            "(norm((a_1 + a_2)/2)**2 + norm((a_1 + a_3)/2)**2 + norm((a_1 - (a_1 + a_2 + a_3))/2)**2"
            " + norm((a_2 + a_3)/2)**2 + norm((a_2 - (a_1 + a_2 + a_3))/2)**2"
            " + norm((a_3 - (a_1 + a_2 + a_3))/2)**2)/6"
            " == (norm(a_1)**2 + norm(a_2)**2 + norm(a_3)**2 + norm(a_1 + a_2 + a_3)**2)/12",
            (FIRST, SECOND, THIRD),
            kind=ClaimKind.MOMENT,
        ),
        step(
            "with-replacement",
            "for m draws with replacement the mean is Q/(m n) + (1 - 1/m)|s/n|^2: the lemma with 1 for its factor, "
            "also for m = n. Of the m^2 products the m of one draw with itself have mean Q/n, the others |s/n|^2",
            "(m*(Q/n) + m*(m - 1)*norm(s/n)**2)/m**2 == Q/(m*n) + (1 - 1/m)*norm(s/n)**2",
            (N, M, Q, S),
            kind=ClaimKind.MOMENT,
        ),
    ),
)
