"""(2.19) forgets alpha and beta of (2.3) and (2.5): step s25.

What is true is at least four times as large (s25-least), and six times as large at beta = 1/2 if eps <= log(1/delta)
(s25~repaired).
"""

from dpaudit.claims.writing import *

from .notation import *
from .terms import HALVES, LAM, ORDER, SMALL_EPS

LOST = (
    "alpha and beta are lost. (2.5) and (2.3) have alpha/(beta eps), alpha = log(1/delta)/((1 - beta) eps) + 1, "
    "which is more "
    "than 4 log(1/delta)/eps^2 for every beta (s25-least), so no choice of beta gives (2.19), and with this noise "
    "Theorem 5.1 promises nothing. For beta fixed and eps <= log(1/delta), which the paper assumes further down, the "
    "two differ by a constant factor, 6 at beta = 1/2: the rate (2.25) survives with larger constants. They are "
    "absolute only if beta stays away from 0 and 1."
)


def lost(name, words, variance, **rest):
    """(2.19) against the noise of Theorem 5.1: `variance` has {rate} for what is left of alpha and beta."""
    return erratum(
        name,
        words,
        f"{variance.format(rate=ORDER + '/(beta*eps)')} == {variance.format(rate=LAM + '/eps**2')}",
        (LIPSCHITZ, RECORDS, STEPS, *rest.pop("more", ()), BETA, EPS, DELTA),
        place="(2.19)",
        finding=LOST,
        repair="srm/THM-5.4/s25~repaired",
        **rest,
    )


LOST_NOISE = (
    lost(
        "s25",
        "(2.19): sigma^2 = 14 T ((1-gamma) zeta/n0 + gamma G)^2 log(1/delta)/(n^2 eps^2). Left: (2.5) with the alpha "
        "of Theorem 5.1.",
        "14*T*((1 - gamma)*zeta/n0 + gamma*G)**2*{rate}/n**2",
        more=(GAMMA, ZETA, DIVISOR),
        printed=r"\sigma^{2} = \frac{14T((1-\gamma)\zeta/n_{0}+\gamma G)^{2}\log(1/\delta)}{n^{2}\epsilon^{2}}",
        candidates=(point("G=1 n=1 T=1 gamma=1 zeta=1 n0=1 beta=1/2 eps=1 delta=1/2"),),
    ),
    lost(
        "s25-first",
        "(2.19): sigma_0^2 = 14 T G^2 log(1/delta)/(n^2 eps^2). Left: (2.3).",
        "14*T*G**2*{rate}/n**2",
        printed=r"\sigma_0^{2} = \frac{14TG^{2}\log(1/\delta)}{n^{2}\epsilon^{2}}",
        candidates=(point("G=1 n=1 T=1 beta=1/2 eps=1 delta=1/2"),),
    ),
    step(
        "s25-least",
        "for every beta: alpha/(beta eps) is more than 4 log(1/delta)/eps^2",
        f"4*{LAM}/eps**2 < {ORDER}/(beta*eps)",
        (BETA, EPS, DELTA),
        reads=Reads.OURS,
        argument=(
            Substitute((positive("w", LAM),), where("delta=exp(-w)"), where(f"w={LAM}")),
            Scale("eps**2*beta*(1 - beta)"),
            Rewrite(left="4*w*beta*(1 - beta)", right="w + (1 - beta)*eps"),
            Combine((("w", "0 <= (2*beta - 1)**2"), ("(1 - beta)*eps", "0 < 1"))),
        ),
        mutants=(
            mutant(
                "constant",
                "more than 4.1 times",
                f"4.1*{LAM}/eps**2 < {ORDER}/(beta*eps)",
                "beta=1/2 eps=1/1000 delta=1/2",
            ),
        ),
    ),
    step(
        "s25~repaired",
        "at beta = 1/2 and eps <= log(1/delta): sigma^2 and sigma_0^2 of Theorem 5.1 are at most 6 times (2.19), "
        "since alpha/(beta eps) <= 6 log(1/delta)/eps^2",
        f"{HALVES}/(1/2*eps) <= 6*{LAM}/eps**2",
        (EPS, DELTA),
        (SMALL_EPS,),
        argument=(Combine((("2/eps**2", SMALL_EPS),)),),
        mutants=(
            Mutant(
                "range",
                "eps <= 2 log(1/delta)",
                conditions=(f"eps <= 2*{LAM}",),
                candidates=(point("eps=1 delta=1/2"),),
            ),
        ),
        tightness=(
            Tightness(
                "factor",
                "1",
                f"{HALVES}/(1/2*eps) <= {{c}}*{LAM}/eps**2",
                "6",
                "5.9",
                candidates=(point("eps=69/100 delta=1/2"),),
            ),
        ),
    ),
    step(
        "s25-large-eps",
        "without eps <= log(1/delta) no constant C makes C times (2.19) large enough: for eps >= C log(1/delta) and "
        "every beta",
        f"C*{LAM}/eps**2 < {ORDER}/(beta*eps)",
        (positive("C", "any constant"), BETA, EPS, DELTA),
        ours=(f"C*{LAM} <= eps",),
        reads=Reads.OURS,
        argument=(
            Have(f"C*{LAM}/eps**2 <= 1/eps", (Combine((("1/eps**2", f"C*{LAM} <= eps"),)),)),
            Combine(
                (
                    ("1", f"C*{LAM}/eps**2 <= 1/eps"),
                    (f"(1 - beta)/(beta*eps) + {LAM}/(beta*(1 - beta)*eps**2)", "0 < 1"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "half",
                "for eps >= C log(1/delta)/16",
                conditions=(f"C*{LAM}/16 <= eps",),
                candidates=(point("C=160 eps=1 beta=1/2 delta=1/2"),),
            ),
        ),
    ),
)
