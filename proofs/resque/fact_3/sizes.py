"""How large the terms are."""

from dpaudit.claims.writing import *

from .derivatives import GROWTH, LOG_F, J, P, Q, R, S, V, X, Y

BALL = ("norm(x) <= 1/(q + j)", "norm(y) <= 1/(q + j)")

WHOLE = ("q <= q**2", "p - q <= (p - q)**2")
EXPONENTIAL = f"exp({LOG_F.format(y='y')})"
FLAT = (point("p=100 q=50 x=(1/100,) y=(1/100,)"),)
HALF = (
    Logarithm(),
    Rewrite(left=LOG_F.format(y="y"), right="1/2"),
    Combine(
        terms=(
            ("((p - q)**2 - (p - q))/2*(1/p + norm(x))", "norm(x) <= 1/p"),
            ("(q**2 - q)/2*(1/p + norm(y))", "norm(y) <= 1/p"),
            ("q*(p - q)", "dot(x, y) <= norm(x)*norm(y)"),
            ("q*(p - q)*norm(y)", "norm(x) <= 1/p"),
            ("q*(p - q)/p", "norm(y) <= 1/p"),
            ("1/(2*p)", "0 <= 1"),
        )
    ),
)
LENGTH = "norm((q**2 - q)*y + q*j*x)"
SIZES = (
    step(
        "whole",
        "k <= k^2 for every integer k >= 0, so that C_q >= 0",
        "k <= k**2",
        (integer("k", "[0, oo)"),),
        kind=ClaimKind.INDUCTION,
        argument=(Induct("k", (Identical(),), (Combine(terms=(("1", "k <= k**2"), ("2*k", "0 <= 1"))),)),),
        mutants=(mutant("strict", "2 k <= k^2", "2*k <= k**2", "k=1"),),
    ),
    step(
        "s6",
        "|v_q| <= p for 0 <= q <= p (p = q + j)",
        f"{LENGTH} <= q + j",
        (integer("q", "[1, oo)", "for q = 0 both sides are plain"), J, X, Y),
        BALL,
        argument=(
            Combine(
                terms=(
                    ("1", f"{LENGTH} <= norm((q**2 - q)*y) + norm(q*j*x)"),
                    ("q*(q - 1)", "norm(y) <= 1/(q + j)"),
                    ("q*j", "norm(x) <= 1/(q + j)"),
                    ("j + q/(q + j)", "0 <= 1"),
                )
            ),
        ),
        mutants=(mutant("constant", "p/4", f"{LENGTH} <= (q + j)/4", "q=2 j=0 x=(1/2,) y=(1/2,)"),),
    ),
    erratum(
        "s6-range",
        "the same for `any 0 <= p <= q`, as printed",
        f"norm({V.format(y='y')}) <= p",
        (P, Q, X, Y),
        ("p <= q", "norm(x) <= 1/p", "norm(y) <= 1/p"),
        candidates=(point("p=2 q=4 x=(-1/2,) y=(1/2,)"),),
        finding=(
            "A misprint: the range is 0 <= q <= p, the index of the sum; for q > p the bound is false. Nothing but the "
            "range 0 <= q <= p is used, so that the proof survives."
        ),
        repair="resque/FACT-3/s6",
    ),
    step(
        "s7",
        "F_q <= 2 (in fact e^(1/2)) for 0 <= q <= p and |x|, |y| <= 1/p",
        f"{EXPONENTIAL} <= 2",
        (P, Q, X, Y),
        ("norm(x) <= 1/p", "norm(y) <= 1/p", "q <= p", *WHOLE),
        rests_on=("resque/FACT-3/whole",),
        argument=(Bound(left="exp(1/2)", argument=HALF), Combine(terms=(("1", "exp(1/2) <= 2"),))),
        candidates=FLAT,
        tightness=(
            Tightness(
                "exponential",
                printed="2",
                form=f"{EXPONENTIAL} <= {{c}}",
                proved="exp(1/2)",
                refuted="1.6",
                argument=HALF,
                candidates=FLAT,
            ),
        ),
    ),
    step(
        "s8",
        "C_q^s <= p^(2s) for 0 <= q <= p",
        "(q**2 - q)**s <= p**(2*s)",
        (P, Q, S),
        ("q <= p", "q <= q**2"),
        rests_on=("resque/FACT-3/whole",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "s",
                (Identical(),),
                (
                    Combine(
                        terms=(
                            ("q**2 - q", "(q**2 - q)**s <= p**(2*s)"),
                            ("p**(2*s)*(p + q)", "q <= p"),
                            ("p**(2*s)*q", "0 <= 1"),
                        )
                    ),
                ),
            ),
        ),
        mutants=(mutant("power", "p^s", "(q**2 - q)**s <= p**s", "p=4 q=4 s=1"),),
    ),
    Step(
        "s9",
        "repeating (37) from I_0 = 1: I_r <= p^r for r <= p, by induction; at r = p, sum_s N_{p,s} <= p^p",
        Statement("I1 <= p**(r + 1)", (P, R, *GROWTH), ("I1 <= p*I0", "I0 <= p**r")),
        origins=(Condition("I1 <= p*I0", Origin.GIVEN, "resque/FACT-3/s3"),),
        rests_on=("resque/FACT-3/s3",),
        kind=ClaimKind.INDUCTION,
        argument=(Combine(terms=(("1", "I1 <= p*I0"), ("p", "I0 <= p**r"))),),
        mutants=(mutant("power", "p^r", "I1 <= p**r", "p=2 r=1 I0=2 I1=4"),),
    ),
)
