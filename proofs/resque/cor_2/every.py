"""No constant is enough: the claim fails at points that are functions of it."""

from dpaudit.claims.writing import *

from .printed import MINIMUM, RP, D, L

LARGE = positive("lam", "lambda")
TWO, BETA_D = MINIMUM.replace("T", "2").replace("beta", "sqrt(d)"), "sqrt(d)"
LOST = f"lam/2*(rp*{TWO}/({BETA_D}*2**2))**2*d"
EVERY_CONSTANT = (
    step(
        "every-constant",
        "for every constant C, in every dimension: for f = 0, T = That = 2 and beta = sqrt(d) the noise costs more "
        "than C L r' (sqrt(d)/(beta T) + 1/sqrt(T)) from lambda r' = 80 C L on; the paper has a universal constant, "
        "and lambda > 0 with no bound above",
        f"C*L*rp*(sqrt(d)/({BETA_D}*2) + 1/sqrt(2)) < {LOST}",
        (L, RP, LARGE, D, positive("C", "any constant")),
        ours=("80*C*L <= lam*rp",),
        kind=ClaimKind.CONVERGENCE,
        argument=(
            Rewrite(left="C*L*rp*(1/2 + 1/sqrt(2))", right="lam*rp**2/64"),
            Bound(right="5/4*C*L*rp", argument=(Combine(terms=(("rp/64", "80*C*L <= lam*rp"),)),)),
            Scale("1/(C*L*rp)"),
            Rewrite(left="1/2 + 1/sqrt(2)", right="5/4"),
            Boxes(),
        ),
        mutants=(
            Mutant(
                "smaller",
                "from lambda r' = 70 C L on",
                conditions=("70*C*L <= lam*rp",),
                candidates=(point("L=1 rp=1 lam=70 d=1 C=1"),),
            ),
        ),
    ),
)
