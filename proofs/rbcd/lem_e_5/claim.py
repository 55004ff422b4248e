r"""Lemma E.5: one step with Gamma = P M^-1, by how much nearer it comes to the minimiser.

It holds, for every alpha >= 0 (any-alpha). One equality sign of its proof is a misprint for <= (s2). Sequences as in
Lemmas E.3 and E.4, with gamma_j = p_j/M_j; N is E|C sigma_S 1|^2 in the norm P M^-1, and `less` the same in the norm
P^2 M^-1.
"""

from dpaudit.claims.writing import *

from .steps import *

CLAIM = Claim(
    id=HERE,
    title="one step with Gamma = P M^-1",
    words=(
        "For f convex with A6, Gamma = P M^-1 and 0 < alpha < 1: E[f(theta^(k+1)) - f(w*) | theta^k] - (1 - alpha)(f("
        "theta^k) - f(w*)) <= alpha (|theta^k - w*|^2_(Gamma^-1) - E[|theta^(k+1) - w*|^2_(Gamma^-1) | theta^k]) + (2 "
        "alpha + 1)/2 E|C sigma_S 1|^2_(P M^-1). Given is Lemma E.3 at this Gamma; Lemma E.4 is shown here again. f "
        "convex with A6 enters by what it says of theta^k and w* (LEM-E.4/interpolation, LEM-E.4/interpolation-below)."
    ),
    place="Lemma E.5",
    printed=r"\mathbb{E}[f(\theta^{k+1}) - f(w^\star) | \theta^k] - (1-\alpha)(f(\theta^k) - f(w^\star)) \leq "
    r"\alpha\left(\|\theta^k - w^\star\|_{\mathbf{\Gamma}^{-1}}^2 - \mathbb{E}[\|\theta^{k+1} - "
    r"w^\star\|_{\mathbf{\Gamma}^{-1}}^2 | \theta^k]\right) + "
    r"\frac{2\alpha+1}{2}\mathbb{E}[\|\mathbf{C}\sigma_S\mathbf{1}\|_{\mathbf{P}\mathbf{M}^{-1}}^2]",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(GOAL, SYMBOLS, (BELOW, ABOVE, DESCENT)),
    origins=(Condition(DESCENT, Origin.GIVEN, "rbcd/LEM-E.3"),),
    rests_on=("rbcd/LEM-E.2", *CONVEX_WITH_A6, f"{HERE}/s5", f"{HERE}/s5-second"),
    argument=(
        *SMALLER,
        Combine(
            (
                ("1", DESCENT),
                ("2*alpha", ABOVE),
                ("1/2", f"{LESS} <= {N}"),
                ("1/2", f"0 <= {SQUARE}"),
                ("alpha", BELOW),
            )
        ),
    ),
    candidates=(FLAT, NOISY, *BROKEN),
    mutants=(
        Mutant(
            "noise",
            "2 alpha in the place of 2 alpha + 1",
            GOAL.replace("(2*alpha + 1)", "(2*alpha + 0)"),
            candidates=(NOISY,),
        ),
    ),
    steps=STEPS,
)
