"""The repaired proof, up to the phase as the algorithm averages it."""

from dpaudit.claims.writing import *

from .symbols import *

ONE_STEP = "2*eta*f + anext <= an + 3*eta**2*L**2"
Y, YP, G, U = vector("y", "y_{j-1}"), vector("yp", "y_j"), vector("g", "the gradient"), vector("u", "comparator")
NEAREST = "dot(yp - u, yp - u) <= dot(y - eta*g - u, y - eta*g - u)"

REPAIRED_PHASE_STEPS = (
    step(
        "r1",
        "for r <= rho every point of the ball is within rho of xbar, so that Lemma 1 gives E|G|^2 <= 3 L^2 there",
        "norm(v) <= rho", (R, RHO, V), ("norm(v) <= r", "r <= rho"),
        rests_on=("resque/LEM-1.2",),
        argument=(Combine(terms=(("1", "norm(v) <= r"), ("1", "r <= rho"))),),
        candidates=(point("r=1 rho=1 v=(1,)"), point("r=2 rho=1 v=(2,)"), point("r=1 rho=1 v=(9,)")),
        mutants=(
            Mutant("no-condition", "any r", conditions=("norm(v) <= r",)),
            Mutant("factor", "0.95 rho", "norm(v) <= 0.95*rho"),
        ),
    ),
    step(
        "r2",
        "at the start of a phase, an average of the ball plus noise as in s2-start, the mean of the second moment "
        "is at most 3.4 L^2",
        f"{NOISY} <= 3.4", SPREAD, (SMALL_NOISE,),
        rests_on=("noncentral-chi-square",),
        kind=ClaimKind.MOMENT,
        argument=(
            Logarithm(),
            Rewrite(left="d/2*log(t) + x**2*t"),
            Bound(left="d/2*(t - 1) + x**2*t", argument=(Scale("2/d"), Tangent("t", "1"))),
            Bound(left="(1/16 + x**2)*t", argument=(Combine(terms=(("1/16", SMALL_NOISE),)),)),
            Boxes(),
        ),
        candidates=(point("d=1 x=1 t=8/7"), point("d=100 x=1 t=8/7")),
        mutants=(
            Mutant("constant", "3.35", f"{NOISY} <= 3.35"),
            Mutant("more-noise", "t up to 8/7 in every dimension", conditions=()),
        ),
    ),
    step(
        "r3",
        "one step: |y_j - u|^2 <= |y_{j-1} - u|^2 - 2 eta <g, y_{j-1} - u> + eta^2 |g|^2 for u in the ball, "
        "wherever y_{j-1} is, since a projection brings no point further away from u",
        "dot(yp - u, yp - u) <= dot(y - u, y - u) - 2*eta*dot(g, y - u) + eta**2*dot(g, g)",
        (ETA, Y, YP, G, U), (NEAREST,),
        rests_on=("projection-onto-a-convex-set",),
        argument=(Combine(terms=(("1", NEAREST),)),),
        candidates=(point("eta=1 y=(1,) yp=(0,) g=(1,) u=(-1,)"), point("eta=1 y=(0,) yp=(9,) g=(0,) u=(0,)")),
        mutants=(
            Mutant("factor", "eta^2/2", "dot(yp - u, yp - u) <= dot(y - u, y - u) - 2*eta*dot(g, y - u) + "
                   "eta**2*dot(g, g)/2"),
            Mutant("no-projection", "y_j anywhere", conditions=()),
        ),
    ),
    step(
        "r4",
        "the sum over a phase, by induction: S sums f_j = E F(y_j) - F(u) over the steps taken, the mean of r3 is "
        "the second hypothesis (f_j <= E<g, y_j - u>, E|g|^2 <= 3 L^2), and c the excess of the first step",
        "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*(n + 1) + c",
        (L, ETA, N, A0, AN, SUM, real("f"), real("anext", "[0, oo)"), real("c", "[0, oo)")),
        ("2*eta*S + an <= a0 + 3*eta**2*L**2*n + c", ONE_STEP),
        argument=(
            Combine(terms=(("1", "2*eta*S + an <= a0 + 3*eta**2*L**2*n + c"), ("1", ONE_STEP))),
        ),
        candidates=(point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=0 anext=7 c=0"), point("L=1 eta=1 n=1 a0=1 an=4 S=0 f=9 "
                                                                          "anext=7 c=0")),
        mutants=(
            Mutant("no-growth", "3 eta^2 L^2 n", "2*eta*(S + f) + anext <= a0 + 3*eta**2*L**2*n + c"),
            Mutant("no-step", "nothing known of the next "
                              "step", conditions=("2*eta*S + an <= a0 + 3*eta**2*L**2*n + c",)),
        ),
    ),
    step(
        "r5",
        "the phase as the algorithm averages it, over y_1, ..., y_n: S sums f_0, ..., f_{n-1}; f_n <= L E|y_n - u| "
        "is paid by the a_n that r4 keeps. The first step may have 3.4 L^2 (r2). The cost is (a_0/(2 eta) + (3/2) "
        "n eta L^2 + (7/10) eta L^2)/n, at most a_0/(2 eta n) + (11/5) eta L^2",
        "(S - f0 + fn)/n <= a0/(2*eta*n) + 11/5*eta*L**2", (L, ETA, N, A0, AN, SUM, F0, FN, M), PHASE,
        rests_on=("jensen", *(f"resque/LEM-4~repaired/{name}" for name in ("r2", "r3", "r4", "r6"))),
        argument=(
            Combine(
                terms=(
                    ("1/(2*eta*n)", PHASE[0]), ("1/n", PHASE[1]), ("1/(2*eta*n)", PHASE[2]), ("1/n", PHASE[3]),
                    ("1/(2*eta*n)", "0 <= (m - eta*L)**2"), ("7*eta*L**2/(10*n)", "1 <= n"),
                )
            ),
        ),
        candidates=(
            point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=1 m=1"),
            point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=-9 fn=1 m=1"),
            point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=9 m=1"),
            point("L=1 eta=1 n=1 a0=0 an=0 S=17/10 f0=0 fn=9 m=9"),
            point("L=1 eta=1 n=1 a0=0 an=1 S=9 f0=0 fn=1 m=1"),
        ),
        mutants=(
            Mutant("printed", "3/2 in place of 11/5, as in s4", "(S - f0 + fn)/n <= a0/(2*eta*n) + 3/2*eta*L**2"),
            Mutant("downhill", "the start may be better than u", conditions=PHASE[:3]),
            mutant("lost-distance", "a_0/(4 eta n)", "(S - f0 + fn)/n <= a0/(4*eta*n) + 11/5*eta*L**2",
                   "L=1 eta=1 n=1 a0=100 an=0 S=50 f0=0 fn=0 m=0"),
        ),
        tightness=(
            Tightness("per-phase", "1.5", "(S - f0 + fn)/n <= a0/(2*eta*n) + {c}*eta*L**2", "2.2", "2.19",
                      candidates=(point("L=1 eta=1 n=1 a0=0 an=1 S=6/5 f0=0 fn=1 m=1"),)),
        ),
    ),
)  # fmt: skip
