"""The drift behind Lemma 5, by a route of ours: how far two coupled runs of one phase come apart.

Two runs start a phase at the same point, share the queries, and use different functions at b of its steps (the
hits). Moments of |y_j - y'_j| of one even order m = 2p are followed through the phase. A hit adds at most
2 eta L e^(1/(2m)), by Minkowski's inequality. Elsewhere the step is a perturbed contraction: the first-order
term has a mean of at most 0, and the rest is a sum of moments of Z of the orders 2 to m, each at most
(0.77 q |y - y'|/rho)^q by Lemma 2. So (E|y_j - y'_j|^m)^(1/m) <= 2 b eta L e^(0.7/m) for every j, and for the
average of the iterates, which is what the algorithm releases.

Against the printed proof: no Young's inequality (1200 becomes 4 e^(1.4/m)), a bound for the average and not
for the last iterate only, and rho >= m r is enough, linear in the order; the printed proof needs order^(3/2) and
asks for its square. `LEM-5` and `LEM-5~sharp` rest on this. The start may lie anywhere within rho/m of xbar.
"""

import numpy as np

from dpaudit.algorithms.resque import sub_erm
from dpaudit.algorithms.resque.sub_erm.coupled import coupled
from dpaudit.claims.writing import *
from dpaudit.noise.stream import Trials
from dpaudit.problems.smoothing.ridges import Ridge, ridge_losses

HERE = "resque/LEM-5~drift"


P = integer("p", "[1, oo)", "half the order m = 2p of the moment")
N, HITS = integer("n", "[0, oo)", "steps of the phase"), integer("b", "[1, oo)", "hits in the phase")
H, R, RHO = positive("h", "eta_i L"), positive("r", "radius"), positive("rho", "smoothing")
GROWTH = real("g", "[0, oo)", "growth of E|y_j - y'_j|^(2p) in a step that is no hit")
SHARE = "(0.77*exp(1)*2*p*h/rho)"
COMPACT = "(0.77*exp(1)*a*w)"
EXAMPLE = point("p=1 n=2 b=1 h=1/8 r=1 rho=2 g=9/100")

WEIGHT = "exp((2*dot(v, xi) - dot(v, v))/(2*rho**2))"
SLOPE = positive("L", "Lipschitz constant")
ETA, ONE, OTHER = positive("eta"), real("w", "[0, oo)", "weight"), real("w2", "[0, oo)", "the other weight")
Z = real("z", "[0, oo)", "h|Z_j|/|y - y'|")
UNIT, CHANGE = vector("e", "(y - y')/|y - y'|"), vector("d", "eta Z_j grad/|y - y'|")
SMALL = ("norm(e) <= 1", "norm(d) <= z")
A, S = positive("A", "(1 + z)^2"), real("s", "[0, 1]", "|y_j - y'_j|^2/|y - y'|^2 as a share of A")
Q, REST = integer("q", "[1, oo)", "order of a moment"), integer("k", "[0, oo)", "2p - q")
MOMENTS = (
    real("EC", meaning="mean of C"),
    real("EF", "[0, oo)", "mean of (1 + z)^(2p)"),
    real("Ez", "[0, oo)", "mean of z"),
    real("Ezz", "[0, oo)", "mean of z^2"),
)
U, V = real("U", "[0, oo)", "the root of the moment before the step"), real("V", "[0, oo)", "after it")
J, COUNT = integer("j", "[0, oo)", "steps so far"), integer("c", "[0, oo)", "hits so far")

INDICES = np.concatenate([[0, 0], np.arange(29) % 2 + 1])


def square(stream, trials):
    """(|ybar - ybar'|/(2 b eta L))^2 of the first phase of 16 steps, hits at its first two, f = +-L<u, x> in
    record 0 and kinks elsewhere: 0.94 without the reweighting."""
    losses = ridge_losses([(Ridge.LINEAR, (0.6, 0.8)), (Ridge.ABSOLUTE, (1.0, 0.0)), (Ridge.HINGE, (0.0, 1.0), 0.3)])
    neighbour = losses.replaced(0, Ridge.LINEAR, (-0.6, -0.8))
    params = sub_erm.Params(centre=(0.0, 0.0), radius=1.0, smoothing=4.0, privacy=4.0, steps=32)
    runs = coupled(params, losses, neighbour, Trials(stream, np.arange(trials)), INDICES)
    return (runs.drift[:, 0] / (2 * runs.hits[:, 0])) ** 2


