"""The text after Lemma A.4: S_alpha(q, s) <= 2 alpha q^2/s^2 in some regime, which the paper cites and does not name.

The integrand (1 - q + q L)^(1 - alpha) is at most its Taylor polynomial of second degree in L - 1, with the second
derivative at L = 0, where it is largest. The mean of L - 1 is 0 and that of its square e^(1/s^2) - 1. So the bound
holds for s >= 1 and (alpha + 1) q <= 1/2, which the cited regime (s >= 4, and an alpha that hangs on q and s) does not
contain, and is not contained in.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/FACT-A.5"
ALPHA, RATE = real("alpha", "(1, oo)", "order"), real("q", "(0, 1/4)", "mixing probability")
LARGE = real("s", "[1, oo)", "noise scale")
S, V, XI = positive("s", "noise scale"), vector("v", "the shift, of length 1"), gaussian("xi", "s", "a draw at 0")
AT = positive("L", "the ratio of the densities of the moved Gaussian and the other one at a draw")
LIKELIHOOD = "exp((2*dot(v, xi) - dot(v, v))/(2*s**2))"
CURVE = "alpha*(alpha - 1)/2*(1 - q)**(-alpha - 1)*q**2"
MOMENT = real("moment", "(0, oo)", "the mean of (1 - q + q L)^(1 - alpha) over draws of the Gaussian")
BOUNDED, SMALL = f"moment <= 1 + {CURVE}*(exp(1/s**2) - 1)", "(alpha + 1)*q <= 1/2"

CLAIM = Claim(
    id=HERE,
    title="S_alpha(q, s) <= 2 alpha q^2/s^2 for s >= 1 and (alpha + 1) q <= 1/2",
    words=(
        "S_alpha(q, s) is at most 2 alpha q^2/s^2 for some regime of (alpha, s, q), which the paper takes from "
        "Altschuler and Talwar and does not state. Encoded: the regime s >= 1, (alpha + 1) q <= 1/2, which is ours."
    ),
    place="Appendix A.9, the text after Lemma A.4",
    printed=r"2\alpha q^2/\sigma^2\text{ for some regime of }(\alpha,\sigma,q)",
    kind=ClaimKind.DIVERGENCE,
    reads=Reads.READING,
    statement=Statement("log(moment)/(alpha - 1) <= 2*alpha*q**2/s**2", (ALPHA, RATE, LARGE, MOMENT), (SMALL, BOUNDED)),
    origins=(Condition(SMALL, Origin.OURS), Condition(BOUNDED, Origin.GIVEN, f"{HERE}/moment")),
    rests_on=("monotone-mean", *ids(HERE, "pointwise near power")),
    argument=(
        Scale("alpha - 1"),
        Have("exp(1/s**2) - 1 <= 7/4/s**2", (ByTheorem(f"{HERE}/near"),)),
        Have("(1 - q)**(-alpha - 1) <= 2", (ByTheorem(f"{HERE}/power"),)),
        Combine(
            (
                ("1", "log(moment) <= moment - 1"),
                ("1", BOUNDED),
                (CURVE, "exp(1/s**2) - 1 <= 7/4/s**2"),
                ("7/4/s**2*alpha*(alpha - 1)/2*q**2", "(1 - q)**(-alpha - 1) <= 2"),
                ("1/4*alpha*(alpha - 1)*q**2/s**2", "0 <= 1"),
            )
        ),
    ),
    candidates=(point("alpha=3/2 q=1/5 s=1 moment=101/100"),),
    mutants=(
        mutant(
            "fifth",
            "a fifth of it",
            "log(moment)/(alpha - 1) <= 2/5*alpha*q**2/s**2",
            ("alpha=3/2 q=1/5 s=1 moment=103/100"),
        ),
    ),
    steps=(
        step(
            "pointwise",
            "the integrand is at most its Taylor polynomial at L = 1, with the second derivative at L = 0",
            f"(1 - q + q*L)**(1 - alpha) <= 1 - (alpha - 1)*q*(L - 1) + {CURVE}*(L - 1)**2",
            (ALPHA, real("q", "(0, 1)", "mixing probability"), AT),
            argument=(
                Taylor(
                    "L",
                    "1",
                    2,
                    "both",
                    (
                        Have(
                            "(1 - q + q*L)**(-alpha - 1) <= (1 - q)**(-alpha - 1)",
                            (
                                Scale("(1 - q + q*L)**(alpha + 1)*(1 - q)**(alpha + 1)"),
                                Power("1/(alpha + 1)"),
                                Combine((("q", "0 < L"),)),
                            ),
                        ),
                        Combine((("alpha*(alpha - 1)*q**2", "(1 - q + q*L)**(-alpha - 1) <= (1 - q)**(-alpha - 1)"),)),
                    ),
                ),
            ),
            candidates=(point("alpha=2 q=1/2 L=1"), point("alpha=2 q=1/2 L=1/100")),
            mutants=(
                mutant(
                    "half",
                    "half of the square",
                    f"(1 - q + q*L)**(1 - alpha) <= 1 - (alpha - 1)*q*(L - 1) + 1/2*{CURVE}*(L - 1)**2",
                    "alpha=2 q=1/100 L=3/2",
                ),
            ),
        ),
        step(
            "moment",
            "its mean, for |v| = 1",
            f"E(1 - (alpha - 1)*q*({LIKELIHOOD} - 1) + {CURVE}*({LIKELIHOOD} - 1)**2) == "
            f"1 + {CURVE}*(exp(dot(v, v)/s**2) - 1)",
            (ALPHA, real("q", "(0, 1)", "mixing probability"), S, V, XI),
            kind=ClaimKind.MOMENT,
            rests_on=(f"{HERE}/pointwise", "monotone-mean"),
        ),
        step(
            "near",
            "e^(1/s^2) - 1 <= 7/(4 s^2) for s >= 1",
            "exp(1/s**2) - 1 <= 7/4/s**2",
            (LARGE,),
            argument=(
                Substitute((real("y", "(0, 1]", "1/s^2"),), where("s=1/sqrt(y)"), where("y=1/s**2")),
                Rewrite(left="y*exprel(y)", right="7/4*y"),
                Scale("1/y"),
                Rewrite(left="exprel(y)", right="7/4"),
                Boxes(),
            ),
            candidates=(point("s=1"),),
            tightness=(
                Tightness("factor", "7/4", "exp(1/s**2) - 1 <= {c}/s**2", "7/4", "17/10", candidates=(point("s=1"),)),
            ),
            mutants=(mutant("less", "3/2 in place of 7/4", "exp(1/s**2) - 1 <= 3/2/s**2", "s=1"),),
        ),
        step(
            "power",
            "(1 - q)^(-alpha - 1) <= 2 for (alpha + 1) q <= 1/2, where q < 1/4",
            "(1 - q)**(-alpha - 1) <= 2",
            (ALPHA, RATE),
            (SMALL,),
            argument=(
                Logarithm(),
                Rewrite(left="-(alpha + 1)*log(1 - q)"),
                Have(
                    "-log(1 - q) <= 4/3*q",
                    (Combine((("1", "log(1/(1 - q)) <= 1/(1 - q) - 1"), ("4/3*q/(1 - q)", ("q <= 1/4")))),),
                ),
                Have("2/3 <= log(2)", (Boxes(),)),
                Combine((("alpha + 1", "-log(1 - q) <= 4/3*q"), ("4/3", SMALL), ("1", "2/3 <= log(2)"))),
            ),
            candidates=(point("alpha=3/2 q=1/5"),),
            mutants=(mutant("less", "3/2 in place of 2", "(1 - q)**(-alpha - 1) <= 3/2", "alpha=3/2 q=1/5"),),
        ),
    ),
)
