"""Definition D.4 and Corollary D.5: the Gaussian mechanism on some coordinates.

f(D) - f(D') = u + r with u = I_U (f(D) - f(D')), of norm at most Delta_U, and r the rest. As Definition D.4 prints it,
G_U(D) = f(D) + I_U N(0, sigma^2 I), the mechanism shows the coordinates outside of U without noise. Where they depend
on the data the laws of G_U(D) and G_U(D') share no point, so that no (alpha, e)-RDP holds, and no (eps, delta)-DP
either with delta < 1; Delta_U(f) does not see it. What Algorithm 1 releases is I_S (grad f + eta), and for that, and
for any f whose other coordinates do not depend on the data, the corollary holds.
"""

from dpaudit.claims.writing import *

ALPHA, SIGMA = real("alpha", "(1, oo)", "order"), positive("sigma", "noise scale")
U, REST = vector("u", "I_U (f(D) - f(D'))"), vector("r", "f(D) - f(D') - u")
SENSITIVITY = real("Delta", "[0, oo)", "Delta_U(f)")
HIT = real("Q", "[0, 1]", "probability on D' that the coordinates outside of U are those of f(D)")
WITHIN, DISJOINT = "norm(u) <= Delta", "Q*norm(r) == 0"
XI = gaussian("xi", "sigma", "the noise on U")
RENYI = "log(E(exp((2*dot(u, xi) - dot(u, u))/(2*sigma**2))**alpha))/(alpha - 1)"
HERE = "rbcd/COR-D.5"
DISPLAY = r"\left(\alpha,\frac{\alpha\Delta_U^2(f)}{2\sigma^2}\right)\text{-RDP}"

