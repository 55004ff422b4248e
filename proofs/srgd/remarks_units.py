r"""The introduction's naive bound on the sensitivity, its bound on gradient differences, and the objective of DP-SGD.

M/(B beta t) on "the norm of the difference in mini-batch gradients" is a bound on the share of one record: the
difference itself does not fall with B. The objective of DP-SGD is printed as a mean of gradients, a misprint.
"""

from dpaudit.claims.writing import *

LIPSCHITZ, SMOOTH, BETA = positive("L"), positive("M"), positive("beta")
BATCH, TIME = real("B", "[1, oo)", "batch size"), real("t", "[1, oo)", "step")
NOW, LAST = vector("g", "grad f(x_t, d)"), vector("h", "grad f(x_(t-1), d)")
UNITS = {"S": (1, -1), "M": (1, -2), "beta": (1, -2), "L": (1, -1)}

BLUNT = Claim(
    id="srgd/REM-4b",
    title="the naive bound t M/(B beta) + L on the sensitivity of Delta_t",
    words=(
        "Bounding it naively to O(t M/(B beta) + L). Read for every L, as L is kept in it. Encoded: one unit on both "
        "sides; what follows from |x_t - x_(t-1)| <= L/beta, the move of y alone, is `naive`."
    ),
    place="Section 1, our analysis",
    printed=r"O\left(\frac{tM}{B\beta}+L\right)",
    reads=Reads.READING,
    kind=ClaimKind.HOMOGENEITY,
    statement=homogeneous(
        "S <= t*M/(B*beta) + L", (positive("S", "sensitivity"), TIME, SMOOTH, BATCH, BETA, LIPSCHITZ), UNITS
    ),
    expects=Outcome.REFUTED,
    candidates=(point("S=1 t=1 M=1 B=1 beta=1 L=1 value_unit=2 length_unit=1"),),
    finding=(
        "As REM-4/s2: M/beta has no unit and L has one; (t M/beta + 1) L/B has it. At L = R = 1, as in footnote 4, it "
        "is a valid bound for the move of y, with an L that need not be divided by B."
    ),
    repair="srgd/REM-4b/naive",
    steps=(
        step(
            "naive",
            "for a move of at most L/beta the difference of one record is at most (t + 1) M L/beta + L, its share in "
            "the mean of the batch a B-th of it",
            "norm((t + 1)*g - t*h)/B <= ((t + 1)*M/beta + 1)*L/B",
            (TIME, BATCH, BETA, SMOOTH, LIPSCHITZ, NOW, LAST, real("dist", "[0, oo)", "|x_t - x_(t-1)|")),
            ("norm(g - h) <= M*dist", "norm(h) <= L", "dist <= L/beta"),
            argument=(
                Combine(
                    (
                        ("1/B", "norm((t + 1)*(g - h) + h) <= norm((t + 1)*(g - h)) + norm(h)"),
                        ("(t + 1)/B", "norm(g - h) <= M*dist"),
                        ("1/B", "norm(h) <= L"),
                        ("(t + 1)*M/B", "dist <= L/beta"),
                    )
                ),
            ),
            candidates=(point("t=1 B=1 beta=1 M=1 L=1 g=(1) h=(0) dist=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "norm((t + 1)*g - t*h)/B <= 1/2*((t + 1)*M/beta + 1)*L/B",
                    "t=1 B=1 beta=1 M=1 L=1 g=(1) h=(0) dist=1",
                ),
            ),
        ),
        erratum(
            "difference",
            "the norm of the difference in mini-batch gradients is O(M/(B beta t)), and M/(B beta) bluntly. Encoded: "
            "the second, at t = 1, for equal records f = M x^2/2 - x at x_0 = 0 and x_1 = 1/beta, where L = 1",
            "M*(1/beta) <= C*M/(B*beta)",
            (constant("C"), SMOOTH, BATCH, BETA),
            reads=Reads.READING,
            place="Section 1, our analysis",
            printed=r"\frac1B\left\|\sum_{d\in\mathcal B}\nabla f(\mathbf x_t;d)-\sum_{d\in\mathcal B}"
            r"\nabla f(\mathbf x_{t-1};d)\right\|_2\ldots O\left(\frac M{B\cdot\beta t}\right)",
            argument=(ForEvery(where("M=1 B=C+1 beta=1"), argument=(Scale("C + 1"), Positive())),),
            finding=(
                "The difference of two batch gradients does not fall with B. The share of one record, which the "
                "sensitivity is about, does: the blunt bound is right for it, but for its unit (share-blunt), and it "
                "falls with t by Lemma 5.5 (share)."
            ),
            repair="srgd/REM-4b/share-blunt",
        ),
        step(
            "share-blunt",
            "the share of one record, for a move of at most L/beta, is at most M L/(B beta)",
            "norm(g - h)/B <= M*L/(B*beta)",
            (BATCH, BETA, SMOOTH, LIPSCHITZ, NOW, LAST, real("dist", "[0, oo)", "|x_t - x_(t-1)|")),
            ("norm(g - h) <= M*dist", "dist <= L/beta"),
            argument=(Combine((("1/B", "norm(g - h) <= M*dist"), ("M/B", "dist <= L/beta"))),),
            candidates=(point("B=1 beta=1 M=1 L=1 g=(1) h=(0) dist=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "norm(g - h)/B <= 1/2*M*L/(B*beta)",
                    "B=1 beta=1 M=1 L=1 g=(1) h=(0) dist=1",
                ),
            ),
        ),
        step(
            "share",
            "the share of one record falls with t: by |Delta_t(d)| <= c_DP L it is at most (c_DP + 1) L/(B (t + 1)). "
            "Encoded: the two gradients differ by (Delta_t(d) - h)/(t + 1)",
            "norm(D - h)/(t + 1)/B <= (c_DP + 1)*L/(B*(t + 1))",
            (TIME, BATCH, LIPSCHITZ, vector("D", "Delta_t(d)"), LAST, real("c_DP", "[1, oo)")),
            ("norm(h) <= L",),
            given={"srgd/LEM-5.5": "norm(D) <= c_DP*L"},
            expects=Outcome.CONSISTENT,
            argument=(
                Combine(
                    (
                        ("1/(B*(t + 1))", "norm(D - h) <= norm(D) + norm(-h)"),
                        ("1/(B*(t + 1))", "norm(D) <= c_DP*L"),
                        ("1/(B*(t + 1))", "norm(h) <= L"),
                    )
                ),
            ),
            candidates=(point("t=1 B=1 L=1 D=(1) h=(1) c_DP=1"),),
            mutants=(
                mutant(
                    "half",
                    "half of it",
                    "norm(D - h)/(t + 1)/B <= 1/2*(c_DP + 1)*L/(B*(t + 1))",
                    "t=1 B=1 L=1 D=(1) h=(-1) c_DP=1",
                ),
            ),
        ),
    ),
)

