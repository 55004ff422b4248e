"""Proposition 5: composition, the Gaussian mechanism and conversion to (eps, delta)-DP for Renyi DP.

The claim itself is item 3, the conversion; items 1 and 2 are the steps s1 and s2. For an event S with
probabilities P and Q the bound on D_alpha gives P^alpha Q^(1-alpha) <= exp((alpha-1) eps) (step `event`: the parts of
the event lie above tangent planes, as in QCX). If P <= delta there is nothing to show; else P^(alpha-1) may be
replaced by delta in P (P/Q)^(alpha-1) <= exp((alpha-1) eps). Events of probability 0 are left out: P = 0 is
trivial, and Q = 0 < P has infinite divergence.
"""

from dpaudit.claims.writing import *

ALPHA, EPS = real("alpha", "(1, oo)", "order"), real("eps", "[0, oo)", "bound on the divergence")
ABOVE_ONE = "1 < alpha"
DELTA = real("delta", "(0, 1)")
P, Q = real("P", "(0, 1]", "probability of the event on D"), real("Q", "(0, 1]", "probability on D'")
ON_EVENT = "(alpha*log(P) - (alpha - 1)*log(Q))/(alpha - 1) <= eps"
# P = exp(-x), Q = exp(-y), delta = exp(-l), alpha = 1 + 1/h.
LOGS = Substitute(
    (real("x", "[0, oo)"), real("y", "[0, oo)"), real("l", "[0, oo)"), positive("h")),
    (("P", "exp(-x)"), ("Q", "exp(-y)"), ("delta", "exp(-l)"), ("alpha", "1 + 1/h")),
    (("x", "-log(P)"), ("y", "-log(Q)"), ("l", "-log(delta)"), ("h", "1/(alpha - 1)")),
)
GAUSSIAN = "log(E(exp((2*dot(D, xi) - dot(D, D))/(2*sigma**2))**alpha))/(alpha - 1)"
FACTOR = "exp(eps + log(1/delta)/(alpha - 1))"
# Randomised response with P = 1/2, Q = 1/20 at order 2: the divergence on the event is log 5.
EVENT = point("alpha=2 eps=161/100 delta=9/20 P=1/2 Q=1/20")

PARTS = tuple(positive(name, "probability of a part") for name in ("P1", "P2", "Q1", "Q2"))
RATIO = "t*(Q1 + Q2) <= P1 + P2"


def plane(u, v):
    """The tangent plane of u^alpha v^(1-alpha) along the ray u = t v."""
    return f"(alpha*t**(alpha - 1)*{u} - (alpha - 1)*t**alpha*{v})"


def integrand(u, v):
    """That of exp((alpha - 1) D_alpha)."""
    return f"{u}**alpha*{v}**(1 - alpha)"


MEANS = (
    ALPHA,
    positive("A", "exp((alpha-1) D) of the first mechanism"),
    positive("B", "the largest exp((alpha-1) D) of the second over its inputs"),
    real("eps1", "[0, oo)"),
    real("eps2", "[0, oo)"),
)

