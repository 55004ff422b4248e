"""Remarks of the introduction and of Section 3 on optimisation: REM-1, REM-2, REM-3, REM-6 and REM-8.

REM-1 and REM-2 hold for a loss that is smooth everywhere. REM-8: the recursive gradient has the right mean, but not
given the past: its error is carried on.
"""

from dpaudit.claims.writing import *

L, M, SIZE = positive("L"), positive("M"), positive("norm_C", "diameter of C")
X, BEST, SLOPE = vector("x"), vector("x_min", "the global minimiser"), vector("g", "gradient at x")
F_X, F_MIN = real("F_x"), real("F_min")
R, N, P, EPS, B = positive("R"), integer("n", "[1, oo)"), integer("p", "[1, oo)"), positive("eps"), real("B", "[1, oo)")
WEIGHT, MEANS = sequence("eta", "(0, oo)", "eta_t"), sequence("e", meaning="E q_t, one coordinate")
CARRIED = "all(t, 1, T, eta[t]*e[t] == eta[t - 1]*e[t - 1])"
"""The recursion of q_t, in the mean."""
ETA, BEFORE = positive("eta", "eta_t"), positive("eta_before", "eta_(t-1)")
LAST, NEW = vector("q_before", "q_(t-1)"), vector("new", "Delta_t - E[Delta_t | batches before t]")
TOTAL = "L*R/sqrt(n) + L*R*sqrt(p)/(eps*n)"
MORE = "L*R*B/n + L*R*B*sqrt(p)/(eps*n**2)"
SHARP = ("norm(g) == L", "norm(g) <= M*norm(x - x_min)", "norm(x - x_min) <= norm_C")
BOWL = smooth_convex_at("M", ("x", "g", "F_x"), ("x_min", "", "F_min"))
PARABOLA = "M=1 x=(1) x_min=(0) g=(1) F_x=1/2 F_min=0"
BENT = tuple(positive(name, "entry of the Hessian") for name in ("h_11", "h_12", "h_22"))

