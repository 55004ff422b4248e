"""Proposition 1: acceleration by ball optimisation oracles, quoted from [ACJ+21] with larger tolerances.

The heart, the potential decrease quoted as Lemma 5 of [ACJ+21] (s3), is right with its printed constants: it is a
nonnegative combination of convexity at the proximal point, the two oracle guarantees, Jensen's inequality and the
triangle inequality. It reads E|g~ - g|^2 <= sigma^2 about the exact gradient g = lambda (y - xhat) (not about the
mean of g~) and bias |E g~ - g| <= delta; it needs the point v and the comparison point xstar in B(R).

The printed range of lambda is wrong. L/eps_opt has the unit of 1/length, lambda that of objective/length^2; and with
L = R = 1 the range [lamstar/C, C L/eps] is empty as soon as K log(kappa) > C kappa: at the parameters of Theorems 1
and 2 for every d >= kappa with log(kappa) > C, that is in the whole regime for which they are written. What the
search needs is max(lamstar, 2L/r). The printed log(kappa) is 0 at kappa = 1, where it allows no iteration although
eps < LR may be asked for, and phi = lambda r^2/(C log^3 kappa) has no value; max(1, log kappa) mends both.
`PROP-1~repaired` (beside this file) carries the whole argument with explicit constants: 24 K max(1, log kappa)
iterations on average.

Spec and paper agree here. r = 0, which the paper allows, gives no K: the range is read as (0, R].
"""

import numpy as np

from dpaudit.algorithms.resque import ball_acceleration
from dpaudit.algorithms.resque.ball_acceleration import Objective, Shape
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials

from .range import ADMISSIBLE, EMPTY, LAMSTAR, PROBLEM, RANGE_STEPS
from .search import SEARCH_STEPS
from .steps import POTENTIAL_STEPS

RANGE = (
    "The upper end C_ba L/eps_opt of the range of lambda is wrong. It has the unit of 1/length instead of "
    "objective/length^2, and with L = R = 1 the range is empty when K log(kappa) > C_ba kappa (lamstar/C_ba lies above "
    "it), which happens whatever C_ba is (range-every): for r = eps/(sqrt(d) L), as in Theorems 1 and 2, for all d >= "
    "kappa once log(kappa) > C_ba (empty-parallel). L/r was meant, it seems. The theorems use the lower end only and "
    "survive; max(lamstar, 2L/r) is what is needed. The number of iterations, the error and the oracles' errors are "
    "right up to constants (PROP-1~repaired), but for kappa near 1 (budget)."
)


def printed_range(stream, trials):
    """The largest lambda of runs on F(x) = |x - c|, |c| = 1, over the printed 6 L/eps, for R/r = 1000 and kappa = 3."""
    centres = stream.part("centres").normals(np.arange(trials), 0, 4)
    centres /= np.linalg.norm(centres, axis=1)[:, None]
    params = ball_acceleration.Params(1.0, 1e-3, 1.0, 1 / 3, acceleration_constant=6.0)
    objective = Objective(Shape.NORM, centres)
    found = ball_acceleration.runs(ball_acceleration.cpu(params, objective, Trials(stream, np.arange(trials))))
    return found.highest / (6 * params.lipschitz / params.accuracy)


CLAIM = Claim(
    id="resque/PROP-1",
    title="ball acceleration: the range of lambda is not empty",
    words="There is a universal constant C_ba so that for r <= R and eps <= LR all oracle calls have lambda in "
    "[lamstar/C_ba, C_ba L/eps]; here: there is such a lambda. (The number of iterations and the final error are "
    "PROP-1~repaired, the oracle parameters the steps.)",
    place="Proposition 1; Appendix B",
    kind=ClaimKind.NON_VACUITY,
    printed=r"\lambda \in \left[\frac{\lambda_\star}{C_{ba}}, \frac{C_{ba} L}{\epsilon_{opt}}\right]",
    statement=Statement(f"{LAMSTAR}/C <= C*L/eps", (constant("C"), *PROBLEM), ADMISSIBLE),
    argument=(
        ForEvery(
            where("L=1 R=1 r=1/(27*(C+1)**3) eps=1/3"),
            EMPTY,
            because="K = 9 (C + 1)^2, so that lamstar/C is above 27 (C + 1)^4/C, and C L/eps is 3 C",
        ),
    ),
    empirical=(Search("printed_range", near_miss=0.5, trials=10),),
    expects=Outcome.REFUTED,
    finding=RANGE,
    repair="resque/PROP-1~repaired",
    steps=(*RANGE_STEPS, *POTENTIAL_STEPS, *SEARCH_STEPS),
)