# The claim at p = 1; at p = 2, for which rho = 4r is enough, the fourth power has the same bound.
SQUARE = Sampling("square", "<=", float(np.exp(0.7)), float(np.exp(0.7)), 0.5, trials=20_000)

POINTWISE = (
    step(
        "projection",
        "projections x, y of u, v onto a convex set (their variational inequalities given) are no further apart",
        "dot(x - y, x - y) <= dot(u - v, u - v)",
        (vector("u"), vector("v"), vector("x"), vector("y")),
        ("dot(u - x, y - x) <= 0", "dot(v - y, x - y) <= 0"),
        rests_on=("projection-onto-a-convex-set",),
        argument=(
            Combine(
                terms=(
                    ("2", "dot(u - x, y - x) <= 0"),
                    ("2", "dot(v - y, x - y) <= 0"),
                    ("1", "0 <= dot(u - v - (x - y), u - v - (x - y))"),
                )
            ),
        ),
        candidates=(point("u=(10,) v=(9,) x=(10,) y=(9,)"),),
        mutants=(
            mutant(
                "contraction",
                "strictly closer",
                "dot(x - y, x - y) <= 0.95*dot(u - v, u - v)",
                "u=(1,) v=(0,) x=(1,) y=(0,)",
            ),
        ),
    ),
    step(
        "hit",
        "at a hit the gradients are w g and w' g': |y_j - y'_j| <= |y - y'| + eta L (w + w') before the projection",
        "norm(x - eta*(w*g - w2*g2)) <= norm(x) + eta*L*(w + w2)",
        (ETA, SLOPE, ONE, OTHER, vector("x", "y - y'"), vector("g"), vector("g2")),
        ("norm(g) <= L", "norm(g2) <= L"),
        argument=(
            Combine(
                terms=(
                    ("1", "norm(x - eta*(w*g - w2*g2)) <= norm(x) + norm(eta*(w*g - w2*g2))"),
                    ("1", "norm(eta*(w*g - w2*g2)) <= norm(eta*w*g) + norm(eta*w2*g2)"),
                    ("eta*w", "norm(g) <= L"),
                    ("eta*w2", "norm(g2) <= L"),
                )
            ),
        ),
        mutants=(
            mutant(
                "one-weight",
                "one of the two weights",
                "norm(x - eta*(w*g - w2*g2)) <= norm(x) + eta*L*w",
                "eta=1 L=1 w=1 w2=1 x=(1,) g=(-1,) g2=(1,)",
            ),
        ),
    ),
    step(
        "away-above",
        "elsewhere both runs use w g, w' g: with C = |y_j - y'_j|^2/|y - y'|^2 - 1, C <= 2z + z^2",
        "dot(d, d) - 2*dot(e, d) <= 2*z + z**2",
        (UNIT, CHANGE, Z),
        SMALL,
        argument=(
            Combine(
                terms=(
                    ("2", "dot(-e, d) <= norm(-e)*norm(d)"),
                    ("2*norm(d)", "norm(e) <= 1"),
                    ("2 + z + norm(d)", "norm(d) <= z"),
                )
            ),
        ),
        mutants=(mutant("first-order", "without the square", "dot(d, d) - 2*dot(e, d) <= 2*z", "e=(1,) d=(-1,) z=1"),),
    ),
    step(
        "away-below",
        "and -C <= 2z + z^2",
        "2*dot(e, d) - dot(d, d) <= 2*z + z**2",
        (UNIT, CHANGE, Z),
        SMALL,
        argument=(
            Combine(
                terms=(
                    ("2", "dot(e, d) <= norm(e)*norm(d)"),
                    ("2*norm(d)", "norm(e) <= 1"),
                    ("2", "norm(d) <= z"),
                    ("1", "0 <= norm(d)**2"),
                    ("1", "0 <= z**2"),
                )
            ),
        ),
        mutants=(mutant("half", "z in place of 2z", "2*dot(e, d) - dot(d, d) <= z - z**2", "e=(1,) d=(1,) z=1"),),
    ),
    step(
        "powers",
        "if A + s A >= 2, as follows from |C| <= 2z + z^2 with A = (1 + z)^2 and s A = 1 + C, then A^p + (s A)^p >= 2",
        "2 <= A**p*(1 + s**p)",
        (A, S, P),
        ("2 <= A*(1 + s)",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "p",
                base=(Combine(terms=(("1", "2 <= A*(1 + s)"),)),),
                step=(
                    Combine(
                        terms=(
                            ("A*(1 + s)/2", "2 <= A**p*(1 + s**p)"),
                            ("1", "2 <= A*(1 + s)"),
                            ("A**(p + 1)/2*(1 - s)", "s**p <= 1"),
                        )
                    ),
                ),
            ),
        ),
        mutants=(mutant("constant", "2.1 in place of 2", "2.1 <= A**p*(1 + s**p)", "A=1 s=1 p=3"),),
    ),
    step(
        "taylor",
        "(1 + C)^p - p C <= (1 + z)^(2p) - p (2z + z^2), that is p (A - s A) <= A^p - (s A)^p",
        "p*A*(1 - s) <= A**p*(1 - s**p)",
        (A, S, P),
        ("2 <= A*(1 + s)",),
        kind=ClaimKind.INDUCTION,
        argument=(
            Induct(
                "p",
                base=(Identical(),),
                step=(
                    Rewrite(right="(A*(1 + s)/2)*(A**p*(1 - s**p)) + (A*(1 - s)/2)*(A**p*(1 + s**p))"),
                    Bound(
                        right="(A*(1 + s)/2)*(A**p*(1 - s**p)) + (A*(1 - s)/2)*2",
                        by=f"{HERE}/powers",
                        because="A^p (1 + s^p) >= 2",
                    ),
                    Combine(
                        terms=(("A*(1 + s)/2", "p*A*(1 - s) <= A**p*(1 - s**p)"), ("p*A*(1 - s)/2", "2 <= A*(1 + s)"))
                    ),
                ),
            ),
        ),
        mutants=(
            Mutant(
                "no-lower-bound",
                "the condition |C| <= 2z + z^2 dropped",
                conditions=(),
                candidates=(point("A=1/2 s=0 p=2"),),
            ),
            mutant("slope", "1.1 p in place of p", "1.1*p*A*(1 - s) <= A**p*(1 - s**p)", "A=10/9 s=4/5 p=2"),
        ),
    ),
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
        argument=(
            Combine(
                terms=(
                    ("1/(j + 1)", "norm(j*x + y) <= norm(j*x) + norm(y)"),
                    ("j/(j + 1)", "norm(x) <= U"),
                    ("1/(j + 1)", "norm(y) <= U"),
                )
            ),
        ),
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

