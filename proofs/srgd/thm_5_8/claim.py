"""Theorem 5.8: the rate with T about n^{1/4}, under A5.

What the proof does with its terms is right: with the parameters of Section 5.2 each is at most c_DP^2 L R (1/sqrt(n) +
sqrt(p)/(eps n)) (the claim). The last display prints sqrt(n) for 1/sqrt(n), a misprint: as it stands it does not give
the theorem (s7). The privacy rests on Corollary 5.7, whose noise and argument need a repair, and, without clipping, on
Lemma 5.5 for delta down to 2^{-o(n^{1/8})} only (LEM-5.5/s17-range).
"""

from dpaudit.claims.writing import *

from .display import DISPLAY_STEPS
from .steps import PRINTED_STEPS
from .symbols import *

CLAIM = Claim(
    id=THM,
    title="the optimal rate with about n^{1/4} steps",
    words=(
        "Under A5, for 2^{-o(n^{1/6})} <= delta <= 1/n and p <= eps^2 n^2, E F(y_T) - F(x*) is O(L R polylog "
        "(1/sqrt(n) + sqrt(p)/(eps n))), and Algorithm 1 is (eps, delta)-DP. Encoded: the rate from the third display "
        "of the proof, L R/sqrt(n) + beta b_max R/T + beta R^2/T^2, with s6; the polylog is c_DP^2."
    ),
    place="Theorem 5.8",
    printed=r"O\left(LR\cdot\text{polylog}(n,1/\delta)\cdot\left(\frac1{\sqrt n}"
    r"+\frac{\sqrt p}{\varepsilon n}\right)\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"F <= C*K*c_DP**2*L*R*{RATE}",
        (
            constant("C"),
            *SYMBOLS,
            real("K", "[1, oo)", "what O~ hides"),
            real("m", "[1, oo)"),
            real("F", meaning="F(y_T) - F(x*)"),
        ),
        (f"F <= K*({TOTAL})", "m <= 1 + sqrt(p)/(eps*sqrt(n))"),
    ),
    origins=(
        Condition(f"F <= K*({TOTAL})", Origin.GIVEN, f"{THM}/s5-noise"),
        Condition("m <= 1 + sqrt(p)/(eps*sqrt(n))", Origin.GIVEN, f"{THM}/s6-maximum"),
    ),
    argument=(
        Choose(where("C=2")),
        Have("1 <= c_DP**2", (Power("1/2"), Combine((("1", "1 <= c_DP"),)))),
        Combine(
            (
                ("1", f"F <= K*({TOTAL})"),
                ("K*L*R/sqrt(n)", "m <= 1 + sqrt(p)/(eps*sqrt(n))"),
                (f"K*L*R*({RATE} + 1/sqrt(n))", "1 <= c_DP**2"),
            )
        ),
    ),
    candidates=(point("n=1 p=1 eps=1 c_DP=1 L=1 R=1 K=1 m=1 F=1"),),
    mutants=(
        Mutant(
            "one",
            "1 in place of C",
            f"F <= 1*K*c_DP**2*L*R*{RATE}",
            symbols=(*SYMBOLS, real("K", "[1, oo)"), real("m", "[1, oo)"), real("F")),
            candidates=(point("n=1 p=1 eps=1 c_DP=1 L=1 R=1 K=1 m=2 F=4"),),
            own_sentence=True,
        ),
    ),
    steps=(*PRINTED_STEPS, *DISPLAY_STEPS),
)
