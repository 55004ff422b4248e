"""Definition A.2: the Renyi divergence of a Gaussian from its mixture with a moved one, in this order.

The draw xi is of the Gaussian, and 1 - q + q L the ratio of the densities there, L = exp((2 <v, xi> - |v|^2)/(2 s^2))
for |v| = 1. The order matters: this one never exceeds log(1/(1 - q)), whatever the noise, while the other one, of the
mixture from the Gaussian, grows without bound (other-order). Accountants use the larger of the two.
"""

from dpaudit.claims.writing import *

HERE = "zeroth/DEF-A.2"
ALPHA, RATE = real("alpha", "(1, oo)", "order"), real("q", "(0, 1)", "mixing probability")
S, V, XI = positive("s", "noise scale"), vector("v", "the shift"), gaussian("xi", "s", "a draw at 0")
LIKELIHOOD = "exp((2*dot(v, xi) - dot(v, v))/(2*s**2))"
AT = real("L", "[0, oo)", "the ratio of the densities of the moved Gaussian and the other one at a draw")
MOMENT = real("moment", "(0, oo)", "the mean of (1 - q + q L)^(1 - alpha) over draws of the Gaussian")
MOST = "moment <= (1 - q)**(1 - alpha)"

CLAIM = Claim(
    id=HERE,
    title="the divergence of Definition A.2 is at most log(1/(1 - q)), whatever the noise",
    words=(
        "S_alpha(q, s) = D_alpha(N(0, s^2) || (1 - q) N(0, s^2) + q N(1, s^2)) for alpha > 1 and q in (0, 1). A "
        "definition has nothing to prove. Encoded: that it is at most log(1/(1 - q)), as the ratio of the densities "
        "is at least 1 - q at every draw (least)."
    ),
    place="Definition A.2",
    printed=r"S_\alpha(q,\sigma)=D_\alpha(N(0,\sigma^2)\|(1-q)N(0,\sigma^2)+qN(1,\sigma^2))",
    kind=ClaimKind.DIVERGENCE,
    reads=Reads.OURS,
    statement=Statement("log(moment)/(alpha - 1) <= log(1/(1 - q))", (ALPHA, RATE, MOMENT), (MOST,)),
    origins=(Condition(MOST, Origin.GIVEN, f"{HERE}/least"),),
    rests_on=("monotone-mean",),
    argument=(
        Scale("alpha - 1"),
        Rewrite(right="log((1 - q)**(1 - alpha))"),
        Combine(
            (
                ("1", "log(moment/(1 - q)**(1 - alpha)) <= moment/(1 - q)**(1 - alpha) - 1"),
                ("(1 - q)**(alpha - 1)", MOST),
            )
        ),
    ),
    candidates=(point("alpha=2 q=1/2 moment=2"),),
    mutants=(Mutant("half", "half of it", "log(moment)/(alpha - 1) <= 1/2*log(1/(1 - q))"),),
    steps=(
        step(
            "least",
            "at every draw the integrand is at most (1 - q)^(1 - alpha)",
            "(1 - q + q*L)**(1 - alpha) <= (1 - q)**(1 - alpha)",
            (ALPHA, RATE, AT),
            argument=(
                Scale("(1 - q + q*L)**(alpha - 1)*(1 - q)**(alpha - 1)"),
                Power("1/(alpha - 1)"),
                Combine((("q", "0 <= L"),)),
            ),
            candidates=(point("alpha=2 q=1/2 L=0"),),
            mutants=(mutant("half", "half of it", "(1 - q + q*L)**(1 - alpha) <= 1/2*(1 - q)**(1 - alpha)"),),
        ),
        step(
            "second",
            "at order 2: the integrand is at most a polynomial of second degree in L - 1",
            "1/(1 - q + q*L) <= 1 - q*(L - 1) + q**2*(L - 1)**2/(1 - q)",
            (RATE, AT),
            argument=(
                Scale("(1 - q)*(1 - q + q*L)"),
                Combine((("q**3*(L - 1)**2", "0 <= L"),)),
            ),
            candidates=(point("q=1/2 L=0"),),
            mutants=(
                mutant("half", "half of the square", "1/(1 - q + q*L) <= 1 - q*(L - 1) + 1/2*q**2*(L - 1)**2/(1 - q)"),
            ),
        ),
        step(
            "second-moment",
            "and its mean is 1 + q^2 (e^(1/s^2) - 1)/(1 - q) for |v| = 1, so that S_2(q, s) is at most the logarithm "
            "of this",
            f"E(1 - q*({LIKELIHOOD} - 1) + q**2*({LIKELIHOOD} - 1)**2/(1 - q)) == "
            "1 + q**2*(exp(dot(v, v)/s**2) - 1)/(1 - q)",
            (RATE, S, V, XI),
            kind=ClaimKind.MOMENT,
            rests_on=(f"{HERE}/second", "monotone-mean"),
        ),
        step(
            "other-order",
            "the other order, at order 2, is log(1 + q^2 (e^(1/s^2) - 1)) for |v| = 1, which grows without bound as s "
            "goes to 0. Encoded: the mean in the logarithm",
            f"E((1 - q + q*{LIKELIHOOD})**2) == 1 + q**2*(exp(dot(v, v)/s**2) - 1)",
            (RATE, S, V, XI),
            kind=ClaimKind.MOMENT,
        ),
        step(
            "all",
            "for q = 1, which the definition leaves out and the remark after Theorem A.3 uses, it is alpha |v|^2/(2 "
            "s^2), that of two Gaussians",
            f"log(E({LIKELIHOOD}**(1 - alpha)))/(alpha - 1) == alpha*dot(v, v)/(2*s**2)",
            (ALPHA, S, V, XI),
            kind=ClaimKind.MOMENT,
        ),
    ),
)
