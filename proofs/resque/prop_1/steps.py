"""The decrease of the potential in one iteration."""

from dpaudit.claims.writing import *

from .range import LAMBDA, OLD, STEP

LAM = "((A + a)/a**2)"
Y, V = f"(xhat + g/{LAM})", "(xhat + (A/a)*(xhat - x) + a*g)"
MOVE = f"dot({Y} - xhat, {Y} - xhat)"
ITERATION = (
    OLD,
    STEP,
    real("R", "[0, oo)", "radius of the domain"),
    real("phi", "[0, oo)", "error of the ball optimisation oracle"),
    real("sigma", "[0, oo)", "root mean square error of g~"),
    real("delta", "[0, oo)", "bias of g~"),
    real("F_x", meaning="F at the point x"),
    real("F_xhat", meaning="F at the proximal point"),
    real("F_star", meaning="F at the comparison point"),
    real("EF_new", meaning="mean of F at the new point x'"),
    real("E_moved", "[0, oo)", "mean of |x' - y|^2"),
    real("E_error", "[0, oo)", "mean of |g~ - g|^2"),
    real("E_dist", meaning="mean of |v' - xstar|^2"),
    vector("x"),
    vector("xhat", "the proximal point"),
    vector("g", "lambda (y - xhat), a subgradient at xhat while the ball constraint is inactive"),
    vector("xs", "the comparison point xstar"),
    vector("b", "the bias E g~ - g"),
)
SUBGRADIENT = ("F_xhat + dot(g, xs - xhat) <= F_star", "F_xhat + dot(g, x - xhat) <= F_x")
ORACLES = (
    f"EF_new + {LAM}/2*E_moved <= F_xhat + {LAM}/2*{MOVE} + phi",
    "norm(b) <= delta",
    "dot(b, b) <= E_error",
    "E_error <= sigma**2",
)
PROJECTED = f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g + b, {V} - xs) + a**2/4*(dot(g, g) + 2*dot(g, b) + E_error)"
HYPOTHESES = (*SUBGRADIENT, *ORACLES, PROJECTED, f"norm({V}) <= R", "norm(xs) <= R")
CHANGE = f"(A + a)*(EF_new - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
ERRORS = "(A + a)*phi + a**2*sigma**2 + 2*R*a*delta"


def decrease(constant):
    """The potential decrease with `constant` in place of 1/6."""
    return f"{CHANGE} <= -{constant}*{LAM}*(A + a)*{MOVE} + {ERRORS}"


