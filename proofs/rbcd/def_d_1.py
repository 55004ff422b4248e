"""Definitions D.1 and D.2: Renyi divergence and Renyi DP, for laws on a finite space.

A law on m outcomes is a row of m positive numbers that add up to 1, and the integral of (2) is a sum. Outcomes of
probability 0 are left out: (2) has no value where T(x) = 0 < R(x), and the divergence is infinite there by convention.
What (2) needs in order to be used as a loss of privacy is proved: it is not negative.
"""

from dpaudit.claims.writing import *

ALPHA, OUTCOMES = real("alpha", "(1, oo)", "order"), integer("m", "[1, oo)", "number of outcomes")
R, T = sequence("R", "(0, 1]", "R[k]: the probability of outcome k"), sequence("T", "(0, 1]", "the same under T")
MOMENT = "sum(k, 1, m, R[k]**alpha*T[k]**(1 - alpha))"
LAWS = ("sum(k, 1, m, R[k]) == 1", "sum(k, 1, m, T[k]) == 1")
COIN = point("m=2 alpha=2 R=[1/2] T=[1,1/4,3/4]")
NO_LAW, THREE_HALVES = point("m=2 alpha=2 R=[1/2] T=[1]"), point("m=2 alpha=3/2 R=[1/2] T=[1,1/4,3/4]")
P, Q, EPS = real("p", "(0, 1)", "of the first outcome on D"), real("q", "(0, 1)", "and on D'"), positive("eps")


def divergence(p, q):
    """The divergence of order 2 of two laws on two outcomes."""
    return f"log(({p})**2/({q}) + (1 - {p})**2/(1 - {q}))"


DIVERGENCE = Claim(
    id="rbcd/DEF-D.1",
    title="Renyi divergence is not negative",
    words="For laws R, T on m outcomes and alpha > 1, D_alpha(R || T) as defined by (2) is at least 0.",
    place="Definition D.1, (2)",
    printed=r"D_\alpha\left(R\|T\right)=\frac{1}{\alpha-1}\log\int_{\mathcal V}R(x)^\alpha T(x)^{1-\alpha}dx",
    kind=ClaimKind.DIVERGENCE,
    statement=Statement(f"0 <= log({MOMENT})/(alpha - 1)", (OUTCOMES, R, T, ALPHA), LAWS),
    reads=Reads.OURS,
    rests_on=("rbcd/DEF-D.1/moment",),
    argument=(
        Have(f"1 <= {MOMENT}", (ByTheorem("rbcd/DEF-D.1/moment"),)),
        Name("moment", MOMENT),
        Narrow(),
    ),
    candidates=(COIN, NO_LAW, THREE_HALVES),
    mutants=(Mutant("order", "alpha - 3 in place of alpha - 1", f"0 <= log({MOMENT})/(alpha - 3)"),),
    steps=(
        step(
            "moment",
            "the sum is at least 1: each term lies above its tangent plane alpha R(x) - (alpha - 1) T(x)",
            f"1 <= {MOMENT}",
            (OUTCOMES, R, T, ALPHA),
            LAWS,
            argument=(
                Bound(
                    right="sum(k, 1, m, alpha*R[k] - (alpha - 1)*T[k])",
                    argument=(
                        Termwise(
                            (
                                Have("0 < R[k]"),
                                Have("0 < T[k]"),
                                Name("x", "R[k]"),
                                Name("y", "T[k]"),
                                Narrow(),
                                Tangent("x", "y"),
                            )
                        ),
                    ),
                ),
                Combine(terms=(("alpha", "1 <= sum(k, 1, m, R[k])"), ("alpha - 1", "sum(k, 1, m, T[k]) <= 1"))),
            ),
            candidates=(COIN, NO_LAW, point("m=2 alpha=2 R=[1/2] T=[1/2]")),
            mutants=(Mutant("more", "101/100 in place of 1", f"101/100 <= {MOMENT}"),),
        ),
    ),
)

RENYI_DP = Claim(
    id="rbcd/DEF-D.2",
    title="Renyi DP can be met, in both orders of the neighbours",
    words=(
        "(alpha, eps)-RDP asks for D_alpha(A(D) || A(D')) <= eps for any two neighbours, so in both orders. There is "
        "such a mechanism that is not constant: two outcomes, order 2."
    ),
    place="Definition D.2, (3)",
    printed=r"D_\alpha\left(\mathcal{A}(D)\|\mathcal{A}(D')\right)\leq\varepsilon",
    kind=ClaimKind.NON_VACUITY,
    statement=Statement(
        f"{divergence('p', 'q')} <= eps", (P, Q, EPS), (f"{divergence('q', 'p')} <= eps", "q < p"), exists=True
    ),
    reads=Reads.OURS,
    argument=(Exhibit(point("p=1/2 q=1/4 eps=3/10")),),
    mutants=(Mutant("negative", "a negative bound", f"{divergence('p', 'q')} <= -eps"),),
    steps=(
        Step(
            "one-order",
            "a bound for one order of the neighbours need not hold for the other, so that both have to be asked for",
            Statement(
                f"eps < {divergence('p', 'q')}", (P, Q, EPS), (f"{divergence('q', 'p')} <= eps", "q < p"), exists=True
            ),
            (Exhibit(point("p=1/2 q=1/4 eps=1/4")),),
            kind=ClaimKind.NON_VACUITY,
            mutants=(Mutant("contrary", "no such bound", f"eps < -{divergence('p', 'q')}"),),
        ),
    ),
)

CLAIMS = (DIVERGENCE, RENYI_DP)
