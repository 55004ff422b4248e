"""Theorem 5.8: the rate with T about n^{1/4}, for a minimiser over R^p that lies in C.

What the proof does with its terms is right: with the parameters of Section 5.2 each is at most c_DP^2 L R (1/sqrt(n) +
sqrt(p)/(eps n)) (the claim). The last display prints sqrt(n) for 1/sqrt(n), a misprint: as it stands it does not give
the theorem (s7). The first display (s3-display) is from Theorem 5.1, which is false as printed; the index that is wrong
there does not matter under O~, but without it too the theorem is not proved for Algorithm 1 and eta_t = t + 1. The
privacy rests on Corollary 5.7, whose noise and argument need a repair, and, without clipping, on Lemma 5.5 for delta
down to 2^{-o(n^{1/8})} only (LEM-5.5/s17-range).
"""

from dpaudit.claims.writing import *

from .display import DISPLAY_STEPS
from .steps import PRINTED_STEPS
from .symbols import *

CLAIM = Claim(
    id=THM,
    title="the optimal rate with about n^{1/4} steps",
    words=(
        "If the minimiser over R^p lies in C, for 2^{-o(n^{1/6})} <= delta <= 1/n and p <= eps^2 n^2, E F(y_T) - "
        "F(x*) is O(L R polylog (1/sqrt(n) + sqrt(p)/(eps n))), and Algorithm 1 is (eps, delta)-DP. Encoded: the rate, "
        "not the privacy, from the last line before the parameters are put in, L R/sqrt(n) + beta b_max R/T + beta "
        "R^2/T^2, with s6. That line is by s3 to s5 from Theorem 5.1, taken over as it is; the polylog is K c_DP^2."
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
        Condition(f"F <= K*({TOTAL})", Origin.GIVEN, "srgd/THM-5.1"),
        *(
            Condition("", Origin.GIVEN, one)
            for one in ids(THM, "s3-display s4 s4-square s5 s5-noise s6 s6-optimisation")
        ),
        Condition("m <= 1 + sqrt(p)/(eps*sqrt(n))", Origin.GIVEN, f"{THM}/s6-maximum"),
    ),
    expects=Outcome.CONSISTENT,
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