DRIFT = Claim(
    id=HERE,
    title="moments of the drift of one phase of the ball solver",
    words=(
        "If 2p r <= rho, the start lies within rho/(2p) of xbar, h = eta_i L <= r/8 and T_i h^2 <= r^2/32, then "
        "(E|ybar_i - ybar'_i|^(2p))^(1/(2p)) <= 2 b h exp(7/(20p)) for two runs that share start and queries and "
        "differ at b steps. Left: what the steps leave after n = T_i iterations, g <= x^2/(1 - x)."
    ),
    place="Lemma 5, in place of (15) to (25)",
    kind=ClaimKind.SENSITIVITY,
    statement=Statement(
        "2*h*b*exp(1/(4*p) + n*g/(2*p)) <= 2*h*b*exp(7/(20*p))",
        (P, N, HITS, H, R, RHO, GROWTH),
        (f"g*(1 - {SHARE}) <= {SHARE}**2", "2*p*r <= rho", "8*h <= r", "32*n*h**2 <= r**2"),
    ),
    rests_on=ids(HERE, "walk-hit walk-free average schedule schedule-step"),
    argument=(
        Substitute(
            (real("a", "(0, 1]", "2p r/rho"), real("w", "(0, 1/8]", "h/r"), real("t", "[0, 1/32]", "n h^2/r^2")),
            where("rho=2*p*r/a h=w*r n=t/w**2"),
            where("a=2*p*r/rho w=h/r t=n*h**2/r**2"),
        ),
        Scale("1/(2*w*r*b)"),
        Rewrite(left="exp(1/(4*p) + t/w**2*g/(2*p))", right="exp(7/(20*p))"),
        Logarithm(),
        Rewrite(left="1/(4*p) + t/w**2*g/(2*p)", right="7/(20*p)"),
        Scale("2*p"),
        Combine(
            terms=(
                ("t/w**2/0.735", f"g*(1 - {COMPACT}) <= {COMPACT}**2"),
                ("t/w**2*g/0.735", f"{COMPACT} <= 0.265"),
                ("1/0.735", "t*(0.77*exp(1)*a)**2 <= 0.147"),
            )
        ),
    ),
    empirical=(SQUARE,),
    candidates=(EXAMPLE, point("p=1 n=1 b=1 h=22/125 r=1 rho=2 g=107/500")),
    mutants=(
        Mutant("no-growth", "the growth forgotten", "2*h*b*exp(1/(4*p) + n*g/(2*p)) <= 2*h*b*exp(1/(4*p))"),
        Mutant(
            "long-steps",
            "the schedule of the steps dropped",
            conditions=(f"g*(1 - {SHARE}) <= {SHARE}**2", "2*p*r <= rho", "8*h <= r"),
            candidates=((*EXAMPLE[:1], ("n", "20"), *EXAMPLE[2:]),),
        ),
    ),
    steps=(*POINTWISE, *MEANS, *RECURSION),
)