OBJECTIVE = Claim(
    id="srgd/ALG-6",
    title="the objective of DP-SGD",
    words="DP-SGD optimises the loss (1/n) sum of grad l(x; d_i). Encoded: a loss and a gradient have one unit.",
    place="Section 2.1",
    printed=r"\mathcal{L}(\mathbf x;D)=\frac1n\sum_{i\in[n]}\nabla\ell(\mathbf x;d_i)",
    kind=ClaimKind.HOMOGENEITY,
    statement=homogeneous(
        "F == slope", (positive("F", "loss"), positive("slope", "mean of gradients")), {"F": (1, 0), "slope": (1, -1)}
    ),
    expects=Outcome.REFUTED,
    candidates=(point("F=1 slope=1 value_unit=1 length_unit=2"),),
    finding="A misprint: the loss is the mean of l(x; d_i), without the nabla. Nothing depends on it.",
    repair="srgd/ALG-6/loss",
    steps=(
        Step(
            "loss",
            "the mean of losses has the unit of a loss",
            homogeneous(
                "F == value",
                (positive("F", "loss"), positive("value", "mean of losses")),
                {"F": (1, 0), "value": (1, 0)},
            ),
            argument=(Identical(),),
            kind=ClaimKind.HOMOGENEITY,
        ),
    ),
)

CLAIMS = (BLUNT, OBJECTIVE)
