"""The steps that are ours: a slope along the segment, and the best constant."""

from dpaudit.claims.writing import *

from .symbols import *

D, N = vector("D", "y - v"), positive("n", "length of y - v")

# The slope of w along y - v at u, and what bounds its p-th power: x^p <= (p/1.3)^p e^(1.3 x - p) at x = |X|.
SLOPE = f"{weight('u')}*dot(D, xi - u)/rho**2"
X = "1.3*dot(D, xi - u)/(n*rho)"
OUTSIDE = "(n/rho)**p*(p/1.3)**p*exp(-p)"
MAJORANT = f"{OUTSIDE}*E({weight('u')}**p*(exp({X}) + exp(-{X})))"
DRIFT = "1.3*(p - 1)*dot(D, u)/(n*rho)"
CLOSED = f"{OUTSIDE}*exp((p**2 - p)*dot(u, u)/(2*rho**2) + 1.3**2*dot(D, D)/(2*n**2))*(exp({DRIFT}) + exp(-({DRIFT})))"
SEGMENT = ("norm(u) <= rho/p", "norm(D) <= n", "dot(D, u) <= n*rho/p", "-dot(D, u) <= n*rho/p")
COMPACT = Substitute(
    (
        real("q", "(0, 1/2]", "1/p"),
        real("a", "[0, 1]", "p|u|/rho"),
        real("b", "[0, 1]", "|D|/n"),
        real("c", "[-1, 1]", "p<D, u>/(n rho)"),
    ),
    (("p", "1/q"), ("dot(u, u)", "(a*rho*q)**2"), ("dot(D, D)", "(b*n)**2"), ("dot(D, u)", "c*n*rho*q")),
    (("q", "1/p"), ("a", "norm(u)*p/rho"), ("b", "norm(D)/n"), ("c", "dot(D, u)*p/(n*rho)")),
)


def majorant_at_most(constant):
    """The argument for `MAJORANT <= (constant p n/rho)^p`: at q = 1/p everything lies in a compact box."""
    return (
        Rewrite(left=CLOSED, because="completing the square"),
        Scale("(rho/(n*p))**p"),
        COMPACT,
        Logarithm(),
        Scale("q"),
        Rewrite(
            left="q*((1 - q)*a**2/2 + 1.3**2*b**2/2 + log(exp(1.3*(1 - q)*c) + exp(-1.3*(1 - q)*c))) - 1 - log(1.3)",
            right=f"log({constant})",
        ),
        Boxes(),
    )


OUR_STEPS = (
    step(
        "r1",
        "along v + h D the logarithm of w grows by h <D, xi - v>/rho^2 - h^2|D|^2/(2 rho^2): the slope of w at v is "
        "w(v) <D, xi - v>/rho^2",
        "(2*dot(v + h*D, xi) - dot(v + h*D, v + h*D))/(2*rho**2) - (2*dot(v, xi) - dot(v, v))/(2*rho**2)"
        " == h*dot(D, xi - v)/rho**2 - h**2*dot(D, D)/(2*rho**2)",
        (real("h", "[0, 1]"), RHO, V, D, vector("xi")),
    ),
    step(
        "r2",
        "every point of the segment lies in the ball: |v + h (y - v)| <= rho/p",
        "norm(v + h*(y - v)) <= rho/p",
        (P, RHO, V, Y, real("h", "[0, 1]")),
        IN_BALL,
        argument=(
            Combine(
                terms=(
                    ("1", "norm((1 - h)*v + h*y) <= norm((1 - h)*v) + norm(h*y)"),
                    ("1 - h", "norm(v) <= rho/p"),
                    ("h", "norm(y) <= rho/p"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "outside",
                "h up to 2",
                symbols=(P, RHO, V, Y, real("h", "[0, 2]")),
                candidates=(point("p=2 rho=1 v=(-1/2,) y=(1/2,) h=2"),),
            ),
        ),
    ),
    step(
        "r2-drift",
        "<D, u> <= n rho/p for |D| <= n and |u| <= rho/p (used for D and for -D)",
        "dot(D, u) <= n*rho/p",
        (P, RHO, N, D, U),
        SEGMENT[:2],
        argument=(
            Combine(
                terms=(("1", "dot(D, u) <= norm(D)*norm(u)"), ("norm(u)", "norm(D) <= n"), ("n", "norm(u) <= rho/p"))
            ),
        ),
        mutants=(mutant("factor", "9/10 of it", "dot(D, u) <= 9/10*n*rho/p", "p=2 rho=1 n=1 D=(1,) u=(1/2,)"),),
    ),
    step(
        "r3",
        "x^p <= (p/1.3)^p e^(1.3 x - p), used at x = |X| where X is not 0, with e^(1.3|X|) <= e^(1.3 X) + e^(-1.3 X)",
        "x**p <= (p/1.3)**p*exp(-p)*exp(1.3*x)",
        (P, positive("x", "|X|")),
        argument=(
            Logarithm(),
            Rewrite(left="p*log(x)", right="p*log(p/1.3) - p + 1.3*x"),
            Tangent("x", "p/1.3", because="log is below its tangent"),
        ),
        mutants=(mutant("constant", "99/100 of it", "x**p <= 99/100*(p/1.3)**p*exp(-p)*exp(1.3*x)", "p=13/5 x=2"),),
    ),
    step(
        "r4",
        "the mean of w^p (e^(1.3 X) + e^(-1.3 X)) in closed form: completing the square",
        f"{MAJORANT} == {CLOSED}",
        (P, RHO, N, U, D, XI),
    ),
    step(
        "r5",
        "that closed form is at most (0.77 p n/rho)^p",
        f"{CLOSED} <= (0.77*p*n/rho)**p",
        (P, RHO, N, U, D),
        SEGMENT,
        argument=majorant_at_most("0.77")[1:],
        mutants=(
            mutant(
                "constant", "3/4 in place of 0.77", f"{CLOSED} <= (3/4*p*n/rho)**p", "p=2 rho=1 n=1 D=(1,) u=(1/2,)"
            ),
        ),
    ),
    step(
        "slope",
        "the p-th moment of the slope w(u) <D, xi - u>/rho^2 is at most (0.77 p n/rho)^p at every point of the segment",
        f"E(abs({SLOPE})**p) <= (0.77*p*n/rho)**p",
        (P, RHO, N, U, D, XI),
        SEGMENT,
        rests_on=("resque/LEM-2.2/r2-drift", "resque/LEM-2.2/r3"),
        argument=(
            Bound(
                left=MAJORANT,
                by="monotone-mean",
                because="|slope|^p = (n/rho)^p w^p |X|^p, and r3 bounds |X|^p pointwise where X is not 0",
            ),
            *majorant_at_most("0.77"),
        ),
        mutants=(
            mutant(
                "lost-factor",
                "the factor <D, xi - u> of the slope forgotten",
                f"E({weight('u')}**p) <= (0.77*p*n/rho)**p",
                "p=2 rho=1 n=1/10 D=(0,) u=(0,)",
            ),
        ),
    ),
    step(
        "tight",
        "the lemma with 0.77 in place of 24, for every real p >= 2",
        f"{MOMENT} <= (0.77*p*norm(v - y)/rho)**p",
        SYMBOLS,
        IN_BALL,
        rests_on=GROUNDS,
        argument=bounded_by("0.77"),
        mutants=(
            Mutant("constant", "0.63 in place of 0.77", f"{MOMENT} <= (0.63*p*norm(v - y)/rho)**p", candidates=CLOSE),
        ),
    ),
)
