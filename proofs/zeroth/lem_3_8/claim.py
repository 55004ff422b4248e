"""Lemma 3.8: how much of a fixed vector a random K-dimensional subspace keeps.

For fixed unit vectors A and B the sums of squared projections on K Haar directions follow Beta(K/2, (d-K)/2). The
lemma asks that both stay within (1 +- e) of their mean K/d with the stated probability. With Theorem A.1 for the larger
of both tails it holds for all d >= 2K; for small d the incomplete beta function is enclosed too (`small`).
"""

from dpaudit.claims.writing import *

from .ours import OURS
from .steps import STEPS
from .symbols import *
from .tails import ALL, FAR, NEAR_MEAN, PLAIN
from .tails import STEPS as TAIL_STEPS

UP, DOWN = f"{UPPER} <= {RATE}", f"{LOWER} <= {RATE}"
CLAIM = Claim(
    id=HERE,
    title="for a fixed pair of vectors c_1 is at most the printed root with the printed probability. Encoded: the sum "
    "of the two tail probabilities, outside of which c_1 is so small (s9)",
    words=(
        "For unit vectors A, B that do not depend on U, U Haar on K orthonormal directions in R^d with d >= 2K, "
        "e >= 0, c >= 0 and c1^2 = 1 - sum <A,u_k>^2 + c^2 sum <B,u_k>^2: "
        "P(c1^2 <= 1 - (1-c^2)K/d + e(1+c^2)K/d) >= 1 - 2 exp(-3 e^2 d K/(12(d-K) + 8e(d-2K))). Encoded: the lower "
        "tail of the one sum and the upper tail of the other, outside of which s9 gives the event."
    ),
    place="Lemma 3.8",
    printed=r"\mathbb{P}(c_{1}\leq\sqrt{1-(1-c^{2})\frac{K}{d}+\epsilon(1+c^{2})\frac{K}{d}})\geq"
    r"1-2\exp(-\frac{3\epsilon^{2}dK}{12(d-K)+8\epsilon(d-2K)})",
    kind=ClaimKind.TAIL,
    statement=Statement(f"{LOWER} + {UPPER} <= 2*{RATE}", ALL, (*HALF, UP, DOWN)),
    origins=(Condition(UP, Origin.GIVEN, f"{HERE}/s10"), Condition(DOWN, Origin.GIVEN, f"{HERE}/s10-lower")),
    rests_on=("haar-beta", "union-bound", f"{HERE}/s9"),
    argument=(Combine((("1", UP), ("1", DOWN))),),
    candidates=PLAIN,
    mutants=(
        Mutant(
            "rate",
            "6 e^2 in place of 3 e^2",
            f"{LOWER} + {UPPER} <= 2*{RATE.replace('-3*', '-6*')}",
            candidates=FAR,
        ),
        Mutant("factor", "0.99 in place of 2", f"{LOWER} + {UPPER} <= 0.99*{RATE}", candidates=NEAR_MEAN),
    ),
    tightness=(
        Tightness(
            "rate",
            "3",
            f"{LOWER} + {UPPER} <= 2*{RATE.replace('-3*', '-{c}*')}",
            "3",
            "7/2",
            candidates=(point("d=10000 K=5000 e=1/5"),),
        ),
    ),
    steps=(*STEPS, *TAIL_STEPS, *OURS),
)
