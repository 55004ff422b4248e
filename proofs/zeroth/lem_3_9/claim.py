"""Lemma 3.9: how far two runs on neighbouring data sets are apart, in the infinite Wasserstein distance.

Both runs use the same directions and noise. Slips that touch nothing: (5), (54) and (58) write the slopes of the second
run without a prime, though they are those of the other data set; (58) misses a bracket; the sentence after (59) credits
the last inequality to orthonormality, where clipping gives it. The proof uses clipping alone, neither smoothness nor
that one record differs.
"""

from dpaudit.claims.writing import *

from .steps import DISTANCE, HERE, NUMBERS, STEPS, STEPWISE, T

INSIDE, ON_THE_WAY = "D[t] <= 2*R", "D[t] <= 2*eta*Delta*t/sqrt(K)"
CLAIM = Claim(
    id=HERE,
    title="two runs with equal directions and noise are at most min(2R, 2 eta Delta t/sqrt(K)) apart. Encoded: with "
    "D[t] for the essential supremum of their distance, which W_oo is at most",
    words=(
        "For the processes (3) and (5), w_0 = w_0': W_oo(w_t, w_t') <= min(2 R, 2 eta Delta t/sqrt(K)) for all t. "
        "Encoded: the largest distance D[t] of the coupled runs after t steps, from s5 and s6; by s1 it bounds W_oo. "
        "D[0] = 0 and a start in the ball are taken for t = 0."
    ),
    place="Lemma 3.9, (51)",
    printed=r"W_{\infty}(w_{t},w_{t}^{\prime})\leq\min(2R,\frac{2\eta\Delta t}{\sqrt{K}})",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        "D[t] <= min(2*R, 2*eta*Delta*t/sqrt(K))", (*NUMBERS, T, DISTANCE), (STEPWISE, "D[0] == 0", INSIDE)
    ),
    origins=(Condition(STEPWISE, Origin.GIVEN, f"{HERE}/s4-step"), Condition(INSIDE, Origin.GIVEN, f"{HERE}/s6")),
    rests_on=ids(HERE, "s1 s5"),
    argument=(
        Have(ON_THE_WAY, (ByTheorem(f"{HERE}/s5"),)),
        Name("way", "2*eta*Delta*t/sqrt(K)"),
        Name("here", "D[t]"),
        Cases((("way <= 2*R", (Solve(),)), ("otherwise", (Solve(),)))),
    ),
    candidates=(point("eta=1 Delta=1 R=1 K=1 t=1 D=[0,2]"),),
    mutants=(
        Mutant(
            "root",
            "K in place of its root",
            "D[t] <= min(2*R, 2*eta*Delta*t/K)",
            candidates=(point("eta=1 Delta=1 R=1 K=4 t=1 D=[0,1]"),),
        ),
        Mutant(
            "radius",
            "R in place of 2 R",
            "D[t] <= min(1*R, 2*eta*Delta*t/sqrt(K))",
            candidates=(point("eta=1 Delta=1 R=1 K=1 t=1 D=[0,2]"),),
        ),
    ),
    steps=STEPS,
)