CLAIMS = (
    Claim(
        id="srgd/REM-1",
        title="the least smoothness",
        words=(
            "If C contains the global minimiser, M >= L/|C|_2. Encoded: for one loss, with L attained at a "
            "point x of C: the gradient is 0 at the minimiser and grows by at most M times the distance."
        ),
        place="footnote 4",
        printed=r"M \geq L/\|\mathcal{C}\|_2",
        reads=Reads.READING,
        kind=ClaimKind.INEQUALITY,
        statement=Statement("L/norm_C <= M", (L, M, SIZE, X, BEST, SLOPE), SHARP),
        argument=(
            Scale("norm_C"),
            Combine((("1", SHARP[0]), ("1", SHARP[1]), ("M", SHARP[2]))),
        ),
        candidates=(point("L=1 M=1 norm_C=1 x=(1) x_min=(0) g=(1)"),),
        mutants=(mutant("twice", "2 L", "2*L/norm_C <= M", "L=1 M=1 norm_C=1 x=(1) x_min=(0) g=(1)"),),
        steps=(
            erratum(
                "per-example",
                "the same for L and M of the losses f(., d), as they are defined, and the minimiser of their "
                "mean F: two examples with gradients u and -u at the minimiser",
                "L/norm_C <= M",
                (L, M, SIZE, real("u"), real("v")),
                ("abs(u) == L", "u + v == 0", "abs(v) <= L"),
                reads=Reads.READING,
                place="footnote 4",
                candidates=(point("L=1 M=1/2 norm_C=1 u=1 v=-1"),),
                finding=(
                    "Losses d x with d = 1 or -1, each with probability 1/2, have L = 1 and every M > 0, and F "
                    "= 0 has its minimisers in C. The footnote holds for F and its own L, or if every loss has "
                    "its minimiser in C."
                ),
                repair="srgd/REM-1",
            ),
        ),
    ),
    Claim(
        id="srgd/REM-2",
        title="self-bounding gradients",
        words=(
            "If the minimiser over R^p lies in C, |grad F(x)|^2 <= 2 M (F(x) - F(x*)). Encoded for F that is "
            "convex and M-smooth on R^p."
        ),
        place="Section 4.2",
        printed=r"\|\nabla F(\mathbf{x}_t)\|_2 \leq \sqrt{2M(F(\mathbf{x}_t)-F(\mathbf{x}^*))}",
        reads=Reads.READING,
        kind=ClaimKind.INEQUALITY,
        statement=Statement("norm(g)**2 <= 2*M*(F_x - F_min)", (M, X, BEST, SLOPE, F_X, F_MIN), BOWL),
        argument=(Combine((("2*M", BOWL[0]),)),),
        candidates=(point(PARABOLA),),
        tightness=(
            Tightness(
                "factor", "2", "norm(g)**2 <= {c}*M*(F_x - F_min)", "2", "199/100", candidates=(point(PARABOLA),)
            ),
        ),
        mutants=(mutant("one", "1 in the place of 2", "norm(g)**2 <= 1*M*(F_x - F_min)", PARABOLA),),
        steps=(
            erratum(
                "along-the-set",
                "the same for F that is M-smooth over C only, as is assumed: C = [0, 1] x {0}, F a convex "
                "quadratic with minimiser 0 and gradient x (h_11, h_12) at (x, 0)",
                "x_1**2*(h_11**2 + h_12**2) <= 2*M*(h_11*x_1**2/2)",
                (M, *BENT, real("x_1", "[0, 1]")),
                ("h_11**2 + h_12**2 <= M**2", "h_12**2 <= h_11*h_22"),
                reads=Reads.READING,
                place="Section 4.2, with the assumption of Section 1",
                candidates=(point("M=1 h_11=3/5 h_12=4/5 h_22=2 x_1=1"),),
                finding=(
                    "The Hessian ((3/5, 4/5), (4/5, 2)) is positive definite, and the gradient is 1-Lipschitz "
                    "along C. At (1, 0) |grad F|^2 = 1, and 2 (F - F*) = 3/5. The proof of the inequality "
                    "steps out of C. With smoothness on R^p, as the losses in use have it, it holds. This C has no "
                    "interior; Section 1 speaks of the interior, and explains it as being in C."
                ),
                repair="srgd/REM-2",
            ),
        ),
    ),
    Claim(
        id="srgd/REM-3",
        title="error of the form of the introduction",
        words=(
            "For B <= sqrt(n) the third and fourth term of LR/sqrt(n) + LR sqrt(p)/(eps n) + LRB/n + LRB "
            "sqrt(p)/(eps n^2) are at most the first two."
        ),
        place="Section 1, our analysis",
        printed=r"\frac{LR}{\sqrt n}+\frac{LR\sqrt p}{\varepsilon n}+\frac{LRB}{n}+\frac{LRB\sqrt p}{\varepsilon n^2}",
        kind=ClaimKind.INEQUALITY,
        statement=Statement(f"{MORE} <= {TOTAL}", (L, R, N, P, EPS, B), ("B <= sqrt(n)",)),
        argument=(
            Have("sqrt(n) <= n", (Power("2"), Combine((("n", "1 <= n"),)))),
            Combine(
                (
                    ("L*R/n", "B <= sqrt(n)"),
                    ("L*R*sqrt(p)/(eps*n**2)", "B <= sqrt(n)"),
                    ("L*R*sqrt(p)/(eps*n**2)", "sqrt(n) <= n"),
                )
            ),
        ),
        mutants=(
            Mutant(
                "batch",
                "B <= 2 sqrt(n)",
                conditions=("B <= 2*sqrt(n)",),
                candidates=(point("L=1 R=1 n=1 p=1 eps=1 B=2"),),
            ),
        ),
    ),
    Claim(
        id="srgd/REM-6",
        title="how many steps the rate needs",
        words=(
            "No first-order method gets o(1/T^2) in T queries, so that T = n^(1/4) is needed for an empirical "
            "loss of 1/sqrt(n). Encoded: with fewer steps 1/T^2 is more than 1/sqrt(n)."
        ),
        place="Section 1, future directions (c)",
        kind=ClaimKind.INEQUALITY,
        statement=Statement("1/sqrt(n) < 1/T**2", (N, positive("T", "steps")), ("T < n**(1/4)",)),
        argument=(
            Have("T**2 < sqrt(n)", (Combine((("T + n**(1/4)", "T < n**(1/4)"),)),)),
            Scale("T**2*sqrt(n)"),
            Combine((("1", "T**2 < sqrt(n)"),)),
        ),
        mutants=(
            Mutant(
                "root",
                "T < 2 n^(1/4)",
                conditions=("T < 2*n**(1/4)",),
                candidates=(point("n=1 T=3/2"),),
            ),
        ),
        steps=(step("equal", "and equal at T = n^(1/4)", "1/(n**(1/4))**2 == 1/sqrt(n)", (N,)),),
    ),
    Claim(
        id="srgd/REM-8",
        title="the recursive gradient is unbiased",
        words=(
            "nabla_t is an unbiased estimate of nabla F(x_t). Encoded: E q_t = 0 for every t, without conditioning, "
            "coordinate by coordinate; the first batch has it, as x_0 is fixed."
        ),
        place="Section 3",
        reads=Reads.READING,
        kind=ClaimKind.MOMENT,
        statement=Statement(
            "eta[T]*e[T] == 0",
            (integer("T", "[0, oo)"), WEIGHT, MEANS),
            ("eta[0]*e[0] == 0", CARRIED),
        ),
        origins=(Condition(CARRIED, Origin.GIVEN, "srgd/REM-8/recursion"),),
        argument=(Induct("T"),),
        candidates=(point("T=1 eta=[1,2] e=[0,0]"),),
        mutants=(mutant("one", "1 for 0", "eta[T]*e[T] == 1", "T=1 eta=[1,2] e=[0,0]"),),
        steps=(
            step(
                "recursion",
                "E[q_t | batches before t] = (eta_(t-1)/eta_t) q_(t-1): against all that is known, k, the new "
                "part has mean 0",
                "dot((eta_before*q_before + new)/eta, k) == eta_before/eta*dot(q_before, k)",
                (ETA, BEFORE, LAST, NEW, vector("k", "known before batch t")),
                ("dot(new, k) == 0",),
                kind=ClaimKind.MOMENT,
                reads=Reads.OURS,
                argument=(Combine((("1/eta", "dot(new, k) == 0"),)),),
                candidates=(point("eta=1 eta_before=1 q_before=(1) new=(0) k=(1)"),),
            ),
            erratum(
                "given-the-past",
                "nabla_t is unbiased given the batches before t: q_t has mean 0 against q_(t-1)",
                "dot((eta_before*q_before + new)/eta, q_before) == 0",
                (ETA, BEFORE, LAST, NEW),
                ("dot(new, q_before) == 0",),
                reads=Reads.READING,
                place="Section 3",
                candidates=(point("eta=2 eta_before=1 q_before=(1) new=(0)"),),
                finding=(
                    "Given the past the mean of q_t is (eta_(t-1)/eta_t) q_(t-1) (recursion), and x_t depends "
                    "on it. With eta = 1, 2, q_0 = 1 and a second batch without error q_1 = 1/2. The proofs "
                    "use the martingale of all steps, and no conditional mean, but in Theorem 5.13, where "
                    "batches are independent."
                ),
                repair="srgd/REM-8",
            ),
        ),
    ),
)
