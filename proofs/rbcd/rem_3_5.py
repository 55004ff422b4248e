"""Assumptions 3.5 and 3.6 with the same weight for every coordinate.

With M = b I the quadratic term of either assumption is b/2 times the squared Euclidean norm. For strong convexity that
is the usual definition. For smoothness it is one half of the usual one: the upper bound of Assumption 3.6 alone lets a
gradient change as fast as it likes where f is concave (`REM-3.6/concave`). Every f of this paper is convex (Assumption
3.4), and then the gradient is b-Lipschitz (`REM-3.6/convex`). Section 3.1 speaks of "two conjugate norms" and defines
one.
"""

from dpaudit.claims.writing import *

DIMENSION, DIFFERENCE = integer("d", "[1, oo)", "number of coordinates"), sequence("x", "(-oo, oo)", "w - v")
BETA, MODULUS = positive("beta", "every M_j"), positive("mu", "mu_M")
GV, GW = vector("g_v", "gradient at v"), vector("g_w", "gradient at w")
POINTS = (vector("v"), vector("w"), GV, GW, *(real(name) for name in ("f_v", "f_w", "f_y", "f_z")))
CURVATURE = real("h", "(-oo, oo)", "second derivative")
# y = w - (g_w - g_v)/beta and z = v - (g_v - g_w)/beta; f lies above its tangents and below the parabolas.
CONVEX = (
    "f_v + dot(g_v, w - (g_w - g_v)/beta - v) <= f_y",
    "f_w + dot(g_w, v - (g_v - g_w)/beta - w) <= f_z",
)
SMOOTH = (
    "f_y <= f_w - dot(g_w, g_w - g_v)/beta + dot(g_w - g_v, g_w - g_v)/(2*beta)",
    "f_z <= f_v - dot(g_v, g_v - g_w)/beta + dot(g_v - g_w, g_v - g_w)/(2*beta)",
)
# f(x) = x^2/4 at 0 and 2, f(x) = x^2/2 at -1 and 0 and at 1 and 2.
PARABOLAS = (
    point("beta=1 v=(0,) w=(2,) g_v=(0,) g_w=(1,) f_v=0 f_w=1 f_y=1/4 f_z=1/4"),
    point("beta=1 v=(-1,) w=(0,) g_v=(-1,) g_w=(0,) f_v=1/2 f_w=0 f_y=1/2 f_z=0"),
    point("beta=1 v=(1,) w=(2,) g_v=(1,) g_w=(2,) f_v=1/2 f_w=2 f_y=1/2 f_z=2"),
)

STRONG = Claim(
    id="rbcd/REM-3.5",
    title="M = I is ordinary strong convexity",
    words="For M_1 = ... = M_d = 1 the term (mu_M/2)|w - v|_M^2 of Assumption 3.5 is (mu_M/2)|w - v|^2.",
    place="Section 3.4, after Assumption 3.5",
    printed=r"M_1=\cdots=M_d=1 \text{ recovers standard } \mu_{\mathbf I}\text{-strong convexity w.r.t. the }"
    r"\ell_2\text{-norm}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "mu/2*sqrt(sum(j, 1, d, 1*x[j]*x[j]))**2 == mu/2*sum(j, 1, d, x[j]**2)", (DIMENSION, DIFFERENCE, MODULUS)
    ),
    argument=(Identical(),),
    mutants=(
        mutant(
            "root",
            "the norm without its square",
            "mu/2*sqrt(sum(j, 1, d, 1*x[j]*x[j])) == mu/2*sum(j, 1, d, x[j]**2)",
            "d=1 mu=1 x=[0,2]",
        ),
    ),
    steps=(
        step(
            "scale",
            "with M = beta I the modulus in the Euclidean norm is beta mu_M",
            "mu/2*sum(j, 1, d, beta*x[j]*x[j]) == beta*mu/2*sum(j, 1, d, x[j]**2)",
            (DIMENSION, DIFFERENCE, MODULUS, BETA),
        ),
    ),
)

