"""Proposition 6: Algorithm 3 uses at most T gradients, returns a point of the ball, with the utility of Lemma 4 and the
privacy of Lemma 7.

The point that is returned is x_k = ybar_k + zeta_k, an average of points of the ball plus Gaussian noise: for T >= 2 it
leaves the ball with positive probability for every choice of the parameters, and in three of ten runs with a linear
loss (minimiser on the boundary), but not far: E|zeta_k| <= r/That^2. The printed utility holds for r <= rho only
(Lemma 4). Corollary 2 repeats the claim for Algorithm 4, and Algorithm 5 uses it: its iterates are starts of
Algorithm 4, which asks for points of the ball.

The repair is to project x_k onto the ball. This is post-processing, and it does not harm the bound of Lemma 4, since
|Pi(x_k) - ybar_k| <= |zeta_k|. The number of gradients is That - 1, with That the largest power of two up to T.
"""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

HERE = "resque/PROP-6"


RADIUS = positive("r", "radius of the ball")
AVERAGE, NOISE = vector("y", "ybar_k - xbar"), vector("z", "zeta_k")
FAMILIES = (
    ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.LINEAR, (0.6, 0.8))]),
    ridge_losses([(Ridge.ABSOLUTE, (1.0, 0.0), 0.5), (Ridge.HINGE, (0.0, 1.0)), (Ridge.LINEAR, (0.6, -0.8))]),
)


def lengths(stream, trials, output):
    """|x - xbar|/r of the output, for linear losses (the minimiser on the boundary) and for a mixture with kinks."""
    found = []
    for losses in FAMILIES:
        params = sub_erm.Params(
            centre=(0.3, -0.2), radius=2.0, smoothing=40.0, privacy=3.0, steps=1024, project_output=output
        )
        final = sub_erm.cpu(params, losses, Trials(stream, np.arange(trials))).final
        found.append(np.sqrt(((final - np.array(params.centre)) ** 2).sum(axis=1)) / params.radius)
    return np.concatenate(found)


def printed_output(stream, trials):
    return lengths(stream, trials, "printed")


def projected_output(stream, trials):
    return lengths(stream, trials, "projected")


def gradients(stream, cases):
    """Gradients counted by the algorithm for T = 1, ..., cases, against T."""
    counted = [
        sub_erm.cpu(
            sub_erm.Params(centre=(0.0, 0.0), radius=1.0, smoothing=9.0, privacy=1.0, steps=steps),
            FAMILIES[0],
            Trials(stream, np.arange(1)),
        ).queries[0]
        for steps in range(1, cases + 1)
    ]
    return np.array(counted, dtype=np.int64), np.arange(1, cases + 1)


OUTSIDE = (
    "The output is x_k = ybar_k + zeta_k, with Gaussian noise that is added after the projection: for T >= 2 it need "
    "not lie in the ball, for any r, beta, d, though E|zeta_k| <= r/That^2 is small. Corollary 2 repeats the claim, "
    "and Algorithm 5 uses it, with such points as starts in the ball. Projecting x_k (post-processing) repairs it at "
    "no cost in utility or privacy, so that this point alone does not touch Theorems 3 and 4."
)

COUNTING = step(
    "gradients",
    "at most T gradients: the phases, from the last to the first, use 1 + 2 + ... + That/2 = That - 1, That = 2^k <= T",
    "sum(j, 0, k - 1, 2**j) == 2**k - 1",
    (integer("k", "[1, oo)", "phases"),),
    kind=ClaimKind.COST,
    argument=(Induct("k", base=(Identical(),), step=(Identical(),)),),
    empirical=(Count("gradients", relation="<=", near_miss=0.95, cases=70),),
)

PRINTED = Claim(
    id=HERE,
    title="the ball solver: gradients, membership, utility, privacy",
    words=(
        "Algorithm 3 uses at most T gradients and returns x in the ball of radius r around xbar, with the utility of "
        "Lemma 4 and the privacy of Lemma 7. Encoded: x = ybar_k + zeta_k lies in the ball."
    ),
    place="Proposition 6",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement("norm(y + z) <= r", (RADIUS, AVERAGE, NOISE), ("norm(y) <= r",)),
    empirical=(Search("printed_output", near_miss=0.5, trials=500),),
    expects=Outcome.REFUTED,
    candidates=(point("r=1 y=(1,) z=(1/100,)"),),
    finding=OUTSIDE,
    repair=f"{HERE}~repaired",
    steps=(COUNTING,),
)

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="the ball solver with a projected output",
    words=(
        "If r <= rho and x_k is projected onto the ball, Algorithm 3 uses at most T gradients and returns a point of "
        "the ball, with the utility of Lemma 4 and the privacy of Lemma 7. Encoded: |x| min(1, r/|x|) is at most r."
    ),
    place="Proposition 6",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement("a*min(1, r/a) <= r", (RADIUS, positive("a", "|x_k - xbar|"))),
    rests_on=(
        "resque/LEM-4~repaired",
        "resque/LEM-7",
        "post-processing",
        f"{HERE}/gradients",
        f"{HERE}~repaired/utility",
    ),
    argument=(Combine(terms=(("a", "min(1, r/a) <= r/a"),)),),
    empirical=(Search("projected_output", near_miss=0.99, trials=500),),
    mutants=(mutant("no-projection", "without the projection", "a <= r", "r=1 a=2"),),
    steps=(
        step(
            "utility",
            "the step from ybar_k to the output costs no more than before: L|Pi(x_k) - ybar_k| <= L|zeta_k|, x the "
            "projection of y + z and its variational inequality at ybar_k given",
            "dot(x - y, x - y) <= dot(z, z)",
            (AVERAGE, NOISE, vector("x", "Pi(x_k) - xbar")),
            ("dot(y + z - x, y - x) <= 0",),
            rests_on=("projection-onto-a-convex-set",),
            argument=(Combine(terms=(("2", "dot(y + z - x, y - x) <= 0"), ("1", "0 <= dot(y + z - x, y + z - x)"))),),
            mutants=(
                mutant("contraction", "strictly closer", "dot(x - y, x - y) <= 0.95*dot(z, z)", "y=(0,) z=(1,) x=(1,)"),
            ),
        ),
    ),
)

CLAIMS = (PRINTED, REPAIRED)
