"""Lemma 2, second bound: the p-th moment of the difference of two density ratios.

The printed proof interpolates between even orders q and q + 2 and uses the even-order
bound at q + 2, which asks for points within rho/(q + 2); only rho/p is given. The step
does not follow. The lemma holds all the same for every real p >= 2, by a route that needs no
interpolation. Differentiate along the segment (r1, r2): the slope at u is
w(u) <y - v, xi - u>/rho^2. With X = <y - v, xi - u>/(n rho), n = |y - v|, and lambda = 1.3,

    |X|^p <= (p/lambda)^p e^(-p) (e^(lambda X) + e^(-lambda X))                               (r3)

and the mean of w^p e^(+-lambda X) is a Gaussian integral, which the engine evaluates (r4). The
result (r5) is 0.77 in place of the printed 24; the best constant is at least 0.633 (p = 2).
"""

import numpy as np

from dpaudit.algorithms.resque import resque_estimate
from dpaudit.claims.writing import *

from .ours import OUR_STEPS
from .printed import PRINTED_STEPS
from .symbols import *


def squared_difference(stream, trials):
    """(w - w')^2 at p = 2, rho = 1, d = 2, v = -y = (1/2, 0): mean 2 e^(1/4) - 2 e^(-1/4) = 1.0105."""
    xi = stream.normals(np.arange(trials), 0, 2)
    ones = np.ones((trials, 1))
    first = resque_estimate.batched(np.array([0.5, 0.0]), np.zeros(2), 1.0, xi, ones)
    second = resque_estimate.batched(np.array([-0.5, 0.0]), np.zeros(2), 1.0, xi, ones)
    return ((first - second) ** 2)[:, 0]


# Var <= E (w - w')^4 <= 8 (E w^4 + E w'^4) = 16 exp(3/2) (LEM-2.1/s1 at p = 4); the claim allows (24*2*1)^2.
DIFFERENCE = Sampling("squared_difference", "<=", 48.0**2, 16 * float(np.exp(1.5)), 0.8, trials=1_000_000)

CLAIM = Claim(
    id="resque/LEM-2.2",
    title="p-th moment of the difference of two density ratios",
    words="For real p >= 2 and x, x' within rho/p of xbar: E|w(x, xi) - w(x', xi)|^p <= (24 p |x - x'|/rho)^p.",
    place="Lemma 2, second display; proof in Appendix A",
    kind=ClaimKind.MOMENT,
    statement=Statement(f"{MOMENT} <= (24*p*norm(v - y)/rho)**p", SYMBOLS, IN_BALL),
    rests_on=GROUNDS,
    argument=bounded_by("24"),
    empirical=(DIFFERENCE,),
    tightness=(
        Tightness(
            "difference",
            printed="24",
            form=f"{MOMENT} <= ({{c}}*p*norm(v - y)/rho)**p",
            proved="0.77",
            refuted="0.63",
            argument=bounded_by("0.77"),
            candidates=CLOSE,
        ),
    ),
    mutants=(
        Mutant(
            "no-radius",
            "the radius condition dropped",
            conditions=(),
            candidates=(point("p=2 rho=1 v=(4,) y=(0,)"),),
            own_sentence=True,
        ),
        Mutant(
            "lost-power",
            "power 1 on the right",
            f"{MOMENT} <= 24*p*norm(v - y)/rho",
            conditions=(),
            candidates=(point("p=2 rho=1 v=(3,) y=(0,)"),),
            own_sentence=True,
        ),
    ),
    steps=(*PRINTED_STEPS, *OUR_STEPS),
)
