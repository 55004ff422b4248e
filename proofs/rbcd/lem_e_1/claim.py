r"""Lemma E.1: one epoch. The lemma holds, its proof does not show it.

The proof adds Lemma E.5 at alpha = 1/2 over the K steps (s1 to s3), and finds half of the sum of the gaps on the left
(s4 to s6). So the sum itself is at most |w^t - w*|^2 + 2 (f(w^t) - f*) + 2 K N; s8 prints half of that. From Lemma E.5
alone the display of s8 does not follow (s8-reason). It holds all the same, and without its second term, because one
step has a better bound than Lemma E.5 at alpha = 1/2 (one-step): f(theta^k) - f* is at most <grad f, theta^k - w*> -
|grad f|^2/2, where the proof uses it without the square. That is Lemma E.1~sharper.

In s7 the printed right side lacks a mean: f(theta^k) stands for E f(theta^k).
"""

from dpaudit.claims.writing import *

from .ours import OURS
from .runs import *
from .steps import PRINTED
from .symbols import *

BY_SUM = Have(f"{SUM} <= (D[0] - D[K])/2 + K*N", (ByTheorem(f"{HERE}/summed"),))
ENDING = (("1", AVERAGE), ("1/K", f"{SUM} <= (D[0] - D[K])/2 + K*N"), ("1/(2*K)", "0 <= D[K]"))
SYMBOLS = (STEPS_K, DISTANCE, GAP, N, NEXT)
GIVEN = (Condition(AVERAGE, Origin.GIVEN, f"{HERE}/s7"), Condition(ONE_STEP, Origin.GIVEN, f"{HERE}/one-step"))
EXAMPLE = point(f"{QUADRATIC} F_next=0")

AS_PRINTED = Claim(
    id=HERE,
    title="one epoch of the algorithm",
    words=(
        "For f convex with A6 and Gamma = P M^-1: E[f(w^(t+1)) - f(w*)] <= (E|w^t - w*|^2_(M P^-1) + 2 E[f(w^t) - "
        "f(w*)])/(2 K) + E|C sigma_S 1|^2_(P M^-1), for every K >= 1 and every t."
    ),
    place="Lemma E.1",
    printed=r"\mathbb{E}[f(w^{t+1}) - f(w^\star)] \leq \frac{\mathbb{E}[\|w^t - "
    r"w^\star\|_{\mathbf{M}\mathbf{P}^{-1}}^2] + 2\mathbb{E}[f(w^t) - f(w^\star)]}{2K} + "
    r"\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement("F_next <= (D[0] + 2*F[0])/(2*K) + N", SYMBOLS, (AVERAGE, ONE_STEP)),
    origins=GIVEN,
    argument=(BY_SUM, Combine((*ENDING, ("1/K", "0 <= F[0]")))),
    empirical=(Search("epoch_ratio", near_miss=0.45, trials=600),),
    candidates=(EXAMPLE,),
    mutants=(
        mutant(
            "noise",
            "half of the noise",
            "F_next <= (D[0] + 2*F[0])/(2*K) + N/2",
            "K=1 F=[0,1] D=[0,0] N=1 F_next=1",
        ),
    ),
    steps=(*PRINTED, *OURS),
)

SHARPER = Claim(
    id=f"{HERE}~sharper",
    title="one epoch, without the gap at its start",
    words="Lemma E.1 without 2 E[f(w^t) - f(w*)]. The 1/2 before |w^t - w*|^2 is best possible for large K (Lemma "
    "E.1/huber).",
    place="Lemma E.1",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement("F_next <= D[0]/(2*K) + N", SYMBOLS, (AVERAGE, ONE_STEP)),
    origins=GIVEN,
    argument=(BY_SUM, Combine(ENDING)),
    empirical=(Search("sharper_ratio", near_miss=0.45, trials=600),),
    candidates=(EXAMPLE,),
    mutants=(mutant("third", "3 in place of 2", "F_next <= D[0]/(3*K) + N", "K=1 F=[1/2,1/2] D=[1,0] N=0 F_next=1/2"),),
)

CLAIMS = (AS_PRINTED, SHARPER)
