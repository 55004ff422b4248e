"""How (epsilon, delta)-DP is a mixture: `estimators.nested_guesses` uses it; no theorem is taken as given here.

Let p and q be the probabilities of one value on D and on D' (or densities, against p + q). Cut both: p' = min(p, e^eps
q), q' = min(q, e^eps p). What is cut has mass d1 and d2, both at most delta. Say d1 <= d2. Then the share l of p' -
e^-eps q' is cut too, so that both of what is left have mass 1 - d2. What is left differs by e^eps at most, at every
value: that is the claim. At last both are scaled by (1 - delta)/(1 - d2), and what was cut is filled up to delta.
"""

from dpaudit.claims.writing import *

HERE = "dpaudit/MIXTURE"
EPS = real("eps", "[0, oo)")
P, Q = real("p", "[0, oo)", "probability of a value on D"), real("q", "[0, oo)", "on D'")
SHARE = real("l", "[0, 1]", "what is cut of p' - e^-eps q'")
CUT_P, CUT_Q = "min(p, exp(eps)*q)", "min(q, exp(eps)*p)"
LEFT_P = f"({CUT_P} - l*({CUT_P} - exp(-eps)*{CUT_Q}))"
ONE, OTHER = real("one", "[0, 1]", "d1"), real("other", "[0, 1]", "d2")
POINTS = integer("n", "[1, oo)", "number of values")
LAW, SECOND = sequence("p", "[0, 1]", "p[k]: probability on D"), sequence("q", "[0, 1]", "on D'")
KEPT, STICK = "sum(k, 1, n, min(p[k], exp(eps)*q[k]))", "sum(k, 1, n, max(p[k] - exp(eps)*q[k], 0))"
TAKEN = "(1 - one - exp(-eps)*(1 - other))"

CLAIM = Claim(
    id=HERE,
    title="what is left of two laws, once what makes delta is cut, differs by e^eps at most",
    words=(
        "(eps, delta)-DP makes each side a mixture: with probability delta of anything, else of a law that is (eps, "
        "0)-indistinguishable from that of the other side. At each value: with p' = min(p, e^eps q), q' = min(q, e^eps "
        "p) and any l in [0, 1], p' - l (p' - e^-eps q') is at most e^eps q'. The other direction is `back`, masses "
        "are `mass`, `share` and `even`. For densities the same holds at each point; that sums over values become "
        "integrals there is not encoded."
    ),
    place="dpaudit/estimators/nested_guesses.py",
    kind=ClaimKind.PRIVACY,
    reads=Reads.OURS,
    statement=Statement(f"{LEFT_P} <= exp(eps)*{CUT_Q}", (EPS, P, Q, SHARE)),
    mutants=(mutant("less", "9/10 of it", f"{LEFT_P} <= 9/10*(exp(eps)*{CUT_Q})", "eps=0 p=1 q=1 l=0"),),
    steps=(
        step(
            "back",
            "and q' is at most e^eps times what is left of p'",
            f"{CUT_Q} <= exp(eps)*{LEFT_P}",
            (EPS, P, Q, SHARE),
            mutants=(mutant("less", "9/10 of it", f"{CUT_Q} <= 9/10*(exp(eps)*{LEFT_P})", "eps=0 p=1 q=1 l=0"),),
        ),
        step(
            "parts",
            "a number is the lesser of it and another one, and what it is above that",
            "min(p, x) + max(p - x, 0) == p",
            (P, real("x", "[0, oo)")),
            argument=(Cases((("p <= x", (Identical(),)), ("otherwise", (Identical(),)))),),
            candidates=(point("p=2 x=1"),),
        ),
        step(
            "mass",
            "what is left at first has mass 1 - d1, where d1 is the sum of max(p[k] - e^eps q[k], 0), which is at most "
            "delta: of finitely many values",
            f"{KEPT} == 1 - one",
            (POINTS, LAW, SECOND, EPS, ONE),
            ("sum(k, 1, n, p[k]) == 1", f"{STICK} == one"),
            argument=(
                Have(
                    f"{KEPT} == sum(k, 1, n, p[k] - max(p[k] - exp(eps)*q[k], 0))",
                    (
                        Termwise(
                            (
                                Have(
                                    "min(p[k], exp(eps)*q[k]) + max(p[k] - exp(eps)*q[k], 0) == p[k]",
                                    (ByTheorem(f"{HERE}/parts", at=(("p", "p[k]"), ("x", "exp(eps)*q[k]"))),),
                                ),
                                Combine((("1", "min(p[k], exp(eps)*q[k]) + max(p[k] - exp(eps)*q[k], 0) == p[k]"),)),
                            )
                        ),
                    ),
                ),
                Combine(
                    (
                        ("1", f"{KEPT} == sum(k, 1, n, p[k] - max(p[k] - exp(eps)*q[k], 0))"),
                        ("1", "sum(k, 1, n, p[k]) == 1"),
                        ("-1", f"{STICK} == one"),
                    )
                ),
            ),
            candidates=(point("n=1 p=[1,1] q=[1,1] eps=0 one=0"),),
        ),
        step(
            "share",
            "the share l = (d2 - d1)/(1 - d1 - e^-eps (1 - d2)) is at most 1",
            "other - one <= 1 - one - exp(-eps)*(1 - other)",
            (EPS, ONE, OTHER),
            mutants=(
                mutant(
                    "twice", "e^-eps twice", "other - one <= 1 - one - 2*exp(-eps)*(1 - other)", "eps=0 one=0 other=0"
                ),
            ),
        ),
        step(
            "even",
            "and with it mass 1 - d2 is left of both",
            f"1 - one - l*{TAKEN} == 1 - other",
            (EPS, ONE, OTHER, SHARE),
            (f"l*{TAKEN} == other - one",),
            argument=(Combine((("-1", f"l*{TAKEN} == other - one"),)),),
            candidates=(point("eps=0 one=0 other=1/2 l=1"),),
        ),
    ),
)