CLAIM = Claim(
    id="resque/PROP-5",
    title="Renyi DP: composition, Gaussian mechanism, conversion",
    words=(
        "(1) Divergences add under adaptive composition; (2) D_alpha of N(mu, s^2 I) and N(mu', s^2 I) is at most "
        "alpha |mu - mu'|^2/(2 s^2); (3) (alpha, eps)-RDP is (eps + log(1/delta)/(alpha-1), delta)-DP for all delta in "
        "(0, 1). Encoded here: (3) for one event, with probabilities P and Q."
    ),
    place="Proposition 5",
    kind=ClaimKind.PRIVACY,
    statement=Statement(f"P <= {FACTOR}*Q + delta", (ALPHA, EPS, DELTA, P, Q), (ON_EVENT, ABOVE_ONE)),
    origins=(Condition(ON_EVENT, Origin.GIVEN, "resque/PROP-5/event"),),
    rests_on=("resque/PROP-5/event",),
    argument=(
        LOGS,
        Rewrite(right="exp(eps + h*l)*exp(-y) + exp(-l)"),
        Cases(
            (
                (
                    "l <= x",
                    (
                        Bound(
                            left="exp(-l)",
                            argument=(Logarithm(), Rewrite(left="-x", right="-l"), Combine(terms=(("1", "l <= x"),))),
                        ),
                        Combine(terms=(("exp(-y)", "0 <= exp(eps + h*l)"),)),
                    ),
                ),
                (
                    "otherwise",
                    (
                        Bound(right="exp(eps + h*l)*exp(-y)", argument=(Combine(terms=(("1", "0 <= exp(-l)"),)),)),
                        Logarithm(),
                        Rewrite(left="-x", right="eps + h*l - y"),
                        Combine(terms=(("1", "y - (1 + h)*x <= eps"), ("h", "x <= l"))),
                    ),
                ),
            )
        ),
    ),
    candidates=(EVENT,),
    mutants=(
        mutant(
            "exponent",
            "log(1/delta)/alpha",
            "P <= exp(eps + log(1/delta)/alpha)*Q + delta",
            "alpha=3/2 eps=66/100 delta=1/1000 P=577/10000 Q=1/10000",
        ),
        Mutant("no-delta", "delta not added", f"P <= {FACTOR}*Q", candidates=()),
    ),
    steps=(
        step(
            "s1",
            "composition: the moment of the pair is at most A B, so that the divergence is at most eps1 + eps2. "
            "In part: the sum of the logarithms; the bound A B on the moment is s1-product and a mean",
            "log(A*B)/(alpha - 1) <= eps1 + eps2",
            MEANS,
            ("log(A)/(alpha - 1) <= eps1", "log(B)/(alpha - 1) <= eps2", ABOVE_ONE),
            rests_on=("monotone-mean", "resque/PROP-5/s1-product"),
            kind=ClaimKind.DIVERGENCE,
            argument=(
                Rewrite(left="log(A)/(alpha - 1) + log(B)/(alpha - 1)"),
                Combine(terms=(("1", "log(A)/(alpha - 1) <= eps1"), ("1", "log(B)/(alpha - 1) <= eps2"))),
            ),
            mutants=(
                mutant(
                    "largest",
                    "the larger of the two",
                    "log(A*B)/(alpha - 1) <= max(eps1, eps2)",
                    "alpha=2 A=2 B=2 eps1=1 eps2=1",
                ),
            ),
        ),
        step(
            "s1-product",
            "Not printed: the integrand of the pair is the product: first stage p1, q1, second stage p2, q2 given "
            "the first output",
            "(p1*p2)**alpha*(q1*q2)**(1 - alpha) == p1**alpha*q1**(1 - alpha)*(p2**alpha*q2**(1 - alpha))",
            (ALPHA, *(positive(name, "a density") for name in ("p1", "p2", "q1", "q2"))),
            reads=Reads.OURS,
        ),
        step(
            "s2",
            "Gaussian mechanism: with D = mu - mu' the density ratio at mu' + xi is exp((2<D,xi> - |D|^2)/(2 s^2))",
            f"{GAUSSIAN} <= alpha*dot(D, D)/(2*sigma**2)",
            (ALPHA, positive("sigma"), vector("D", "mu - mu'"), gaussian("xi", "sigma")),
            (ABOVE_ONE,),
            kind=ClaimKind.DIVERGENCE,
            argument=(Rewrite(left="alpha*dot(D, D)/(2*sigma**2)"), Identical()),
            tightness=(
                Tightness(
                    "gaussian",
                    printed="1",
                    form=f"{GAUSSIAN} <= {{c}}*alpha*dot(D, D)/(2*sigma**2)",
                    proved="1",
                    refuted="0.999",
                    candidates=(point("alpha=2 sigma=1 D=(1,)"),),
                ),
            ),
        ),
        step(
            "event",
            "P^alpha Q^(1-alpha) = t^alpha Q, t = P/Q, is at most the sum of p^alpha q^(1-alpha) over the parts "
            "of the event (here two): each lies above its tangent plane at t. By means, it is at most the "
            "integral over the event",
            f"t**alpha*(Q1 + Q2) <= {integrand('P1', 'Q1')} + {integrand('P2', 'Q2')}",
            (ALPHA, positive("t", "P/Q or less"), *PARTS),
            (RATIO,),
            rests_on=("monotone-mean",),
            argument=(
                Bound(right=f"{plane('P1', 'Q1')} + {integrand('P2', 'Q2')}", argument=(Tangent("P1", "t*Q1"),)),
                Bound(right=f"{plane('P1', 'Q1')} + {plane('P2', 'Q2')}", argument=(Tangent("P2", "t*Q2"),)),
                Combine(terms=(("alpha*t**(alpha - 1)", RATIO),)),
            ),
            candidates=(
                point("alpha=2 t=1 P1=1/2 P2=1/2 Q1=1/2 Q2=1/2"),
                point("alpha=2 t=9 P1=1/2 P2=1/2 Q1=1/2 Q2=1/2"),
            ),
            mutants=(
                Mutant(
                    "constant",
                    "99/100 of the sum",
                    f"t**alpha*(Q1 + Q2) <= 99/100*({integrand('P1', 'Q1')} + {integrand('P2', 'Q2')})",
                ),
                Mutant("any-ratio", "t any number", conditions=()),
            ),
        ),
    ),
)