DECREASE = (
    Combine(
        terms=(
            ("a", SUBGRADIENT[0]),
            ("A", SUBGRADIENT[1]),
            ("A + a", ORACLES[0]),
            ("(A + a)**2/(2*a**2)", "0 <= E_moved"),
            ("1", PROJECTED),
            ("a", f"dot(b, xs - {V}) <= norm(b)*norm(xs - {V})"),
            ("a*norm(b)", f"norm(xs - {V}) <= norm(xs) + norm({V})"),
            ("a*norm(b)", "norm(xs) <= R"),
            ("a*norm(b)", f"norm({V}) <= R"),
            ("2*a*R", "norm(b) <= delta"),
            ("a**2/12", "0 <= dot(g - 3*b, g - 3*b)"),
            ("3*a**2/4", "dot(b, b) <= E_error"),
            ("a**2", "E_error <= sigma**2"),
        ),
        because="convexity at xhat, the oracles' guarantees, and 2<g, b> <= |g|^2/3 + 3|b|^2",
    ),
)
# F(x) = 3(x + 4), v = -1, xstar = 1, bias 1 along xstar - v, x' = y: every hypothesis with equality.
EXTREME = point(
    "A=1 a=1 R=1 phi=0 sigma=1 delta=1 F_x=0 F_xhat=0 F_star=15 EF_new=9/4 E_moved=0 E_error=1 E_dist=16 "
    "x=(-4,) xhat=(-4,) g=(3,) xs=(1,) b=(1,)"
)
# Each breaks one hypothesis, in their order, and the decrease with it.
BROKEN = tuple(
    tuple((name, changed.get(name, value)) for name, value in EXTREME)
    for changed in (
        {"F_star": "14"}, {"F_x": "-1"}, {"EF_new": "3"}, {"delta": "1/2"},
        {"E_error": "0", "sigma": "0", "E_dist": "63/4"}, {"sigma": "0"}, {"E_dist": "17"},
        {"x": "(-5,)", "xhat": "(-5,)", "F_star": "18", "E_dist": "25"}, {"xs": "(2,)", "F_star": "18", "E_dist": "25"},
    )
)  # fmt: skip
# F(x) = 3x with exact oracles: equality in s3a.
LINEAR = point("A=0 a=1 F_x=12 F_xhat=0 F_star=15 E_dist=49/4 x=(0,) xhat=(-4,) g=(3,) xs=(1,)")  # fmt: skip
# The same with a = 1/2 or 2 from other points.
LINEAR_SHORT = point("A=0 a=1/2 F_x=0 F_xhat=0 F_star=-2 E_dist=9/4 x=(1,) xhat=(1,) g=(2,) xs=(0,)")  # fmt: skip
LINEAR_LONG = point("A=0 a=2 F_x=0 F_xhat=0 F_star=-1 E_dist=4 x=(1,) xhat=(1,) g=(1,) xs=(0,)")  # fmt: skip
GREW = "(1 + sqrt(1 + 4*lam*A))/(2*lam)"
POTENTIAL_STEPS = (
    step(
        "s1",
        "lambda a^2 = A + a for a = (1 + sqrt(1 + 4 lambda A))/(2 lambda)",
        f"lam*({GREW})**2 == A + {GREW}",
        (LAMBDA, OLD),
    ),
    step(
        "s2",
        "Not printed: sqrt(A') >= sqrt(A) + 1/(2 sqrt(lambda))",
        "sqrt(A) + 1/(2*sqrt(lam)) <= sqrt(A + a)",
        (LAMBDA, OLD, STEP),
        ("lam*a**2 == A + a",),
        reads=Reads.OURS,
        argument=(
            Have("1 <= lam*a", because="the equation, divided by a"),
            Have("sqrt(lam)*a <= sqrt(A + a)", (Power("2"), Positive())),
            Bound(right="sqrt(lam)*a", argument=(Positive(),)),
            Shift("-1/(2*sqrt(lam))"),
            Power("2"),
            Positive(),
        ),
        candidates=(point("lam=1 A=2 a=2"),),
        mutants=(
            mutant(
                "growth", "51/100 in place of 1/2", "sqrt(A) + 51/50/(2*sqrt(lam)) <= sqrt(A + a)", "lam=1 A=9900 a=100"
            ),
        ),
    ),
    Step(
        "s3",
        "E[A'(F(x') - F*) + |v' - xstar|^2] - (A(F(x) - F*) + |v - xstar|^2) <= "
        "-(1/6) lambda A' |xhat - y|^2 + A' phi + a^2 sigma^2 + 2 R a delta while the ball constraint is inactive",
        Statement(decrease("1/6"), ITERATION, HYPOTHESES),
        rests_on=("first-order-optimality", "projection-onto-a-convex-set", "jensen"),
        argument=DECREASE,
        kind=ClaimKind.IMPLICATION,
        candidates=(EXTREME,),
        mutants=(
            Mutant("bias", "R a delta in place of 2 R a delta", decrease("1/6").replace("2*R*a*delta", "R*a*delta")),
            Mutant(
                "variance", "a^2 sigma^2/2 in place of a^2 sigma^2", decrease("1/6").replace("*sigma**2", "*sigma**2/2")
            ),
            *(
                Mutant(
                    f"without-{i + 1}",
                    f"without {dropped}",
                    conditions=(*HYPOTHESES[:i], *HYPOTHESES[i + 1 :]),
                    candidates=(BROKEN[i],),
                )
                for i, dropped in enumerate(HYPOTHESES)
            ),
        ),
        tightness=(
            Tightness(
                "decrease", printed="1/6", form=decrease("{c}"), proved="1/6", refuted="17/100", candidates=(EXTREME,)
            ),
        ),
    ),
    step(
        "s3a",
        "Not printed: with exact oracles the potential decreases by (3/4) lambda A' |xhat - y|^2",
        f"(A + a)*(F_xhat - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
        f" <= -3/4*{LAM}*(A + a)*{MOVE}",
        tuple(
            s for s in ITERATION if s.name in ("A", "a", "F_x", "F_xhat", "F_star", "E_dist", "x", "xhat", "g", "xs")
        ),
        (*SUBGRADIENT, f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g, {V} - xs) + a**2/4*dot(g, g)"),
        reads=Reads.OURS,
        argument=(
            Combine(
                terms=(
                    ("a", SUBGRADIENT[0]),
                    ("A", SUBGRADIENT[1]),
                    ("1", f"E_dist <= dot({V} - xs, {V} - xs) - a*dot(g, {V} - xs) + a**2/4*dot(g, g)"),
                )
            ),
        ),
        kind=ClaimKind.IMPLICATION,
        candidates=(LINEAR, LINEAR_SHORT, LINEAR_LONG),
        mutants=(
            Mutant(
                "constant",
                "0.76 in place of 3/4",
                f"(A + a)*(F_xhat - F_star) + E_dist - (A*(F_x - F_star) + dot({V} - xs, {V} - xs))"
                f" <= -0.76*{LAM}*(A + a)*{MOVE}",
            ),
        ),
    ),
    step(
        "s3b",
        "Not printed: (a^2/4) E|g~|^2 <= (a^2/4)((4/3)|g|^2 + 4 sigma^2)",
        "a**2/4*(dot(g, g) + 2*dot(g, b) + E_error) <= a**2/4*(4/3*dot(g, g) + 4*sigma**2)",
        (STEP, real("sigma", "[0, oo)"), real("E_error", "[0, oo)"), vector("g"), vector("b")),
        ("dot(b, b) <= E_error", "E_error <= sigma**2"),
        reads=Reads.OURS,
        argument=(
            Combine(
                terms=(
                    ("a**2/12", "0 <= dot(g - 3*b, g - 3*b)"),
                    ("3*a**2/4", "dot(b, b) <= E_error"),
                    ("a**2", "E_error <= sigma**2"),
                )
            ),
        ),
        candidates=(point("a=1 sigma=1 E_error=1 g=(3,) b=(1,)"), point("a=1 sigma=1/2 E_error=1/4 g=(3/2,) b=(1/2,)")),
        mutants=(
            Mutant(
                "constant",
                "3.9 sigma^2 in place of 4 sigma^2",
                "a**2/4*(dot(g, g) + 2*dot(g, b) + E_error) <= a**2/4*(4/3*dot(g, g) + 3.9*sigma**2)",
            ),
        ),
    ),
    step(
        "s3b-root",
        "Not printed: sqrt(2 lambda phi) w <= (1/2) lambda w^2 + phi",
        "sqrt(2*lam*phi)*w <= 1/2*lam*w**2 + phi",
        (LAMBDA, real("phi", "[0, oo)"), real("w", "[0, oo)", "|xhat - y|")),
        reads=Reads.OURS,
        argument=(
            Rewrite(left="sqrt(2*lam)*sqrt(phi)*w", right="(sqrt(lam/2)*w)**2 + sqrt(phi)**2"),
            Combine(terms=(("1", "0 <= (sqrt(lam/2)*w - sqrt(phi))**2"),)),
        ),
        mutants=(Mutant("constant", "0.45 in place of 1/2", "sqrt(2*lam*phi)*w <= 0.45*lam*w**2 + phi"),),
    ),
)