LAM = "log(log2(T)/delta)"


def failure(constant="3", share="5"):
    """log2(T) times the probability that the drift of a phase exceeds sqrt(2 * constant) b eta L."""
    return f"log2(T)*exp(7/10 - ({share}*{LAM} + s)*log(({constant})/2)) <= delta"


SHARP = Claim(
    id="resque/LEM-5~sharp",
    title="Lemma 5 with projected starts: a linear condition on rho/r and 3 in place of 1500",
    words=(
        "If every phase starts from the projection of x_(i-1) onto the ball and rho/r >= 10 log(log2(T)/delta) + 2, "
        "then D_(alpha,delta)(mu||mu') <= 3 alpha beta^2 b^2 for all alpha > 1, with one pair of surrogate laws for "
        "all alpha. Checked: a phase drifts by more than sqrt(6) b_i eta_i L with probability at most delta/log2(T); "
        "order 2p with p = 5 log(log2(T)/delta) rounded up. T < 4 is LEM-5/short."
    ),
    place="Lemma 5",
    kind=ClaimKind.PRIVACY,
    statement=Statement(
        failure(),
        (
            integer("T", "[4, oo)", "iterations"),
            real("delta", "(0, 1)"),
            real("s", "[0, 1)", "p - 5 log(log2(T)/delta), rounding up"),
        ),
    ),
    rests_on=(
        "resque/LEM-5~sharp/order",
        HERE,
        "union-bound",
        *("resque/FACT-1", "resque/QCX", "resque/LEM-3"),
        *("resque/LEM-5/level", "resque/LEM-5/tail", "resque/LEM-5/short", "resque/LEM-5/s25"),
    ),
    argument=(
        Scale("1/delta"),
        Substitute((real("l", "[69/100, oo)", LAM),), where("delta=log(T)/log(2)*exp(-l)"), (("l", LAM),)),
        Rewrite(left="exp(l)*exp(7/10 - (5*l + s)*log(3/2))", right="1"),
        Rewrite(left="exp(7/10 - s*log(3/2) - l*(5*log(3/2) - 1))"),
        Boxes(),
    ),
    mutants=(mutant("order", "p = log(log2(T)/delta) rounded up", failure(share="1"), "T=4 delta=1/1000 s=0"),),
    tightness=(
        Tightness(
            "renyi",
            printed="1500",
            form=failure("{c}"),
            proved="3",
            refuted="1.99",
            candidates=(point("T=4 delta=1/2 s=1/2"),),
        ),
    ),
    steps=(
        step(
            "order",
            "the moment of order 2p <= rho/r may be used",
            "2*p*r <= rho",
            (P, R, RHO, positive("l", "log(log2(T)/delta)")),
            ("p <= 5*l + 1", "(10*l + 2)*r <= rho"),
            kind=ClaimKind.IMPLICATION,
            argument=(Combine(terms=(("2*r", "p <= 5*l + 1"), ("1", "(10*l + 2)*r <= rho"))),),
            mutants=(
                Mutant(
                    "no-rounding",
                    "10 l in place of 10 l + 2",
                    conditions=("p <= 5*l + 1", "10*l*r <= rho"),
                    candidates=(point("p=2 r=1 rho=2 l=1/5"),),
                ),
            ),
        ),
    ),
)

CLAIMS = (DRIFT, SHARP)
