"""Lemma D.7: Renyi DP implies approximate DP (Mironov 2017, Proposition 3), for mechanisms on a finite space.

The outputs are numbered so that the first r of m make up the event; R[k] and T[k] are their probabilities on D and D'.
The part of the moment that lies in the event is at least P^alpha Q^(1 - alpha) for P = A(D) in the event and Q = A(D')
in it (`event`). If P <= delta there is nothing to show, else P^(alpha - 1) is at least delta^(alpha - 1)
(`conversion`). Outputs of probability 0 are left out. For other spaces sums become integrals.
"""

from dpaudit.claims.writing import *

ALPHA, EPS = real("alpha", "(1, oo)", "order"), real("eps", "[0, oo)", "bound on the divergence")
DELTA = real("delta", "(0, 1)")
EVENT, OTHERS = integer("r", "[1, oo)", "outputs in the event"), integer("m", "[1, oo)", "number of outputs")
R, T = sequence("R", "(0, 1]", "R[k]: probability of output k on D"), sequence("T", "(0, 1]", "the same on D'")
P, Q = "sum(k, 1, r, R[k])", "sum(k, 1, r, T[k])"
INSIDE = "sum(k, 1, r, R[k]**alpha*T[k]**(1 - alpha))"
OUTSIDE = "sum(k, r + 1, m, R[k]**alpha*T[k]**(1 - alpha))"
MOMENT = f"({INSIDE} + {OUTSIDE})"
RENYI_DP = f"log({MOMENT})/(alpha - 1) <= eps"
LAWS = (f"{P} + sum(k, r + 1, m, R[k]) == 1", f"{Q} + sum(k, r + 1, m, T[k]) == 1", "r <= m")
SYMBOLS = (OTHERS, EVENT, R, T, ALPHA)
TANGENT = (
    Have("0 < R[k]"),
    Have("0 < T[k]"),
    Name("x", "R[k]"),
    Name("y", "T[k]"),
    Narrow(),
    Tangent("x", "t*y"),
)
ON_EVENT = "(alpha*log(P) - (alpha - 1)*log(Q))/(alpha - 1) <= eps"
WHOLE = "P**alpha*Q**(1 - alpha)"
LOGARITHMS = (
    Bound(
        left="log(inside + outside)/(alpha - 1)",
        argument=(
            Scale("alpha - 1"),
            Combine(
                terms=(
                    ("1", f"log({WHOLE}/(inside + outside)) <= {WHOLE}/(inside + outside) - 1"),
                    ("1/(inside + outside)", f"{WHOLE} <= inside + outside"),
                )
            ),
        ),
    ),
    Combine(terms=(("1", "log(inside + outside)/(alpha - 1) <= eps"),)),
)
ONE = (real("P", "(0, 1]", "probability of the event on D"), real("Q", "(0, 1]", "and on D'"), ALPHA, EPS, DELTA)
FACTOR = "exp(eps + log(1/delta)/(alpha - 1))"
# P = exp(-x), Q = exp(-y), delta = exp(-l), alpha = 1 + 1/h.
LOGS = Substitute(
    (real("x", "[0, oo)"), real("y", "[0, oo)"), real("l", "[0, oo)"), positive("h")),
    where("P=exp(-x) Q=exp(-y) delta=exp(-l) alpha=1+1/h"),
    where("x=-log(P) y=-log(Q) l=-log(delta) h=1/(alpha-1)"),
)
SMALL = (
    Bound(left="exp(-l)", argument=(Logarithm(), Rewrite(left="-x", right="-l"), Combine(terms=(("1", "l <= x"),)))),
    Combine(terms=(("exp(-y)", "0 <= exp(eps + h*l)"),)),
)
LARGE = (
    Bound(right="exp(eps + h*l)*exp(-y)", argument=(Combine(terms=(("1", "0 <= exp(-l)"),)),)),
    Logarithm(),
    Rewrite(left="-x", right="eps + h*l - y"),
    Combine(terms=(("1", "y - (1 + h)*x <= eps"), ("h", "x <= l"))),
)
HERE = "rbcd/LEM-D.7"
COIN = "m=2 r=1 alpha=2 R=[1/2] T=[1,1/20,19/20]"

