"""Lemma 11: aggregation of points of which a majority is close to an unknown point y.

Aggregate returns a point with at least 0.51 k of the k points within 2 Delta/3 (ALG-10). Three facts make the
lemma: good points see each other (r2), so such a point exists; two sets of more than half the points share one
(r1); the triangle inequality through the shared point is the statement. Any share above 1/2 would do in
place of 0.51, and the distance Delta can be attained. As printed in the paper `some unknown y` is quantified
before the points, as it should be: one y for all of them.
"""

import numpy as np

from dpaudit.algorithms.resque import aggregate
from dpaudit.claims.writing import *

DELTA = real("Delta", "[0, oo)", "input of Aggregate")
X, Y, Z, W = vector("x", "a point"), vector("y", "the unknown point"), vector("z", "the output"), vector("w", "a point")
K = integer("k", "[1, oo)", "number of points")
A = integer("a", "[0, oo)", "points within Delta/3 of y")
B = integer("b", "[0, oo)", "points within 2 Delta/3 of z")
BOTH = integer("i", "(-oo, oo)", "points of both sorts")
IN_LINE = (point("Delta=3 z=(3,) x=(1,) y=(0,)"),)


def distances(stream, trials):
    """|z - y|/Delta of the shipped Aggregate for y = 0, Delta = 3, k = 25 points in the plane: 13 good ones, some at
    distance 1 in the direction of the bad ones, and 12 bad ones near distance 3, shuffled by a random rotation."""
    points, numbers = 25, np.arange(trials)
    draws = stream.uniforms(numbers, 0, 3 * points + 1)
    radius, angle, place = (draws[:, i * points : (i + 1) * points] for i in range(3))
    good = np.arange(points) >= 12
    length = np.where(good, np.minimum(1.0, 1.2 * radius), 3.0 - 0.3 * np.maximum(radius - 0.5, 0.0))
    turn = np.where(angle < 0.7, 0.0, place * np.where(good, 2 * np.pi, 0.3)) + 2 * np.pi * draws[:, -1:]
    found, _ = aggregate.cpu(
        aggregate.Params(points, 2, 3.0), length[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    )
    return np.sqrt((found**2).sum(axis=1)) / 3.0


CLAIM = Claim(
    id="resque/LEM-11",
    title="Aggregate returns a point near the one that most points are near to",
    words=(
        "If at least 0.51 k of k points are within Delta/3 of some y, Aggregate returns z with |z - y| <= Delta: "
        "through a point x within 2 Delta/3 of z (as z has 0.51 k such points) and within Delta/3 of y. The run time "
        "O(d k^2) is not checked."
    ),
    place="Lemma 11 (Claim 1 of Kelner et al. 2022), Algorithm 7",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        "norm(z - y) <= Delta", (DELTA, X, Y, Z), ("norm(z - x) <= 2*Delta/3", "norm(x - y) <= Delta/3")
    ),
    rests_on=("resque/LEM-11/r1", "resque/LEM-11/r2"),
    argument=(
        Combine(
            terms=(
                ("1", "norm(z - y) <= norm(z - x) + norm(x - y)"),
                ("1", "norm(z - x) <= 2*Delta/3"),
                ("1", "norm(x - y) <= Delta/3"),
            )
        ),
    ),
    mutants=(
        Mutant(
            "radius",
            "points within Delta of z counted",
            conditions=("norm(z - x) <= Delta", "norm(x - y) <= Delta/3"),
            candidates=(point("Delta=3 z=(4,) x=(1,) y=(0,)"),),
        ),
    ),
    empirical=(Search("distances", near_miss=0.95, trials=2_000),),
    tightness=(Tightness("distance", "1", "norm(z - y) <= {c}*Delta", "1", "0.99", candidates=IN_LINE),),
    steps=(
        step(
            "r1",
            "pigeonhole: two sets of at least 0.51 k of k points have a point in common",
            "1/50*k <= i",
            (K, A, B, BOTH),
            ("51/100*k <= a", "51/100*k <= b", "a + b - i <= k"),
            argument=(Combine(terms=(("1", "51/100*k <= a"), ("1", "51/100*k <= b"), ("1", "a + b - i <= k"))),),
            mutants=(
                Mutant(
                    "share",
                    "a share of 0.5",
                    "1/50*k <= i",
                    ("1/2*k <= a", "1/2*k <= b", "a + b - i <= k"),
                    candidates=(point("k=2 a=1 b=1 i=0"),),
                    own_sentence=True,
                ),
            ),
        ),
        step(
            "r2",
            "two points within Delta/3 of y are within 2 Delta/3 of each other: each good point has 0.51 k near it "
            "(the 2/3 is of the algorithm as filled in, the paper lists none)",
            "norm(x - w) <= 2*Delta/3",
            (DELTA, X, Y, W),
            ("norm(x - y) <= Delta/3", "norm(w - y) <= Delta/3"),
            argument=(
                Combine(
                    terms=(
                        ("1", "norm(x - w) <= norm(x - y) + norm(w - y)"),
                        ("1", "norm(x - y) <= Delta/3"),
                        ("1", "norm(w - y) <= Delta/3"),
                    )
                ),
            ),
            mutants=(mutant("factor", "4 in place of 3", "norm(x - w) <= 2*Delta/4", "Delta=3 x=(1,) y=(0,) w=(-1,)"),),
        ),
    ),
)