SMOOTHNESS = Claim(
    id="rbcd/REM-3.6",
    title="M = beta I is beta-smoothness",
    words="For M_1 = ... = M_d = beta the term |w - v|_M^2/2 of Assumption 3.6 is (beta/2)|w - v|^2.",
    place="Section 3.4, after Assumption 3.6",
    printed=r"\text{When } M_1=\cdots=M_d=\beta,\ f \text{ is said to be } \beta\text{-smooth}",
    kind=ClaimKind.IDENTITY,
    statement=Statement(
        "1/2*sqrt(sum(j, 1, d, beta*x[j]*x[j]))**2 == beta/2*sum(j, 1, d, x[j]**2)", (DIMENSION, DIFFERENCE, BETA)
    ),
    argument=(Identical(),),
    mutants=(
        mutant(
            "square",
            "beta^2 in place of beta",
            "1/2*sqrt(sum(j, 1, d, beta*x[j]*x[j]))**2 == beta**2/2*sum(j, 1, d, x[j]**2)",
            "d=1 beta=2 x=[0,1]",
        ),
    ),
    steps=(
        step(
            "convex",
            "with Assumption 3.4 this is the usual beta-smoothness: |g_w - g_v|^2 <= beta <g_w - g_v, w - v>, and so "
            "|g_w - g_v| <= beta |w - v| (step convex-lipschitz). Each assumption is used at two pairs of points",
            "dot(g_w - g_v, g_w - g_v) <= beta*dot(g_w - g_v, w - v)",
            (*POINTS, BETA),
            (*CONVEX, *SMOOTH),
            argument=(Combine(terms=tuple(("beta", text) for text in (*CONVEX, *SMOOTH))),),
            candidates=PARABOLAS,
            mutants=(
                mutant(
                    "constant",
                    "99/100 beta",
                    "dot(g_w - g_v, g_w - g_v) <= 99/100*beta*dot(g_w - g_v, w - v)",
                    "beta=1 v=(0,) w=(1,) g_v=(0,) g_w=(1,) f_v=0 f_w=1/2 f_y=0 f_z=1/2",
                ),
            ),
        ),
        step(
            "convex-lipschitz",
            "so that the gradient is beta-Lipschitz, by Cauchy and Schwarz; G is the norm of g_w - g_v, here positive",
            "G <= beta*norm(w - v)",
            (positive("G"), vector("w"), vector("v"), GW, GV, BETA),
            ("norm(g_w - g_v) == G",),
            given={"rbcd/REM-3.6/convex": "G**2 <= beta*dot(g_w - g_v, w - v)"},
            argument=(
                Scale("G"),
                Combine(
                    terms=(
                        ("1", "G**2 <= beta*dot(g_w - g_v, w - v)"),
                        ("beta", "dot(g_w - g_v, w - v) <= norm(g_w - g_v)*norm(w - v)"),
                        ("beta*norm(w - v)", "norm(g_w - g_v) == G"),
                    )
                ),
            ),
            candidates=(point("G=1 w=(1,) v=(0,) g_w=(1,) g_v=(0,) beta=1"),),
            mutants=(mutant("half", "half of beta", "G <= beta/2*norm(w - v)"),),
        ),
        Step(
            "concave",
            "without Assumption 3.4 the two differ: Assumption 3.6 bounds f from above only, and -x^2 meets it with "
            "beta = 1 although its gradient is not 1-Lipschitz. Every f of the paper is convex, so nothing changes. h "
            "is the second derivative of (h/2) x^2",
            Statement("beta < abs(h)", (BETA, CURVATURE), ("h/2 <= beta/2",), exists=True),
            (Exhibit(point("beta=1 h=-2")),),
            kind=ClaimKind.NON_VACUITY,
            reads=Reads.OURS,
            mutants=(Mutant("convex", "where f is convex", conditions=("h/2 <= beta/2", "0 <= h")),),
        ),
    ),
)

CLAIMS = (STRONG, SMOOTHNESS)
