"""Proposition 7 for alpha tau <= 0.06, proved: all that Lemma 7 needs of the quoted theorem.

p = P/R, q = Q/R, U = 1 + s (p - 1), V = 1 + s (q - 1), x = U/V and M = E_V x^alpha = exp((alpha - 1) D). The
hypothesis says that E_R p^a <= exp(tau a (a - 1)) for every real a outside (0, 1) (a > 1: P against R at order a;
a < 0: R against P at order 1 - a), and likewise q. Orders up to 2 are PROP-7~two, orders from 2 to 3 follow from
order 3 (D_alpha grows with alpha; step `three`). From order 3 on, with k = alpha - 2 and n = 4 k:

    M <= 1 + (alpha (alpha-1)/2) s^2/(1-s) (2 E_R(p-q)^2 + E_R(p-q)^2 x^k)/3      (`convex`, Taylor to second order)
    E_R(p-q)^2 <= 8 tau exprel(2 tau), E_R(p-q)^4 <= 16 * 45 tau^2                (`square`; `halves` to `fourth`)
    E_R V^(-n) <= E_R q^(-n s), E_R U^n <= E_R exp(n s y + n y^2/8), y = log p    (`means`, `hoeffding`)
    E_R(p-q)^2 x^k <= 27.4 tau exp(8.6 alpha (alpha-1) s^2 tau)                   (`growth`, `twist`)

and what comes out is below exp(13 alpha (alpha-1) s^2 tau) (`final`).
"""

from dpaudit.claims.writing import *

from .moments import ALPHA, BOUND, FINAL, HERE, MOMENTS, SECOND, SIZE, SQUARE, TILTED, M, X
from .pointwise import POINTWISE, SHARE, TAU

TAYLOR = "M <= 1 + alpha*(alpha - 1)/2*s**2/(1 - s)*(2*W + Wx)/3"
TWISTED = f"Wx <= 27.4*tau*exp(8.6*{SIZE})"
SMALL = "alpha*tau <= 6/100"
GIVEN = (TAYLOR, SECOND, TWISTED, SMALL)

CLAIM = Claim(
    id="resque/PROP-7~small",
    title="amplification by subsampling, orders up to 0.06/tau",
    words=(
        "s < 1/40, D_alpha(P1 || P2) <= alpha tau for all alpha > 1 and all ordered pairs of P, Q, R: "
        "D_alpha(sP + (1-s)R || sQ + (1-s)R) <= 13 s^2 alpha tau for 1 < alpha <= 0.06/tau. Encoded: orders from 3 on, "
        "for M = exp((alpha-1) D); orders up to 2 are PROP-7~two, those between 2 and 3 are the step `three`."
    ),
    place="Proposition 7, small orders",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"M <= exp(13*{SIZE})", (ALPHA, TAU, SHARE, M, SQUARE, TILTED), GIVEN),
    rests_on=(
        "monotone-mean",
        "resque/PROP-7~two",
        *(f"{HERE}/{name}" for name in ("convex", "square", "twist", "final", "three")),
    ),
    argument=(
        Bound(left="1 + alpha*(alpha - 1)/2*s**2/(1 - s)*(2*W + Wx)/3", argument=(Combine(terms=(("1", TAYLOR),)),)),
        Bound(
            left="1 + alpha*(alpha - 1)*s**2/(6*(1 - s))*(16.5*tau + Wx)",
            argument=(Combine(terms=(("alpha*(alpha - 1)*s**2/(3*(1 - s))", SECOND),)),),
        ),
        Bound(
            left=f"1 + alpha*(alpha - 1)*s**2/(6*(1 - s))*(16.5*tau + 27.4*tau*exp(8.6*{SIZE}))",
            argument=(Combine(terms=(("alpha*(alpha - 1)*s**2/(6*(1 - s))", TWISTED),)),),
        ),
        Bound(
            left=f"1 + {SIZE}*(2.83 + 4.69*exp(8.6*{SIZE}))",
            argument=(
                Combine(
                    terms=(
                        (f"16.5/6*{SIZE}", "1/(1 - s) <= 1.0257"),
                        (f"27.4/6*{SIZE}*exp(8.6*{SIZE})", "1/(1 - s) <= 1.0257"),
                        (f"{SIZE}*(2.83 - 16.5/6*1.0257 + (4.69 - 27.4/6*1.0257)*exp(8.6*{SIZE}))", "0 <= 1"),
                    )
                ),
            ),
        ),
        Substitute((X,), (("tau", "X/(alpha*(alpha - 1)*s**2)"),), (("X", SIZE),)),
        Rewrite(left=BOUND, right="exp(13*X)"),
        *FINAL,
    ),
    mutants=(
        mutant(
            "constant",
            "6 in place of 13",
            f"M <= exp(6*{SIZE})",
            "alpha=3 tau=1/100 s=1/50 M=100017/100000 W=8/100 Wx=26/100",
        ),
    ),
    steps=(*POINTWISE, *MOMENTS),
)
