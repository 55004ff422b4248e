"""Lemma D.7: Renyi DP implies approximate DP (Mironov 2017, Proposition 3).

For any event S, Hoelder's inequality gives P(S) <= (e^e Q(S))^(1 - 1/alpha). With
u = e^e Q(S) it is enough that u^(1 - 1/alpha) <= u delta^(-1/(alpha-1)) + delta: if
u^(1-1/alpha) <= delta the second term alone is enough, otherwise the first is.
"""

from dpaudit.claims.writing import *

CLAIM = Claim(
    id="rbcd/LEM-D.7",
    title="from Renyi DP to approximate DP",
    words="(alpha, e)-RDP implies (e + log(1/delta)/(alpha - 1), delta)-DP for every 0 < delta < 1.",
    place="Lemma D.7 (Mironov 2017, Proposition 3)",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        "u**(1 - 1/(1 + a)) <= u*delta**(-1/a) + delta",
        (positive("a", "alpha - 1"), real("delta", "(0, 1)"), real("u", "[0, oo)", "e^e Q(S)")),
    ),
    rests_on=("renyi-probability-preservation",),
    argument=(
        Substitute(
            (real("y", "[0, oo)", "u^(1-1/alpha)/delta"),),
            (("u", "(delta*y)**((1 + a)/a)"),),
            (("y", "u**(a/(1 + a))/delta"),),
        ),
        Rewrite(left="delta*y", right="delta*y*y**(1/a) + delta"),
        Scale("1/delta"),
        Rewrite(left="y", right="y*y**(1/a) + 1"),
        Cases(
            (
                ("y <= 1", (Combine(terms=(("1", "y <= 1"), ("1", "0 <= y*y**(1/a)"))),)),
                ("otherwise", (Combine(terms=(("y", "1 <= y**(1/a)"), ("1", "0 <= 1"))),)),
            )
        ),
    ),
    mutants=(
        mutant(
            "exponent",
            "1/alpha in place of 1/(alpha - 1)",
            "u**(1 - 1/(1 + a)) <= u*delta**(-1/(1 + a)) + delta",
            "a=1 delta=1/100 u=1/400",
        ),
        mutant(
            "eighth",
            "an eighth of the right side",
            "u**(1 - 1/(1 + a)) <= (u*delta**(-1/a) + delta)/8",
            "a=1 delta=1/2 u=1/64",
        ),
    ),
)
