r"""Section 4.2, the sketch of the sensitivity: gradient differences.

The first display lacks norms on its left side; they are read into it. The last display has M/beta before b_t, where
the update of y gives M eta_t/eta_(t-1), and the other sign: right for noise in the unit of a gradient, which is
beta b_t in Algorithm 1. M |b_t| <= L is what the full proofs use.
"""

from dpaudit.claims.writing import *

L, M, BETA = positive("L"), positive("M"), positive("beta")
ETA, BEFORE = positive("eta", "eta_t"), positive("eta_before", "eta_(t-1)")
NOW, LAST = vector("g", "grad f(x_t, d)"), vector("g_before", "grad f(x_(t-1), d)")
AT, AT_LAST = vector("x", "x_t"), vector("x_before", "x_(t-1)")
Y, ESTIMATE, NOISE = vector("y", "y_t"), vector("grad", "nabla_(t-1)"), vector("b", "b_(t-1)")
DIFFERENCE = "eta*g - eta_before*g_before"
CONDITIONS = ("norm(g - g_before) <= M*norm(x - x_before)", "norm(g_before) <= L", "eta_before <= eta")
MOVED = projected_at(("x_before - grad/beta + b/eta_before", "y"), members=("x_before",))
RIGHT = "norm(eta*M/beta*grad - eta/eta_before*M*b)"
HERE = "srgd/S42"

