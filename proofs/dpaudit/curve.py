"""The curve of (epsilon, delta)-DP: the largest true positive rate at each false positive rate, from the definition on.

`estimators.supporting_lines`, `least_favourable` and `one_run_fdp` use that it is concave and its own mirror image, and
that it bounds tests that decide by chance as well.
"""

from dpaudit.claims.writing import *

HERE = "dpaudit/CURVE"
EPS, DELTA = real("eps", "[0, oo)"), real("delta", "[0, 1)")
X, Y, T = real("x", "[0, 1]", "a false positive rate"), real("y", "[0, 1]", "another one"), real("t", "[0, 1]")
AT_X_OF_THREE = "min(1, exp(eps)*x + delta, 1 - exp(-eps)*(1 - delta - x))"
POINTS = integer("n", "[1, oo)", "number of values of the release")
P, Q = sequence("p", "[0, 1]", "p[k]: probability on D"), sequence("q", "[0, 1]", "on D'")
TEST = sequence("h", "[0, 1]", "h[k]: with which probability the test says D at the value k")
BOTH = "min(exp(eps)*({0}) + delta, 1 - exp(-eps)*(1 - delta - ({0})))"
CURVE = f"min(1, {BOTH})"
"""As one minimum of two; the steps have it as one of three."""
OF_THREE = "min(1, exp(eps)*({0}) + delta, 1 - exp(-eps)*(1 - delta - ({0})))"
MIXED, AT_X, AT_Y = CURVE.format("t*x + (1 - t)*y"), CURVE.format("x"), CURVE.format("y")
STICK = "sum(k, 1, n, max(p[k] - exp(eps)*q[k], 0))"
EXCESS = "p[k] - exp(eps)*q[k]"
LARGER = f"max({EXCESS}, 0)"
MEAN = f"t*{AT_X} + (1 - t)*{AT_Y}"
LINES = ("1", "exp(eps)*({0}) + delta", "1 - exp(-eps)*(1 - delta - ({0}))")


def below(line):
    """The mean of two values of the curve lies below one of its lines, as both values do."""
    values = (("t", "x"), ("1 - t", "y"))
    whole = tuple(
        (share, f"{CURVE.format(one)} <= {(BOTH if line != '1' else '1').format(one)}") for share, one in values
    )
    parts = tuple((share, f"{BOTH.format(one)} <= {line.format(one)}") for share, one in values if line != "1")
    return Have(f"{MEAN} <= {line.format('t*x + (1 - t)*y')}", (Combine((*whole, *parts)),))


CLAIM = Claim(
    id=HERE,
    title="the curve of (epsilon, delta)-DP is concave",
    words=(
        "G(x) = min(1, e^eps x + delta, 1 - e^-eps (1 - delta - x)), the largest true positive rate that (eps, "
        "delta)-DP in both orders allows at the false positive rate x, is concave."
    ),
    place="docs/statistics.md, How an audit decides",
    kind=ClaimKind.PRIVACY,
    reads=Reads.OURS,
    statement=Statement(f"{MEAN} <= {MIXED}", (EPS, DELTA, X, Y, T)),
    argument=(
        *map(below, LINES),
        Name("mean", MEAN),
        *(
            Name(name, line.format("t*x + (1 - t)*y"))
            for name, line in zip(("first", "second"), LINES[1:], strict=True)
        ),
    ),
    mutants=(mutant("convex", "9/10 of it", f"{MEAN} <= 9/10*{MIXED}", "eps=1 delta=0 x=1 y=1 t=1"),),
    steps=(
        step(
            "tests",
            "a test with any chances h[k] keeps the line: where the sum over k of max(p[k] - e^eps q[k], 0), the "
            "largest P(S) - e^eps P'(S) over sets S of values, is at most delta, its true positive rate is at most "
            "e^eps times its false positive rate plus delta. On finitely many values",
            "sum(k, 1, n, h[k]*p[k]) <= exp(eps)*sum(k, 1, n, h[k]*q[k]) + delta",
            (POINTS, P, Q, TEST, EPS, DELTA),
            (f"{STICK} <= delta",),
            kind=ClaimKind.PRIVACY,
            argument=(
                Have(
                    f"sum(k, 1, n, h[k]*(p[k] - exp(eps)*q[k])) <= {STICK}",
                    (Termwise((Combine((("h[k]", f"{EXCESS} <= {LARGER}"), ("1 - h[k]", f"0 <= {LARGER}"))),)),),
                ),
                Combine(
                    (
                        ("1", f"sum(k, 1, n, h[k]*(p[k] - exp(eps)*q[k])) <= {STICK}"),
                        ("1", f"{STICK} <= delta"),
                    )
                ),
            ),
            candidates=(point("n=1 p=[1,1] q=[1,1] h=[1,1] eps=0 delta=0"),),
            mutants=(
                mutant(
                    "half",
                    "half of delta",
                    "sum(k, 1, n, h[k]*p[k]) <= exp(eps)*sum(k, 1, n, h[k]*q[k]) + delta/2",
                    "n=1 p=[1/2,1/2] q=[0,0] h=[1,1] eps=0 delta=1/2",
                ),
            ),
        ),
        step(
            "mirror",
            "where G(x) < 1, the curve is its own mirror image: G(1 - G(x)) = 1 - x",
            f"{OF_THREE.format(f'1 - {AT_X_OF_THREE}')} == 1 - x",
            (EPS, DELTA, X),
            ("x <= 1 - delta",),
            argument=(),
        ),
        step(
            "corner",
            "the law of Kairouz, Oh and Viswanath attains it: with probability delta it tells the data set, else it is "
            "randomised response. The test that says D where it tells D, or answers D, has rates on the curve, at the "
            "corner of both lines",
            f"{OF_THREE.format('(1 - delta)/(1 + exp(eps))')} == delta + (1 - delta)*exp(eps)/(1 + exp(eps))",
            (EPS, DELTA),
            argument=(),
        ),
    ),
)
