r"""Appendix A.10.1: the trade-off of privacy and utility.

Its two halves cannot be put together: the step size K/M of the utility bound asks for K <= d/(4 (2 + r)), and Corollary
3.3, whose losses are m-strongly convex, asks for K of at least (20/3) ((1 + c^2)/(1 - c^2))^2 log(4/delta). As the
Hessian is at least m I and at most H, r is at least d m/M, so that K is less than M/(4 m): no parameters meet both, for
no step size (`any-step`). With what orthonormal directions give, 4 (K + 1 + r) <= d, they can be met (`conditions`),
for r of order sqrt(d) at least (`rank`), so that the rate never beats that of DPZero (`s5-met`). Beside it, the printed
noise is too small for the printed privacy bound (s1), and the printed clipping threshold lacks a factor sqrt(8) L (s2).
With plain composition over the K T directions in the place of Corollary 3.3 the same utility bound gives a rate in
sqrt(r) (`composed`).
"""

from dpaudit.claims.writing import *

from .composed import COMPOSED
from .lower_limit import FACTOR, LOG, LONG_LOG, MANY, MANY_DIRECTIONS
from .rank import RANKS
from .steps_clipping import CLIPPING
from .steps_noise import NOISE
from .steps_rates import RATES
from .symbols import *

FEW_DIRECTIONS = Have(
    "4*x*K <= 1",
    (Combine((("x/(2 + r)", "4*(2 + r)*K <= d"), ("1/(2 + r)", "d*x <= r"), ("2/(2 + r)", "0 <= 1"))),),
)
CLAIM = Claim(
    id=HERE,
    title="no parameters meet the conditions of the utility bound and of the closed-form privacy bound together",
    words=(
        "With sigma^2 from the privacy bound, eta = K/M, K = Theta(log(d/delta)), T = Theta(d), the mean of |grad "
        "lbar|^2 is O(r sqrt(log d)). Encoded: that its conditions can be met. They are K <= d/(4 (2 + r)) of (100), "
        "the lower limit of Corollary 3.3 on K, with N = ceil(M R n sqrt(2d)/Delta) at least 1, and d m/M <= r: by m I "
        "<= Hess <= H the trace of H is at least d m, and it is at most r M. x stands for m/M, so that c = 1 - x."
    ),
    place="Appendix A.10.1",
    printed=r"O\left(\frac{rR\log(2/\delta)}{n\varepsilon^2}\sqrt{\log(nd)}\right)=O(r\sqrt{\log(d)})",
    kind=ClaimKind.NON_VACUITY,
    reads=Reads.GAP,
    statement=Statement(
        f"{FACTOR}*{LOG} <= K",
        (RANK, DIMENSION, DIRECTIONS, CONTRAST, FAILURE, integer("N", "[1, oo)", "steps that count")),
        ("4*(2 + r)*K <= d", "d*x <= r"),
        exists=True,
    ),
    expects=Outcome.REFUTED,
    argument=(
        Nowhere(
            (
                FEW_DIRECTIONS,
                *LONG_LOG,
                *MANY_DIRECTIONS,
                Combine(
                    (
                        ("1/(4*x)", "4*x*K <= 1"),
                        ("1", MANY),
                        (FACTOR, f"1 < {LOG}"),
                    )
                ),
            )
        ),
    ),
    finding=(
        "K <= d/(4 (2 + r)) with r >= d m/M is K < M/(4 m). The lower limit of Corollary 3.3 is more than 5.9 M/m. So "
        "no d, r, K, delta and no losses meet both; a smaller step size does not help (any-step). The orthonormal "
        "frame allows 4 (K + 1 + r) <= d in the place of K <= d/(4 (2 + r)), and then both can be met (conditions). "
        "But then r is at least sqrt(8.5 d log(4/delta)) (rank), far above the sqrt(log d) below which the rate would "
        "beat that of DPZero (s5-met): the Omega of K = Omega(log(T/delta)) hides more than 4 (M/m)^2. Plain "
        "composition in the place of Corollary 3.3 gives a rate in sqrt(r) (composed)."
    ),
    repair=f"{HERE}/conditions",
    steps=(*NOISE, *CLIPPING, *RATES, *RANKS, *COMPOSED),
)