CLAIM = Claim(
    id=HERE,
    title="gradient differences",
    words=(
        "|eta_t grad f(x_t, d) - eta_(t-1) grad f(x_(t-1), d)| <= eta_t M |x_t - x_(t-1)| + (eta_t - eta_(t-1)) L, for "
        "eta_t that do not decrease."
    ),
    place="Section 4.2, first display; norms are read into its left side",
    reads=Reads.READING,
    printed=r"\leq \eta_t M\|\mathbf{x}_t-\mathbf{x}_{t-1}\|_2 + (\eta_t-\eta_{t-1})L",
    kind=ClaimKind.INEQUALITY,
    statement=Statement(
        f"norm({DIFFERENCE}) <= eta*M*norm(x - x_before) + (eta - eta_before)*L",
        (L, M, ETA, BEFORE, NOW, LAST, AT, AT_LAST),
        CONDITIONS,
    ),
    argument=(
        Combine(
            (
                ("1", f"norm({DIFFERENCE}) <= norm(eta*(g - g_before)) + norm((eta - eta_before)*g_before)"),
                ("eta", CONDITIONS[0]),
                ("eta - eta_before", CONDITIONS[1]),
            )
        ),
    ),
    candidates=(point("L=1 M=1 eta=2 eta_before=1 g=(1) g_before=(0) x=(1) x_before=(0)"),),
    mutants=(
        mutant(
            "half",
            "half of the first term",
            f"norm({DIFFERENCE}) <= eta/2*M*norm(x - x_before) + (eta - eta_before)*L",
            "L=1/2 M=1 eta=2 eta_before=1 g=(1) g_before=(0) x=(1) x_before=(0)",
        ),
    ),
    steps=(
        step(
            "s1",
            "the difference in two parts",
            f"dot({DIFFERENCE}, w) == dot(eta*(g - g_before) + (eta - eta_before)*g_before, w)",
            (ETA, BEFORE, NOW, LAST, vector("w", "any vector")),
            place="Section 4.2, first display, first line",
            printed=r"= \eta_t(\nabla f(\mathbf{x}_t,d)-\nabla f(\mathbf{x}_{t-1},d)) + (\eta_t-\eta_{t-1})\nabla "
            r"f(\mathbf{x}_{t-1},d)",
        ),
        step(
            "s2",
            "its norm, part by part: smoothness for the first, the bound L on the gradient for the second",
            "norm(eta*(g - g_before)) + norm((eta - eta_before)*g_before) <= eta*M*norm(x - x_before) + (eta - "
            "eta_before)*L",
            (L, M, ETA, BEFORE, NOW, LAST, AT, AT_LAST),
            CONDITIONS,
            reads=Reads.READING,
            argument=(Combine((("eta", CONDITIONS[0]), ("eta - eta_before", CONDITIONS[1]))),),
            candidates=(point("L=1 M=1 eta=2 eta_before=1 g=(1) g_before=(0) x=(1) x_before=(0)"),),
            mutants=(
                mutant(
                    "half",
                    "half of the first term",
                    "norm(eta*(g - g_before)) + norm((eta - eta_before)*g_before) <= eta/2*M*norm(x - x_before)"
                    " + (eta - eta_before)*L",
                    "L=1/2 M=1 eta=2 eta_before=1 g=(1) g_before=(0) x=(1) x_before=(0)",
                ),
            ),
        ),
        erratum(
            "s3",
            "eta_t M |y_t - x_(t-1)| <= |(eta_t M/beta) nabla_t + (M/beta) b_t|, with the estimate and the "
            "noise of the step that made y_t, t - 1",
            "eta*M*norm(y - x_before) <= norm(eta*M/beta*grad + M/beta*b)",
            (M, BETA, ETA, BEFORE, AT_LAST, Y, ESTIMATE, NOISE),
            ("eta_before <= eta", "M <= beta", *MOVED),
            reads=Reads.READING,
            place="Section 4.2, third display; index t read as t - 1, b_t as in Algorithm 1",
            printed=r"\eta_t M\|\mathbf{y}_t-\mathbf{x}_{t-1}\|_2 \leq "
            r"\left\|\frac{\eta_t M}{\beta}\cdot\nabla_t + \frac{M}{\beta}\mathbf{b}_t\right\|_2",
            candidates=(point("M=1 beta=2 eta=1 eta_before=1 x_before=(0) y=(1) grad=(0) b=(1)"),),
            finding=(
                "In Algorithm 1 b_t has the unit of x, so that (M/beta) b_t has not that of a gradient. With "
                "nabla = 0, b = 1, beta = 2, M = eta_(t-1) = eta_t = 1 and C = [-1, 1] y_t - x_(t-1) = 1: the left "
                "side is 1 and the right side 1/2. With M (eta_t/eta_(t-1)) b_(t-1) and a minus sign it holds "
                "(s3~repaired); Lemmas 5.5 and 5.9 have no 1/beta there either. This section is a sketch, and speaks "
                "of b_t as noise added to gradients: for beta b_t in its place the factor M/beta is right."
            ),
            repair=f"{HERE}/s3~repaired",
        ),
        step(
            "s3~repaired",
            "with the factor and the sign of the update of y",
            f"eta*M*norm(y - x_before) <= {RIGHT}",
            (M, BETA, ETA, BEFORE, AT_LAST, Y, ESTIMATE, NOISE),
            MOVED,
            place="Section 4.2, third display",
            argument=(
                Have(
                    "norm(y - x_before) <= norm(grad/beta - b/eta_before)",
                    (
                        Power("2"),
                        Combine((("2", MOVED[0]), ("1", "0 <= norm(x_before - grad/beta + b/eta_before - y)**2"))),
                    ),
                ),
                Combine((("eta*M", "norm(y - x_before) <= norm(grad/beta - b/eta_before)"),)),
            ),
            candidates=(point("M=1 beta=2 eta=1 eta_before=1 x_before=(0) y=(1) grad=(0) b=(1)"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    f"eta*M*norm(y - x_before) <= 1/2*{RIGHT}",
                    "M=1 beta=2 eta=1 eta_before=1 x_before=(0) y=(1) grad=(0) b=(1)",
                ),
            ),
        ),
        step(
            "s4",
            "the noise term, read as M |b_t|, is at most L with (19) where c_M c_DP <= n^(1/4): |b_t| <= b_max, the "
            "assumption of Lemma 5.4, and b_max <= R c_DP/n^(1/4). For which delta c_DP is at most n^(1/4) is in "
            "LEM-5.4/s2~repaired",
            "M*n_b <= L",
            (
                L,
                M,
                positive("R"),
                positive("c_M"),
                positive("c_DP"),
                integer("n", "[1, oo)"),
                real("n_b", "[0, oo)", "|b_t|"),
            ),
            ("M*R <= c_M*L",),
            given={"srgd/LEM-5.4/s1": "n_b <= R*c_DP/n**(1/4)"},
            enough=("c_M*c_DP <= n**(1/4)",),
            reads=Reads.READING,
            place="after the third display",
            argument=(
                Combine(
                    (
                        ("M", "n_b <= R*c_DP/n**(1/4)"),
                        ("c_DP/n**(1/4)", "M*R <= c_M*L"),
                        ("L/n**(1/4)", "c_M*c_DP <= n**(1/4)"),
                    )
                ),
            ),
            candidates=(point("L=1 M=1 R=1 c_M=1 c_DP=1 n=1 n_b=1"),),
            mutants=(mutant("half", "L/2", "M*n_b <= L/2", "L=1 M=1 R=1 c_M=1 c_DP=1 n=1 n_b=1"),),
        ),
        step(
            "s5",
            "without the assumption on the minimiser: beta >= T M >= eta_t M, for eta_t = t + 1 and t < T",
            "(t + 1)*M <= beta",
            (M, BETA, integer("T", "[1, oo)"), integer("t", "[0, oo)")),
            ("T*M <= beta", "t <= T - 1"),
            place="Section 4.2, where the minimiser may lie outside C",
            argument=(Combine((("1", "T*M <= beta"), ("M", "t <= T - 1"))),),
            candidates=(point("M=1 beta=1 T=1 t=0"),),
            mutants=(mutant("two", "t + 2", "(t + 2)*M <= beta", "M=1 beta=1 T=1 t=0"),),
        ),
    ),
)
