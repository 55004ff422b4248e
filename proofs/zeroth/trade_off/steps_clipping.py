"""The clipping threshold that A.10.1 chooses, and what it makes of the second term of (112).

X is (4 L^2 d + 8 B d/eta) 2 sqrt(2 pi) n K T. The second term of (112) is X exp(-d Delta^2/(8 |grad lbar(x)|^2)), and
as the paper recalls, |grad lbar(x)| <= L, so that with L in its place it is an upper bound.
"""

from dpaudit.claims.writing import *

from .symbols import *

X = real("X", "[1, oo)", "(4 L^2 d + 8 B d/eta) 2 sqrt(2 pi) n K T")
SECOND = "X*exp(-d*Delta**2/(8*L**2))"
CHOSEN = "sqrt(log(X))/sqrt(d)"
RIGHT = "L*sqrt(8*log(X))/sqrt(d)"
LARGE = "d=100 n=1000 K=1 T=1000 L=1 B=1 eta=1"

CLIPPING = (
    erratum(
        "s2",
        "with Delta = sqrt(log(X))/sqrt(d) the second term is O(1). Encoded: with |grad lbar(x)| = L, at most a "
        "constant for each L, that is at most C for L = 1 and all X",
        "X*exp(-log(X)/8) <= C",
        (constant("C"), X),
        place="before (114)",
        printed=r"\Delta=\frac1{\sqrt d}\sqrt{\log((4L^2d+\frac{8Bd}\eta)2\sqrt{2\pi}nKT)}",
        argument=(
            ForEvery(
                where("X=(C+1)**2"),
                argument=(
                    Rewrite(right="(C + 1)**(7/4)"),
                    Have("1 <= (C + 1)**(3/4)", (Power("4/3"), Positive())),
                    Combine((("C + 1", "1 <= (C + 1)**(3/4)"), ("1", "0 < 1"))),
                ),
            ),
        ),
        finding=(
            "The exponent is log(X)/(8 L^2), so that the term is X^(1 - 1/(8 L^2)): X^(7/8) for L = 1, where X grows "
            "with d, n, K and T. It is O(1) for L <= 1/sqrt(8) alone (s2-small). The factor sqrt(8) L is missing, "
            "which has the unit of Delta too; with it the term is 1 (s2~repaired), and the orders of (114) to (117) "
            "stay."
        ),
        repair=f"{HERE}/s2~repaired",
    ),
    step(
        "s2-value",
        "what the printed threshold makes of the term: X^(1 - 1/(8 L^2)). Encoded: its logarithm",
        f"log(X) - d*({CHOSEN})**2/(8*L**2) == (1 - 1/(8*L**2))*log(X)",
        (X, DIMENSION, LIPSCHITZ),
        reads=Reads.OURS,
        candidates=(point("X=20 d=2 L=1"),),
    ),
    step(
        "s2-small",
        "for L <= 1/sqrt(8) the term is at most 1 with the printed threshold",
        "log(X) - log(X)/(8*L**2) <= 0",
        (X, LIPSCHITZ),
        ("8*L**2 <= 1",),
        reads=Reads.OURS,
        argument=(Have("0 <= log(X)"), Combine((("log(X)/(8*L**2)", "8*L**2 <= 1"),))),
        mutants=(Mutant("twice", "4 L^2 <= 1", conditions=("4*L**2 <= 1",), candidates=(point("X=20 L=1/2"),)),),
    ),
    step(
        "s2~repaired",
        "with Delta = L sqrt(8 log(X))/sqrt(d) the second term is 1",
        f"X*exp(-d*({RIGHT})**2/(8*L**2)) == 1",
        (X, DIMENSION, LIPSCHITZ),
        place="before (114)",
        argument=(Rewrite(left="X*exp(-log(X))"), Rewrite(left="1"), Identical()),
        candidates=(point("X=20 d=2 L=1"),),
        mutants=(mutant("two", "2", f"X*exp(-d*({RIGHT})**2/(8*L**2)) == 2", "X=20 d=2 L=1"),),
    ),
    step(
        "vacuous",
        "for L >= 1 and X >= L^3 the second term with the printed threshold, X^(1 - 1/(8 L^2)), is at least L^2, which "
        "|grad lbar|^2 never exceeds: (112), (113) then say nothing. Encoded: for the logarithms",
        "2*log(L) <= log(X) - log(X)/(8*L**2)",
        (X, real("L", "[1, oo)", "Lipschitz constant")),
        ours=("3*log(L) <= log(X)",),
        argument=(
            Have("0 <= log(L)"),
            Have("0 <= log(X)"),
            Have("log(X)/(8*L**2) <= log(X)/8", (Scale("8*L**2"), Combine((("log(X)*(L + 1)", "1 <= L"),)))),
            Combine((("7/8", "3*log(L) <= log(X)"), ("5/8", "0 <= log(L)"), ("1", "log(X)/(8*L**2) <= log(X)/8"))),
        ),
        mutants=(Mutant("power", "X >= L^2", conditions=("2*log(L) <= log(X)",), candidates=(point("X=4 L=2"),)),),
    ),
    erratum(
        "s2-lipschitz",
        "the privacy bound asks that the losses are Delta-Lipschitz. Encoded: L <= Delta for the printed threshold",
        f"L <= sqrt(log({INSIDE}))/sqrt(d)",
        (DIMENSION, RECORDS, DIRECTIONS, STEPS, LIPSCHITZ, BOUND, ETA),
        reads=Reads.GAP,
        place="before (114)",
        candidates=(point(LARGE),),
        finding=(
            "At d = 100, n = T = 1000, K = L = B = eta = 1 the threshold is 0.475, and L is 1. Theorem 3.2 and "
            "Corollary 3.3, from which sigma^2 is taken, are for Delta-Lipschitz losses, where nothing is clipped. A "
            "threshold of order 1/sqrt(d) is below L for large d, and then clipping is active. With Delta >= L nothing "
            "is clipped (s2-lipschitz~repaired), the second term is 0, and the last one is of order sqrt(d) r L "
            "instead of r sqrt(log d)."
        ),
        repair=f"{HERE}/s2-lipschitz~repaired",
    ),
    step(
        "s2-lipschitz~repaired",
        "with Delta >= L no difference quotient is clipped: those of an L-Lipschitz loss along a unit vector are at "
        "most L",
        "f_1 - f_2 <= 2*xi*Delta",
        (
            *(vector("u", "a direction"), positive("xi"), LIPSCHITZ, DELTA),
            *(real("f_1", meaning="l(w + xi u)"), real("f_2", meaning="l(w - xi u)")),
        ),
        ("norm(u) <= 1", "f_1 - f_2 <= L*norm(2*xi*u)", "L <= Delta"),
        argument=(
            Combine(
                (
                    ("1", "f_1 - f_2 <= L*norm(2*xi*u)"),
                    ("2*xi*L", "norm(u) <= 1"),
                    ("2*xi", "L <= Delta"),
                )
            ),
        ),
        mutants=(mutant("half", "xi Delta", "f_1 - f_2 <= xi*Delta", "u=(1) xi=1 L=1 Delta=1 f_1=2 f_2=0"),),
    ),
)