CLAIM = Claim(
    id=HERE,
    title="from Renyi DP to approximate DP",
    words=(
        "(alpha, e)-RDP implies (e + log(1/delta)/(alpha - 1), delta)-DP for every 0 < delta < 1. In part: for "
        "mechanisms with finitely many outputs, in full."
    ),
    place="Lemma D.7 (Mironov 2017, Proposition 3)",
    printed=r"\text{If }\mathcal{A}\text{ is }(\alpha,\varepsilon)\text{-RDP, then it is also }\left(\varepsilon+\frac{"
    r"\log(1/\delta)}{\alpha-1},\delta\right)\text{-DP for any }0<\delta<1",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        f"{P} <= exp(eps + log(1/delta)/(alpha - 1))*{Q} + delta", (*SYMBOLS, EPS, DELTA), (*LAWS, RENYI_DP)
    ),
    rests_on=(f"{HERE}/event", f"{HERE}/conversion"),
    argument=(
        Have(f"0 < {P}"),
        Have(f"0 < {Q}"),
        Have(f"({P}/{Q})**alpha*{Q} <= {INSIDE}", (ByTheorem(f"{HERE}/event", at=(("t", f"{P}/{Q}"),)),)),
        Have(f"0 <= {OUTSIDE}"),
        Have("0 <= sum(k, r + 1, m, R[k])"),
        Have("0 <= sum(k, r + 1, m, T[k])"),
        Name("P", P),
        Name("Q", Q),
        Name("inside", INSIDE),
        Name("outside", OUTSIDE),
        Have("P <= 1"),
        Have("Q <= 1"),
        Narrow(),
        Have("P**alpha*Q**(1 - alpha) <= inside + outside"),
        Have(ON_EVENT, LOGARITHMS),
        ByTheorem(f"{HERE}/conversion"),
    ),
    candidates=(point(f"{COIN} eps=17/10 delta=1/1000"),),
    mutants=(
        mutant(
            "exponent",
            "log(1/delta)/alpha",
            f"{P} <= exp(eps + log(1/delta)/alpha)*{Q} + delta",
            "m=2 r=1 alpha=3/2 R=[1,577/10000,9423/10000] T=[1,1/10000,9999/10000] eps=167/100 delta=1/1000",
        ),
    ),
    steps=(
        step(
            "event",
            "the part of the moment in the event is at least t^alpha Q for t = P/Q, as each term R^alpha T^(1 - alpha) "
            "lies above its tangent plane alpha t^(alpha - 1) R - (alpha - 1) t^alpha T",
            f"t**alpha*{Q} <= {INSIDE}",
            (EVENT, R, T, ALPHA, positive("t", "P/Q or less")),
            (f"t*{Q} <= {P}",),
            argument=(
                Bound(
                    right="sum(k, 1, r, alpha*t**(alpha - 1)*R[k] - (alpha - 1)*t**alpha*T[k])",
                    argument=(Termwise(TANGENT),),
                ),
                Combine(terms=(("alpha*t**(alpha - 1)", f"t*{Q} <= {P}"),)),
            ),
            candidates=(
                point("r=2 alpha=2 t=1/2 R=[1/2,1/1000,1/2] T=[1/2,1/1000,999/1000]"),
                point("r=1 alpha=2 t=10 R=[1/2] T=[1/20]"),
                point("r=1 alpha=2 t=1 R=[1/2] T=[1/2]"),
            ),
            mutants=(Mutant("constant", "99/100 of it", f"t**alpha*{Q} <= 99/100*{INSIDE}"),),
        ),
        step(
            "conversion",
            "P^alpha Q^(1 - alpha) <= e^((alpha - 1) eps) gives P <= e^(eps + log(1/delta)/(alpha - 1)) Q + delta",
            f"P <= {FACTOR}*Q + delta",
            ONE,
            (ON_EVENT,),
            kind=ClaimKind.PRIVACY,
            argument=(
                LOGS,
                Rewrite(right="exp(eps + h*l)*exp(-y) + exp(-l)"),
                Cases((("l <= x", SMALL), ("otherwise", LARGE))),
            ),
            candidates=(point("alpha=2 eps=161/100 delta=9/20 P=1/2 Q=1/20"),),
            mutants=(
                mutant(
                    "exponent",
                    "log(1/delta)/alpha",
                    "P <= exp(eps + log(1/delta)/alpha)*Q + delta",
                    "alpha=3/2 eps=66/100 delta=1/1000 P=577/10000 Q=1/10000",
                ),
                Mutant("no-delta", "delta not added", f"P <= {FACTOR}*Q"),
            ),
        ),
    ),
)
