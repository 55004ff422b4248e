r"""Theorem 4.2, convex case: the utility of DP-SkGD with T = 1.

The theorem holds with the constant 13 of its proof where its K is a whole number (with 12.5 by Lemma E.1~sharper). The
K of the theorem does not minimise the bound, as the proof says (s5): the best K is smaller by the root of 12, and gives
6.93 in the place of 13. What to do where K is no whole number, or less than 1, is not said: see ALG-5. The proof
introduces R_M where R_(M P^-1) is meant.
"""

from dpaudit.claims.writing import *

from .steps import STEPS
from .symbols import *

GIVEN = (f"error <= {BOUND}", f"K == {CHOICE}")
EXAMPLE = "K=2 n=4 eps=1 lam=4 R=1 Sigma_S=1"

CLAIM = Claim(
    id=HERE,
    title="utility in the convex case",
    words=(
        "Under A1, A3, A4, A6, A7, with Gamma = P M^-1, the noise of Theorem 4.1, T = 1 and K = n eps R_(M "
        "P^-1)/(Sigma_S sqrt(log(1/delta))), a whole number: E[f(w_priv) - f*] = O(Sigma_S R_(M P^-1) "
        "sqrt(log(1/delta))/(n eps)). The constant is 13."
    ),
    place="Theorem 4.2, convex case",
    printed=r"\mathbb{E}[f(w^{\text{priv}}) - f^\star] = \mathcal{O}\left(\frac{\Sigma_S "
    r"R_{\mathbf{M}\mathbf{P}^{-1}}}{n\varepsilon}\log^{1/2}\frac{1}{\delta}\right)",
    kind=ClaimKind.CONVERGENCE,
    statement=Statement(f"error <= C*{RATE}", (constant("C"), STEPS_K, *SIZES, ERROR), GIVEN),
    origins=(Condition(GIVEN[0], Origin.GIVEN, f"{HERE}/s4-error"),),
    argument=(
        Choose(where("C=13")),
        Combine(
            (
                ("1", GIVEN[0]),
                ("-R*Sigma_S*sqrt(lam)/(K*n*eps)", GIVEN[1]),
                ("-12*lam*Sigma_S**2/(n**2*eps**2)", GIVEN[1]),
            )
        ),
    ),
    candidates=tuple(point(f"{EXAMPLE} error={value}") for value in ("13/2", "0", "100")),
    mutants=(mutant("square", "the square of n", f"error <= C*{RATE}/n", f"{EXAMPLE} error=13/2"),),
    steps=STEPS,
)
