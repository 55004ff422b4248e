"""The recursion over steps and phases."""

from dpaudit.claims.writing import *

from .pointwise import HERE, RHO, H, P, R

GROWTH = real("g", "[0, oo)", "growth of E|y_j - y'_j|^(2p) in a step that is no hit")

WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
U, V = real("U", "[0, oo)", "the root of the moment before the step"), real("V", "[0, oo)", "after it")
J, COUNT = integer("j", "[0, oo)", "steps so far"), integer("c", "[0, oo)", "hits so far")

AVERAGED = (
    Combine(
        terms=(
            ("1/(j + 1)", "norm(j*x + y) <= norm(j*x) + norm(y)"),
            ("j/(j + 1)", "norm(x) <= U"),
            ("1/(j + 1)", "norm(y) <= U"),
        )
    ),
)
RECURSION = (
    step(
        "weight",
        "E w(y, xi)^(2p) <= e^(1/2) within rho/(2p) of xbar",
        f"E({WEIGHT}**(2*p)) <= exp(1/2)",
        (P, RHO, vector("v", "y - xbar"), gaussian("xi", "rho")),
        ("norm(v) <= rho/(2*p)",),
        kind=ClaimKind.MOMENT,
        argument=(
            Rewrite(left="exp(((2*p)**2 - 2*p)*dot(v, v)/(2*rho**2))", because="completing the square"),
            Substitute(
                (real("q", "(0, 1/2]", "1/(2p)"), real("t", "[0, 1]", "2p|v|/rho")),
                (("p", "1/(2*q)"), ("dot(v, v)", "(t*rho*q)**2")),
                where("q=1/(2*p) t=norm(v)*2*p/rho"),
            ),
            Logarithm(),
            Rewrite(left="(1 - q)*t**2/2", right="1/2"),
            Boxes(),
        ),
        mutants=(
            Mutant("radius", "radius rho/p", conditions=("norm(v) <= rho/p",), candidates=(point("p=1 rho=1 v=(1,)"),)),
        ),
    ),
    step(
        "hit-moment",
        "a hit adds at most 2h e^(1/(4p)) to U = (E|y - y'|^(2p))^(1/(2p)): Minkowski, W and W' the roots of E w^(2p)",
        "V <= U + 2*h*exp(1/(4*p))",
        (U, V, H, P, real("W", "[0, oo)"), real("W2", "[0, oo)")),
        ("V <= U + h*(W + W2)", "W <= exp(1/2)**(1/(2*p))", "W2 <= exp(1/2)**(1/(2*p))"),
        rests_on=("minkowski", *ids(HERE, "projection hit weight")),
        argument=(
            Combine(
                terms=(
                    ("1", "V <= U + h*(W + W2)"),
                    ("h", "W <= exp(1/2)**(1/(2*p))"),
                    ("h", "W2 <= exp(1/2)**(1/(2*p))"),
                )
            ),
        ),
        mutants=(
            mutant(
                "no-weight", "2h: the moment of the weight forgotten", "V <= U + 2*h", "U=0 V=5/2 h=1 p=1 W=5/4 W2=5/4"
            ),
        ),
    ),
    step(
        "free-moment",
        "another step multiplies U by at most e^(g/(2p)): 1 + g <= e^g",
        "1 + g <= exp(g)",
        (GROWTH,),
        rests_on=ids(HERE, "projection away-above away-below taylor mean moment term geometric"),
        argument=(Tangent("g", "0"),),
        mutants=(mutant("slope", "1 + 1.1 g", "1 + 1.1*g <= exp(g)", "g=1/10"),),
    ),
    step(
        "walk-hit",
        "U_j <= 2h e^(1/(4p)) c e^(j g/(2p)) after j steps with c hits, by induction over j: a hit. s = 2h e^(1/(4p))",
        "V <= s*(c + 1)*exp((j + 1)*g)",
        (U, V, J, COUNT, GROWTH, real("s", "[0, oo)")),
        ("V <= U + s", "U <= s*c*exp(j*g)"),
        kind=ClaimKind.INDUCTION,
        rests_on=(f"{HERE}/hit-moment",),
        argument=(
            Combine(
                terms=(
                    ("1", "V <= U + s"),
                    ("1", "U <= s*c*exp(j*g)"),
                    ("s*c*exp(j*g)", "1 <= exp(g)"),
                    ("s", "1 <= exp((j + 1)*g)"),
                )
            ),
        ),
        mutants=(
            mutant("uncounted", "a hit that does not count", "V <= s*c*exp((j + 1)*g)", "U=0 V=1 j=0 c=0 g=0 s=1"),
        ),
    ),
    step(
        "walk-free",
        "the same for a step that is no hit; the start is U_0 = 0",
        "V <= s*c*exp((j + 1)*g)",
        (U, V, J, COUNT, GROWTH, real("s", "[0, oo)")),
        ("V <= U*exp(g)", "U <= s*c*exp(j*g)"),
        kind=ClaimKind.INDUCTION,
        rests_on=(f"{HERE}/free-moment",),
        argument=(Combine(terms=(("1", "V <= U*exp(g)"), ("exp(g)", "U <= s*c*exp(j*g)"))),),
        mutants=(mutant("no-growth", "the growth forgotten", "V <= s*c*exp(j*g)", "U=1 V=2 j=0 c=1 g=1 s=1"),),
    ),
    step(
        "average",
        "the average of the first j + 1 iterates keeps the bound (x: difference of the averages so far, y: of the "
        "next iterates); for the roots of moments the same by Minkowski",
        "norm(j*x + y)/(j + 1) <= U",
        (J, U, vector("x"), vector("y")),
        ("norm(x) <= U", "norm(y) <= U"),
        kind=ClaimKind.INDUCTION,
        rests_on=("minkowski",),
        argument=AVERAGED,
        mutants=(
            Mutant(
                "last-only",
                "the bound known for the new iterate only",
                conditions=("norm(y) <= U",),
                candidates=(point("j=1 U=0 x=(1,) y=(0,)"),),
            ),
        ),
    ),
    step(
        "schedule",
        "the algorithm has T_i h^2 <= r^2/32: That/2^i steps of h = eta L/4^i with eta L <= r/sqrt(T), That <= T",
        "(t/2**i)*(r/(4**i*sqrt(T)))**2 <= r**2/32",
        (integer("i", "[1, oo)", "phase"), integer("T", "[1, oo)"), integer("t", "[1, oo)", "That"), R),
        ("t <= T",),
        argument=(
            Bound(left="r**2/32**i", argument=(Combine(terms=(("r**2/(32**i*T)", "t <= T"),)),)),
            Scale("32/r**2"),
            Rewrite(left="(1/32)**(i - 1)", right="1"),
            Boxes(),
        ),
        mutants=(mutant("constant", "1/33", "(t/2**i)*(r/(4**i*sqrt(T)))**2 <= r**2/33", "i=1 T=1 t=1 r=1"),),
    ),
    step(
        "schedule-step",
        "and h <= r/8 for T >= 4",
        "r/(4**i*sqrt(T)) <= r/8",
        (integer("i", "[1, oo)", "phase"), integer("T", "[4, oo)"), R),
        argument=(Scale("8/r"), Rewrite(left="(1/4)**(i - 1)*(2/sqrt(T))", right="1"), Boxes()),
        mutants=(
            Mutant(
                "shorter",
                "T >= 3",
                symbols=(integer("i", "[1, oo)"), integer("T", "[3, oo)"), R),
                candidates=(point("i=1 T=3 r=1"),),
            ),
        ),
    ),
)
