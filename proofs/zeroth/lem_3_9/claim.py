"""Lemma 3.9: how far two runs on neighbouring data sets are apart, in the infinite Wasserstein distance.

Both runs use the same directions and noise. Slips that touch nothing: (5), (54) and (58) write the slopes of the second
run without a prime, though they are those of the other data set; (58) misses a bracket; the sentence after (59) credits
the last inequality to orthonormality, where clipping gives it. The proof uses clipping alone, neither smoothness nor
that one record differs.
"""

from dpaudit.claims.writing import *

from .steps import APART, HERE, NUMBERS, STEPS, T

INSIDE, ON_THE_WAY = "most <= 2*R", "most <= 2*eta*Delta*t/sqrt(K)"
CLAIM = Claim(
    id=HERE,
    title="the W_oo distance of the two processes is at most min(2R, 2 eta Delta t/sqrt(K)). Encoded: with `most` for "
    "the essential supremum of the distance of two runs with equal directions and noise, which is at most what bounds "
    "the distance at every draw (`s5`, `s6`)",
    words=(
        "For the processes (3) and (5), w_0 = w_0': W_oo(w_t, w_t') <= min(2 R, 2 eta Delta t/sqrt(K)) for all t. "
        "Encoded: W_oo is at most the essential supremum of the distance of the coupled runs after t steps (s1), and "
        "s5 and s6 bound that distance at every draw. A start in the ball is taken for t = 0."
    ),
    place="Lemma 3.9, (51)",
    printed=r"W_{\infty}(w_{t},w_{t}^{\prime})\leq\min(2R,\frac{2\eta\Delta t}{\sqrt{K}})",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        "W <= min(2*R, 2*eta*Delta*t/sqrt(K))", (*NUMBERS, T, *APART), ("W <= most", ON_THE_WAY, INSIDE)
    ),
    origins=(
        Condition("W <= most", Origin.GIVEN, f"{HERE}/s1"),
        Condition(ON_THE_WAY, Origin.GIVEN, f"{HERE}/s5"),
        Condition(INSIDE, Origin.GIVEN, f"{HERE}/s6"),
    ),
    argument=(
        Name("way", "2*eta*Delta*t/sqrt(K)"),
        Cases((("way <= 2*R", (Solve(),)), ("otherwise", (Solve(),)))),
    ),
    candidates=(point("eta=1 Delta=1 R=1 K=1 t=1 W=2 most=2"),),
    mutants=(
        Mutant(
            "root",
            "K in place of its root",
            "W <= min(2*R, 2*eta*Delta*t/K)",
            candidates=(point("eta=1 Delta=1 R=1 K=4 t=1 W=1 most=1"),),
        ),
        Mutant(
            "radius",
            "R in place of 2 R",
            "W <= min(1*R, 2*eta*Delta*t/sqrt(K))",
            candidates=(point("eta=1 Delta=1 R=1 K=1 t=1 W=2 most=2"),),
        ),
    ),
    steps=STEPS,
)
