"""Means of powers of the drift in a step."""

from dpaudit.claims.writing import *

from .pointwise import HERE, RHO, H, P

Q, REST = integer("q", "[1, oo)", "order of a moment"), integer("k", "[0, oo)", "2p - q")
MOMENTS = (
    real("EC", meaning="mean of C"),
    real("EF", "[0, oo)", "mean of (1 + z)^(2p)"),
    real("Ez", "[0, oo)", "mean of z"),
    real("Ezz", "[0, oo)", "mean of z^2"),
)

MEANS = (
    step(
        "mean",
        "E(1 + C)^p <= 1 + E[(1 + z)^(2p) - 1 - 2p z], as E C <= E z^2: the first-order term of C has mean at most 0, "
        "by Lemma 1 and the monotonicity of gradients (LEM-5/s5)",
        "1 + p*EC + (EF - 1 - p*(2*Ez + Ezz)) <= 1 + (EF - 1 - 2*p*Ez)",
        (P, *MOMENTS),
        ("EC <= Ezz",),
        rests_on=("resque/LEM-1.1", "resque/LEM-5/s5"),
        argument=(Combine(terms=(("p", "EC <= Ezz"),)),),
        mutants=(
            Mutant(
                "no-monotonicity",
                "the mean of the first-order term not bounded",
                conditions=(),
                candidates=(point("p=1 EC=1 EF=0 Ez=0 Ezz=0"),),
            ),
        ),
    ),
    step(
        "moment",
        "E z^q <= (0.77 q h/rho)^q for 2 <= q <= 2p, from Lemma 2 with M = E|Z|^q, D = |y - y'|, points within rho/q",
        "(h/D)**q*M <= (0.77*q*h/rho)**q",
        (H, RHO, Q, positive("D", "|y - y'|"), real("M", "[0, oo)", "E|Z|^q")),
        ("M <= (0.77*q*D/rho)**q",),
        rests_on=("resque/LEM-2.2/tight",),
        argument=(Combine(terms=(("(h/D)**q", "M <= (0.77*q*D/rho)**q"),)),),
        mutants=(
            mutant("constant", "0.7 in place of 0.77", "(h/D)**q*M <= (0.7*q*h/rho)**q", "h=1 rho=1 q=1 D=1 M=77/100"),
        ),
    ),
    step(
        "self-power",
        "q^q <= e^q q!",
        "q**q <= exp(q)*factorial(q)",
        (Q,),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "q",
                base=(Boxes(),),
                step=(
                    Bound(
                        left="(q + 1)*exp(1)*q**q",
                        argument=(
                            Scale("1/((q + 1)*q**q)"),
                            Rewrite(left="(1 + 1/q)**q", right="exp(1)"),
                            Logarithm(),
                            Rewrite(left="q*log(1 + 1/q)", right="1"),
                            Scale("1/q"),
                            Rewrite(left="log(1 + 1/q)", right="1/q"),
                            Substitute((real("t", "(1, 2]"),), (("q", "1/(t - 1)"),), (("t", "1 + 1/q"),)),
                            Rewrite(left="log(t)", right="t - 1"),
                            Substitute((real("y", "[1, 2]"),), where("t=y"), where("y=t")),
                            Tangent("y", "1"),
                        ),
                    ),
                    Combine(terms=(("(q + 1)*exp(1)", "q**q <= exp(q)*factorial(q)"),)),
                ),
            ),
        ),
        mutants=(mutant("constant", "2.7^q", "q**q <= 2**q*factorial(q)", "q=5"),),
    ),
    step(
        "falling",
        "C(m, q) q! <= m^q for m = q + k",
        "binomial(q + k, q)*factorial(q) <= (q + k)**q",
        (Q, REST),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "q",
                base=(Identical(),),
                step=(
                    Bound(
                        left="(q + k + 1)*(q + k)**q",
                        argument=(Combine(terms=(("q + k + 1", "binomial(q + k, q)*factorial(q) <= (q + k)**q"),)),),
                    ),
                    Scale("1/(q + k + 1)**(q + 1)"),
                    Rewrite(left="(1 - 1/(q + k + 1))**q", right="1"),
                    Boxes(),
                ),
            ),
        ),
        mutants=(
            mutant(
                "smaller-base", "m - 1 in place of m", "binomial(q + k, q)*factorial(q) <= (q + k - 1)**q", "q=1 k=3"
            ),
        ),
    ),
    step(
        "term",
        "one term of the binomial sum of E[(1 + z)^m - 1 - m z]: C(m, q) (u q)^q <= (e u m)^q, with u = 0.77 h/rho",
        "binomial(q + k, q)*(u*q)**q <= (exp(1)*u*(q + k))**q",
        (Q, REST, positive("u", "0.77 h/rho")),
        rests_on=("binomial-theorem",),
        argument=(
            Rewrite(left="binomial(q + k, q)*u**q*q**q"),
            Bound(left="binomial(q + k, q)*u**q*(exp(q)*factorial(q))", by=f"{HERE}/self-power"),
            Rewrite(left="(binomial(q + k, q)*factorial(q))*u**q*exp(q)"),
            Bound(left="(q + k)**q*u**q*exp(q)", by=f"{HERE}/falling"),
            Identical(),
        ),
        mutants=(
            mutant("constant", "2 in place of e", "binomial(q + k, q)*(u*q)**q <= (2*u*(q + k))**q", "q=9 k=40 u=1"),
        ),
    ),
    step(
        "geometric",
        "so the sum is at most x^2/(1 - x) = g, x = e u m: the sum of x^q from 2 to m lacks x^(m+1)/(1 - x) only",
        "sum(q, 2, m, x**q) + x**(m + 1)/(1 - x) == x**2/(1 - x)",
        (integer("m", "[2, oo)"), real("x", "(0, 1)")),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("m", base=(Identical(),), step=(Identical(),)),),
    ),
)