AS_PRINTED = Claim(
    id=HERE,
    title="the Gaussian mechanism on the coordinates of U, as Definition D.4 prints it",
    words=(
        "G_U is (alpha, alpha Delta_U(f)^2/(2 sigma^2))-RDP. Encoded for the event that the coordinates outside of U "
        "are those of f(D): its probability is 1 on D, and on D' it is Q, which is 0 unless r = 0; RDP asks for "
        "1 <= e^((alpha - 1)/alpha e) Q^((alpha - 1)/alpha) (LEM-D.7/event)."
    ),
    place="Corollary D.5, with Definition D.4",
    printed=DISPLAY,
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        "1 <= exp((alpha - 1)/alpha*(alpha*Delta**2/(2*sigma**2)))*Q**((alpha - 1)/alpha)",
        (ALPHA, SIGMA, U, REST, SENSITIVITY, HIT),
        (WITHIN, DISJOINT),
    ),
    expects=Outcome.REFUTED,
    candidates=(point("alpha=2 sigma=1 u=(0,0) r=(0,1) Delta=0 Q=0"),),
    finding=(
        "As printed, G_U(D) = f(D) + I_U N(0, sigma^2 I) releases the coordinates outside of U as they are, and "
        "Delta_U(f) looks at those of U only: d = 2, U = {1}, f(D) = (0, 0), f(D') = (0, 1) has Delta_U(f) = 0, and "
        "the second coordinate tells the data sets apart with certainty, so that the Renyi divergence of every order "
        "is infinite. The corollary holds if I_U (f(D) + N(0, sigma^2 I)) is released, which is what Algorithm 1 uses, "
        "or if the other coordinates do not depend on the data. Theorem 4.1 survives."
    ),
    repair=f"{HERE}~repaired",
    steps=(
        step(
            "approximate",
            "and (eps, delta)-DP fails for every eps and every delta < 1 as soon as r is not 0: the same event",
            "exp(eps)*Q + delta < 1",
            (positive("eps"), real("delta", "(0, 1)"), REST, HIT),
            (DISJOINT, "0 < norm(r)"),
            kind=ClaimKind.PRIVACY,
            argument=(
                Have("Q <= 0", (Scale("norm(r)"), Combine(terms=(("1", DISJOINT),)))),
                Combine(terms=(("exp(eps)", "Q <= 0"),)),
            ),
            candidates=(point("eps=9 delta=99/100 r=(0,1) Q=0"), point("eps=9 delta=99/100 r=(0,0) Q=1")),
            mutants=(Mutant("no-rest", "r may be 0", conditions=(DISJOINT,)),),
        ),
        erratum(
            "s-size",
            "I_U, which acts on f(D) in R^d, is Diag(delta_1, ..., delta_n): it has d entries",
            "sum(i, 1, n, 1) == d",
            (integer("n", "[1, oo)", "number of records"), integer("d", "[1, oo)", "number of coordinates")),
            reads=Reads.PRINTED,
            kind=ClaimKind.IMPLICATION,
            place="Definition D.4, after the display",
            printed=r"\mathbf{I}_U=\mathrm{Diag}\left(\delta_1,\delta_2,\ldots,\delta_n\right)",
            candidates=(point("n=2 d=3"),),
            finding=(
                "I_U multiplies vectors of R^d, so its diagonal has d entries and not n, the number of records. "
                "Section 3.3 has it right; nothing depends on it."
            ),
            repair=f"{HERE}/s-size-d",
        ),
        step(
            "s-size-d",
            "Diag(delta_1, ..., delta_d), with d entries, takes from x in R^d its part in U: |I_U x|^2 is the sum of "
            "x_j^2 over the coordinates j of U",
            "sum(j, 1, d, (delta[j]*x[j])**2) == sum(j, 1, d, delta[j]*x[j]**2)",
            (
                integer("d", "[1, oo)", "number of coordinates"),
                sequence("delta", "[0, 1]", "1 where U holds j, else 0"),
                sequence("x"),
            ),
            ("all(j, 1, d, delta[j]**2 == delta[j])",),
            reads=Reads.PRINTED,
            kind=ClaimKind.INDUCTION,
            place="Section 3.3, after Definition 3.2",
            printed=r"\mathbf{I}_S=\mathrm{Diag}\left(\delta_1,\delta_2,\dots,\delta_d\right)"
            r"\text{ is a diagonal matrix with }\delta_i=1\text{ if }i\in S,\ 0\text{ if }i\notin S",
            argument=(
                Induct(
                    "d",
                    base=(AtIndex("1"), Combine((("x[1]**2", "delta[1]**2 == delta[1]"),))),
                    step=(Combine((("x[d + 1]**2", "delta[d + 1]**2 == delta[d + 1]"),)),),
                ),
            ),
            candidates=(point("d=2 delta=[0,1,0] x=[0,2,3]"),),
            mutants=(
                mutant(
                    "fewer",
                    "without the last entry",
                    "sum(j, 1, d - 1, (delta[j]*x[j])**2) == sum(j, 1, d, delta[j]*x[j]**2)",
                    "d=2 delta=[0,0,1] x=[0,2,3]",
                ),
            ),
        ),
    ),
)

REPAIRED = Claim(
    id=f"{HERE}~repaired",
    title="the Gaussian mechanism that releases the coordinates of U",
    words=(
        "I_U (f(D) + N(0, sigma^2 I)) is (alpha, alpha Delta_U(f)^2/(2 sigma^2))-RDP for every alpha > 1. Encoded: for "
        "each pair of neighbours; the density ratio at I_U f(D') + xi is exp((2<u, xi> - |u|^2)/(2 sigma^2)). Where "
        "the coordinates of f outside of U do not depend on the data, G_U shows them and no more."
    ),
    place="Corollary D.5, for what Algorithm 1 releases",
    printed=DISPLAY,
    kind=ClaimKind.PRIVACY,
    statement=Statement(f"{RENYI} <= alpha*Delta**2/(2*sigma**2)", (ALPHA, SIGMA, U, SENSITIVITY, XI), (WITHIN,)),
    rests_on=("rbcd/LEM-D.3",),
    argument=(
        Rewrite(left="alpha/(2*sigma**2)*norm(u)**2"),
        Combine(terms=(("alpha/(2*sigma**2)*(norm(u) + Delta)", WITHIN),)),
    ),
    candidates=(point("alpha=2 sigma=1 u=(1,) Delta=1"),),
    mutants=(Mutant("half", "half of it", f"{RENYI} <= alpha*Delta**2/(4*sigma**2)"),),
    tightness=(Tightness("factor", "1/2", f"{RENYI} <= {{c}}*alpha*Delta**2/sigma**2", "1/2", "499/1000"),),
)

CLAIMS = (AS_PRINTED, REPAIRED)
