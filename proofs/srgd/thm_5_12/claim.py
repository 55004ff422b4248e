"""Theorem 5.12: the rate with B <= sqrt(n), wherever the minimiser over R^p lies.

The algebra of the proof is right, line by line (s1 to s7): L R (1/sqrt(n) + sqrt(p)/(eps n)) up to logarithms. Its
first line is Theorem 5.1, which is false as printed; the index that is wrong there does not matter under O~, but
without it too the theorem is not proved for Algorithm 1 and eta_t = t + 1. Two things of the statement are not what it
gives. The best batch size has M where M R/L belongs, so that a number of records is compared with a quantity that has a
unit (s9). And 1/sqrt(n) stands without a logarithm, while Theorem 5.1, at the failure probability 1/T^2, has sqrt(log
T) there (s8-logarithm): O~ is shown, O is printed.
"""

from dpaudit.claims.writing import *

from .batch import BATCH_STEPS
from .display import DISPLAY_STEPS
from .steps import PRINTED_STEPS
from .symbols import *

CLAIM = Claim(
    id=THM,
    title="the optimal rate with batches of at most sqrt(n)",
    words=(
        "With B <= sqrt(n), T = n/B and the beta and sigma of the theorem, Algorithm 1 is (eps, delta)-DP and E F(y_T) "
        "- F(x*) = O(L R (1/sqrt(n) + sqrt(p)/(eps n) polylog)). Encoded: the rate, not the privacy, for p <= eps^2 "
        "n^2 and T = n/B, from the fourth line of the proof, which is by s2 to s5 from Theorem 5.1, taken over "
        "as it is; F is the excess risk, and K what O~ hides, which stands before both terms (s8-logarithm)."
    ),
    place="Theorem 5.12",
    printed=r"O\left(LR\cdot\left(\frac1{\sqrt n}+\frac{\sqrt p}{\varepsilon n}\cdot\text{polylog}(n/B,1/\delta)"
    r"\right)\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(
        f"F <= C*K*{RATE}",
        (constant("C"), *SYMBOLS, positive("K"), real("F")),
        (SMALL, "p <= eps**2*n**2", f"F <= K*({IN_N.replace('T', STEPS)})"),
    ),
    origins=(
        Condition(f"F <= K*({IN_N.replace('T', STEPS)})", Origin.GIVEN, "srgd/THM-5.1"),
        *(Condition("", Origin.GIVEN, one) for one in ids(THM, "s2 s3 s5")),
    ),
    expects=Outcome.CONSISTENT,
    argument=(
        Choose(where("C=3")),
        Have(f"{IN_N.replace('T', STEPS)} <= 3*{RATE}", (ByTheorem(f"{THM}/s7"),)),
        Combine((("1", f"F <= K*({IN_N.replace('T', STEPS)})"), ("K", f"{IN_N.replace('T', STEPS)} <= 3*{RATE}"))),
    ),
    candidates=(point("n=4 B=1 p=1 eps=1 L=1 R=1 K=1 F=1"),),
    mutants=(
        Mutant(
            "one",
            "1 in place of C",
            f"F <= 1*K*{RATE}",
            symbols=(*SYMBOLS, positive("K"), real("F")),
            candidates=(point("n=4 B=1 p=1 eps=1 L=1 R=1 K=1 F=1"), point("n=4 B=2 p=1 eps=100 L=1 R=1 K=1 F=1")),
            own_sentence=True,
        ),
    ),
    steps=(*PRINTED_STEPS, *DISPLAY_STEPS, *BATCH_STEPS),
)
