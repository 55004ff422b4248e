"""The printed proof of Lemma 5.9."""

from dpaudit.claims.writing import *

from .notation import BY_SPLIT, MISSPLIT, MISSPLIT_PRINTED, MOVED, ONE_STEP_LESS, SMALL_DIFFERENCE, SMALL_GIVEN
from .run import RUN_STEPS
from .symbols import *

HERE, BEFORE = vector("g", "the gradient of f(., d) at x_t"), vector("h", "and at x_(t-1)")
DISTANCE = real("dist", "[0, oo)", "|x_t - x_(t-1)|")
Y, Z, X = vector("y", "y_t"), vector("z", "z_t"), vector("x", "x_(t-1)")
GRAD, ADDS = vector("grad", "nabla_(t-1)"), vector("noise", "b_(t-1)")
UPDATE = projected_at(("x - grad/beta + noise/t", "y"), members=("x",))

PRINTED_STEPS = (
    step(
        "s1",
        "at t = 0 the bound holds by Lipschitzness. Encoded: the first of the two bounds of the lemma",
        f"norm(g) <= 2*{ADDED}",
        (vector("g", "the gradient of f(., d) at x_0, which is Delta_0(d)"), *CONSTANTS),
        ("norm(g) <= L",),
        argument=(Combine((("1", "norm(g) <= L"), ("2*M*b + 4*M*R + L", "0 <= 1"))),),
        candidates=(point("g=(1) M=0 b=0 R=1 L=1"),),
        mutants=(mutant("third", "1/3 in place of 2", f"norm(g) <= 1/3*{ADDED}", "g=(1) M=0 b=0 R=1 L=1"),),
    ),
    erratum(
        "s2-split",
        "(26), first line: Delta_t(d) is eta_t (g - h) + (eta_t - eta_(t-1)) g, where g is the gradient at x_t and h "
        "that at x_(t-1). Encoded: the norm of what is left is 0",
        MISSPLIT,
        (TIME, HERE, BEFORE),
        place="Lemma 5.9, (26), first line",
        printed=MISSPLIT_PRINTED,
        candidates=(point("t=1 g=(1) h=(0)"),),
        finding="A misprint: the last gradient is at x_(t-1), as in Section 4.2 (s2-split~repaired). The bound holds.",
        repair=f"{LEM}/s2",
    ),
    step(
        "s2-split~repaired",
        "with the gradient at x_(t-1) in the last term it is an identity",
        "norm((t + 1)*g - t*h - ((t + 1)*(g - h) + h)) == 0",
        (TIME, HERE, BEFORE),
    ),
    step(
        "s2",
        "(26), second line: |Delta_t(d)| <= eta_t M |x_t - x_(t-1)| + |eta_t - eta_(t-1)| L",
        SMALL_DIFFERENCE,
        (TIME, HERE, BEFORE, DISTANCE, SMOOTH, LIPSCHITZ),
        SMALL_GIVEN,
        place="Lemma 5.9, (26)",
        printed=r"\|\Delta_t(d)\|_2\le\eta_t\cdot M\|\mathbf x_t-\mathbf x_{t-1}\|_2+|\eta_t-\eta_{t-1}|\cdot L",
        argument=(BY_SPLIT,),
        candidates=(point("t=1 g=(1) h=(0) dist=1 M=1 L=1"),),
        mutants=(ONE_STEP_LESS,),
    ),
    step(
        "s3",
        "x_t = (eta_{0:t-1} y_t + eta_t z_t)/eta_{0:t}, so that eta_{0:t} |x_t - x_(t-1)| <= eta_{0:t-1} |y_t - "
        "x_(t-1)| + eta_t |z_t - x_(t-1)|. Encoded: divided by eta_{0:t}",
        "norm(t/(t + 2)*y + 2/(t + 2)*z - x) <= t/(t + 2)*norm(y - x) + 2/(t + 2)*norm(z - x)",
        (TIME, Y, Z, X),
        argument=(
            Combine(
                (
                    (
                        "1",
                        "norm(t/(t + 2)*(y - x) + 2/(t + 2)*(z - x))"
                        " <= norm(t/(t + 2)*(y - x)) + norm(2/(t + 2)*(z - x))",
                    ),
                )
            ),
        ),
        printed=r"\le\eta_{0:t-1}\|\mathbf y_t-\mathbf x_{t-1}\|_2+\eta_t\|\mathbf z_t-\mathbf x_{t-1}\|_2",
        mutants=(
            mutant(
                "weight",
                "1/(t + 2) in place of 2/(t + 2)",
                "norm(t/(t + 2)*y + 2/(t + 2)*z - x) <= t/(t + 2)*norm(y - x) + 1/(t + 2)*norm(z - x)",
                "t=1 y=(0) z=(1) x=(0)",
            ),
        ),
    ),
    erratum(
        "s3-noise",
        "|y_t - x_(t-1)| <= |nabla_(t-1)/beta + b_(t-1)/eta_t|",
        "norm(y - x) <= norm(grad/beta + noise/(t + 1))",
        (TIME, BETA, X, GRAD, ADDS, Y),
        UPDATE,
        place="Lemma 5.9, display after (26), fourth line; Lemma 5.5 has the same",
        printed=r"\eta_{0:t-1}\left\|\frac{\nabla_{t-1}}{\beta}+\frac{\mathbf b_{t-1}}{\eta_t}\right\|_2",
        candidates=(point("t=1 beta=1 x=(0) grad=(0) noise=(1) y=(1)"),),
        finding=(
            "A misprint: the update of y_t has -nabla_(t-1)/beta + b_(t-1)/eta_(t-1) (s3-noise~repaired). The bound on "
            "|b| is then b_max/(t + 2) in the place of b_max t/((t + 1)(t + 2)), and still at most b_max/(t + 1)."
        ),
        repair=f"{LEM}/s5",
    ),
    step(
        "s3-noise~repaired",
        "with the update of Algorithm 1: projections do not take points of the set farther away",
        "norm(y - x)**2 <= norm(grad/beta - noise/t)**2",
        (TIME, BETA, X, GRAD, ADDS, Y),
        UPDATE,
        argument=(
            Combine(
                (
                    ("2", UPDATE[0]),
                    ("1", "0 <= norm(y - x + grad/beta - noise/t)**2"),
                )
            ),
        ),
        candidates=(point("t=1 beta=1 x=(0) grad=(0) noise=(1) y=(1)"),),
        mutants=(
            mutant(
                "half",
                "half of it",
                "norm(y - x)**2 <= 1/2*norm(grad/beta - noise/t)**2",
                "t=1 beta=1 x=(0) grad=(0) noise=(1) y=(1)",
            ),
        ),
    ),
    erratum(
        "s3-radius",
        "|z_t - x_(t-1)| <= R for points of C, where |C|_2 is read as the largest norm in C",
        "norm(z - x) <= R",
        (Z, X, RADIUS),
        ("norm(z) <= R", "norm(x) <= R"),
        reads=Reads.READING,
        candidates=(point("R=1 z=(1) x=(-1)"),),
        finding=(
            "So R has to be the diameter. For the ball B(0, R) of the footnote the lemma holds with 2 R in its place, "
            "and c_M with twice its value."
        ),
        repair=f"{LEM}/s3-radius~repaired",
    ),
    step(
        "s3-radius~repaired",
        "there it is at most 2 R",
        "norm(z - x) <= 2*R",
        (Z, X, RADIUS),
        ("norm(z) <= R", "norm(x) <= R"),
        argument=(Combine((("1", "norm(z - x) <= norm(z) + norm(x)"), ("1", "norm(z) <= R"), ("1", "norm(x) <= R"))),),
        candidates=(point("R=1 z=(1) x=(1)"),),
        mutants=(mutant("less", "3/2 R", "norm(z - x) <= 3/2*R", "R=1 z=(1) x=(-1)"),),
    ),
    step(
        "s4",
        "nabla_(t-1) is the sum of B t differences over B t, and eta_{0:t-1}/(eta_{0:t} eta_(t-1)) <= 1/(t + 1). "
        "Encoded: the second, over B",
        "t/(t + 2)/(t*B) <= 1/((t + 1)*B)",
        (TIME, integer("B", "[1, oo)", "batch size")),
        argument=(Positive(),),
        printed=r"\frac{\sum_{i\le t-1}\sum_{d\in\mathcal B_i}\|\Delta_i(d)\|_2}{\beta(t+1)B}",
        mutants=(mutant("later", "1/(t + 3)", "t/(t + 2)/(t*B) <= 1/((t + 3)*B)", "t=1 B=1"),),
    ),
    step(
        "s5",
        "|x_t - x_(t-1)| <= max |Delta_i(d)|/beta + b_max/(t + 1) + 2 R/(t + 2). Encoded: with the right index of the "
        "noise (s3-noise~repaired); D is the maximum, and so a bound on |nabla_(t-1)|, a mean of such differences",
        f"{MOVED} <= D/beta + b/(t + 1) + 2/(t + 2)*R",
        (TIME, Y, Z, X, GRAD, ADDS, LARGEST, BETA, NOISE, RADIUS),
        ("norm(z - x) <= R", "norm(noise) <= b", "norm(grad) <= D"),
        given={
            f"{LEM}/s3": f"{MOVED} <= t/(t + 2)*norm(y - x) + 2/(t + 2)*norm(z - x)",
            f"{LEM}/s3-noise~repaired": "norm(y - x) <= norm(grad/beta - noise/t)",
        },
        argument=(
            Combine(
                (
                    ("1", f"{MOVED} <= t/(t + 2)*norm(y - x) + 2/(t + 2)*norm(z - x)"),
                    ("t/(t + 2)", "norm(y - x) <= norm(grad/beta - noise/t)"),
                    ("t/(t + 2)", "norm(grad/beta - noise/t) <= norm(grad/beta) + norm(noise/t)"),
                    ("t/((t + 2)*beta)", "norm(grad) <= D"),
                    ("1/(t + 2)", "norm(noise) <= b"),
                    ("2/(t + 2)", "norm(z - x) <= R"),
                    ("2*D/((t + 2)*beta)", "0 <= 1"),
                    ("b/((t + 1)*(t + 2))", "0 <= 1"),
                )
            ),
        ),
        printed=r"\frac{\max_{i\le t-1,d\in\mathcal D}\|\Delta_i(d)\|_2}{\beta}+\frac1{t+1}b_{\max}+\frac2{t+2}R",
        candidates=(point("t=1 y=(0) z=(0) x=(0) grad=(0) noise=(0) D=0 beta=1 b=0 R=1"),),
        mutants=(
            mutant(
                "noise",
                "b_max/(t + 3)",
                f"{MOVED} <= D/beta + b/(t + 3) + 2/(t + 2)*R",
                "t=1 y=(1) z=(0) x=(0) grad=(0) noise=(1) D=0 beta=1 b=1 R=1/1000",
            ),
        ),
    ),
    step(
        "s6",
        "(27): eta_t M |x_t - x_(t-1)| <= max |Delta_i(d)|/2 + M b_max + 2 M R",
        "(t + 1)*M*dist <= D/2 + M*b + 2*M*R",
        (TIME, STEPS, DISTANCE, LARGEST, BETA, *CONSTANTS[:3]),
        ("t + 1 <= T", "2*M*T <= beta"),
        given={f"{LEM}/s5": "dist <= D/beta + b/(t + 1) + 2/(t + 2)*R"},
        place="Lemma 5.9, (27)",
        argument=(
            Combine(
                (
                    ("(t + 1)*M", "dist <= D/beta + b/(t + 1) + 2/(t + 2)*R"),
                    ("M*D/beta", "t + 1 <= T"),
                    ("D/(2*beta)", "2*M*T <= beta"),
                    ("2*M*R/(t + 2)", "0 <= 1"),
                )
            ),
        ),
        candidates=(point("t=1 T=2 dist=0 D=1 beta=4 M=1 b=0 R=1"),),
        mutants=(
            Mutant(
                "beta",
                "beta >= M T",
                conditions=("t + 1 <= T", "M*T <= beta", "dist <= D/beta + b/(t + 1) + 2/(t + 2)*R"),
                candidates=(point("t=100 T=101 dist=99 D=10000 beta=101 M=1 b=0 R=1"),),
            ),
        ),
    ),
    step(
        "s7",
        "(28): |Delta_t(d)| <= max |Delta_i(d)|/2 + M b_max + 2 M R + L, by (26) and (27)",
        f"norm((t + 1)*g - t*h) <= D/2 + {ADDED}",
        (TIME, HERE, BEFORE, DISTANCE, LARGEST, *CONSTANTS),
        SMALL_GIVEN,
        given={f"{LEM}/s6": "(t + 1)*M*dist <= D/2 + M*b + 2*M*R"},
        place="Lemma 5.9, (28)",
        argument=(
            Combine(
                (
                    ("1", "norm((t + 1)*(g - h) + h) <= norm((t + 1)*(g - h)) + norm(h)"),
                    ("t + 1", "norm(g - h) <= M*dist"),
                    ("1", "norm(h) <= L"),
                    ("1", "(t + 1)*M*dist <= D/2 + M*b + 2*M*R"),
                )
            ),
        ),
        candidates=(point("t=1 g=(1) h=(1) dist=0 D=0 M=1 b=0 R=1 L=1"),),
        mutants=(
            mutant(
                "third",
                "D/3 in place of D/2",
                f"norm((t + 1)*g - t*h) <= D/3 + {ADDED}",
                "t=1 g=(5/2) h=(1) dist=3/2 D=6 M=1 b=0 R=1/100 L=1",
            ),
        ),
    ),
    *RUN_STEPS,
)
