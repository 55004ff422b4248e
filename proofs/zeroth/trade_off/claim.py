r"""Appendix A.10.1: the trade-off of privacy and utility.

Its two halves cannot be put together: the step size K/M of the utility bound asks for K <= d/(4 (2 + r)), and Corollary
3.3, whose losses are m-strongly convex, asks for K of at least (20/3) ((1 + c^2)/(1 - c^2))^2 log(4/delta). As the
Hessian is at least m I and at most H, r is at least d m/M, so that K is less than M/(4 m): no parameters meet both, for
no step size (`any-step`). Beside it, the printed noise is too small for the printed privacy bound (s1), and the printed
clipping threshold lacks a factor sqrt(8) L (s2). With plain composition over the K T directions in the place of
Corollary 3.3 the same utility bound gives a rate in sqrt(r) (`composed`).
"""

from dpaudit.claims.writing import *

from .composed import COMPOSED
from .steps_clipping import CLIPPING
from .steps_noise import NOISE
from .steps_rates import RATES
from .symbols import *

FACTOR = "20*(1 + (1 - x)**2)**2/(3*(1 - (1 - x)**2)**2)"
LOG = "log(4*N/delta)"
QUOTIENT = "4/5*(2 - x) <= 2 - 2*x + x**2"
MANY = f"1/(4*x) <= {FACTOR}"
FEW_DIRECTIONS = Have(
    "4*x*K <= 1",
    (Combine((("x/(2 + r)", "4*(2 + r)*K <= d"), ("1/(2 + r)", "d*x <= r"), ("2/(2 + r)", "0 <= 1"))),),
)
LONG_LOG = (
    Have("1 < log(4)", (Boxes(),)),
    Have("delta/N <= 1", (Scale("N"), Combine((("1", "delta <= 1"), ("1", "1 <= N"))))),
    Have(
        f"1 < {LOG}",
        (Combine((("1", "log(4/(4*N/delta)) <= 4/(4*N/delta) - 1"), ("1", "delta/N <= 1"), ("1", "1 < log(4)"))),),
    ),
)
MANY_DIRECTIONS = (
    Have(QUOTIENT, (Combine((("1", "0 <= (x - 3/5)**2"), ("1/25", "0 <= 1"))),)),
    Have("16/25*(2 - x)**2 <= (2 - 2*x + x**2)**2", (Combine((("2 - 2*x + x**2 + 4/5*(2 - x)", QUOTIENT),)),)),
    Have(
        MANY,
        (
            Rewrite(right="20*(2 - 2*x + x**2)**2/(3*x**2*(2 - x)**2)"),
            Combine(
                (
                    ("20/(3*x**2*(2 - x)**2)", "16/25*(2 - x)**2 <= (2 - 2*x + x**2)**2"),
                    ("1/(4*x**2)", "x <= 1"),
                    ("4/x**2", "0 <= 1"),
                )
            ),
        ),
    ),
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
        "no d, r, K, delta and no losses meet both, and the rate is shown of nothing. The Omega of K = "
        "Omega(log(T/delta)) hides ((1 + c^2)/(1 - c^2))^2, at least 0.6 (M/m)^2, where r = o(sqrt(log d)) allows m/M "
        "= o(sqrt(log d)/d) at most. A smaller step size does not help (any-step). Plain composition in the place of "
        "Corollary 3.3 gives a rate in sqrt(r) (composed)."
    ),
    repair=f"{HERE}/composed",
    steps=(*NOISE, *CLIPPING, *RATES, *COMPOSED),
)
